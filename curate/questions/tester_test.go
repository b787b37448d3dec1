package questions

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// answers are those of a judge to some questions, by number; it has none for the others.
func answers(d *Draft, known map[int]string) object {
	said := object{}
	for _, q := range d.Questions {
		said[fmt.Sprint(q.Number)] = "NONE"
		if text, ok := known[q.Number]; ok {
			said[fmt.Sprint(q.Number)] = text
		}
	}
	return said
}

// sits has a judge answer in a test: right has the numbers of answers that the comparison calls right, wrong those that it calls
// wrong, unasked those of questions without an answer.
func (s script) sits(d *Draft, test string, run int, right, wrong, unasked []int) {
	known, grades := map[int]string{}, object{}
	for _, n := range right {
		known[n], grades[fmt.Sprint(n)] = "Something right.", "right"
	}
	for _, n := range wrong {
		known[n], grades[fmt.Sprint(n)] = "Something wrong.", "wrong"
	}
	for _, n := range unasked {
		known[n], grades[fmt.Sprint(n)] = "Something made up.", "answer"
	}
	s.say(AnswerStep(d.Talk.ID, test), answers(d, known))
	if len(grades) > 0 {
		s.say(GradeStep(d.Talk.ID, test), grades)
	}
}

func test(t *testing.T, s script, d *Draft, runs int) *Tested {
	t.Helper()
	tester := &Tester{Asker: s.asker(1), Runs: runs}
	fixture.OK(t, tester.LoadPrompts(nil, ""))
	out, err := tester.Test(t.Context(), d)
	fixture.OK(t, err)
	return out
}

func found(out *Tested) (list []string) {
	for _, f := range out.Findings {
		list = append(list, fmt.Sprint(f.Check, " ", f.Number))
	}
	return list
}

// TestGoodQuestionsPassTheTests: sound answers A and AV, sight V and AV, and nothing is answered blindly.
func TestGoodQuestionsPassTheTests(t *testing.T) {
	d, s := sound(t), script{}
	s.sits(d, blindTest, 1, nil, []int{4}, nil)
	s.sits(d, blindTest, 2, nil, nil, nil)
	s.sits(d, soundTest, 1, []int{1, 2, 3, 4, 5, 7, 8}, nil, nil)
	s.sits(d, sightTest, 1, []int{1, 2, 3, 4, 5, 9, 10}, []int{8}, nil)
	out := test(t, s, d, 2)
	if len(out.Findings) > 0 || out.Failed() || len(out.Askings) != 4 {
		t.Errorf("%+v", out)
	}
}

// TestPlantedFaultsOfQuestionsAreFound plants what the tests are for: questions that can be guessed, that the wrong sense answers, that
// the right one does not answer, and an unanswerable one that is answered.
func TestPlantedFaultsOfQuestionsAreFound(t *testing.T) {
	d, s := sound(t), script{}
	s.sits(d, blindTest, 1, []int{5, 8}, nil, nil)
	s.sits(d, blindTest, 2, []int{5}, []int{8}, nil)
	s.sits(d, soundTest, 1, []int{1, 2, 3, 4, 7, 8, 9}, []int{5}, []int{6})
	s.sits(d, sightTest, 1, []int{1, 2, 4, 5, 7, 9}, nil, nil)
	out := test(t, s, d, 2)
	want := []string{"sense 3", "guessable 5", "sense 5", "answerable 6", "sense 7", "sense 9", "sense 10"}
	if got := found(out); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	says := ""
	for _, f := range out.Findings {
		says += f.Says + "\n"
	}
	for _, want := range []string{"without the talk (in 2 of 2 runs)", "what is seen alone answers it, and its label is A", "what is heard alone answers it, and its label is V", "what is seen alone does not answer it, and its label is AV", "from what is heard somebody answers: Something made up."} {
		if !strings.Contains(says, want) {
			t.Errorf("nothing says %q", want)
		}
	}
}

