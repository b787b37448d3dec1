package session

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"omniscope/metric/remember"
	"omniscope/model/wrap"
	"omniscope/run/journal"
)

// A listedRun is a run of a journal, as `journal show --json` prints it;
// docs/journal.md describes the fields.
type listedRun struct {
	Run         string          `json:"run"`
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
func ListRuns(ctx context.Context, s journal.Store) ([]listedRun, error) {
	runs, err := s.Runs(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]listedRun, 0, len(runs))
	for _, r := range runs {
		u, err := s.Usage(ctx, r.Name, wrap.CostOf)
		if err != nil {
			return nil, err
		}
		listed := listedRun{Run: r.Name, Begun: r.Created, Entries: r.Calls, Calls: u.Calls, Answers: u.Answers, Failed: u.Failed, Retries: u.Retries,
			RateLimited: u.RateLimited, Remembered: u.Remembered, TokensIn: u.TokensIn, TokensOut: u.TokensOut, CostUSD: costText(u, nil), Usable: r.Answers}
		listed.describe(r.Manifest)
		all = append(all, listed)
	}
	return all, nil
}

// describe says what the run was asked to do. A manifest that cannot be read,
// as of a damaged journal, leaves that out.
func (r *listedRun) describe(manifest string) {
	var m struct {
		Benchmark, Predictions string
		Dataset, Data          string
		Command                string
		Detective              string
		Clips                  []string
		Splitter, Clip         string
		Model                  json.RawMessage // of a ModelRun a Role
	}
	r.What = []string{}
	if json.Unmarshal([]byte(manifest), &m) != nil {
		return
	}
	r.Manifest = json.RawMessage(manifest)
	switch {
	case m.Benchmark != "":
		r.Command, r.What = "eval "+m.Benchmark, []string{m.Predictions}
		if spec, err := readSpec(manifest); err == nil && spec.judge() != nil {
			r.By = spec.judge().Model
		}
	case m.Command != "":
		r.Command, r.What, r.By = m.Command, []string{m.Predictions}, gjson.GetBytes(m.Model, "model").String()
	case strings.HasPrefix(r.Run, "predict-"):
		r.Command, r.By = "predict "+cmp.Or(m.Dataset, "captions"), gjson.GetBytes(m.Model, "model").String()
		if r.What = append(r.What, m.Clips...); m.Data != "" {
			r.What = []string{m.Data}
		}
	case strings.HasPrefix(r.Run, "investigate-"):
		r.Command, r.By = "investigate", m.Detective
		if m.Clips != nil {
			r.What = m.Clips
		}
	case strings.HasPrefix(r.Run, "audit-"):
		r.Command, r.By = "audit", m.Splitter
		if m.Clip != "" {
			r.What = []string{m.Clip}
		}
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
