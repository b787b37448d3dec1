package session_test

import (
	"io"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fake"
	"omniscope/session"
	"omniscope/session/eval"
	"omniscope/session/journals"
)

// judged are runs in which a model judges the captions of the demo.
func judged(systems ...string) (tasks []session.Task) {
	for _, system := range systems {
		tasks = append(tasks, &eval.Spec{Benchmark: "omni-cloze", Predictions: "../bench/demo/captions/" + system + ".jsonl", Data: "../bench/demo/cloze/clips.jsonl", Judge: "openai/mock"})
	}
	return tasks
}

func TestTasksShareABudget(t *testing.T) {
	server := fake.Start(t, fake.Config{Model: "mock", Reply: fake.ClozeReply(nil, 0)})
	m := func(most int) *session.Machine {
		return &session.Machine{Calls: &session.Calls{WorkDir: t.TempDir(), Journals: journals.All, MaxCalls: most, SkipExam: true}, Address: session.At(server.URL()), Warnings: io.Discard}
	}
	limited := m(15) // the demo has 12 clips
	if err := session.All(t.Context(), limited, judged("careful", "terse")...); omniscope.KindOf(err) != omniscope.Budget || server.Stats().Answered != 15 {
		t.Errorf("%v after %d answers; want the budget used up after 15", err, server.Stats().Answered)
	}
	limited.Calls.MaxCalls = 0
	if err := session.All(t.Context(), limited, judged("careful", "terse")...); err != nil || server.Stats().Answered != 24 {
		t.Errorf("without a limit: %v, %d answers; want 24 over both", err, server.Stats().Answered)
	}
}

func TestNoTaskBeginsBeforeAllAreChecked(t *testing.T) {
	server := fake.Start(t, fake.Config{Model: "mock", Reply: fake.ClozeReply(nil, 0)})
	m := &session.Machine{Calls: &session.Calls{WorkDir: t.TempDir(), Journals: journals.All}, Address: session.At(server.URL()), Warnings: io.Discard}
	if err := session.All(t.Context(), m, judged("careful", "none")...); err == nil || server.Stats().Answered != 0 {
		t.Errorf("%v, %d answers; want an error of the second before the first is asked", err, server.Stats().Answered)
	}
	m.Out = t.TempDir()
	if err := session.All(t.Context(), m, judged("careful", "terse")...); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("two runs in one folder: %v", err)
	}
}
