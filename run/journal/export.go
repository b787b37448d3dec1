package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"omniscope"
)

// ListSchema names the form of lists of runs and of calls as JSON;
// docs/journal.md describes it.
const ListSchema = "omniscope.journal/1"

// An exportedCall is one line of an export.
type exportedCall struct {
	Run     string          `json:"run"`
	Step    string          `json:"step"`
	Attempt int             `json:"attempt"`
	Key     string          `json:"key"`
	Kind    string          `json:"kind"`
	Source  string          `json:"source"`
	Outcome string          `json:"outcome"`
	Started string          `json:"started"`
	Request json.RawMessage `json:"request"`
	Result  json.RawMessage `json:"result"`
}

// exported is a call as a line of JSON; what is no JSON in it is left out.
func exported(c *Call) exportedCall {
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

// Export writes the calls that runs rest on as JSON Lines; with own, only those
// that each made itself, so that all runs together hold each call once. Damaged
// calls are left out, and are then an error of kind Invalid.
func Export(ctx context.Context, s Store, w io.Writer, runs []Run, own bool) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	damaged := 0
	for _, r := range runs {
		for c, err := range s.Calls(ctx, r.Name, "") {
			if err != nil {
				return err
			}
			if own && c.Run != r.Name {
				continue
			}
			if c.Damaged != nil {
				damaged++
				continue
			}
			if err := enc.Encode(exported(c)); err != nil {
				return err
			}
		}
	}
	if damaged > 0 {
		return omniscope.Invalidf("%d calls were changed after they were written, and are left out: `omniscope journal verify` lists them", damaged)
	}
	return nil
}

// IsExport reports whether a file is an export of one of these runs, by its
// first call.
func IsExport(f io.Reader, runs []Run) bool {
	var first exportedCall
	return json.NewDecoder(f).Decode(&first) == nil && first.Key != "" && slices.ContainsFunc(runs, func(r Run) bool { return r.Name == first.Run })
}

// A listedCall is a call in a document of a run's calls.
type listedCall struct {
	ID int64 `json:"id"`
	exportedCall
	Damaged string `json:"damaged,omitempty"` // why it is not what was written down
}

// WriteCalls writes a run's calls as one JSON document, each as it is read, since
// they may be many. Of one step they are whole; else the texts of the requests
// are left out. A step that the run has not is an error of kind NotFound, behind
// a document without calls.
func WriteCalls(ctx context.Context, s Store, w io.Writer, run, step string, failedOnly bool) error {
	name, err := json.Marshal(run)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, `{"schema":%q,"run":%s,"calls":[`, ListSchema, name); err != nil {
		return err
	}
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	separator, found := "\n", false
	for c, err := range s.Calls(ctx, run, step) {
		if err != nil {
			return err
		}
		found = true
		if failedOnly && c.Outcome == omniscope.OK {
			continue
		}
		listed := listedCall{ID: c.ID, exportedCall: exported(c)}
		if step == "" {
			listed.Request = nil
		}
		if c.Damaged != nil {
			listed.Damaged = c.Damaged.Error()
		}
		line.Reset()
		line.WriteString(separator)
		if err := enc.Encode(listed); err != nil {
			return err
		}
		if _, err := w.Write(bytes.TrimSuffix(line.Bytes(), []byte("\n"))); err != nil {
			return err
		}
		separator = ",\n"
	}
	if _, err := io.WriteString(w, "\n]}\n"); err != nil {
		return err
	}
	if step != "" && !found {
		return NoStep(ctx, s, run, step)
	}
	return nil
}