// TestAskingsThatFailFindNothing: a test without an answer is told, and no question is blamed for it.
func TestAskingsThatFailFindNothing(t *testing.T) {
	d, s := sound(t), script{}
	s.say(AnswerStep("sheep", blindTest), object{"1": "Ada"})
	s.sits(d, soundTest, 1, []int{1, 2, 3, 4, 5, 7, 8}, nil, nil)
	s[GradeStep("sheep", soundTest)] = nil
	s.say(GradeStep("sheep", soundTest), object{"1": "maybe"})
	s.say(AnswerStep("sheep", sightTest), "I refuse.")
	out := test(t, s, d, 1)
	if !out.Failed() || len(out.Findings) > 0 {
		t.Errorf("%+v", out)
	}
	for i, want := range []string{"question 2 has no answer", `question 1 has "maybe"`, "no JSON object"} {
		if a := out.Askings[i]; a.Outcome == omniscope.OK || !strings.Contains(a.Why, want) {
			t.Errorf("%s: %s, %q, want %q", a.Test, a.Outcome, a.Why, want)
		}
	}
}

// TestTablesOfTests compares with a calculation by hand: two talks, the second without pictures.
func TestTablesOfTests(t *testing.T) {
	first, second := sound(t), sound(t)
	second.Talk = theTalk(t, false)
	second.Talk.ID = "goats"
	set, s := &Set{Drafts: []*Draft{first, second}}, script{}
	for _, q := range first.Questions {
		set.Rows = append(set.Rows, first.Row(&q, "m"))
	}
	s.sits(first, blindTest, 1, []int{5, 8}, nil, nil)
	s.sits(first, soundTest, 1, []int{1, 2, 3, 4, 5, 7}, []int{8}, []int{6})
	s.sits(first, sightTest, 1, []int{1, 9, 10}, nil, nil)
	s.sits(second, blindTest, 1, nil, nil, nil)
	s.sits(second, soundTest, 1, []int{7, 8, 9}, []int{1}, nil)
	tested := []*Tested{test(t, s, first, 1), test(t, s, second, 1)}
	tables := Tables(set, tested).Tables
	if got := fmt.Sprint(tables[0].Columns); got != "[test label askings failed questions answered right share 95% interval]" {
		t.Errorf("columns %s", got)
	}
	got := map[string]string{}
	for _, row := range tables[0].Rows {
		got[row[0]+" "+row[1]] = strings.Join(row[2:8], " ")
	}
	for name, want := range map[string]string{ // askings, failed, questions, answered, right, share
		"blind AV": "2 0 10 1 1 10.0 %", "blind A": "2 0 4 1 1 25.0 %", "blind V": "2 0 4 0 0 0.0 %", "blind NA": "2 0 2 0 0 0.0 %",
		"sound AV": "2 0 10 6 5 50.0 %", "sound A": "2 0 4 4 3 75.0 %", "sound V": "2 0 4 1 1 25.0 %", "sound NA": "2 0 2 1 0 50.0 %",
		"sight AV": "1 0 5 1 1 20.0 %", "sight A": "1 0 2 0 0 0.0 %", "sight V": "1 0 2 2 2 100.0 %", "sight NA": "1 0 1 0 0 0.0 %",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	if len(got) != 12 {
		t.Errorf("%d rows", len(got))
	}
	// Found: guessable 5 and 8 of the first. By sense: of the first 2 to 5 are not seen and 8 not heard; of the second
	// 1 to 5 are not heard and 9 is.
	if got, want := fmt.Sprint(tables[1].Rows), "[[guessable 2 1] [sense 11 2] [answerable 1 1]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestBadTalksAndQuestions(t *testing.T) {
	talk := oneLine(aTalk)
	q := `{"talk": "sheep", "number": 1, "origin": "general", "label": "A", "question": "Who?", "answer": "Ada."}`
	for want, files := range map[string]map[string]string{
		`talks.jsonl:2: .*there already`:                                             {"talks.jsonl": talk + "\n" + talk},
		`talks.jsonl:1: .*no field "abstract"`:                                       {"talks.jsonl": `{"id": "x", "video": "x.mp4", "transcript": "y"}`},
		`talks.jsonl:1: .*neither lines nor a transcript`:                            {"talks.jsonl": `{"id": "x", "video": "x.mp4", "abstract": "y"}`},
		`talks.jsonl:1: .*no field "id"`:                                             {"talks.jsonl": `{"abstract": "y"}`},
		`talks.jsonl:1: .*line 1 begins at 5 s`:                                      {"talks.jsonl": `{"id": "x", "video": "x.mp4", "abstract": "y", "lines": [{"source": "z", "start": 5, "end": 2}]}`},
		`talks.jsonl:1: .*line 1 begins at -1 s`:                                     {"talks.jsonl": `{"id": "x", "video": "x.mp4", "abstract": "y", "lines": [{"source": "z", "start": -1, "end": 2}]}`},
		`talks.jsonl:1: .*line 2 has no source`:                                      {"talks.jsonl": `{"id": "x", "video": "x.mp4", "abstract": "y", "lines": [{"source": "z"}, {"source": " "}]}`},
		`talks.jsonl:1: .*no field "video"`:                                          {"talks.jsonl": `{"id": "x", "abstract": "y", "transcript": "z"}`},
		`talks.jsonl:1: .*the field "id" is a number, not a text in quotation marks`: {"talks.jsonl": `{"id": 5, "video": "x.mp4", "abstract": "y", "transcript": "z"}`},
		`q.jsonl:1: .*the field "number" is a string, not a number`:                  {"q.jsonl": strings.Replace(q, `"number": 1`, `"number": "1"`, 1)},
		`seen.jsonl:1: .*has sound alone`:                                            {"talks.jsonl": strings.Replace(talk, `"video": "VIDEO/sheep.mp4"`, `"audio": "sheep.wav"`, 1)},
		`talks.jsonl has no rows`:                                                    {"talks.jsonl": ""},
		`seen.jsonl:1: .*no talk "cow"`:                                              {"seen.jsonl": `{"talk": "cow", "text": "x"}`},
		`seen.jsonl:1: .*no field "talk"`:                                            {"seen.jsonl": `{"text": "x"}`},
		`seen.jsonl:1: .*no field "text"`:                                            {"seen.jsonl": `{"talk": "sheep"}`},
		`seen.jsonl:1: .*begins at 9 s`:                                              {"seen.jsonl": `{"talk": "sheep", "text": "x", "start": 9, "end": 1}`},
		`q.jsonl:1: .*no talk "cow"`:                                                 {"q.jsonl": strings.Replace(q, "sheep", "cow", 1)},
		`q.jsonl:1: .*the label is "B"`:                                              {"q.jsonl": strings.Replace(q, `"A"`, `"B"`, 1)},
		`q.jsonl:1: .*the question is empty`:                                         {"q.jsonl": strings.Replace(q, "Who?", " ", 1)},
		`q.jsonl:2: .*question 1 already`:                                            {"q.jsonl": q + "\n" + q},
		`q.jsonl:1: .*from "S9", and talk sheep has no such`:                         {"q.jsonl": strings.Replace(q, `"number"`, `"from": ["S9"], "number"`, 1)},
		`q.jsonl has no questions but rejected`:                                      {"q.jsonl": strings.Replace(q, `"number"`, `"state": "rejected", "number"`, 1)},
	} {
		all := map[string]string{"talks.jsonl": talk, "seen.jsonl": aTalksSlides, "q.jsonl": q}
		for name, text := range files {
			all[name] = text
		}
		dir := written(t, all)
		talks, err := ReadTalks(t.Context(), filepath.Join(dir, "talks.jsonl"), filepath.Join(dir, "seen.jsonl"))
		if err == nil {
			_, err = ReadSet(t.Context(), filepath.Join(dir, "q.jsonl"), talks)
		}
		file, rest, _ := strings.Cut(want, ": .*")
		if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), rest) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
