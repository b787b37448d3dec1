package detective_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/perceive"
	"omniscope/run"
)

// tenTurns is a script of ten inquiries, each of the same observer, and a
// caption. The observer says something new each time.
func tenTurns() (map[string][]string, *fakeTool) {
	eye := observer("eye", omniscope.Visual, true)
	script := make(map[string][]string)
	for n := 1; n <= detective.DefaultBudget; n++ {
		q := fmt.Sprintf("question %d?", n)
		script[fmt.Sprintf("clip/turn-%d", n)] = []string{asking("eye", q)}
		eye.answers[q] = &perceive.Answer{Text: "thing", Observations: []perceive.Observation{
			seen(perceive.Reported, float64(n-1), float64(n), 0.7, fmt.Sprintf("Thing %d comes.", n), "")}}
	}
	script["clip/caption"] = []string{caption("Ten things come.|o1,o2,o3,o4,o5,o6,o7,o8,o9", "The last is thing 10.|o9")}
	return script, eye
}

func TestInvestigateTenInquiries(t *testing.T) {
	script, eye := tenTurns()
	p, m := planner(script, nil)
	c := &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}}
	r := investigate(t, c, p, nil)
	if r.Outcome != omniscope.OK || r.Ended != detective.EndedBudget || len(r.Turns) != 10 || len(r.Ledger) != 10 {
		t.Fatalf("outcome %v, ended %s, %d turns, %d observations", r.Outcome, r.Ended, len(r.Turns), len(r.Ledger))
	}
	if want := "Ten things come. The last is thing 10."; r.Caption.Text != want || r.Trajectory.Description() != want {
		t.Errorf("caption %q, description %q", r.Caption.Text, r.Trajectory.Description())
	}
	if len(m.steps) != 11 {
		t.Errorf("the planner was asked %d times, want 11: %v", len(m.steps), m.steps)
	}
	if len(c.Turns) > 0 || c.Ledger != nil {
		t.Error("the case was changed")
	}
	if len(r.Warnings) > 0 {
		t.Errorf("warnings: %v", r.Warnings)
	}
}

// The messages are those of the protocol, roles taking turns.
func TestTrajectoryForm(t *testing.T) {
	ear := observer("ear", omniscope.Audio, true, seen(perceive.Speech, 1, 2, 0.9, "Somebody greets.", "good day"))
	p, _ := planner(map[string][]string{
		"clip/turn-1":  {asking("ear", "Who speaks?")},
		"clip/turn-2":  {`{"done": true}`},
		"clip/caption": {caption("Somebody says good day.|o1")},
	}, nil)
	r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{ear}, Modality: omniscope.Audio, Budget: 4}, p, nil)
	var roles []string
	for _, s := range r.Trajectory {
		roles = append(roles, s.Role)
	}
	if diff := cmp.Diff([]string{"system", "user", "assistant", "user", "assistant", "user", "assistant"}, roles); diff != "" {
		t.Fatal(diff)
	}
	for i, want := range []string{
		"sound recording", "The clip lasts 10.0 s.", `{"tool": "ear", "question": "Who speaks?"}`,
		"[o1] from 1.00 s to 2.00 s: Somebody greets. Letter by letter: “good day” (sure 0.90)\n\nInquiries remaining: 3",
		`{"done": true}`, "Write the final description", "Somebody says good day.",
	} {
		if !strings.Contains(r.Trajectory[i].Content, want) {
			t.Errorf("message %d lacks %q:\n%s", i, want, r.Trajectory[i].Content)
		}
	}
	for _, placeholder := range []string{"{tools}", "{max_calls}", "{clip}", "{remaining}", "{observation}"} {
		if text := fmt.Sprint(r.Trajectory); strings.Contains(text, placeholder) {
			t.Errorf("%s was not filled", placeholder)
		}
	}
	if r.Ended != detective.EndedEnough {
		t.Errorf("ended %s, want enough", r.Ended)
	}
}

func TestToolsOfModality(t *testing.T) {
	eye, ear := observer("eye", omniscope.Visual, true), observer("ear", omniscope.Audio, true)
	both := observer("both", omniscope.AudioVisual, true)
	for modality, want := range map[omniscope.Modality]int{omniscope.Audio: 1, omniscope.Visual: 1, omniscope.AudioVisual: 3} {
		c := &detective.Investigation{Modality: modality, Tools: []perceive.Tool{eye, ear, both}}
		if got := len(c.Offered()); got != want {
			t.Errorf("%s: %d tools are offered, want %d", modality, got, want)
		}
	}
}

