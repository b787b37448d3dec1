package mcif

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif/talkqa"
	"omniscope/internal/rows"
	"omniscope/people"
)

// A maker makes projects of talks.
type maker struct {
	talks     string
	questions string
	to        []string
}

// Options implements people.Maker.
func (m *maker) Options() []bench.Option {
	return []bench.Option{
		{Name: "talks", Value: bench.Text(&m.talks), Path: true, Help: "talks, a line of JSON each"},
		{Name: "questions", Value: bench.Text(&m.questions), Path: true, Help: "questions that are there already, in the form of the exported questions.jsonl; people go on from them"},
		{Name: "language", Value: bench.Texts(&m.to), Choices: []string{"de", "it", "zh", noLanguage}, Help: "language to translate to; may be given again; none = questions only (default: de, it and zh)"},
	}
}

// noLanguage as the only language means that nothing is translated.
const noLanguage = "none"

// Make implements people.Maker.
func (m *maker) Make(ctx context.Context) (*people.Plan, error) {
	if m.talks == "" {
		return nil, omniscope.Usagef("name the talks with --talks")
	}
	to, err := m.languages()
	if err != nil {
		return nil, err
	}
	talks, warnings, err := readTalks(ctx, m.talks, to)
	if err != nil {
		return nil, err
	}
	if m.questions != "" {
		if err := addQuestions(ctx, m.questions, talks); err != nil {
			return nil, err
		}
	}
	p := people.Project{Kind: name, Title: "Talks", Guideline: guideline, Stages: stages(to)}
	return &people.Plan{Project: p, Items: people.MadeItems(len(talks), func(i int) (*people.Item, any, error) {
		t := talks[i]
		return &people.Item{ID: t.ID, Clip: t.ID, Media: []people.Media{{File: t.Media()}}}, t, nil
	}), Warnings: warnings}, nil
}

func (m *maker) languages() (to []string, err error) {
	for _, code := range m.to {
		switch {
		case code == noLanguage && len(m.to) == 1:
			return nil, nil
		case languageOf(code) == nil:
			return nil, omniscope.Usagef("--language %s: there are de, it and zh, or %s alone", code, noLanguage)
		case slices.Contains(to, code):
			return nil, omniscope.Usagef("--language %s is given twice", code)
		}
		to = append(to, code)
	}
	if len(to) == 0 {
		for _, l := range languages {
			to = append(to, l.code)
		}
	}
	return to, nil
}

// eachLine reads a file of lines of JSON one by one, and says on which line an error is.
func eachLine(ctx context.Context, path string, do func(text []byte, line int) error) error {
	n := 0
	err := people.ReadRows(ctx, path, func(lines *rows.File, i int, text []byte) error {
		n++
		text = bytes.TrimSpace(text)
		if err := rows.CheckJSON(text); err != nil {
			return err
		}
		return do(text, lines.Number(i))
	})
	if err == nil && n == 0 {
		err = omniscope.Invalidf("%s has no rows", path)
	}
	return err
}

func readTalks(ctx context.Context, path string, to []string) (talks []*talkInfo, warnings []string, err error) {
	first := make(map[string]int)
	untranslated := make(map[string]int)
	err = eachLine(ctx, path, func(text []byte, line int) error {
		t := &talkInfo{}
		if err := json.Unmarshal(text, t); err != nil {
			return err
		}
		if err := t.check(text); err != nil {
			return err
		}
		if at, twice := first[t.ID]; twice {
			return fmt.Errorf("talk %s is there already, on line %d", t.ID, at)
		}
		first[t.ID] = line
		t.Given = nil // they come from a file of their own
		for _, code := range to {
			if !slices.ContainsFunc(t.Lines, func(l talkqa.Line) bool { return machine(&l, code) != "" }) {
				untranslated[code]++
			}
		}
		talks = append(talks, t)
		return nil
	})
	for _, code := range to {
		if n := untranslated[code]; n > 0 {
			warnings = append(warnings, fmt.Sprintf("%d of %d talks have no machine's text in %s (field %q of lines): it is translated from nothing", n, len(talks), languageOf(code).name, code))
		}
	}
	return talks, warnings, err
}

// check refuses a talk that nobody could work on.
func (t *talkInfo) check(text []byte) error {
	if len(t.ID) > bench.LongestID {
		return fmt.Errorf("the id has %d bytes, more than %d", len(t.ID), bench.LongestID)
	}
	return t.Talk.Check(func(name string) error { return bench.NoField(name, bench.FieldsOf(text)) })
}

// addQuestions gives talks the questions of a file.
func addQuestions(ctx context.Context, path string, talks []*talkInfo) error {
	byID := make(map[string]*talkInfo)
	for _, t := range talks {
		byID[t.ID] = t
	}
	return eachLine(ctx, path, func(text []byte, _ int) error {
		g := given{Line: string(text)}
		if err := json.Unmarshal(text, &g.Row); err != nil {
			return err
		}
		there := bench.FieldsOf(text)
		t := byID[g.Talk]
		switch {
		case g.Talk == "":
			return bench.NoField("talk", there)
		case t == nil:
			return fmt.Errorf("there is no talk %q among those of --talks", g.Talk)
		case strings.TrimSpace(g.Question) == "":
			return bench.NoField("question", there)
		}
		if err := g.Check(); err != nil {
			return err
		}
		if g.State == "rejected" {
			return nil // somebody decided already
		}
		t.Given = append(t.Given, g)
		return nil
	})
}
