package detective

import (
	"bytes"
	"fmt"
	"io"

	"omniscope"
	"omniscope/internal/visible"
	"omniscope/metric/stats"
)

// Text writes the claims and the rates to be read. Claims are taken as
// independent, which those of one caption hardly are: the intervals are the
// narrowest that could be meant.
func (r *AuditReport) Text(w io.Writer) error {
	var b bytes.Buffer
	if len(r.Claims) == 0 {
		fmt.Fprintf(&b, "no claims (%s) %s\n", r.Outcome, r.Why)
		_, err := w.Write(b.Bytes())
		return err
	}
	for _, c := range r.Claims {
		fmt.Fprintf(&b, "%-12s  %s\n", c.Support, visible.Line(c.Text))
		for _, s := range c.Says {
			if s.Support != Unsupported || s.Outcome != omniscope.OK {
				fmt.Fprintf(&b, "              %s: %s (%s) %s\n", s.Tool, s.Support, s.Outcome, visible.Line(s.Why))
			}
		}
	}
	fmt.Fprintln(&b)
	for _, row := range []struct {
		name string
		n    int
	}{{"supported", r.Counts.Supported}, {"contradicted", r.Counts.Contradicted}, {"unsupported", r.Counts.Unsupported}} {
		share := float64(row.n) / float64(r.Counts.Claims)
		i := stats.Wilson(float64(row.n), float64(r.Counts.Claims), stats.DefaultLevel)
		fmt.Fprintf(&b, "%-12s  %d of %d, %.0f %% [%.0f, %.0f]\n", row.name, row.n, r.Counts.Claims, 100*share, 100*i.Low, 100*i.High)
	}
	fmt.Fprintf(&b, "%-12s  %d of the unsupported could be taken up by no observer here\n", "unchecked", r.Counts.Unchecked)
	for _, warning := range r.Warnings {
		fmt.Fprintln(&b, "warning:", warning)
	}
	_, err := w.Write(b.Bytes())
	return err
}
