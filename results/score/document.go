package score

import (
	"io"
	"math"
	"strings"

	"omniscope/internal/outfile"
	"omniscope/metric/stats"
)

// Schema names the form of score's JSON.
const Schema = "omniscope.score/1"

// A Document is scores for programs.
type Document struct {
	Schema           string               `json:"schema"`
	Metric           string               `json:"metric"`
	Signature        string               `json:"signature"`
	SegmentSignature string               `json:"segment_signature,omitempty"` // of scores of single segments, if another
	Segments         int                  `json:"segments"`
	Clusters         *int                 `json:"clusters"` // null = every segment by itself
	Fields           []string             `json:"fields"`   // names of counts
	Systems          []SystemDocument     `json:"systems"`
	Differences      []DifferenceDocument `json:"differences"`
	Warnings         []string             `json:"warnings"`
	PerSegment       []SegmentDocument    `json:"per_segment,omitempty"`
}

// A SystemDocument is what one system scored.
type SystemDocument struct {
	Name   string                   `json:"name"`
	File   string                   `json:"file"`
	Scores map[string]ValueDocument `json:"scores"`
	Counts []*float64               `json:"counts"` // null = not a number
}

// A DifferenceDocument is how two systems differ.
type DifferenceDocument struct {
	Base   string                   `json:"base"`
	System string                   `json:"system"`
	Scores map[string]ValueDocument `json:"scores"`
}

// A ValueDocument is a score with its interval.
type ValueDocument struct {
	Value      *float64       `json:"value"`    // null = no score
	Interval   stats.Interval `json:"interval"` // null = none
	NoInterval string         `json:"no_interval,omitempty"`
}

// A SegmentDocument is what all systems scored on one segment.
type SegmentDocument struct {
	Segment int                            `json:"segment"` // from 1
	Cluster string                         `json:"cluster,omitempty"`
	Scores  map[string]map[string]*float64 `json:"scores"` // by system and score
}

func documented(value float64, ok bool, iv stats.Interval) ValueDocument {
	d := ValueDocument{Interval: iv}
	if ok {
		d.Value = &value
	}
	if !iv.Known {
		d.NoInterval = strings.TrimPrefix(iv.Method, "not available: ")
	}
	return d
}

// Document is scores for programs.
func (s *Scored) Document(perSegment bool) Document {
	d := Document{Schema: Schema, Metric: s.Measure.Name, Signature: s.Signature, Segments: s.Input.Len(), Fields: s.Measure.Fields,
		Systems: []SystemDocument{}, Differences: []DifferenceDocument{}, Warnings: append([]string{}, s.Warnings...)}
	if s.Input.Clusters != nil {
		d.Clusters = &s.clusters
	}
	for _, system := range s.Systems {
		d.Systems = append(d.Systems, s.systemDocument(system))
	}
	for _, p := range s.pairs {
		scores := make(map[string]ValueDocument)
		for i, sc := range s.Measure.Scores {
			scores[sc.Name] = documented(p.differences[i], !math.IsNaN(p.differences[i]), p.intervals[i])
		}
		d.Differences = append(d.Differences, DifferenceDocument{Base: p.a.Name, System: p.b.Name, Scores: scores})
	}
	if perSegment {
		if s.SegmentSignature != s.Signature {
			d.SegmentSignature = s.SegmentSignature
		}
		for i := range s.Input.Len() {
			d.PerSegment = append(d.PerSegment, s.segmentDocument(i))
		}
	}
	return d
}

func (s *Scored) systemDocument(system *System) SystemDocument {
	scores := make(map[string]ValueDocument)
	for i, sc := range s.Measure.Scores {
		value, ok := sc.Value(system.Sum)
		scores[sc.Name] = documented(value, ok, system.intervals[i])
	}
	counts := make([]*float64, len(system.Sum))
	for i, n := range system.Sum {
		if !math.IsNaN(n) {
			counts[i] = &n
		}
	}
	return SystemDocument{Name: system.Name, File: system.Path, Scores: scores, Counts: counts}
}

func (s *Scored) segmentDocument(segment int) SegmentDocument {
	d := SegmentDocument{Segment: segment + 1, Scores: make(map[string]map[string]*float64)}
	if s.Input.Clusters != nil {
		d.Cluster = s.Input.Clusters[segment]
	}
	for _, system := range s.Systems {
		scores := make(map[string]*float64)
		for _, sc := range s.Measure.Scores {
			if value, ok := ofSegment(sc, system.Rows[segment]); ok {
				scores[sc.Name] = &value
			} else {
				scores[sc.Name] = nil
			}
		}
		d.Scores[system.Name] = scores
	}
	return d
}

// Write writes the document as indented JSON.
func (d Document) Write(w io.Writer) error {
	return outfile.JSON(w, d)
}
