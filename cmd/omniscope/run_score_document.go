package main

import (
	"encoding/json"
	"io"
	"math"
	"strings"

	"omniscope/stats"
)

// scoreSchema names the form of score's JSON.
const scoreSchema = "omniscope.score/1"

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
	PerSegment       []segmentDocument    `json:"per_segment,omitempty"`
}

type systemDocument struct {
	Name   string                   `json:"name"`
	File   string                   `json:"file"`
	Scores map[string]valueDocument `json:"scores"`
	Counts []*float64               `json:"counts"` // null = not a number
}

type differenceDocument struct {
	Base   string                   `json:"base"`
	System string                   `json:"system"`
	Scores map[string]valueDocument `json:"scores"`
}

type valueDocument struct {
	Value      *float64       `json:"value"`    // null = no score
	Interval   stats.Interval `json:"interval"` // null = none
	NoInterval string         `json:"no_interval,omitempty"`
}

type segmentDocument struct {
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
		d.NoInterval = strings.TrimPrefix(iv.Method, "not available: ")
	}
	return d
}

func (s *scored) document(perSegment bool) scoreDocument {
	d := scoreDocument{Schema: scoreSchema, Metric: s.m.name, Signature: s.signature, Segments: s.in.Len(), Fields: s.m.fields,
		Systems: []systemDocument{}, Differences: []differenceDocument{}, Warnings: append([]string{}, s.warnings...)}
	if s.in.clusters != nil {
		d.Clusters = &s.clusters
	}
	for _, system := range s.systems {
		d.Systems = append(d.Systems, s.systemDocument(system))
	}
	for _, p := range s.pairs {
		scores := make(map[string]valueDocument)
		for i, sc := range s.m.scores {
			scores[sc.name] = documented(p.differences[i], !math.IsNaN(p.differences[i]), p.intervals[i])
		}
		d.Differences = append(d.Differences, differenceDocument{Base: p.a.name, System: p.b.name, Scores: scores})
	}
	if perSegment {
		if s.segmentSignature != s.signature {
			d.SegmentSignature = s.segmentSignature
		}
		for i := range s.in.Len() {
			d.PerSegment = append(d.PerSegment, s.segmentDocument(i))
		}
	}
	return d
}

func (s *scored) systemDocument(system *scoredSystem) systemDocument {
	scores := make(map[string]valueDocument)
	for i, sc := range s.m.scores {
		value, ok := sc.value(system.sum)
		scores[sc.name] = documented(value, ok, system.intervals[i])
	}
	counts := make([]*float64, len(system.sum))
	for i, n := range system.sum {
		if !math.IsNaN(n) {
			counts[i] = &n
		}
	}
	return systemDocument{Name: system.name, File: system.path, Scores: scores, Counts: counts}
}

func (s *scored) segmentDocument(segment int) segmentDocument {
	d := segmentDocument{Segment: segment + 1, Scores: make(map[string]map[string]*float64)}
	if s.in.clusters != nil {
		d.Cluster = s.in.clusters[segment]
	}
	for _, system := range s.systems {
		scores := make(map[string]*float64)
		for _, sc := range s.m.scores {
			if value, ok := sc.ofSegment(system.rows[segment]); ok {
				scores[sc.name] = &value
			} else {
				scores[sc.name] = nil
			}
		}
		d.Scores[system.name] = scores
	}
	return d
}

func (d scoreDocument) write(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(d)
}
