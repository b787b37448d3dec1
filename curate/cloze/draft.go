package cloze

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"omniscope"
	"omniscope/model"
	"omniscope/model/judge"
)

// DrafterRole is the role of the model that writes passages and blanks.
const DrafterRole = "drafter"

// A Drafter has a model write passages with blanks, and mend single blanks. It is safe for concurrent use.
type Drafter struct {
	Asker  *judge.Judge
	Rules  Rules
	Rounds int // of mending a draft
	Draft  *judge.Prompt
	Repair *judge.Prompt
}

// LoadPrompts reads the prompts from folder where that is given and has them, else the built-in ones.
func (d *Drafter) LoadPrompts(folder fs.FS, folderName string) (err error) {
	if d.Draft, err = prompts.Load(folder, folderName, draftPrompt, "description", "blanks"); err != nil {
		return err
	}
	d.Repair, err = prompts.Load(folder, folderName, repairPrompt, "findings", "blank", "passage")
	return err
}

// A Drafted is the result of drafting one description: a line of drafts.jsonl.
type Drafted struct {
	UUID    string            `json:"uuid"`
	Outcome omniscope.Outcome `json:"outcome"`          // of the question for the draft
	Sound   bool              `json:"sound"`            // nothing is found wrong with it any more
	Why     string            `json:"why,omitempty"`    // it is not sound, or is not there
	Rounds  [][]Finding       `json:"rounds,omitempty"` // what was found before each round of mending, and after the last
	Mended  []int             `json:"mended,omitempty"` // numbers of blanks that were changed
	Asked   int               `json:"asked"`
	Rests   []blankBasis      `json:"rests,omitempty"` // of the blanks

	draft *Draft
	used  map[int]int // attempts to mend, by blank
}

// A blankBasis is what a blank rests on.
type blankBasis struct {
	Blank     int      `json:"blank"`
	Sentences []int    `json:"sentences"` // of the description, from 1
	Texts     []string `json:"texts"`     // of these sentences
	Evidence  []string `json:"evidence"`  // ids that they name
}

// DraftStep is the key of the question for a draft.
func DraftStep(uuid string) string { return uuid + "/draft" }

// Messages are the question for a draft.
func (d *Drafter) Messages(a *Approved) []model.Message {
	n := func(m omniscope.Modality) string { return fmt.Sprint(d.Rules.Least[m]) }
	return d.Draft.Messages("blanks", fmt.Sprint(d.Rules.Blanks), "audio", n(omniscope.Audio), "visual", n(omniscope.Visual), "audio_visual", n(omniscope.AudioVisual), "description", a.numbered())
}

// New has a draft written and mended. An error stops the whole run.
func (d *Drafter) New(ctx context.Context, a *Approved) (*Drafted, error) {
	got, err := judge.Ask(ctx, d.Asker, judge.Question[*draftReply]{
		Step: DraftStep(a.UUID), Messages: d.Messages(a), Whole: true,
		Read:   func(reply string) (*draftReply, error) { return a.readDraft(reply, d.Rules) },
		Schema: func() *model.Schema { return draftSchema },
	})
	if err != nil {
		return nil, err
	}
	out := &Drafted{UUID: a.UUID, Outcome: got.Outcome, Asked: len(got.Attempts)}
	if got.Outcome != omniscope.OK {
		out.Why = got.Why()
		return out, nil
	}
	out.draft, out.Rests = got.Value.draft, got.Value.rests
	return out, d.mend(ctx, a, out, nil)
}

// Mend mends the blanks of a row in which something was found, and what Check finds then.
func (d *Drafter) Mend(ctx context.Context, a *Approved, row *Row, found []Finding) (*Drafted, error) {
	out := &Drafted{UUID: row.UUID, Outcome: omniscope.OK, draft: row.Draft()}
	return out, d.mend(ctx, a, out, found)
}

// mend mends single blanks, in rounds, until nothing is found or the rounds are used up.
func (d *Drafter) mend(ctx context.Context, a *Approved, out *Drafted, found []Finding) error {
	for round := 1; ; round++ {
		findings := append(slices.Clone(found), check(out.draft, d.Rules)...)
		out.Rounds = append(out.Rounds, append([]Finding{}, findings...))
		whole := slices.ContainsFunc(findings, func(f Finding) bool { return out.draft.find(f.Blank) == nil })
		switch {
		case len(findings) == 0:
			out.Sound = true
			return nil
		case whole, round > d.Rounds:
			out.Why = fmt.Sprintf("%d findings are left after %d rounds of mending: %s", len(findings), round-1, blankNames(findings))
			return nil
		}
		for _, number := range blanksOf(findings) {
			changed, err := d.mendBlank(ctx, a, out, number, findings)
			if err != nil {
				return err
			}
			if changed { // whether a judge's finding is gone, only another test can say
				found = slices.DeleteFunc(found, func(f Finding) bool { return f.Blank == number })
			}
		}
	}
}