func TestInvestigateInvalidMedia(t *testing.T) {
	clip, eye := clipOf(t), observer("eye", omniscope.Visual, true)
	for name, c := range map[string]*detective.Investigation{
		"no clip":                {Tools: []perceive.Tool{eye}},
		"no tool":                {Clip: clip},
		"no tool of that sense":  {Clip: clip, Tools: []perceive.Tool{eye}, Modality: omniscope.Audio},
		"two tools of one name":  {Clip: clip, Tools: []perceive.Tool{eye, eye}},
		"an unheard-of modality": {Clip: clip, Tools: []perceive.Tool{eye}, Modality: "smell"},
		"a negative budget":      {Clip: clip, Tools: []perceive.Tool{eye}, Budget: -1},
	} {
		_, err := detective.Investigate(t.Context(), c, detective.Offline{}, detective.Options{})
		if omniscope.KindOf(err) != omniscope.Invalid {
			t.Errorf("%s: %v, want an error of kind invalid", name, err)
		}
	}
}

// A failing observer costs its turn, and the planner is told no more than that
// it failed.
func TestObserverFails(t *testing.T) {
	for name, c := range map[string]struct {
		err     error
		outcome omniscope.Outcome
	}{
		"a crash":       {errors.New("exit status 139"), omniscope.Failed},
		"a refusal":     {kind(omniscope.Declined, "I cannot"), omniscope.Refused},
		"a broken form": {kind(omniscope.Malformed, "what"), omniscope.Unparsed},
		"a timeout":     {context.DeadlineExceeded, omniscope.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			eye := observer("eye", omniscope.Visual, true, seen(perceive.Reported, 0, 0, 0.6, "A dog.", ""))
			eye.fail = func(call int) error {
				if call == 1 {
					return c.err
				}
				return nil
			}
			p, _ := planner(map[string][]string{
				"clip/turn-1": {asking("eye", "what?")}, "clip/turn-2": {asking("eye", "and now?")},
				"clip/caption": {caption("A dog.|o1")},
			}, nil)
			r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}, Budget: 2}, p, nil)
			if r.Outcome != omniscope.OK || r.Turns[0].Outcome != c.outcome || r.Turns[1].Outcome != omniscope.OK {
				t.Errorf("outcome %v, turns %v and %v", r.Outcome, r.Turns[0].Outcome, r.Turns[1].Outcome)
			}
			told := r.Trajectory[3].Content
			if !strings.Contains(told, "could not answer ("+c.outcome.String()+")") || strings.Contains(told, c.err.Error()) {
				t.Errorf("the planner was told %q", told)
			}
			if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], c.err.Error()) {
				t.Errorf("warnings: %v", r.Warnings)
			}
		})
	}
}

func TestNoEvidenceNoCaption(t *testing.T) {
	eye := observer("eye", omniscope.Visual, false)
	eye.fail = func(int) error { return errors.New("no such program") }
	r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}}, detective.Offline{}, nil)
	if r.Outcome != omniscope.Failed || r.Caption.Text != "" || !strings.Contains(r.Why, "nothing was observed") || !strings.Contains(r.Why, "eye: no such program") {
		t.Errorf("outcome %v, caption %q, why %q", r.Outcome, r.Caption.Text, r.Why)
	}
	eye.fail = func(int) error { return kind(omniscope.Declined, "flagged") }
	r = investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}}, detective.Offline{}, nil)
	if r.Outcome != omniscope.Refused || !strings.Contains(r.Why, "flagged") {
		t.Errorf("refused by a filter: outcome %v, why %q", r.Outcome, r.Why)
	}
	p, _ := planner(map[string][]string{"clip/turn-1": {"no JSON", "no JSON", "no JSON"}}, nil)
	r = investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}, Budget: 2}, p, nil)
	if r.Outcome != omniscope.Failed || !strings.Contains(r.Why, "nothing was observed, so there is nothing to describe: ") {
		t.Errorf("without a usable move: outcome %v, why %q", r.Outcome, r.Why)
	}
}

