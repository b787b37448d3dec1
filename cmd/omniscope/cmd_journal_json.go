package main

import (
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/metric/remember"
	"omniscope/model/wrap"
	"omniscope/session"
	"omniscope/store"
)

// A shownRun is a run as `journal show --json` prints it; docs/journal.md
// describes the fields.
type shownRun struct {
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

	usable int // entries with a usable answer
}

// shownRuns are the runs of a journal with their usage.
func shownRuns(cmd *cobra.Command, s *store.Store) ([]shownRun, error) {
	runs, err := s.Runs(cmd.Context())
	if err != nil {
		return nil, err
	}
	all := make([]shownRun, 0, len(runs))
	for _, r := range runs {
		u, err := s.Usage(cmd.Context(), r.Name, wrap.CostOf)
		if err != nil {
			return nil, err
		}
		shown := shownRun{Run: r.Name, Begun: r.Created, Entries: r.Calls, Calls: u.Calls, Answers: u.Answers, Failed: u.Failed, Retries: u.Retries,
			RateLimited: u.RateLimited, Remembered: u.Remembered, TokensIn: u.TokensIn, TokensOut: u.TokensOut, CostUSD: session.CostOf(u, nil), usable: r.Answers}
		shown.describe(r)
		all = append(all, shown)
	}
	return all, nil
}

// describe says what the run was asked to do. A manifest that cannot be read,
// as of a damaged journal, leaves that out.
func (r *shownRun) describe(from store.Run) {
	var m struct {
		Benchmark, Predictions string
		Command                string
		Detective              string
		Clips                  []string
		Splitter, Clip         string
	}
	r.What = []string{}
	if json.Unmarshal([]byte(from.Manifest), &m) != nil {
		return
	}
	r.Manifest = json.RawMessage(from.Manifest)
	switch {
	case m.Benchmark != "":
		r.Command, r.What = "eval "+m.Benchmark, []string{m.Predictions}
		if spec, err := session.ReadSpec(from.Manifest); err == nil && spec.Roles[session.Judge] != nil {
			r.By = spec.Roles[session.Judge].Model
		}
	case m.Command != "":
		r.Command, r.What = m.Command, []string{m.Predictions}
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

// A shownCall is a call as `journal show RUN --json` prints it.
type shownCall struct {
	ID int64 `json:"id"`
	exportedCall
	Damaged string `json:"damaged,omitempty"` // why it is not what was written down
}

func showRunsJSON(cmd *cobra.Command, s *store.Store) error {
	runs, err := shownRuns(cmd, s)
	if err != nil {
		return err
	}
	return outfile.JSON(cmd.OutOrStdout(), map[string]any{"schema": "omniscope.journal/1", "runs": runs})
}

// showCallsJSON prints a run's calls as they come, since they may be many. Of
// one step they are whole; else the texts of the requests are left out.
func showCallsJSON(cmd *cobra.Command, s *store.Store, run, step string, failedOnly bool) error {
	out := cmd.OutOrStdout()
	head, err := json.Marshal(run)
	if err != nil {
		return err
	}
	io.WriteString(out, `{"schema":"omniscope.journal/1","run":`+string(head)+`,"calls":[`)
	separator, found := "\n", false
	for c, err := range s.Calls(cmd.Context(), run, step) {
		if err != nil {
			return err
		}
		found = true
		if failedOnly && c.Outcome == omniscope.OK {
			continue
		}
		shown := shownCall{ID: c.ID, exportedCall: exported(c)}
		if step == "" {
			shown.Request = nil
		}
		if c.Damaged != nil {
			shown.Damaged = c.Damaged.Error()
		}
		text, err := marshalPlain(shown)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(out, separator+text); err != nil {
			return err
		}
		separator = ",\n"
	}
	if _, err := io.WriteString(out, "\n]}\n"); err != nil {
		return err
	}
	if step != "" && !found {
		return noStep(cmd.Context(), s, run, step)
	}
	return nil
}

// marshalPlain is JSON without escaped < and >.
func marshalPlain(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// exported is a call as a line of JSON; what is no JSON in it is left out.
func exported(c *store.Call) exportedCall {
	line := exportedCall{Run: c.Run, Step: c.Step, Attempt: c.Attempt, Key: c.Key.String(), Kind: c.Kind, Source: c.Source,
		Outcome: c.Outcome.String(), Started: c.Started.Format("2006-01-02T15:04:05.000000Z07:00"), Request: c.Request, Result: c.Result}
	if !json.Valid(c.Request) {
		line.Request = nil
	}
	if !json.Valid(c.Result) {
		line.Result = nil
	}
	return line
}

// resultOf reads what came back; of a call that is damaged, why.
func resultOf(c *store.Call) (r wrap.Result) {
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
