package session

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"omniscope/metric/remember"
	"omniscope/model/wrap"
	"omniscope/run/journal"
)

// A listedRun is a run of a journal, as `journal show --json` prints it;
// docs/journal.md describes the fields.
type listedRun struct {
	Run         string          `json:"run"`
	Kind        string          `json:"kind"`
	Begun       time.Time       `json:"begun"`
	Command     string          `json:"command"`
	What        []string        `json:"what"`
	By          string          `json:"by"`
	Entries     int             `json:"entries"`
	Calls       int             `json:"calls"`
	Answers     int             `json:"answers"`
	Failed      int             `json:"failed"`
	Retries     int             `json:"retries"`
	RateLimited int             `json:"rate_limited"`
	Remembered  int             `json:"remembered"`
	TokensIn    int             `json:"tokens_in"`
	TokensOut   int             `json:"tokens_out"`
	CostUSD     *float64        `json:"cost_usd"`
	Manifest    json.RawMessage `json:"manifest"`

	Usable int `json:"-"` // entries with a usable answer
}

// ListRuns lists the runs of a journal with what each was asked to do and what it
// took.
func (k Kinds) ListRuns(ctx context.Context, s journal.Store) ([]listedRun, error) {
	runs, err := s.Runs(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]listedRun, 0, len(runs))
	for i := range runs {
		r := &runs[i]
		u, err := s.Usage(ctx, r.Name, wrap.CostOf)
		if err != nil {
			return nil, err
		}
		listed := listedRun{Run: r.Name, Kind: r.Kind, Begun: r.Created, Entries: r.Calls, Calls: u.Calls, Answers: u.Answers, Failed: u.Failed, Retries: u.Retries,
			RateLimited: u.RateLimited, Remembered: u.Remembered, TokensIn: u.TokensIn, TokensOut: u.TokensOut, CostUSD: costText(u, nil), Usable: r.Answers}
		listed.describe(k, r)
		all = append(all, listed)
	}
	return all, nil
}

// describe adds what the run does. A manifest that cannot be read, as of a damaged journal, leaves that out.
func (r *listedRun) describe(k Kinds, of *journal.Run) {
	r.What = []string{}
	if json.Valid([]byte(of.Manifest)) {
		r.Manifest = json.RawMessage(of.Manifest)
	}
	if !slices.ContainsFunc(k, func(one Kind) bool { return one.Name == of.Kind }) {
		r.Command = of.Kind // of an earlier or a later version
		return
	}
	t, err := k.task(of)
	if err != nil {
		return
	}
	l := t.Listed()
	r.Command, r.By = l.Command, l.By
	if l.What != nil {
		r.What = l.What
	}
}

// answerOf reads what came back of a call; of a call that is damaged, why.
func answerOf(c *journal.Call) (r wrap.Result) {
	err := c.Damaged
	if err == nil && c.Kind == remember.Kind {
		return wrap.Result{Answered: c.Source, Text: string(c.Result)}
	}
	if err == nil {
		err = json.Unmarshal(c.Result, &r)
	}
	if err != nil {
		return wrap.Result{Error: "DAMAGED: " + err.Error()}
	}
	return r
}

// requestText is a request as it was asked: each message's role, and its parts,
// media by digest.
func requestText(request []byte) string {
	var r struct {
		Messages []struct {
			Role  string
			Parts []struct{ Kind, Text, Digest string }
		}
	}
	if json.Unmarshal(request, &r) != nil {
		return "-- the text of the request was lost\n"
	}
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString("-- " + m.Role + "\n")
		for _, p := range m.Parts {
			if p.Kind == "text" {
				b.WriteString(p.Text + "\n")
			} else {
				b.WriteString("[" + p.Kind + " " + p.Digest + "]\n")
			}
		}
	}
	return b.String()
}
