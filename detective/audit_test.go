package detective_test

import (
	"context"
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

// localTools are the tools of an invented clip: a card, a sentence, two cuts,
// a silence.
func localTools() []perceive.Tool {
	return []perceive.Tool{
		observer("ocr", omniscope.Visual, false, seen(perceive.Text, 0, 2, 0.95, "Words.", "HARBOUR NEWS"), seen(perceive.Text, 3, 4, 0.95, "Words.", "Pier 12")),
		observer("asr", omniscope.Audio, false, seen(perceive.Speech, 1, 2, 0.9, "Speech.", "welcome to the harbour it is cold today"), seen(perceive.Speech, 5, 6, 0.3, "Speech.", "never trust this")),
		observer("scene", omniscope.Visual, false, seen(perceive.Scene, 0, 0, 0.9, "The picture is mostly blue and gray.", ""),
			seen(perceive.Cut, 3, 3, 0.9, "A cut.", ""), seen(perceive.Cut, 6, 6, 0.9, "A cut.", ""), seen(perceive.Cut, 8, 8, 0.2, "A cut.", "")),
		observer("sound", omniscope.Audio, false, seen(perceive.Sound, 0, 0, 0.9, "It is quiet.", ""), seen(perceive.Silence, 2, 4, 0.9, "Silence.", "")),
	}
}

func TestLocalToolsCheckWhatTheyCan(t *testing.T) {
	const yes, no, open = detective.Supported, detective.Contradicted, detective.Unsupported
	for caption, want := range map[string]detective.Support{
		`A card reads "Harbour News".`:                   yes,
		`A card reads “Harbor News”.`:                    yes,
		`The text "Bakery" is shown.`:                    open,
		`The text "Harbour Zone" is shown.`:              no,
		`The card reads "Pier 13".`:                      no,
		`A man says "Welcome to the harbour!"`:           yes,
		`A man says "The weather is fine, dear friends"`: open,
		`A voice says "never trust this".`:               open,
		`"It is cold today."`:                            yes,
		`The picture cuts twice.`:                        yes,
		`There are 2 hard cuts.`:                         yes,
		`There are five cuts.`:                           no,
		`It is a single continuous shot.`:                no,
		`There is a cut at 3.1 s.`:                       yes,
		`There is a cut at 7 s.`:                         no,
		`There is a cut at 8 s.`:                         open,
		`There are three cuts.`:                          open,
		`There is a moment of silence.`:                  yes,
		`The clip is completely silent.`:                 no,
		`Nobody speaks.`:                                 no,
		`There is no visible text.`:                      no,
		`The picture is mostly grey.`:                    yes,
		`The picture is mostly green.`:                   open,
		`A man in a red coat walks his dog.`:             open,
	} {
		t.Run(caption, func(t *testing.T) {
			r := mustAudit(t, caption, localTools(), detective.AuditOptions{})
			if len(r.Claims) != 1 || r.Claims[0].Support != want {
				t.Errorf("got %+v, want one claim that is %s", r.Claims, want)
			}
		})
	}
}

func mustAudit(t *testing.T, caption string, tools []perceive.Tool, o detective.AuditOptions) *detective.AuditReport {
	t.Helper()
	r, err := detective.Audit(t.Context(), caption, clipOf(t), tools, o)
	fixture.OK(t, err)
	return r
}

func TestLocalToolsOnAClipWithout(t *testing.T) {
	const yes, no = detective.Supported, detective.Contradicted
	tools := []perceive.Tool{
		observer("sound", omniscope.Audio, false, seen(perceive.Absence, 0, 0, 1, "There is no sound track.", "")),
		observer("ocr", omniscope.Visual, false, seen(perceive.Text, 0, 0, 0.9, "No text can be read.", "")),
		observer("scene", omniscope.Visual, false, seen(perceive.Scene, 0, 0, 0.9, "It is dark.", "")),
	}
	for caption, want := range map[string]detective.Support{
		`There is no sound.`: yes, `Nobody speaks.`: yes, `A man says "Welcome all of you".`: no, `A card reads "Harbour News".`: no,
		`There is no text.`: yes, `There are no cuts.`: yes, `There are 3 cuts.`: no,
	} {
		t.Run(caption, func(t *testing.T) {
			r := mustAudit(t, caption, tools, detective.AuditOptions{})
			if len(r.Claims) != 1 || r.Claims[0].Support != want {
				t.Errorf("got %+v, want one claim that is %s", r.Claims, want)
			}
		})
	}
}

func TestAuditCountsAndRates(t *testing.T) {
	caption := `A card reads "HARBOUR NEWS". A man in a red coat says "Welcome to the harbour" and feeds the gulls. There are 5 cuts. A dog barks twice.`
	r := mustAudit(t, caption, localTools(), detective.AuditOptions{})
	var got []string
	for _, c := range r.Claims {
		got = append(got, fmt.Sprintf("%s %d %s %s", c.ID, c.Sentence, c.Support, c.Text))
	}
	want := []string{
		"c1 1 supported The words “HARBOUR NEWS” can be read.",
		"c2 2 supported Somebody says “Welcome to the harbour”.",
		`c3 2 unsupported A man in a red coat says "Welcome to the harbour" and feeds the gulls.`,
		"c4 3 contradicted The number of cuts is 5.",
		"c5 4 unsupported A dog barks twice.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(detective.AuditCounts{Claims: 5, Supported: 2, Contradicted: 1, Unsupported: 2, Unchecked: 2}, r.Counts); diff != "" {
		t.Error(diff)
	}
	if r.Rates[detective.Supported] != 0.4 || r.Rates[detective.Contradicted] != 0.2 {
		t.Errorf("rates: %v", r.Rates)
	}
	if r.Ledger.Find(r.Claims[0].Says[0].Evidence[0]).Quote != "HARBOUR NEWS" {
		t.Error("the evidence of the first claim is not what was read")
	}
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "2 of 5") {
		t.Errorf("warnings: %v", r.Warnings)
	}
}