func TestRepeatedObservationID(t *testing.T) {
	eye := observer("eye", omniscope.Visual, true, seen(perceive.Reported, 0, 0, 0.6, "A dog.", ""))
	p, _ := planner(map[string][]string{
		"clip/turn-1": {asking("eye", "what?")}, "clip/turn-2": {asking("eye", "really?")}, "clip/caption": {caption("A dog.|o1")},
	}, nil)
	r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}, Budget: 2}, p, nil)
	if len(r.Ledger) != 1 || r.Turns[1].Evidence[0] != "o1" || !strings.Contains(r.Trajectory[5].Content, "(as before)") {
		t.Errorf("ledger %v, second turn %v", r.Ledger, r.Turns[1])
	}
}

func TestToolWithoutQuestionAskedOnce(t *testing.T) {
	meter := observer("meter", omniscope.Audio, false, seen(perceive.Sound, 0, 0, 0.9, "It is loud.", ""))
	p, _ := planner(map[string][]string{
		"clip/turn-1": {asking("meter", "how loud?")}, "clip/turn-2": {asking("meter", "is it loud?")}, "clip/caption": {caption("Loud.|o1")},
	}, nil)
	once := &run.Once{Journal: runtest.NewMemory()}
	investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{meter}, Budget: 2}, p, once)
	if len(meter.calls) != 1 {
		t.Errorf("it measured %d times, want once", len(meter.calls))
	}
}

// Wherever an investigation is killed, the same command makes only the calls
// that are left, and comes to the result of one that was never killed.
func TestKillAndResume(t *testing.T) {
	whole := func(once *run.Once, stopAt string, failAt int) (*detective.Report, []string, *fakeTool, error) {
		script, eye := tenTurns()
		p, m := planner(script, once)
		m.fail = func(step string) error {
			if step == stopAt {
				return context.Canceled
			}
			return nil
		}
		eye.fail = func(int) error {
			if n := len(eye.calls); n > 0 && eye.calls[n-1] == fmt.Sprintf("question %d?", failAt) {
				return errors.New("observer away")
			}
			return nil
		}
		r, err := detective.Investigate(t.Context(), &detective.Investigation{Clip: sameClip(t), Tools: []perceive.Tool{eye}}, p, detective.Options{Once: once})
		return r, m.steps, eye, err
	}
	script, _ := tenTurns()
	for _, failAt := range []int{0, 3} {
		want, _, _, err := whole(&run.Once{Journal: runtest.NewMemory()}, "", failAt)
		fixture.OK(t, err)
		for stopAt := range script {
			if failAt > 0 && (stopAt == "clip/turn-1" || stopAt == "clip/turn-2" || stopAt == "clip/turn-3") {
				continue // killed before the observer failed
			}
			journal := runtest.NewMemory()
			_, first, eye, err := whole(&run.Once{Journal: journal}, stopAt, failAt)
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("stopped at %s: %v", stopAt, err)
			}
			firstLooks := len(eye.calls)
			// The observer that failed is well again: the way must stay the same.
			got, second, eye, err := whole(&run.Once{Journal: journal}, "", 0)
			fixture.OK(t, err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("killed at %s, observer failing at %d: the resumed report differs:\n%s", stopAt, failAt, diff)
			}
			if n := len(first) - 1 + len(second); n != 11 {
				t.Errorf("killed at %s: %d calls of the planner in all, want 11", stopAt, n)
			}
			if n := firstLooks + len(eye.calls); n != 10 {
				t.Errorf("killed at %s: %d calls of the observer in all, want 10", stopAt, n)
			}
			_, third, eye, _ := whole(&run.Once{Journal: journal}, "", 0)
			if failAt == 0 && len(third)+len(eye.calls) != 0 {
				t.Errorf("run again: %d calls of the planner and %d of the observer", len(third), len(eye.calls))
			}
			if failAt != 0 && len(eye.calls) != 1 {
				t.Errorf("run again after its end: the observer that failed was asked %d times, want once", len(eye.calls))
			}
		}
	}
}

// sameClip is one clip for several investigations of a test.
func sameClip(t *testing.T) *perceive.Clip {
	c := clipOf(t)
	c.Path = "clip.mp4"
	return c
}

