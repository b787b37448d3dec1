package questions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/sentences"
	"omniscope/internal/talkqa"
)

// A Source is where a passage comes from.
type Source byte

// The sources. They are the first letters of the names of passages.
const (
	Abstract Source = 'A' // the paper's abstract
	Heard    Source = 'T' // the transcript
	Seen     Source = 'S' // what is seen in the talk
)

// A Passage is a small part of what is known of a talk: a sentence, a line, or an observation.
type Passage struct {
	Name     string   // such as T3
	Source   Source   //
	Text     string   //
	Start    *float64 // in seconds; nil = not known
	End      *float64
	Evidence string // its id in the investigation that it comes from
}

func (p *Passage) String() string {
	if p.Start == nil || p.End == nil {
		return fmt.Sprintf("%s: %s", p.Name, p.Text)
	}
	return fmt.Sprintf("%s (%.1f to %.1f s): %s", p.Name, *p.Start, *p.End, p.Text)
}

// A Talk is what is known of a recorded talk.
type Talk struct {
	ID       string
	Passages []Passage // of the abstract, then what is heard, then what is seen
	media    string    // path of its file
}

// Find is the passage with a name; nil if there is none.
func (t *Talk) Find(name string) *Passage {
	at := slices.IndexFunc(t.Passages, func(p Passage) bool { return p.Name == name })
	if at < 0 {
		return nil
	}
	return &t.Passages[at]
}

// of are the passages from some sources, a line each.
func (t *Talk) of(sources ...Source) string {
	var lines []string
	for i := range t.Passages {
		if p := &t.Passages[i]; slices.Contains(sources, p.Source) {
			lines = append(lines, p.String())
		}
	}
	return strings.Join(lines, "\n")
}

// has reports whether there is a passage from a source.
func (t *Talk) has(s Source) bool {
	return slices.ContainsFunc(t.Passages, func(p Passage) bool { return p.Source == s })
}

// wants is how many questions of each kind the talk needs.
func (t *Talk) wants() []talkqa.Least {
	if t.has(Seen) {
		return talkqa.Guideline
	}
	return talkqa.WithoutPictures(talkqa.Guideline)
}

func (t *Talk) add(s Source, text string, start, end *float64, evidence string) {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return
	}
	n := 1
	for _, p := range t.Passages {
		if p.Source == s {
			n++
		}
	}
	t.Passages = append(t.Passages, Passage{Name: fmt.Sprintf("%c%d", s, n), Source: s, Text: text, Start: start, End: end, Evidence: evidence})
}

// Talks are the talks of a file.
type Talks struct {
	All     []*Talk
	Digests []string // of the files that were read
}

// Find is the talk with an id; nil if there is none.
func (t *Talks) Find(id string) *Talk {
	at := slices.IndexFunc(t.All, func(one *Talk) bool { return one.ID == id })
	if at < 0 {
		return nil
	}
	return t.All[at]
}

// Blind are the talks of which nobody knows what is to be seen.
func (t *Talks) Blind() (n int) {
	for _, one := range t.All {
		if !one.has(Seen) {
			n++
		}
	}
	return n
}

// ReadTalks reads talks, a line of JSON each, in the form that people are given: id, abstract, and transcript or lines
// with source, start and end. seen is what is to be seen in them, see addSeen; "" = nobody knows.
func ReadTalks(ctx context.Context, path, seen string) (*Talks, error) {
	all := &Talks{}
	digest, err := eachLine(ctx, path, func(text []byte) error {
		t, err := readTalk(text)
		if err != nil {
			return err
		}
		if all.Find(t.ID) != nil {
			return fmt.Errorf("talk %s is there already, on an earlier line", t.ID)
		}
		all.All = append(all.All, t)
		return nil
	})
	if err != nil {
		return nil, err
	}
	all.Digests = []string{digest}
	if seen == "" {
		return all, nil
	}
	return all, all.addSeen(ctx, seen)
}

// eachLine reads a file of lines of JSON one by one, and says on which line an error is.
func eachLine(ctx context.Context, path string, do func(text []byte) error) (digest string, err error) {
	lines, err := bench.OpenLines(ctx, path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	if lines.Len() == 0 {
		return "", invalid("%s has no rows", lines.Path)
	}
	for i := range lines.Len() {
		text, err := lines.At(i)
		if err != nil {
			return "", err
		}
		why := bench.CheckJSON(text)
		if why == nil {
			why = do(text)
		}
		if why != nil {
			return "", lines.Bad(i, text, why)
		}
	}
	return lines.Digest, nil
}

func readTalk(text []byte) (*Talk, error) {
	var row struct {
		ID, Abstract, Transcript, Video, Audio string
		Lines                                  []struct {
			Source     string
			Start, End *float64
		}
	}
	if err := json.Unmarshal(text, &row); err != nil {
		return nil, err
	}
	there := bench.FieldsOf(text)
	t := &Talk{ID: row.ID, media: row.Video}
	if t.media == "" {
		t.media = row.Audio
	}
	switch {
	case row.ID == "":
		return nil, bench.NoField("id", there)
	case len(row.ID) > bench.LongestID:
		return nil, fmt.Errorf("the id has %d bytes, more than %d", len(row.ID), bench.LongestID)
	case strings.TrimSpace(row.Abstract) == "":
		return nil, fmt.Errorf("talk %s: %w", row.ID, bench.NoField("abstract", there))
	}
	for _, s := range sentences.Cut(row.Abstract) {
		t.add(Abstract, s.Text, nil, nil, "")
	}
	for i, l := range row.Lines {
		if l.Start != nil && (l.End == nil || *l.End < *l.Start || *l.Start < 0) {
			return nil, fmt.Errorf("talk %s: line %d begins at %g s and does not end after that", row.ID, i+1, *l.Start)
		}
		t.add(Heard, l.Source, l.Start, l.End, "")
	}
	if !t.has(Heard) {
		for _, s := range sentences.Cut(row.Transcript) {
			t.add(Heard, s.Text, nil, nil, "")
		}
	}
	if !t.has(Heard) {
		return nil, fmt.Errorf("talk %s has neither lines nor a transcript: %w", row.ID, bench.NoField("transcript", there))
	}
	return t, nil
}

func invalid(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf(format, args...)}
}
