package session

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/internal/visible"
	"omniscope/model/wrap"
	"omniscope/run/journal"
)

// listWidth is how wide lists for people are at most.
const listWidth = 80

// WriteRuns writes runs as a table for people.
func WriteRuns(w io.Writer, runs []listedRun) {
	columns := []string{"run", "answers", "tokens", "cost", "what"}
	var rows [][]string
	for _, r := range runs {
		calls, answers, cost := r.Calls, r.Answers, "?"
		tokens := strconv.Itoa(r.TokensIn + r.TokensOut)
		if r.Answers > 0 && tokens == "0" {
			tokens = "?"
		}
		if r.Calls == 0 { // tools cost nothing, and are shown where there is nothing else
			calls, answers, cost = r.Entries, r.Usable, ""
		}
		if r.CostUSD != nil {
			cost = quantity.Dollars(*r.CostUSD)
		}
		what := strings.TrimSpace(strings.TrimPrefix(r.Command, "eval ") + " " + shortList(r.What))
		if r.By != "" {
			what += " by " + visible.Line(r.By)
		}
		rows = append(rows, []string{r.Run + "\n" + r.Begun.Local().Format("2006-01-02 15:04"), fmt.Sprintf("%d of %d", answers, calls), tokens, cost, what})
	}
	t := visible.NewTable(w, visible.Cells(columns)...)
	last, left := len(columns)-1, listWidth
	for i := range last {
		widest := 0
		for _, row := range append([][]string{columns}, rows...) {
			widest = max(widest, text.LongestLineLen(row[i]))
		}
		left -= widest + 3
	}
	t.SetColumnConfigs([]table.ColumnConfig{{Number: last + 1, WidthMax: max(left-2, 12), WidthMaxEnforcer: text.WrapSoft}})
	for _, row := range rows {
		t.AppendRow(visible.Cells(row))
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
	columns, said := "%-24s %7v  %-9s %-24s %8s %8s %9s  %s\n", 60
	if width, _ := visible.Terminal(w); width > 0 && width < 110 {
		columns, said = "%-24s %7v  %-9s %.0s%.0s%.0s%.0s%s\n", max(width-46, 20) // no room for models, tokens and times
	}
	fmt.Fprintf(w, columns, "step", "attempt", "outcome", "answered by", "in", "out", "ms", "says")
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
		fmt.Fprintf(w, columns, visible.Line(c.Step), c.Attempt, c.Outcome.String(), visible.Line(r.Answered), in, out, known(r.LatencyMS), visible.First(says, said))
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
