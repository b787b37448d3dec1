package choice_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/choice"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/captionstest"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/model/judge"
	"omniscope/model/scripted"
	"omniscope/model/wrap"
	"omniscope/run"
)

// question is a row of MMAU's file.
func question(id string, more string) string {
	return fmt.Sprintf(`{"id": %q, "audio_id": "./clips/%s.wav", "question": "What is heard?", "choices": ["a dog", "a train", "rain"], "answer": "a train", "task": "sound", "difficulty": "easy", "category": ["Reasoning"]%s}`, id, id, more)
}

// five are five questions, and what is said to them: right, wrong, declined, nothing that
// is an option, nothing at all.
func five(t *testing.T) (data, answers, captions string, replies map[string][]scripted.Reply) {
	var rows, said, described []string
	replies = make(map[string][]scripted.Reply)
	for i, reply := range []string{"a train", "(A) a dog", "N/A", "Let me think."} {
		id := fmt.Sprint("q", i)
		rows = append(rows, question(id, ""))
		said = append(said, fmt.Sprintf(`{"id": %q, "model_output": %q}`, id, reply))
		described = append(described, fmt.Sprintf(`{"audio_id": "%s.wav", "caption": "Sound %d."}`, id, i))
		replies[id] = []scripted.Reply{{Text: reply}, {Text: `{"answer": "B"}`}}
	}
	rows = append(rows, question("q4", ""))
	return fixture.File(t, "data.json", "["+strings.Join(rows, ",\n")+"]"), fixture.File(t, "answers.jsonl", strings.Join(said, "\n")), fixture.File(t, "captions.jsonl", strings.Join(described, "\n")), replies
}

func answerer(replies map[string][]scripted.Reply) *judge.Judge {
	return &judge.Judge{Name: "scripted/test", Model: scripted.New(replies), Request: "test", Attempts: 2}
}

func TestSuite(t *testing.T) {
	data, answers, captions, replies := five(t)
	for _, scoring := range []bench.Scoring{bench.Official, bench.Strict} {
		for name, in := range map[string]bench.Inputs{
			"direct":  {Predictions: answers, Data: data},
			"cascade": {Predictions: captions, Data: data, Judge: answerer(replies)},
		} {
			in.Scoring = scoring
			t.Run(name+" "+scoring.String(), func(t *testing.T) {
				benchtest.Run(t, choice.MMAU(), in, benchtest.Workers, "task", "difficulty", "category")
			})
		}
	}
}

func TestUnitsAnsweredAnywhere(t *testing.T) {
	data, _, captions, replies := five(t)
	for _, predictions := range []string{captions, bench.NoPredictions} {
		benchtest.Isolated(t, func(t *testing.T, journal run.Journal, calls *atomic.Int64) (bench.Benchmark, bench.Inputs) {
			replies["q4"] = []scripted.Reply{{Text: "B"}}
			m := wrap.Stack(benchtest.Counting{Model: scripted.New(replies), Calls: calls}, wrap.Options{Name: "scripted/test", Source: "script", ByStep: true, Once: &run.Once{Journal: journal}})
			return choice.MMAU(), bench.Inputs{Predictions: predictions, Data: data, Judge: &judge.Judge{Name: "scripted/test", Model: m, Request: "test", Attempts: 2}}
		}, func() run.Journal { return runtest.NewMemory() }, benchtest.Workers)
	}
}

// scored are the counts of the whole: correct, wrong, abstained, unread, unjudged.
func scored(t *testing.T, b bench.Benchmark, in bench.Inputs) (official, strict string) {
	t.Helper()
	r := captionstest.Score(t, b, in)
	counts := func(p bench.Scoring) string {
		k := overall(r, p)
		return fmt.Sprint(k["correct"], k["wrong"], k["abstained"], k["unread"], k["unjudged"])
	}
	return counts(bench.Official), counts(bench.Strict)
}

