package cloze

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"omniscope"
	"omniscope/model"
	"omniscope/model/judge"
)

// JudgeRole is the role of the model that answers blanks without the clip.
const JudgeRole = "judge"

// A Tester has a model answer the blanks of rows without their clips: without anything (blind test), and from captions of one
// sense (modality test). It is safe for concurrent use.
type Tester struct {
	Asker *judge.Judge
	Runs  int // of the blind test, with the options in another order each time
	Guess *judge.Prompt
	Given *judge.Prompt
}

// LoadPrompts reads the prompts from folder where that is given and has them, else the built-in ones.
func (t *Tester) LoadPrompts(folder fs.FS, folderName string) (err error) {
	if t.Guess, err = prompts.Load(folder, folderName, guessPrompt, "cloze"); err != nil {
		return err
	}
	t.Given, err = prompts.Load(folder, folderName, givenPrompt, "cloze", "text")
	return err
}

// A Tested is the result of testing one row: a line of tested.jsonl.
type Tested struct {
	UUID     string    `json:"uuid"`
	Findings []Finding `json:"findings"`
	Askings  []asking  `json:"askings"`
}

// An asking is one answering of all blanks of a row.
type asking struct {
	Test    string            `json:"test"` // guess, audio or visual: of which sense the caption was
	Outcome omniscope.Outcome `json:"outcome"`
	Why     string            `json:"why,omitempty"`
	Letters []string          `json:"letters,omitempty"` // chosen for each blank, in order; E = none
	Chosen  int               `json:"chosen"`            // blanks for which an option was chosen
	Right   int               `json:"right"`             // of those

	right []bool
}

// The tests.
const (
	GuessTest  = "guess"
	AudioTest  = "audio"
	VisualTest = "visual"
)

// senseWords say in the prompt what the writer of a caption did.
var senseWords = map[string]string{AudioTest: "only heard it", VisualTest: "only saw it"}

// Failed reports whether an asking of the row brought nothing, so that the row is not tested whole.
func (t *Tested) Failed() bool {
	return slices.ContainsFunc(t.Askings, func(a asking) bool { return a.Outcome != omniscope.OK && a.Outcome != omniscope.Missing })
}

// Test answers the blanks of a row: Runs times without anything, and from the audio-only and the visual-only caption where
// they are given. A blank is guessable if it is answered right in every run; with options in another order each time, chance
// alone answers a blank right in all of three runs in 1 of 64 cases, where the model chooses at random. A blank has the wrong
// modality if the caption of the other sense answers it, or, of audio-visual blanks, that of either.
func (t *Tester) Test(ctx context.Context, r *Row, audio, visual *string) (*Tested, error) {
	out := &Tested{UUID: r.UUID, Findings: []Finding{}}
	d := r.Draft()
	guessed := make([]int, len(d.Blanks)) // right, in so many runs
	for run := 1; run <= t.Runs; run++ {
		shuffled := Letter(d, uint64(run))
		a, err := t.ask(ctx, shuffled, GuessTest, run, t.Guess.Messages(t.pairs(shuffled)...))
		if err != nil {
			return nil, err
		}
		for i, right := range a.right {
			if right {
				guessed[i]++
			}
		}
		out.Askings = append(out.Askings, *a)
	}
	for i, n := range guessed {
		if t.Runs > 0 && n == t.Runs {
			out.Findings = append(out.Findings, Finding{Check: "guessable", Blank: d.Blanks[i].Number, Text: d.Blanks[i].Answer,
				Says: fmt.Sprintf("it can be guessed without the clip (right in %d of %d runs)", n, t.Runs)})
		}
	}
	for _, one := range []struct {
		test string
		text *string
	}{{AudioTest, audio}, {VisualTest, visual}} {
		if one.text == nil {
			continue
		}
		if err := t.fromCaption(ctx, r, out, one.test, *one.text); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(out.Findings, func(a, b Finding) int { return a.Blank - b.Blank })
	return out, nil
}

// fromCaption answers the blanks from a caption of one sense.
func (t *Tester) fromCaption(ctx context.Context, r *Row, out *Tested, test, text string) error {
	if strings.TrimSpace(text) == "" {
		out.Askings = append(out.Askings, asking{Test: test, Outcome: omniscope.Missing, Why: "the caption is empty"})
		return nil
	}
	a, err := t.ask(ctx, r, test, 1, t.given(r, test, text))
	if err != nil {
		return err
	}
	out.Askings = append(out.Askings, *a)
	for i, right := range a.right {
		b := &r.Cloze.Blanks[i]
		if right && string(b.Modality) != test && !found(out.Findings, b.Number) {
			out.Findings = append(out.Findings, Finding{Check: "modality", Blank: b.Number, Text: b.Answer,
				Says: fmt.Sprintf("the %s-only caption answers it, and it is said to need %s", test, b.Modality)})
		}
	}
	return nil
}

// found reports whether something was found in a blank already: one reason is enough to mend it.
func found(findings []Finding, blank int) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Blank == blank })
}

