package score

import (
	"io"
	"math"

	"omniscope/internal/outfile"
	"omniscope/metric/stats"
)

// schema names the form of score's JSON.
const schema = "omniscope.score/1"

// A scoreDocument is scores for programs.
type scoreDocument struct {
	Schema           string               `json:"schema"`
	Metric           string               `json:"metric"`
	Signature        string               `json:"signature"`
	SegmentSignature string               `json:"segment_signature,omitempty"` // of scores of single segments, if another
	Segments         int                  `json:"segments"`
	Clusters         *int                 `json:"clusters"` // null = every segment by itself
	Fields           []string             `json:"fields"`   // names of counts
	Systems          []systemDocument     `json:"systems"`
	Differences      []differenceDocument `json:"differences"`
	Warnings         []string             `json:"warnings"`
	PerSegment       []SegmentDocument    `json:"per_segment,omitempty"`
}

// A systemDocument is what one system scored.
type systemDocument struct {
	Name   string                   `json:"name"`
	File   string                   `json:"file"`
	Scores map[string]valueDocument `json:"scores"`
	Counts []*float64               `json:"counts"` // null = not a number
}

// A differenceDocument is how two systems differ.
type differenceDocument struct {
	Base   string                   `json:"base"`
	System string                   `json:"system"`
	Scores map[string]valueDocument `json:"scores"`
}

// A valueDocument is a score with its interval.
type valueDocument struct {
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

func documented(value float64, ok bool, iv stats.Interval) valueDocument {
	d := valueDocument{Interval: iv}
	if ok {
		d.Value = &value
	}
	if !iv.Known {
		d.NoInterval = whyNone(iv)
	}
	return d
}

// Document returns the scores for programs.
func (s *Scored) Document(perSegment bool) scoreDocument {
	d := scoreDocument{Schema: schema, Metric: s.Measure.Name, Signature: s.Signature, Segments: s.segments, Fields: s.Measure.Fields,
		Systems: []systemDocument{}, Differences: []differenceDocument{}, Warnings: append([]string{}, s.Warnings...)}
	if s.Input.Clusters != nil {
		d.Clusters = &s.clusters
	}
	for _, system := range s.Systems {
		d.Systems = append(d.Systems, s.systemDocument(system))
	}
	for _, p := range s.pairs {
		scores := make(map[string]valueDocument)
		for i, sc := range s.Measure.Scores {
			scores[sc.Name] = documented(p.differences[i], !math.IsNaN(p.differences[i]), p.intervals[i])
		}
		d.Differences = append(d.Differences, differenceDocument{Base: p.a.Name, System: p.b.Name, Scores: scores})
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

func (s *Scored) systemDocument(system *scoredSystem) systemDocument {
	scores := make(map[string]valueDocument)
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
	return systemDocument{Name: system.Name, File: system.Path, Scores: scores, Counts: counts}
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
func (d scoreDocument) Write(w io.Writer) error {
	return outfile.JSON(w, d)
}