func TestBudgetUsedUpThenResumed(t *testing.T) {
	for _, who := range []string{"planner", "observer"} {
		t.Run(who, func(t *testing.T) {
			journal := runtest.NewMemory()
			broke := kind(omniscope.Budget, "used up")
			script, eye := tenTurns()
			p, m := planner(script, &run.Once{Journal: journal})
			if who == "planner" {
				m.fail = func(step string) error {
					if step == "clip/turn-4" {
						return broke
					}
					return nil
				}
			} else {
				eye.fail = func(call int) error {
					if call == 4 {
						return broke
					}
					return nil
				}
			}
			c := &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}}
			_, err := detective.Investigate(t.Context(), c, p, detective.Options{Once: &run.Once{Journal: journal}})
			if omniscope.KindOf(err) != omniscope.Budget {
				t.Fatalf("%v, want an error of kind budget", err)
			}
			m.fail, eye.fail, m.steps, eye.calls = nil, nil, nil, nil
			r := investigate(t, c, p, &run.Once{Journal: journal})
			if r.Outcome != omniscope.OK || len(eye.calls) != 7 {
				t.Errorf("outcome %v after %d more calls of the observer, want 7", r.Outcome, len(eye.calls))
			}
		})
	}
}

// A run that winds down lets the call in flight arrive, starts nothing more,
// and goes on later from what it has.
func TestStoppingRun(t *testing.T) {
	journal := runtest.NewMemory()
	once := &run.Once{Journal: journal}
	script, eye := tenTurns()
	p, m := planner(script, once)
	soft, stop := context.WithCancel(t.Context())
	eye.fail = func(call int) error {
		if call == 4 {
			stop()
		}
		return nil
	}
	c := &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}}
	if _, err := detective.Investigate(run.WithStop(soft), c, p, detective.Options{Once: once}); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, want the context's error", err)
	}
	if len(eye.calls) != 4 || len(m.steps) != 4 {
		t.Errorf("%d calls of the observer and %d of the planner before the stop, want 4 of each", len(eye.calls), len(m.steps))
	}
	r := investigate(t, c, p, once)
	if r.Outcome != omniscope.OK || len(eye.calls) != 10 || len(m.steps) != 11 {
		t.Errorf("outcome %v after %d and %d calls in all, want 10 and 11", r.Outcome, len(eye.calls), len(m.steps))
	}
}

func TestTurnsReported(t *testing.T) {
	script, eye := tenTurns()
	p, _ := planner(script, nil)
	var told []int
	_, err := detective.Investigate(t.Context(), &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}, Budget: 3}, p,
		detective.Options{OnTurn: func(turn detective.Turn) { told = append(told, turn.Number) }})
	if err != nil || fmt.Sprint(told) != "[1 2 3]" {
		t.Errorf("%v, %v", told, err)
	}
}

func TestWrongObserverKey(t *testing.T) {
	eye := observer("eye", omniscope.Visual, true)
	eye.fail = func(int) error { return kind(omniscope.Denied, "no such key") }
	_, err := detective.Investigate(t.Context(), &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}}, detective.Offline{}, detective.Options{})
	if omniscope.KindOf(err) != omniscope.Denied {
		t.Errorf("%v, want an error of kind denied", err)
	}
}

// full is a journal on a disk that is full.
type full struct{ *runtest.Memory }

func (full) Append(context.Context, *run.Entry) error { return errors.New("disk full") }

func TestJournalFails(t *testing.T) {
	eye := observer("eye", omniscope.Visual, false, seen(perceive.Reported, 0, 0, 1, "A dog.", ""))
	_, err := detective.Investigate(t.Context(), &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}}, detective.Offline{},
		detective.Options{Once: &run.Once{Journal: full{runtest.NewMemory()}}})
	if err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("%v, want the journal's error", err)
	}
}

func TestReportJSONRoundTrip(t *testing.T) {
	eye := observer("eye", omniscope.Visual, false, seen(perceive.Cut, 1.5, 1.5, 0.9, "A cut.", ""))
	r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}}, detective.Offline{}, nil)
	text, err := json.Marshal(r)
	fixture.OK(t, err)
	var back detective.Report
	fixture.OK(t, json.Unmarshal(text, &back))
	if diff := cmp.Diff(r, &back); diff != "" {
		t.Error(diff)
	}
	for _, want := range []string{`"schema":"omniscope.investigation/1"`, `"start_s":1.5`, `"omni_detective_trajectory":[`, `"warnings":[]`, `"contradictions":[]`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report lacks %s:\n%s", want, text)
		}
	}
}