// A caption made of what the tools observed stands up to the same tools.
func TestOfflineCaptionSupported(t *testing.T) {
	caption := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: localTools()}, detective.Offline{}, nil).Caption.Text
	r := mustAudit(t, caption, localTools(), detective.AuditOptions{})
	if r.Counts.Contradicted != 0 || r.Counts.Supported < 7 {
		t.Errorf("%s\n%+v", caption, r.Counts)
	}
	for _, c := range r.Claims {
		hedged := c.Fact != nil && c.Fact.AtS == 8
		whole := c.Fact != nil && (c.Fact.Kind == "heard" || c.Fact.Kind == "seen") // only refuted, never borne out
		if c.Fact != nil && !hedged && !whole && c.Support != detective.Supported {
			t.Errorf("%s: %s, %+v", c.Text, c.Support, c.Says)
		}
	}
}

// verdict is an observer's reply to a claim.
func verdict(v string) *perceive.Answer {
	return &perceive.Answer{Text: fmt.Sprintf(`{"verdict": %q, "why": "so it is"}`, v)}
}

// witness answers by what is in the claim.
func witness(name string, sense omniscope.Modality, says func(question string, call int) (*perceive.Answer, error)) *scriptedWitness {
	return &scriptedWitness{fakeTool: observer(name, sense, true), says: says}
}

type scriptedWitness struct {
	*fakeTool
	says func(question string, call int) (*perceive.Answer, error)
}

func (w *scriptedWitness) Observe(_ context.Context, _ *perceive.Clip, question string) (*perceive.Answer, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls = append(w.calls, question)
	return w.says(question, len(w.calls))
}

