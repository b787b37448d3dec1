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
	"omniscope/bench/mcif/talkqa"
	"omniscope/internal/input"
	"omniscope/internal/langid"
	"omniscope/internal/rows"
	"omniscope/internal/sentences"
)

// A source is where a passage comes from.
type source byte

// The sources. They are the first letters of the names of passages. None is a label: A is one.
const (
	paper    source = 'P' // the paper's abstract
	speech   source = 'T' // the transcript
	pictures source = 'S' // what is seen in the talk
)

// A passage is a small part of what is known of a talk: a sentence, a line, or an observation.
type passage struct {
	Name     string // such as T3
	Source   source
	Text     string
	Start    *float64 // in seconds; nil = not known
	End      *float64
	Evidence string // its id in the investigation that it comes from
}

func (p *passage) String() string {
	if p.Start == nil || p.End == nil {
		return fmt.Sprintf("%s: %s", p.Name, p.Text)
	}
	return fmt.Sprintf("%s (%.1f to %.1f s): %s", p.Name, *p.Start, *p.End, p.Text)
}

// A Talk is what is known of a recorded talk.
type Talk struct {
	ID       string
	Passages []passage // of the abstract, then of what is heard, then of what is seen
	media    string    // path of its file
	blind    bool      // its file has no pictures
	other    bool      // it is in another language than English
	byName   map[string]int
	counts   map[source]int
	report   string // the investigation that tells what is seen
}

// Find is the passage with a name; nil if there is none.
func (t *Talk) Find(name string) *passage {
	if at, ok := t.byName[name]; ok {
		return &t.Passages[at]
	}
	return nil
}

// text is the passages from some sources, a line each.
func (t *Talk) text(sources ...source) string {
	var lines []string
	for i := range t.Passages {
		if p := &t.Passages[i]; slices.Contains(sources, p.Source) {
			lines = append(lines, p.String())
		}
	}
	return strings.Join(lines, "\n")
}

// has reports whether there is a passage from a source.
func (t *Talk) has(s source) bool { return t.counts[s] > 0 }

// needs is how many questions of each kind the talk needs.
func (t *Talk) needs() []talkqa.Least {
	if t.has(pictures) {
		return talkqa.Guideline
	}
	return talkqa.WithoutPictures(talkqa.Guideline)
}

func (t *Talk) add(s source, text string, start, end *float64, evidence string) {
	if text = oneLine(text); text == "" {
		return
	}
	t.counts[s]++
	name := fmt.Sprintf("%c%d", s, t.counts[s])
	t.byName[name] = len(t.Passages)
	t.Passages = append(t.Passages, passage{Name: name, Source: s, Text: text, Start: start, End: end, Evidence: evidence})
}

// Talks are the talks of a file.
type Talks struct {
	All     []*Talk
	Digests []string // of the files that were read
	byID    map[string]*Talk
}

// Find is the talk with an id; nil if there is none.
func (t *Talks) Find(id string) *Talk { return t.byID[id] }

// WithoutPictures is how many talks there are of which nothing says what is to be seen.
func (t *Talks) WithoutPictures() (n int) {
	for _, one := range t.All {
		if !one.has(pictures) {
			n++
		}
	}
	return n
}

// ReadTalks reads talks, a line of JSON each, in the form that people are given: id, abstract, video or audio, and transcript or lines
// with source, start and end. seen is a file or folder that says what is seen in them, see addSeen; "" = there is none.
func ReadTalks(ctx context.Context, path, seen string) (*Talks, error) {
	all := &Talks{byID: make(map[string]*Talk)}
	digest, err := eachLine(ctx, path, func(text []byte) error {
		t, err := readTalk(text)
		if err != nil {
			return err
		}
		if all.Find(t.ID) != nil {
			return fmt.Errorf("talk %s is there already, on an earlier line", t.ID)
		}
		all.All, all.byID[t.ID] = append(all.All, t), t
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
	n := 0
	digest, err = rows.InOrder(ctx, path, func(_ *rows.File, _ int, text []byte) error {
		n++
		if err := rows.CheckJSON(text); err != nil {
			return err
		}
		return inWords(do(text))
	})
	if err == nil && n == 0 {
		return "", omniscope.Invalidf("%s has no rows", input.Name(path))
	}
	return digest, err
}

// inWords says of a value of the wrong kind which field has it, as people write files and not as Go reads them.
func inWords(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return fmt.Errorf("the field %q is a %s, not %s", wrong.Field, wrong.Value, jsonKind(wrong.Type.Kind().String()))
	}
	return err
}

func jsonKind(kind string) string {
	switch {
	case kind == "string":
		return "a text in quotation marks"
	case kind == "slice":
		return "a list"
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "float"):
		return "a number"
	}
	return "what is wanted there"
}

// readTalk reads a talk by the rules of those that people are given.
func readTalk(text []byte) (*Talk, error) {
	var row talkqa.Talk
	if err := json.Unmarshal(text, &row); err != nil {
		return nil, err
	}
	noField := func(name string) error { return bench.NoField(name, bench.FieldsOf(text)) }
	if err := row.Check(noField); err != nil {
		return nil, err
	}
	if len(row.ID) > bench.LongestID {
		return nil, fmt.Errorf("the id has %d bytes, more than %d", len(row.ID), bench.LongestID)
	}
	t := &Talk{ID: row.ID, media: row.Media(), blind: row.Video == "", byName: make(map[string]int), counts: make(map[source]int)}
	for _, s := range sentences.Cut(row.Abstract) {
		t.add(paper, s.Text, nil, nil, "")
	}
	for _, l := range row.Lines {
		t.add(speech, l.Source, l.Start, l.End, "")
	}
	if !t.has(speech) {
		for _, s := range sentences.Cut(row.Transcript) {
			t.add(speech, s.Text, nil, nil, "")
		}
	}
	if !t.has(speech) {
		return nil, fmt.Errorf("talk %s has neither lines nor a transcript: %w", row.ID, noField("transcript"))
	}
	t.other = !english(t.text(speech), t.text(paper))
	return t, nil
}

// english reports whether the first text that tells its language is English, or none tells.
func english(texts ...string) bool {
	for _, text := range texts {
		if lang := langid.Detect(text).Lang; lang != "" {
			return lang == "en"
		}
	}
	return true
}