func TestVerdictsOfBothScorings(t *testing.T) {
	data, answers, captions, replies := five(t)
	for _, c := range []struct {
		name             string
		in               bench.Inputs
		official, strict string
	}{
		// MMAU leaves out what has no answer, and counts "N/A" and words as wrong. "(A) a dog" is wrong for both.
		{"direct", bench.Inputs{Predictions: answers, Data: data}, "1 3 0 0 1", "1 1 1 1 1"},
		// In the cascade what cannot be read is asked again: the second reply to q3 is right.
		{"cascade", bench.Inputs{Predictions: captions, Data: data, Judge: answerer(replies)}, "1 3 0 0 1", "2 1 1 0 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.in.Scoring = bench.Strict
			if official, strict := scored(t, choice.MMAU(), c.in); official != c.official || strict != c.strict {
				t.Errorf("official %s, want %s; strict %s, want %s", official, c.official, strict, c.strict)
			}
		})
	}
}

// TestHollowReplies asks a judge again that names a letter and denies it. Official scoring keeps the letter.
func TestHollowReplies(t *testing.T) {
	data, _, captions, replies := five(t)
	for name, c := range map[string]struct {
		first, second string
		strict        string
	}{
		"not given, then a letter": {"B: not given", "B", "2 1 1 0 1"},
		"a placeholder to the end": {"B: xxx", "B. xxx", "1 1 1 0 2"},
		"the option's words":       {"B: a train", "no", "2 1 1 0 1"},
	} {
		t.Run(name, func(t *testing.T) {
			replies["q0"] = []scripted.Reply{{Text: c.first}, {Text: c.second}}
			in := bench.Inputs{Predictions: captions, Data: data, Judge: answerer(replies), Scoring: bench.Strict}
			if official, strict := scored(t, choice.MMAU(), in); official != "1 3 0 0 1" || strict != c.strict {
				t.Errorf("official %s, want 1 3 0 0 1; strict %s, want %s", official, strict, c.strict)
			}
		})
	}
}

// TestOptionsThatAreLetters: chords are options that look like letters of others. A reply in the form that was asked for is clear.
func TestOptionsThatAreLetters(t *testing.T) {
	data := fixture.File(t, "data.json", `[{"id": "q", "audio_id": "q.wav", "question": "Which chord?", "choices": ["C", "G", "Cm", "A"], "answer": "Cm"}]`)
	captions := fixture.File(t, "captions.jsonl", `{"audio_id": "q.wav", "caption": "A chord."}`)
	for _, c := range []struct {
		reply            string
		form             bench.AnswerForm
		official, strict string
	}{
		{"C", bench.AnyForm, "0 1 0 0 0", "0 0 0 1 0"},
		{"C", bench.Letters, "0 1 0 0 0", "1 0 0 0 0"},
		{"C", bench.Words, "0 1 0 0 0", "0 1 0 0 0"},
		{"Cm", bench.Words, "1 0 0 0 0", "1 0 0 0 0"},
		{"Cm", bench.Letters, "1 0 0 0 0", "1 0 0 0 0"},
		{"C. Cm", bench.Words, "0 1 0 0 0", "1 0 0 0 0"},
	} {
		answers := fixture.File(t, "answers.jsonl", fmt.Sprintf(`{"id": "q", "model_output": %q}`, c.reply))
		in := bench.Inputs{Predictions: answers, Data: data, Form: c.form, Scoring: bench.Strict}
		if official, strict := scored(t, choice.MMAU(), in); official != c.official || strict != c.strict {
			t.Errorf("%q, form %d: official %s, want %s; strict %s, want %s", c.reply, c.form, official, c.official, strict, c.strict)
		}
	}
	in := bench.Inputs{Predictions: captions, Data: data, Judge: answerer(map[string][]scripted.Reply{"q": {{Text: "C"}}}), Scoring: bench.Strict}
	if official, strict := scored(t, choice.MMAU(), in); official != "1 0 0 0 0" || strict != "1 0 0 0 0" {
		t.Errorf("cascade: official %s, strict %s", official, strict)
	}
}

// TestRepliesWithoutVisibleText: an answerer that sends characters that cannot be seen has failed.
func TestRepliesWithoutVisibleText(t *testing.T) {
	data, _, captions, replies := five(t)
	replies["q0"] = []scripted.Reply{{Text: " \u200b\n"}, {Text: "\ufeff"}}
	in := bench.Inputs{Predictions: captions, Data: data, Judge: answerer(replies), Scoring: bench.Strict}
	if _, strict := scored(t, choice.MMAU(), in); strict != "1 1 1 0 2" {
		t.Errorf("strict %s, want 1 1 1 0 2", strict)
	}
}

