package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

// A script is what a scripted model says, by step.
type script map[string][]any

// ask lets the planner put a question to the observer in a turn, and the
// observer answer.
func (s script) ask(turn int, question string, answer any) script {
	s[fmt.Sprintf("clip/turn-%d", turn)] = []any{inquiry("observer1", question)}
	return s.answer(question, answer)
}

func (s script) answer(question string, answer any) script {
	s[observerStep("observer1", question)] = []any{answer}
	return s
}

func (s script) conclude(caption any) script {
	s["clip/caption"] = []any{caption}
	return s
}

// observerStep is the step of a question to an observer, as docs/investigations.md
// says: the digest is the start of the question's SHA-256.
func observerStep(observer, question string) string {
	return fmt.Sprintf("clip/%s/%x", observer, sha256.Sum256([]byte(question)))[:len("clip//")+len(observer)+12]
}

func inquiry(tool, question string) string {
	text, _ := json.Marshal(map[string]string{"tool": tool, "question": question})
	return string(text)
}

const done = `{"done": true}`

// said is a caption of one sentence.
func said(text string, evidence ...string) string {
	ids, _ := json.Marshal(evidence)
	return fmt.Sprintf(`{"sentences": [{"text": %q, "evidence": %s}], "contradictions": []}`, text, ids)
}

// scripted investigates a short clip with a scripted planner and observer.
func (q inquest) scripted(s script, more ...string) verdict {
	q.t.Helper()
	text, err := json.Marshal(s)
	fixture.OK(q.t, err)
	file := "scripted/" + q.write("script.json", string(text))
	clip := q.path("clip.mp4")
	if !ondisk.Exists(clip) {
		q.shortClip("clip.mp4")
	}
	return q.run(append([]string{clip, "--tools", "sound", "--detective", file, "--observer", file}, more...)...)
}

// tenTurns asks ten questions and concludes.
func tenTurns() script {
	s := script{}
	for n := 1; n <= 10; n++ {
		s.ask(n, fmt.Sprintf("What about corner %d?", n), fmt.Sprintf("Corner %d is bright.\nconfidence: 0.8", n))
	}
	return s.conclude(said("Ten corners are bright.", "o1", "o10"))
}

