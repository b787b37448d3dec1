package detective

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/detective/claims"
	"omniscope/model"
	"omniscope/model/judge"
)

var claimsSchema = &model.Schema{Name: "claims", JSON: json.RawMessage(`{"type":"object","properties":{` +
	`"claims":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"},"sense":{"type":"string","enum":["audio","visual","audio-visual"]}},"required":["text","sense"]}}},` +
	`"required":["claims"]}`)}

// split makes the claims. A model that cannot is an outcome of the audit.
func (a *audit) split(ctx context.Context) error {
	if strings.TrimSpace(a.report.Caption) == "" {
		a.report.Outcome, a.report.Why = omniscope.Abstained, "the caption is empty"
		return nil
	}
	if a.options.Splitter == nil {
		a.report.Claims = claims.Split(a.report.Caption)
		return nil
	}
	got, err := judge.Ask(ctx, bounded(a.options.Splitter), judge.Question[[]Claim]{
		Step:     splitStep(clipName(a.clip)),
		Messages: splitMessages(a.report.Caption, a.options.Prompts),
		Schema:   func() *model.Schema { return claimsSchema },
		Read:     readClaims,
	})
	if err != nil {
		return err
	}
	a.report.Outcome, a.report.Why = got.Outcome, lastReason(got.Attempts)
	if got.Outcome == omniscope.OK {
		a.report.Claims = got.Value
	}
	return nil
}

func splitStep(clip string) string { return clip + "/audit/claims" }

func splitMessages(caption string, p *Prompts) []model.Message {
	return []model.Message{model.Text(model.User, fill(p.claims, "caption", caption))}
}

// SplitRequest is what an audit of a clip's caption asks first: the splitter for its claims. nil =
// there is nothing to ask, or no model to be asked.
func SplitRequest(clip, caption string, splitter *judge.Judge, p *Prompts) *model.Request {
	if splitter == nil || strings.TrimSpace(caption) == "" {
		return nil
	}
	return &model.Request{Step: splitStep(clip), Attempt: 1, Model: splitter.Request, Params: splitter.Params, Messages: splitMessages(caption, p)}
}

// readClaims reads {"claims": [{"text", "sense"}]}.
func readClaims(reply string) ([]Claim, error) {
	fields, err := judge.Object(reply)
	if err != nil {
		return nil, err
	}
	list := fields["claims"]
	if !list.IsArray() || len(list.Array()) == 0 {
		return nil, errors.New(`it has no list of "claims"`)
	}
	var read []Claim
	for i, item := range list.Array() {
		words, err := filled(item.Map(), "text")
		sense, senseErr := text(item.Map(), "sense")
		if err = errors.Join(err, senseErr); err != nil {
			return nil, fmt.Errorf("claim %d: %w", i+1, err)
		}
		c := Claim{ID: claims.ID(i), Text: words}
		if m := omniscope.Modality(sense); slices.Contains(modalities, m) {
			c.Sense = m
		}
		c.Read()
		read = append(read, c)
	}
	return read, nil
}

// PlainClaims is how many claims a caption has where no model splits it.
func PlainClaims(caption string) int { return len(claims.Split(caption)) }
