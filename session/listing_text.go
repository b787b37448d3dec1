package session

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/internal/visible"
	"omniscope/model/wrap"
	"omniscope/run/journal"
)

// WriteRuns writes runs as a table for people.
func WriteRuns(w io.Writer, runs []listedRun) {
	t := visible.NewTable(w, "run", "begun", "calls", "answers", "failed", "tokens", "cost", "what", "of", "by")
	for _, r := range runs {
		calls, answers, cost := r.Calls, r.Answers, "?"
		var tokens any = r.TokensIn + r.TokensOut
		if r.Answers > 0 && tokens == 0 {
			tokens = "?"
		}
		if r.Calls == 0 { // tools cost nothing, and are shown where there is nothing else
			calls, answers, cost = r.Entries, r.Usable, ""
		}
		if r.CostUSD != nil {
			cost = quantity.Dollars(*r.CostUSD)
		}
		t.AppendRow(table.Row{r.Run, r.Begun.Local().Format("2006-01-02 15:04:05"), calls, answers, calls - answers, tokens, cost,
			strings.TrimPrefix(r.Command, "eval "), shortList(r.What), visible.Line(r.By)})
	}
	t.Render()
}

// shortList shortens a list of files to the name of the first.
func shortList(files []string) string {
	if len(files) == 0 {
		return ""
	}
	name, more, most := files[0], "", 40
	if filepath.IsAbs(name) {
		name = filepath.Base(name)
	}
	if len(files) > 1 {
		more, most = fmt.Sprintf(" and %d more", len(files)-1), 28
	}
	return visible.First(name, most) + more
}

// WriteCalls writes the calls that a run rests on for people, a line each; with
// failedOnly, those that brought no answer.
func WriteCalls(ctx context.Context, w io.Writer, s journal.Store, run string, failedOnly bool) error {
	fmt.Fprintf(w, "%-24s %7s  %-9s %-24s %8s %8s %9s  %s\n", "step", "attempt", "outcome", "answered by", "in", "out", "ms", "says")
	made := false
	for c, err := range s.Calls(ctx, run, "") {
		if err != nil {
			return err
		}
		made = true
		if failedOnly && c.Outcome == omniscope.OK {
			continue
		}
		r := answerOf(c)
		says := r.Text + r.Error
		if says == "" {
			says = "(" + r.Response().Problem() + ")"
		}
		in, out := tokensOf(&r)
		fmt.Fprintf(w, "%-24s %7d  %-9s %-24s %8s %8s %9s  %s\n", visible.Line(c.Step), c.Attempt, c.Outcome, visible.Line(r.Answered),
			in, out, known(r.LatencyMS), visible.First(says, 60))
	}
	if !made {
		fmt.Fprintln(w, "This run rests on no call.")
	}
	return nil
}

// tokensOf are the tokens of a call; a call without any was not counted.
func tokensOf(r *wrap.Result) (in, out string) {
	if r.TokensIn+r.TokensOut == 0 {
		return unknown, unknown
	}
	return strconv.Itoa(r.TokensIn), strconv.Itoa(r.TokensOut)
}

// unknown is shown for an unknown number.
const unknown = "–"

// known shows a number that is stored as 0 if unknown.
func known(n float64) string {
	if n == 0 {
		return unknown
	}
	return fmt.Sprintf("%.0f", n)
}

// WriteStep writes each attempt of a step for people: request and response.
func WriteStep(ctx context.Context, w io.Writer, s journal.Store, run, step string) error {
	found := false
	for c, err := range s.Calls(ctx, run, step) {
		if err != nil {
			return err
		}
		found = true
		fmt.Fprintf(w, "== %s, attempt %d: %s, %s, key %s, %s\n", visible.Line(c.Step), c.Attempt, c.Outcome,
			c.Started.Local().Format("2006-01-02 15:04:05.000"), c.Key, c.Source)
		fmt.Fprint(w, visible.Text(requestText(c.Request)))
		r := answerOf(c)
		in, out := tokensOf(&r)
		fmt.Fprintf(w, "-- answer: %s, %s + %s tokens, %s ms, %s tries %s\n%s\n\n", visible.Line(r.Answered), in, out,
			known(r.LatencyMS), known(float64(r.Tries)), visible.Line(string(r.Finish)), visible.Text(r.Text+r.Refusal+r.Error))
		if problem := r.Response().Problem(); problem != "" && r.Error == "" {
			fmt.Fprintf(w, "(%s)\n\n", visible.Line(problem))
		}
	}
	if !found {
		return journal.NoStep(ctx, s, run, step)
	}
	return nil
}
