package detective_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/model/scripted"
	"omniscope/model/wrap"
	"omniscope/perceive"
	"omniscope/run"
)

// A fakeTool answers from a list, one answer for each question it was made
// for, else its default.
type fakeTool struct {
	info    perceive.Info
	answers map[string]*perceive.Answer            // by question; "" = any other
	fail    func(call int) error                   // nil = never
	said    func(question string) *perceive.Answer // asked first; nil, or an answer of nil = what answers has

	mu    sync.Mutex
	calls []string
}

func (f *fakeTool) Info() perceive.Info         { return f.info }
func (f *fakeTool) Check(context.Context) error { return nil }

func (f *fakeTool) Observe(_ context.Context, _ *perceive.Clip, question string) (*perceive.Answer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, question)
	if f.fail != nil {
		if err := f.fail(len(f.calls)); err != nil {
			return nil, err
		}
	}
	if f.said != nil {
		if a := f.said(question); a != nil {
			return a, nil
		}
	}
	if a, ok := f.answers[question]; ok {
		return a, nil
	}
	return f.answers[""], nil
}

// observer makes a tool that says the same to every question.
func observer(name string, sense omniscope.Modality, asks bool, observations ...perceive.Observation) *fakeTool {
	texts := make([]string, len(observations))
	for i, o := range observations {
		texts[i] = o.What
	}
	return &fakeTool{
		info:    perceive.Info{Name: name, Version: "1", About: "Tells what a " + name + " can tell.", Modality: sense, Asks: asks},
		answers: map[string]*perceive.Answer{"": {Text: strings.Join(texts, "\n"), Observations: observations}},
	}
}

// seen makes an observation; a negative end means to the end, two zeros the
// whole clip.
func seen(kind perceive.Kind, startS, endS, sure float64, what, quote string) perceive.Observation {
	return perceive.Observation{Kind: kind, What: what, Quote: quote, Sure: sure,
		Span: omniscope.Span{Start: duration(startS), End: duration(max(0, endS))}}
}

func duration(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// clipOf is a clip of ten seconds that nobody can really open.
func clipOf(t *testing.T) *perceive.Clip {
	t.Helper()
	path := filepath.Join(t.TempDir(), "clip.mp4")
	fixture.OK(t, os.WriteFile(path, []byte("invented"), 0o644))
	return &perceive.Clip{Clip: omniscope.Clip{ID: "clip", Path: path}, File: &media.File{Path: path, Duration: 10 * time.Second}}
}

// A counted model counts the calls that reach it, and can be made to fail.
type counted struct {
	model.Model
	mu    sync.Mutex
	steps []string
	fail  func(step string) error
}

func (m *counted) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	m.mu.Lock()
	m.steps = append(m.steps, fmt.Sprintf("%s#%d", req.Step, req.Attempt))
	fail := m.fail
	m.mu.Unlock()
	if fail != nil {
		if err := fail(req.Step); err != nil {
			return nil, err
		}
	}
	return m.Model.Generate(ctx, req)
}

// planner makes an LLM planner of a script: texts by step, one for each
// attempt. once may be nil.
func planner(script map[string][]string, once *run.Once) (*detective.LLM, *counted) {
	replies := make(map[string][]scripted.Reply)
	for step, texts := range script {
		for _, text := range texts {
			replies[step] = append(replies[step], scripted.Reply{Text: text})
		}
	}
	m := &counted{Model: scripted.New(replies)}
	wrapped := wrap.Stack(m, wrap.Options{Name: "scripted/test", Source: "test", Once: once, ByStep: true})
	return &detective.LLM{Judge: &judge.Judge{Name: "scripted/test", Model: wrapped, Request: "test"}}, m
}

// asking is a planner's turn in JSON.
func asking(tool, question string) string {
	return fmt.Sprintf(`{"tool": %q, "question": %q}`, tool, question)
}

// caption is a conclusion in JSON: sentences, each "text|o1,o2".
func caption(sentences ...string) string {
	list := make([]string, len(sentences))
	for i, s := range sentences {
		text, ids, _ := strings.Cut(s, "|")
		quoted := ""
		if ids != "" {
			quoted = `"` + strings.ReplaceAll(ids, ",", `", "`) + `"`
		}
		list[i] = fmt.Sprintf(`{"text": %q, "evidence": [%s]}`, text, quoted)
	}
	return `{"sentences": [` + strings.Join(list, ", ") + `], "contradictions": []}`
}

func kind(k omniscope.Kind, why string) error { return &omniscope.Error{Kind: k, Err: errors.New(why)} }

func investigate(t *testing.T, c *detective.Investigation, p detective.Planner, once *run.Once) *detective.Report {
	t.Helper()
	report, err := detective.Investigate(t.Context(), c, p, detective.Options{Once: once})
	fixture.OK(t, err)
	return report
}