func TestLongScriptedInvestigations(t *testing.T) {
	for _, c := range []struct {
		name     string
		script   script
		flags    []string
		code     int
		ended    detective.Ended
		turns    int
		caption  string
		outcomes []omniscope.Outcome // of turns that are not OK
		asked    int                 // askings of the planner's first turn; 0 = 1
		says     []string            // on standard error
		quarrels int                 // contradictions
	}{
		{name: "ten turns", script: tenTurns(), ended: detective.EndedBudget, turns: 10, caption: "Ten corners are bright."},
		{
			name:   "early stop",
			script: script{"clip/turn-2": {done}}.ask(1, "What is there?", "A test picture.").conclude(said("There is a test picture.", "o1")),
			ended:  detective.EndedEnough, turns: 1, caption: "There is a test picture.",
		},
		{
			name: "no JSON, then JSON",
			script: script{"clip/turn-1": {"Let me see.", inquiry("observer1", "What is there?")}, "clip/turn-2": {done}}.
				answer("What is there?", "A test picture.").conclude(said("There is a test picture.", "o1")),
			ended: detective.EndedEnough, turns: 1, asked: 2, caption: "There is a test picture.",
		},
		{
			name: "a tool that does not exist",
			script: script{"clip/turn-1": {inquiry("camera", "What is there?"), inquiry("observer1", "What is there?")}, "clip/turn-2": {done}}.
				answer("What is there?", "A test picture.").conclude(said("There is a test picture.", "o1")),
			ended: detective.EndedEnough, turns: 1, asked: 2, caption: "There is a test picture.",
		},
		{
			name: "an observer that refuses, and one that fails",
			script: script{"clip/turn-4": {done}}.ask(1, "Who is it?", map[string]any{"error": "declined"}).ask(2, "Who is that?", map[string]any{"error": "malformed"}).
				ask(3, "What is there?", "A test picture.").conclude(said("There is a test picture.", "o1")),
			ended: detective.EndedEnough, turns: 3, caption: "There is a test picture.", outcomes: []omniscope.Outcome{omniscope.Refused, omniscope.Unparsed},
			says: []string{"clip: warning: turn 1: observer1 gave no answer (refused)", "turn 2: observer1 gave no answer"},
		},
		{
			name: "an observer whose refusal is marked as one",
			script: script{"clip/turn-3": {done}}.ask(1, "Who is it?", map[string]any{"refusal": "I do not name people."}).
				ask(2, "What is there?", "A test picture.").conclude(said("There is a test picture.", "o1")),
			ended: detective.EndedEnough, turns: 2, caption: "There is a test picture.", outcomes: []omniscope.Outcome{omniscope.Refused},
			says: []string{`turn 1: observer1 gave no answer (refused): read the reply: it was refused: "I do not name people."`},
		},
		{
			name:   "a planner that refuses",
			script: script{"clip/turn-1": {map[string]any{"refusal": "I investigate nobody."}, map[string]any{"refusal": "No."}, map[string]any{"refusal": "No, thank you."}}},
			code:   exitFailed, ended: detective.EndedPlanner, says: []string{`(refused): it was refused: "No, thank you."`},
		},
		{
			name:   "a planner that never makes sense",
			script: script{"clip/turn-2": {"Hm.", "Hm.", "Hm."}}.ask(1, "What is there?", "A test picture.").conclude(said("There is a test picture.", "o1")),
			ended:  detective.EndedPlanner, turns: 1, caption: "There is a test picture.", says: []string{"the planner made no usable move after turn 1 (unparsed)"},
		},
		{
			name: "no caption", script: script{"clip/turn-1": {"Hm.", "Hm.", "Hm."}}, code: exitFailed, ended: detective.EndedPlanner,
			says: []string{"no caption (failed): nothing was observed", "--ask-failed"},
		},
		{
			name: "a sentence that rests on nothing",
			script: script{"clip/turn-2": {done}}.ask(1, "What is there?", "A test picture.").
				conclude(`{"sentences": [{"text": "A picture.", "evidence": ["o1"]}, {"text": "It is lovely.", "evidence": []}], "contradictions": []}`),
			ended: detective.EndedEnough, turns: 1, caption: "A picture. It is lovely.", says: []string{"sentences of the caption without evidence: 1 of 2"},
		},
		{
			name: "a contradiction",
			script: script{"clip/turn-1": {inquiry("sound", "How does it sound?")}, "clip/turn-3": {done}}.
				ask(2, "Is there any sound?", "There is no sound.\nconfidence: 0.9").
				conclude(`{"sentences": [{"text": "There is a tone.", "evidence": ["o1"]}], "contradictions": [{"evidence": ["o1", "o2"], "what": "Is there sound or not?"}]}`),
			ended: detective.EndedEnough, turns: 2, caption: "There is a tone.", quarrels: 2,
		},
		{
			name: "fewer turns", script: tenTurns(), flags: []string{"--inquiries", "3"}, ended: detective.EndedBudget, turns: 3,
			caption: "", code: exitDone, says: []string{"evidence that does not exist, which was left out: o10"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := newInquest(t)
			v := q.scripted(c.script, c.flags...)
			if v.code != c.code {
				t.Fatalf("exit code %d, want %d: %s", v.code, c.code, v.errOut)
			}
			has(t, v.errOut, c.says...)
			r := q.report("clip")
			if r.Ended != c.ended || len(r.Turns) != c.turns || c.caption != "" && r.Caption.Text != c.caption {
				t.Errorf("ended %s after %d turns with %q", r.Ended, len(r.Turns), r.Caption.Text)
			}
			var bad []omniscope.Outcome
			for _, turn := range r.Turns {
				if turn.Outcome != omniscope.OK {
					bad = append(bad, turn.Outcome)
				}
			}
			if fmt.Sprint(bad) != fmt.Sprint(c.outcomes) {
				t.Errorf("turns ended %v, want %v", bad, c.outcomes)
			}
			if c.turns > 0 && r.Turns[0].Asked != max(1, c.asked) {
				t.Errorf("the planner was asked %d times for its first turn, want %d", r.Turns[0].Asked, max(1, c.asked))
			}
			if len(r.Contradictions) < c.quarrels {
				t.Errorf("contradictions: %+v", r.Contradictions)
			}
		})
	}
}

// A budget of calls ends the command in the middle; the same command with more
// of it goes on and asks nothing twice.
func TestScriptedInvestigationWithABudget(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	q.scripted(tenTurns(), "--max-calls", "5").must(t, exitBudget).says(t, "--max-calls 5 is used up", "run the same command again")
	// Three calls of the planner and two of the observer's model, and its two
	// looks.
	if n := q.remembered(""); n != 7 {
		t.Errorf("%d entries in the journal, want 7", n)
	}
	if v := q.scripted(tenTurns()); v.code != exitDone || q.report("clip").Caption.Text != "Ten corners are bright." {
		t.Fatalf("resumed: exit code %d: %s", v.code, v.errOut)
	}
	// Ten inquiries, each with a call of the planner and one of the observer's
	// model, and the caption; the ten looks of the observer are kept as well.
	if n := q.remembered(""); n != 31 {
		t.Errorf("%d entries in the journal, want 31", n)
	}
}

