package session

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"omniscope"
	"omniscope/internal/visible"
	"omniscope/perceive"
	"omniscope/run/journal"
)

// WriteInquiries writes the calls of an investigation for people, a line each: who was asked what of which clip, and what came
// back.
func WriteInquiries(ctx context.Context, w io.Writer, s journal.Store, run string, failedOnly bool) error {
	columns, said := "%-36s  %-10s  %-28s  %-44s  %s\n", 80
	if width, _ := visible.Terminal(w); width > 0 && width < 110 {
		columns, said = "%-34s  %-10s  %.0s%.0s%s\n", max(width-50, 20) // no room for tools and questions; the step names the tool
	}
	fmt.Fprintf(w, columns, "step", "outcome", "asked", "what", "says")
	made := false
	for c, err := range s.Calls(ctx, run, "") {
		if err != nil {
			return err
		}
		made = true
		if failedOnly && c.Outcome == omniscope.OK || c.Kind == "investigation" { // its marks say nothing that its calls do not
			continue
		}
		who, what, says := inquiryOf(c)
		fmt.Fprintf(w, columns, visible.Line(c.Step), c.Outcome.String(), visible.First(who, 28), visible.First(what, 44), visible.First(says, said))
	}
	if !made {
		fmt.Fprintln(w, "This run rests on no call.")
	}
	return nil
}

// inquiryOf says who was asked what, and what they said.
func inquiryOf(c *journal.Call) (who, what, says string) {
	if c.Kind != "tool" {
		r := answerOf(c)
		return cmp.Or(r.Answered, c.Source), "", strings.Join(strings.Fields(r.Text+r.Error), " ")
	}
	var asked struct {
		Tool, Question string
		Closer         perceive.Focus
	}
	var said struct{ Text, Why string }
	if c.Damaged != nil || json.Unmarshal(c.Request, &asked) != nil && c.Request != nil || json.Unmarshal(c.Result, &said) != nil {
		return c.Source, "", answerOf(c).Error
	}
	what = asked.Question
	if part := asked.Closer.Words(); part != "" {
		what = strings.TrimSuffix(part+": "+what, ": ")
	}
	return cmp.Or(asked.Tool, c.Source), what, strings.Join(strings.Fields(said.Text+said.Why), " ")
}
