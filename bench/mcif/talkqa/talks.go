package talkqa

import (
	"fmt"
	"slices"
	"strings"
)

// A Talk is a line of a file of talks, as people and programs are given it.
type Talk struct {
	ID         string `json:"id"`
	Link       string `json:"video_link,omitempty"`
	Video      string `json:"video,omitempty"` // file
	Audio      string `json:"audio,omitempty"` // file, where there is no video
	Abstract   string `json:"abstract"`
	Transcript string `json:"transcript,omitempty"`
	Lines      []Line `json:"lines,omitempty"`          // of the transcript
	Parts      []Line `json:"abstract_lines,omitempty"` // of the abstract; none = it is one
}

// A Line is a line of a talk, and what a machine made of it in other languages.
type Line struct {
	Source  string   `json:"source"`
	Start   *float64 `json:"start,omitempty"` // in seconds
	End     *float64 `json:"end,omitempty"`
	German  string   `json:"de,omitempty"`
	Italian string   `json:"it,omitempty"`
	Chinese string   `json:"zh,omitempty"`
}

// Check refuses a talk that nobody could work on. noField makes the error for a field that is not there.
func (t *Talk) Check(noField func(name string) error) error {
	switch {
	case t.ID == "":
		return noField("id")
	case strings.TrimSpace(t.Abstract) == "":
		return fmt.Errorf("talk %s: %w", t.ID, noField("abstract"))
	case t.Video == "" && t.Audio == "":
		return fmt.Errorf("talk %s: %w, and no audio", t.ID, noField("video"))
	}
	for i, l := range append(slices.Clone(t.Lines), t.Parts...) {
		switch {
		case strings.TrimSpace(l.Source) == "":
			return fmt.Errorf("talk %s: line %d has no source", t.ID, i+1)
		case !InOrder(l.Start, l.End):
			return fmt.Errorf("talk %s: line %d begins at %g s and does not end after that", t.ID, i+1, *l.Start)
		}
	}
	return nil
}

// InOrder reports whether a stretch begins at 0 or later and does not end before. One without a start is in order.
func InOrder(start, end *float64) bool {
	return start == nil || end != nil && *end >= *start && *start >= 0
}

// Media is the path of the talk's file.
func (t *Talk) Media() string {
	if t.Video != "" {
		return t.Video
	}
	return t.Audio
}