// blanksOf are the numbers of the blanks of findings, each once, in order.
func blanksOf(findings []Finding) (numbers []int) {
	for _, f := range findings {
		numbers = append(numbers, f.Blank)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// RepairStep is the key of the question to mend a blank. The rounds have the same, and their attempts are numbered on: no
// round is given what an earlier one was answered.
func RepairStep(uuid string, blank int) string { return fmt.Sprintf("%s/repair/%d", uuid, blank) }

// MendRequests returns the requests of the first round of Mend, for forecasts.
func (d *Drafter) MendRequests(a *Approved, row *Row, found []Finding) (all []*model.Request, err error) {
	out := &Drafted{UUID: row.UUID, draft: row.Draft()}
	found = append(slices.Clone(found), check(out.draft, d.Rules)...)
	if slices.ContainsFunc(found, func(f Finding) bool { return out.draft.find(f.Blank) == nil }) {
		return nil, nil // of the row, not of a blank: nothing is asked
	}
	for _, number := range blanksOf(found) {
		q, err := d.repair(a, out, number, found)
		if err != nil {
			return nil, err
		}
		all = append(all, &model.Request{Step: q.Step, Messages: q.Messages})
	}
	return all, nil
}

// repair is the question that repairs one blank.
func (d *Drafter) repair(a *Approved, out *Drafted, number int, findings []Finding) (q judge.Question[*repairReply], err error) {
	b := out.draft.find(number)
	var wrong []string
	freeSense := false
	for _, f := range findings {
		if f.Blank == number {
			wrong = append(wrong, "- "+f.String())
			freeSense = freeSense || f.Check == "modality" || f.Check == "sense"
		}
	}
	blank, err := json.Marshal(b)
	if err != nil {
		return q, err
	}
	sense := string(b.Modality)
	if freeSense {
		sense = "audio, visual or audio-visual"
	}
	messages := d.Repair.Messages("number", fmt.Sprint(number), "findings", strings.Join(wrong, "\n"), "modality", sense, "blank", string(blank),
		"sentence", out.draft.sentenceOf(number), "passage", out.draft.Passage, "description", a.numbered())
	return judge.Question[*repairReply]{
		Step: RepairStep(out.UUID, number), Asked: out.used[number], Messages: messages, Whole: true,
		Read:   func(reply string) (*repairReply, error) { return a.readRepair(reply, out.draft, number, freeSense) },
		Schema: func() *model.Schema { return repairSchema },
	}, nil
}

// mendBlank asks for a new version of one blank. An unusable reply leaves the blank as it is.
func (d *Drafter) mendBlank(ctx context.Context, a *Approved, out *Drafted, number int, findings []Finding) (changed bool, err error) {
	q, err := d.repair(a, out, number, findings)
	if err != nil {
		return false, err
	}
	got, err := judge.Ask(ctx, d.Asker, q)
	if err != nil {
		return false, err
	}
	out.Asked += len(got.Attempts)
	if out.used == nil {
		out.used = make(map[int]int)
	}
	out.used[number] += len(got.Attempts)
	if got.Outcome == omniscope.OK {
		out.apply(got.Value)
	}
	return got.Outcome == omniscope.OK, nil
}

// apply puts a mended blank in the place of the one before.
func (out *Drafted) apply(r *repairReply) {
	*out.draft.find(r.blank.Number) = r.blank
	if r.sentence != "" {
		out.draft.Passage = strings.Replace(out.draft.Passage, out.draft.sentenceOf(r.blank.Number), r.sentence, 1)
	}
	out.Mended = appendNew(out.Mended, r.blank.Number)
	out.Rests = slices.DeleteFunc(out.Rests, func(rest blankBasis) bool { return rest.Blank == r.blank.Number })
	out.Rests = append(out.Rests, r.rest)
	slices.SortFunc(out.Rests, func(a, b blankBasis) int { return a.Blank - b.Blank })
}

// Row is the draft with lettered options.
func (out *Drafted) Row(video string, seed uint64) *Row {
	out.draft.UUID, out.draft.Video = out.UUID, video
	return Letter(out.draft, seed)
}

const blankSchema = `"answer":{"type":"string"},"distractors":{"type":"array","items":{"type":"string"}},` +
	`"required_modality":{"type":"string","enum":["audio","visual","audio-visual"]},"from":{"type":"array","items":{"type":"integer"}}`

var (
	draftSchema = &model.Schema{Name: "cloze", JSON: json.RawMessage(`{"type":"object","properties":{"passage":{"type":"string"},"blanks":{"type":"array","items":{"type":"object","properties":{` +
		`"number":{"type":"integer"},` + blankSchema + `},"required":["number","answer","distractors","required_modality","from"]}}},"required":["passage","blanks"]}`)}
	repairSchema = &model.Schema{Name: "blank", JSON: json.RawMessage(`{"type":"object","properties":{` + blankSchema + `,"sentence":{"type":"string"}},` +
		`"required":["answer","distractors","required_modality","from","sentence"]}`)}
)