func TestBadInput(t *testing.T) {
	data, answers, captions, replies := five(t)
	for name, c := range map[string]struct {
		data, predictions string
		answerer          bool
		says              string
	}{
		"two questions of one id":       {data: "[" + question("a", "") + ",\n" + question("a", "") + "]", says: ":2: question a is there already, on line 1"},
		"an answer outside the options": {data: `[` + strings.Replace(question("a", ""), `"answer": "a train"`, `"answer": "a bus"`, 1) + `]`, says: "the right answer is not one of its 3 options"},
		"one option":                    {data: `[` + strings.Replace(question("a", ""), `["a dog", "a train", "rain"]`, `["a train"]`, 1) + `]`, says: "has 1 options"},
		"no recording":                  {data: `[{"id": ""}]`, says: "the question has no id, which is a text or a number"},
		"no JSON":                       {data: `[{"id": `, says: "not JSON"},
		"no questions":                  {data: "[]", says: "has no questions"},
		"answers of others":             {predictions: `{"id": "x", "model_output": "a"}`, says: "name with --answerer the model that answers from captions"},
		"captions of others":            {predictions: `{"id": "x", "caption": "a"}`, answerer: true, says: "leave --answerer out if these are answers"},
		"no field of answers":           {predictions: `{"id": "q0", "modeloutput": "a"}`, says: "--caption-field"},
		"two answers to one question":   {predictions: `{"id": "q0", "model_output": "a"}` + "\n" + `{"id": "q0", "model_output": "b"}`, says: ":2: q0 is there already, on line 1"},
		"no id":                         {predictions: `{"model_output": "a"}`, says: "the row has no id"},
		"none without answerer":         {predictions: bench.NoPredictions, says: "none"},
		"answers, not captions":         {predictions: answers, answerer: true, says: "the row has no text"},
		"captions, not answers":         {predictions: captions, says: "if it is a caption, name the model that answers from captions with --answerer"},
	} {
		t.Run(name, func(t *testing.T) {
			in := bench.Inputs{Data: data, Predictions: answers}
			if c.data != "" {
				in.Data = fixture.File(t, "data.json", c.data)
			}
			switch {
			case filepath.IsAbs(c.predictions) || c.predictions == bench.NoPredictions:
				in.Predictions = c.predictions
			case c.predictions != "":
				in.Predictions = fixture.File(t, "predictions.jsonl", c.predictions)
			}
			if c.answerer {
				in.Judge = answerer(replies)
			}
			ev, err := choice.MMAU().Open(t.Context(), in)
			if err == nil {
				ev.Close()
			}
			if kind := omniscope.KindOf(err); err == nil || kind != omniscope.Invalid && kind != omniscope.NotFound || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}

// TestUnknownVersion expects a warning about a file that is not a released version.
func TestUnknownVersion(t *testing.T) {
	data, answers, _, _ := five(t)
	ev, err := choice.MMAU().Open(t.Context(), bench.Inputs{Data: data, Predictions: answers})
	fixture.OK(t, err)
	defer ev.Close()
	if w := strings.Join(ev.Plan().Warnings, "\n"); !strings.Contains(w, "not a known version of mmau") || !strings.Contains(w, "1 of 5 questions have none of the answers") {
		t.Errorf("it warns: %s", w)
	}
}

// TestKeyedFile reads a file that is an object of rows by name.
func TestKeyedFile(t *testing.T) {
	data := fixture.File(t, "qa.json", `{
"v1": {"duration": "<1min", "domain": "Music", "audio_class": ["Speech", "Music"],
  "task0": {"task_domain": "Recognition", "task_type": "x", "question": "?", "candidates": ["A. a dog", "B. a cat"], "answer": "B"},
  "task1": {"task_domain": "Reasoning", "task_type": "y", "question": "?", "candidates": ["A. a dog", "B. a cat", "C. rain"], "answer": "C"}},
"v2": {"duration": ">8min", "domain": "Music", "task0": {"question": "?", "candidates": ["A. 1", "B. 2"], "answer": "D"}}}`)
	_, err := choice.WorldSense().Open(t.Context(), bench.Inputs{Data: data, Predictions: fixture.File(t, "a.jsonl", `{"id": "v1/task0", "answer": "B"}`)})
	if err == nil || !strings.Contains(err.Error(), "qa.json:5: question v2/task0: the right answer is not one of its 2 options") {
		t.Errorf("a letter out of range: %v", err)
	}
	text, _ := os.ReadFile(data)
	good := fixture.File(t, "qa.json", strings.Replace(string(text), `"answer": "D"`, `"answer": "A"`, 1))
	answers := fixture.File(t, "a.jsonl", `{"id": "v1/task0", "answer": "B"}`+"\n"+`{"id": "v1/task1", "answer": "the one with no letter"}`)
	if official, strict := scored(t, choice.WorldSense(), bench.Inputs{Data: good, Predictions: answers, Scoring: bench.Strict}); official != "1 2 0 0 0" || strict != "1 0 0 1 1" {
		t.Errorf("official %s, strict %s", official, strict)
	}
}

// TestOrdersOfOptions has a model answer that always says A: with the options as in the
// file, in another order, and with each of them first. What it says is of the order it saw.
func TestOrdersOfOptions(t *testing.T) {
	var rows, captions []string
	replies := make(map[string][]scripted.Reply)
	for i := range 40 {
		id := fmt.Sprint("q", i)
		rows, captions = append(rows, question(id, "")), append(captions, fmt.Sprintf(`{"id": %q, "caption": "x"}`, id))
		for _, step := range []string{id, id + "/turn2", id + "/turn3"} {
			replies[step] = []scripted.Reply{{Text: "A"}}
		}
	}
	in := bench.Inputs{Data: fixture.File(t, "data.json", "["+strings.Join(rows, ",")+"]"), Predictions: fixture.File(t, "captions.jsonl", strings.Join(captions, "\n")), Judge: answerer(replies), Scoring: bench.Strict}
	with := func(values ...string) bench.Benchmark { return benchtest.With(t, choice.MMAU(), values...) }
	if _, strict := scored(t, with(), in); strict != "0 40 0 0 0" {
		t.Errorf("as in the file: %s", strict)
	}
	official, strict := scored(t, with("shuffle", "7"), in)
	var right, wrong int
	fmt.Sscan(strict, &right, &wrong)
	if right < 5 || right > 25 || right+wrong != 40 || official != strict {
		t.Errorf("shuffled, a third should be right: official %s, strict %s", official, strict)
	}
	if _, again := scored(t, with("shuffle", "7"), in); again != strict {
		t.Errorf("one seed gives %s and %s", strict, again)
	}
	if _, strict := scored(t, with("circular", "true"), in); strict != "0 40 0 0 0" {
		t.Errorf("each option first once: %s", strict)
	}
	in.Limit = 3
	benchtest.Run(t, with("circular", "true", "shuffle", "3"), in, benchtest.Workers, "task")
	in.Judge = nil
	if _, err := with("circular", "true").Open(t.Context(), in); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("without a model: %v", err)
	}
}

// TestNumbersAsIDs: ids, options and right answers of a file may be numbers, and answers go by the number or its text.
func TestNumbersAsIDs(t *testing.T) {
	for _, b := range []bench.Benchmark{choice.MMAU(), choice.MMAR()} {
		data := fixture.File(t, "data.json", `[{"id": 7, "audio_id": "a.wav", "audio_path": "a.wav", "question": "How many?", "choices": [2, 3], "answer": 3}, {"id": 12345678901234567890, "audio_id": 8, "audio_path": "b.wav", "question": "How many?", "choices": ["2", "3"], "answer": "2"}]`)
		answers := fixture.File(t, "answers.jsonl", `{"id": 7, "model_output": "3"}`+"\n"+`{"id": "12345678901234567890", "model_output": "2"}`)
		if official, strict := scored(t, b, bench.Inputs{Data: data, Predictions: answers, Scoring: bench.Strict}); official != "2 0 0 0 0" || strict != "2 0 0 0 0" {
			t.Errorf("%s: official %s, strict %s", b.Info().Name, official, strict)
		}
	}
}