func TestInquiriesAndBudget(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags []string
		env   map[string]string
		code  int
		turns int
	}{
		{name: "both", flags: []string{"--inquiries", "3", "--max-calls", "50"}, turns: 3},
		{name: "a budget from the environment", env: map[string]string{"OMNISCOPE_MAX_CALLS": "2"}, code: exitBudget},
		{name: "a budget alone", flags: []string{"--max-calls", "50"}, turns: 10},
		{name: "inquiries from the environment", env: map[string]string{"OMNISCOPE_INQUIRIES": "3"}, turns: 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			q := newInquest(t)
			v := q.scripted(tenTurns(), c.flags...)
			if v.code != c.code {
				t.Fatalf("exit code %d, want %d: %s", v.code, c.code, v.errOut)
			}
			if c.code == exitDone && len(q.report("clip").Turns) != c.turns {
				t.Errorf("%d turns, want %d", len(q.report("clip").Turns), c.turns)
			}
		})
	}
}

// TestScriptedAudit splits a caption with one script and asks the other.
func TestScriptedAudit(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip, caption := q.shortClip("clip.mp4"), q.write("caption.txt", "A test picture with a tone and a dog.")
	check := fixture.Read(t, "../../detective/prompts/check.txt")
	s := script{"clip/audit/claims": {"Three claims.", `{"claims": [{"text": "There is a test picture.", "sense": "visual"}, ` +
		`{"text": "There is a tone.", "sense": "audio"}, {"text": "There is a dog.", "sense": "visual"}, {"text": "It is 1999.", "sense": "audio-visual"}]}`}}
	for claim, reply := range map[string]any{
		"There is a test picture.": `{"verdict": "supported", "why": "Colour bars."}`, "There is a tone.": `{"verdict": "supported", "why": "A sine."}`,
		"There is a dog.": `{"verdict": "contradicted", "why": "No animal."}`, "It is 1999.": map[string]any{"error": "declined"},
	} {
		s.answer(strings.TrimSpace(strings.ReplaceAll(check, "{claim}", claim)), reply)
	}
	text, err := json.Marshal(s)
	fixture.OK(t, err)
	file := "scripted/" + q.write("script.json", string(text))
	v := q.command("audit", caption, clip, "--work-dir", q.path("work"), "--tools", "sound", "--splitter", file, "--observer", file).must(t, exitFailures).says(t, "commonest reason: ", "(1 sample)")
	has(t, v.out, "supported     2 of 4, 50 %", "contradicted  1 of 4", "unsupported   1 of 4", "observer1: contradicted (ok) No animal.", "observer1: unsupported (refused)")
	q.command("audit", caption, clip, "--work-dir", q.path("work"), "--tools", "sound", "--splitter", "scripted/"+q.write("none.json", `{"clip/audit/claims": ["No.", "No.", "No."]}`)).ends(t, exitFailures).says(t, "none of 1 samples could be judged", "commonest reason: ")
}

// TestFailureToCloseARun has a journal that cannot record, when a run is closed, which answers
// of other runs it used: pruning would delete them.
func TestFailureToCloseARun(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip, caption := q.shortClip("clip.mp4"), q.write("caption.txt", "A tone is heard.")
	list := q.write("list.jsonl", `{"id":"1","path":"clip.mp4"}`+"\n")
	audit := []string{"audit", caption, clip, "--work-dir", q.path("work"), "--tools", "sound"}
	q.command(audit...).must(t, exitDone)
	(&trial{t: t, dir: q.dir}).execute("CREATE TRIGGER full BEFORE INSERT ON used BEGIN SELECT RAISE(ABORT, 'no room'); END")
	q.write("caption.txt", "A tone sounds.")
	for name, args := range map[string][]string{
		"audit":       audit,
		"investigate": q.args(clip, "--tools", "sound"),
		"captions":    {"caption", "--list", list, "--work-dir", q.path("work"), "--tools", "sound", "--out", q.path("captions"), "--quiet"},
	} {
		if v := q.command(args...); v.code != exitFailed || !strings.Contains(v.errOut, "no room") {
			t.Errorf("%s: exit code %d: %s", name, v.code, v.errOut)
		}
	}
}

// A wrong key stops the command at once, for all clips; a missing one before
// anything is done.
func TestInvestigationWithAWrongKey(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip := q.shortClip("clip.mp4")
	server := serve(t, fake.Config{APIKey: "another"})
	q.run(clip, clip, "--tools", "sound", "--observer", "openai/mock,base-url="+server.URL()).ends(t, exitFailed).says(t, "401")
	q.run(clip, "--tools", "sound", "--detective", "openai/mock").ends(t, exitFailed).says(t, "set OPENAI_API_KEY, or write another address behind the model: --detective …,base-url=URL")
}