func TestObserversAskedAboutEachClaim(t *testing.T) {
	always := func(v string) func(string, int) (*perceive.Answer, error) {
		return func(string, int) (*perceive.Answer, error) { return verdict(v), nil }
	}
	for _, c := range []struct {
		name     string
		tools    []perceive.Tool
		want     detective.Support
		disputed bool
		says     int
	}{
		{"one says yes", []perceive.Tool{witness("a", omniscope.Visual, always("supported"))}, detective.Supported, false, 1},
		{"one says no", []perceive.Tool{witness("a", omniscope.Visual, always("contradicted"))}, detective.Contradicted, false, 1},
		{"nobody can tell", []perceive.Tool{witness("a", omniscope.Visual, always("cannot tell"))}, detective.Unsupported, false, 1},
		{"yes and no", []perceive.Tool{witness("a", omniscope.Visual, always("supported")), witness("b", omniscope.Visual, always("contradicted"))}, detective.Unsupported, true, 2},
		{"two against one", []perceive.Tool{witness("a", omniscope.Visual, always("supported")), witness("b", omniscope.Visual, always("contradicted")), witness("c", omniscope.Visual, always("contradicted"))},
			detective.Contradicted, true, 3},
		{"one of another sense is not asked", []perceive.Tool{witness("a", omniscope.Audio, always("contradicted")), witness("b", omniscope.Visual, always("supported"))}, detective.Supported, false, 1},
		{"one that fails says nothing", []perceive.Tool{
			witness("a", omniscope.Visual, func(string, int) (*perceive.Answer, error) { return nil, errors.New("away") }),
			witness("b", omniscope.Visual, always("supported"))}, detective.Supported, false, 2},
		{"one that rambles is asked again", []perceive.Tool{witness("a", omniscope.Visual, func(_ string, call int) (*perceive.Answer, error) {
			if call == 1 {
				return &perceive.Answer{Text: "Well, yes."}, nil
			}
			return verdict("supported"), nil
		})}, detective.Supported, false, 1},
		{"one that goes on rambling says nothing", []perceive.Tool{witness("a", omniscope.Visual, func(string, int) (*perceive.Answer, error) {
			return &perceive.Answer{Text: "Well, yes."}, nil
		})}, detective.Unsupported, false, 1},
		{"a verdict in other words is not guessed at", []perceive.Tool{witness("a", omniscope.Visual, always("probably"))}, detective.Unsupported, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, _ := planner(map[string][]string{"clip/audit/claims": {`{"claims": [{"text": "A man wears a red coat.", "sense": "visual"}]}`}}, nil)
			r := mustAudit(t, "A man wears a red coat.", c.tools, detective.AuditOptions{Splitter: p.Judge})
			if got := r.Claims[0]; got.Support != c.want || got.Disputed != c.disputed || len(got.Says) != c.says {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestSplitterModel(t *testing.T) {
	good := `{"claims": [{"text": "A card reads \"HARBOUR NEWS\".", "sense": "visual"}, {"text": "A dog barks.", "sense": "audio"}, {"text": "It is fun.", "sense": "mood"}]}`
	for name, replies := range map[string][]string{
		"at once":            {good},
		"after no JSON":      {"- a card\n- a dog", good},
		"after an empty one": {`{"claims": []}`, good},
		"after no text":      {`{"claims": [{"sense": "audio"}]}`, good},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := planner(map[string][]string{"clip/audit/claims": replies}, nil)
			r := mustAudit(t, "…", localTools(), detective.AuditOptions{Splitter: p.Judge})
			if len(r.Claims) != 3 || r.Claims[0].Support != detective.Supported || r.Claims[1].Sense != omniscope.Audio || r.Claims[2].Sense != "" {
				t.Errorf("got %+v", r.Claims)
			}
		})
	}
	p, _ := planner(map[string][]string{"clip/audit/claims": {"no", "no", "no"}}, nil)
	if r := mustAudit(t, "A dog.", localTools(), detective.AuditOptions{Splitter: p.Judge}); r.Outcome != omniscope.Unparsed || len(r.Claims) != 0 || r.Rates != nil {
		t.Errorf("a model that cannot split: outcome %v, claims %v", r.Outcome, r.Claims)
	}
}

func TestAuditResumes(t *testing.T) {
	journal := runtest.NewMemory()
	broke := true
	tool := witness("eye", omniscope.Visual, func(question string, _ int) (*perceive.Answer, error) {
		if broke && strings.Contains(question, "third") {
			return nil, kind(omniscope.Budget, "used up")
		}
		return verdict("supported"), nil
	})
	clip := clipOf(t)
	text := "The first thing. The second thing. The third thing."
	o := detective.AuditOptions{Once: &run.Once{Journal: journal}, AtOnce: 1}
	if _, err := detective.Audit(t.Context(), text, clip, []perceive.Tool{tool}, o); omniscope.KindOf(err) != omniscope.Budget {
		t.Fatalf("%v, want an error of kind budget", err)
	}
	broke, tool.calls = false, nil
	r, err := detective.Audit(t.Context(), text, clip, []perceive.Tool{tool}, o)
	if err != nil || r.Counts.Supported != 3 || len(tool.calls) != 1 {
		t.Errorf("%v; %+v after %d calls, want one", err, r.Counts, len(tool.calls))
	}
}

func TestEmptyCaptionClaims(t *testing.T) {
	if r := mustAudit(t, " \n", localTools(), detective.AuditOptions{}); r.Outcome != omniscope.Abstained || len(r.Claims) != 0 {
		t.Errorf("outcome %v, claims %v", r.Outcome, r.Claims)
	}
}

func TestMeasurementFails(t *testing.T) {
	ocr := observer("ocr", omniscope.Visual, false)
	ocr.fail = func(int) error { return errors.New("no tesseract") }
	r := mustAudit(t, `A card reads "STOP".`, []perceive.Tool{ocr}, detective.AuditOptions{})
	if r.Counts.Unsupported != 1 || r.Counts.Unchecked != 0 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "no tesseract") {
		t.Errorf("counts %+v, warnings %v", r.Counts, r.Warnings)
	}
	if says := r.Claims[0].Says; len(says) != 1 || says[0].Outcome != omniscope.Failed || says[0].Why != "no tesseract" {
		t.Errorf("the claim does not say that the tool failed: %+v", says)
	}
}
