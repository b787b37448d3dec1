package production

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope/internal/outfile"
	"omniscope/metric/stats"
)

// Draw draws n of so many rows by a seed, each as likely as any other, in the list's order;
// all of them where there are no more.
func Draw(rows, n int, seed uint64) []int {
	drawn := rand.New(rand.NewPCG(seed, 0x70696c6f74)).Perm(rows)
	drawn = drawn[:min(n, rows)]
	slices.Sort(drawn)
	return drawn
}

// A Cost is what a clip took, in all passes.
type Cost struct {
	ID        string  `json:"id"`
	Calls     int     `json:"calls"` // of models
	TokensIn  int     `json:"tokens_in"`
	TokensOut int     `json:"tokens_out"`
	USD       float64 `json:"usd"`     // of those calls whose price is known
	Seconds   float64 `json:"seconds"` // from its opening to its last caption
}

// A Pilot is what the clips of a pilot took, and what that says of the rest.
type Pilot struct {
	Work     string     `json:"work"` // digest of what is done with a clip
	Rows     int        `json:"rows"`
	Seed     uint64     `json:"seed"`
	Jobs     int        `json:"jobs"`  // clips at a time
	Clips    []Cost     `json:"clips"` // those whose cost is known
	Drawn    int        `json:"drawn"`
	Rest     int        `json:"rest"` // rows that are not of the pilot
	Priced   bool       `json:"priced"`
	Forecast []forecast `json:"forecast"`
}

// A forecast is what the rest of a list will take of one thing.
type forecast struct {
	What     string         `json:"what"`
	Sum      float64        `json:"sum"`
	Interval stats.Interval `json:"interval"`
}

// pilotFile keeps what clips of pilots took, for a pilot that is given again when they are
// remembered.
const pilotFile = "pilot.json"

// The things that a forecast is of.
const (
	forecastCalls     = "calls"
	forecastTokensIn  = "tokens_in"
	forecastTokensOut = "tokens_out"
	forecastUSD       = "usd"
	forecastHours     = "hours"
)

// Predict forecasts the rest. Hours are those of the clips, with so many at a time as in the
// pilot.
func (p *Pilot) Predict() {
	p.Rest = p.Rows - p.Drawn
	add := func(what string, of func(*Cost) float64) {
		values := make([]float64, len(p.Clips))
		for i := range p.Clips {
			values[i] = of(&p.Clips[i])
		}
		sum, in := stats.Rest(values, len(values)+p.Rest, stats.DefaultLevel)
		p.Forecast = append(p.Forecast, forecast{What: what, Sum: sum, Interval: in})
	}
	p.Forecast = nil
	if len(p.Clips) == 0 || p.Rest == 0 {
		return
	}
	add(forecastCalls, func(c *Cost) float64 { return float64(c.Calls) })
	add(forecastTokensIn, func(c *Cost) float64 { return float64(c.TokensIn) })
	add(forecastTokensOut, func(c *Cost) float64 { return float64(c.TokensOut) })
	if p.Priced {
		add(forecastUSD, func(c *Cost) float64 { return c.USD })
	}
	add(forecastHours, func(c *Cost) float64 { return c.Seconds / 3600 / float64(max(p.Jobs, 1)) })
}

// Text is the forecast in words.
func (p *Pilot) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pilot: %d of %d clips, drawn by seed %d", p.Drawn, p.Rows, p.Seed)
	switch {
	case p.Rest == 0:
		return b.String() + ": that is all of them\n"
	case len(p.Clips) == 0:
		return b.String() + "; no forecast: what they took is not known, because their answers were remembered. Draw others with --seed\n"
	case len(p.Clips) < p.Drawn:
		fmt.Fprintf(&b, "; what %d of them took is not known, because answers were remembered", p.Drawn-len(p.Clips))
	}
	fmt.Fprintf(&b, "; the other %d will take (95 %%):\n", p.Rest)
	for _, f := range p.Forecast {
		if f.Sum == 0 && f.What != forecastHours {
			continue // such as tokens, where tools alone are asked
		}
		fmt.Fprintf(&b, "  %-11s about %s", forecastNames[f.What], amount(f.What, f.Sum))
		if f.Interval.Known {
			fmt.Fprintf(&b, ", from %s to %s", amount(f.What, f.Interval.Low), amount(f.What, f.Interval.High))
		} else {
			fmt.Fprintf(&b, ", no interval: %s", strings.TrimPrefix(f.Interval.Method, "not available: "))
		}
		if f.What == forecastHours {
			fmt.Fprintf(&b, ", with %d clips at a time as in the pilot", p.Jobs)
		}
		b.WriteByte('\n')
	}
	if !p.Priced {
		b.WriteString("  dollars     not known: not all prices are, see --prices\n")
	}
	return b.String()
}

var forecastNames = map[string]string{forecastCalls: "calls", forecastTokensIn: "tokens in", forecastTokensOut: "tokens out", forecastUSD: "dollars", forecastHours: "hours"}

func amount(what string, v float64) string {
	switch what {
	case forecastUSD, forecastHours:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// PilotCosts are the costs that an earlier pilot kept in a folder, by id, if it did the same work with
// a clip.
func PilotCosts(dir, work string) map[string]Cost {
	var earlier Pilot
	text, err := os.ReadFile(filepath.Join(dir, pilotFile))
	if err != nil || json.Unmarshal(text, &earlier) != nil || earlier.Work != work {
		return nil // it is written anew
	}
	costs := make(map[string]Cost, len(earlier.Clips))
	for _, c := range earlier.Clips {
		costs[c.ID] = c
	}
	return costs
}

// Write keeps the pilot in a folder.
func (p *Pilot) Write(dir string) error {
	slices.SortFunc(p.Clips, func(a, b Cost) int { return cmp.Compare(a.ID, b.ID) })
	return outfile.WriteIn(dir, pilotFile, func(w io.Writer) error { return outfile.JSON(w, p) })
}