// BlindStep is the key of a question of a test.
func BlindStep(uuid, test string, run int) string { return fmt.Sprintf("%s/%s/%d", uuid, test, run) }

// Requests returns what Test asks about a row, for forecasts.
func (t *Tester) Requests(r *Row, audio, visual *string) (all []*model.Request) {
	add := func(test string, run int, messages []model.Message) {
		all = append(all, &model.Request{Step: BlindStep(r.UUID, test, run), Messages: messages})
	}
	for run := 1; run <= t.Runs; run++ {
		add(GuessTest, run, t.Guess.Messages(t.pairs(Letter(r.Draft(), uint64(run)))...))
	}
	for test, text := range map[string]*string{AudioTest: audio, VisualTest: visual} {
		if text != nil && strings.TrimSpace(*text) != "" {
			add(test, 1, t.given(r, test, *text))
		}
	}
	return all
}

// given asks about the blanks of a row from a caption of one sense.
func (t *Tester) given(r *Row, test, caption string) []model.Message {
	return t.Given.Messages(append(t.pairs(r), "sense", senseWords[test], "text", caption)...)
}

// ask has the blanks of a row answered.
func (t *Tester) ask(ctx context.Context, r *Row, test string, run int, messages []model.Message) (*asking, error) {
	got, err := judge.Ask(ctx, t.Asker, judge.Question[[]string]{
		Step: BlindStep(r.UUID, test, run), Messages: messages, Whole: true,
		Read: func(reply string) ([]string, error) { return readLetters(reply, r) },
	})
	if err != nil {
		return nil, err
	}
	a := &asking{Test: test, Outcome: got.Outcome, Letters: got.Value}
	if got.Outcome != omniscope.OK {
		a.Why = got.Outcome.String()
		return a, nil
	}
	for i, letter := range a.Letters {
		right := letter == r.Cloze.Blanks[i].Key
		a.right = append(a.right, right)
		if letter != notGivenLetter {
			a.Chosen++
		}
		if right {
			a.Right++
		}
	}
	return a, nil
}

// notGivenLetter is the letter of notGiven.
const notGivenLetter = "E"

// readLetters reads a letter for each blank of a row.
func readLetters(reply string, r *Row) ([]string, error) {
	said := make(map[string]string)
	if err := judge.Decode(reply, &said); err != nil {
		return nil, err
	}
	chosen := make([]string, len(r.Cloze.Blanks))
	for i, b := range r.Cloze.Blanks {
		text, ok := said[fmt.Sprint(b.Number)]
		letter := strings.ToUpper(strings.TrimSpace(text))
		if !ok || letter == "" || !strings.Contains(letters+notGivenLetter, letter[:1]) || len(letter) > 1 && letter[1] != ':' {
			return nil, fmt.Errorf("blank %d has %q, not a letter from A to E", b.Number, text)
		}
		chosen[i] = letter[:1]
	}
	return chosen, nil
}

// pairs fill in what both prompts have.
func (t *Tester) pairs(r *Row) []string {
	var cloze strings.Builder
	fmt.Fprintf(&cloze, "The passage:\n%s\n\nThe options:\n", r.Cloze.Passage)
	for _, b := range r.Cloze.Blanks {
		fmt.Fprintf(&cloze, "[BLANK_%d] %s\n", b.Number, strings.Join(b.Options, " | "))
	}
	return []string{"number", fmt.Sprint(len(r.Cloze.Blanks)), "cloze", cloze.String()}
}
