package production

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope/internal/outfile"
	"omniscope/stats"
)

// Draw draws n of so many rows by a seed, each as likely as any other, in the list's order;
// all of them where there are no more.
func Draw(rows, n int, seed uint64) []int {
	drawn := rand.New(rand.NewPCG(seed, 0x70696c6f74)).Perm(rows)
	drawn = drawn[:min(n, rows)]
	slices.Sort(drawn)
	return drawn
}

// A Cost is what a clip took, in all passes. Calls that were remembered count with what they
// took when they were made.
type Cost struct {
	ID        string  `json:"id"`
	Calls     int     `json:"calls"` // of models
	TokensIn  int     `json:"tokens_in"`
	TokensOut int     `json:"tokens_out"`
	USD       float64 `json:"usd"`     // of those calls whose price is known
	Seconds   float64 `json:"seconds"` // from its opening to its last caption; 0 = not known: it was made of remembered answers
}

// A Pilot is what the clips of a pilot took, and what that says of the rest.
type Pilot struct {
	Rows     int        `json:"rows"`
	Seed     uint64     `json:"seed"`
	Jobs     int        `json:"jobs"` // clips at a time
	Clips    []Cost     `json:"clips"`
	Rest     int        `json:"rest"` // rows that are not of the pilot
	Priced   bool       `json:"priced"`
	Forecast []Forecast `json:"forecast"`
}

// A Forecast is what the rest of a list will take of one thing.
type Forecast struct {
	What     string         `json:"what"`
	Sum      float64        `json:"sum"`
	Interval stats.Interval `json:"interval"`
}

// pilotFile keeps what clips of pilots took, for a pilot that is given again when they are
// remembered.
const pilotFile = "pilot.json"

// The things that a forecast is of.
const (
	ForecastCalls     = "calls"
	ForecastTokensIn  = "tokens_in"
	ForecastTokensOut = "tokens_out"
	ForecastUSD       = "usd"
	ForecastHours     = "hours"
)

// Predict forecasts the rest. Hours are those of the clips, with so many at a time as in the
// pilot; where the time of a clip is not known, there is no forecast of hours.
func (p *Pilot) Predict() {
	p.Rest = p.Rows - len(p.Clips)
	add := func(what string, of func(*Cost) float64) {
		values := make([]float64, len(p.Clips))
		for i := range p.Clips {
			values[i] = of(&p.Clips[i])
		}
		sum, in := stats.Rest(values, p.Rows, 0.95)
		p.Forecast = append(p.Forecast, Forecast{What: what, Sum: sum, Interval: in})
	}
	p.Forecast = nil
	add(ForecastCalls, func(c *Cost) float64 { return float64(c.Calls) })
	add(ForecastTokensIn, func(c *Cost) float64 { return float64(c.TokensIn) })
	add(ForecastTokensOut, func(c *Cost) float64 { return float64(c.TokensOut) })
	if p.Priced {
		add(ForecastUSD, func(c *Cost) float64 { return c.USD })
	}
	if p.timed() {
		add(ForecastHours, func(c *Cost) float64 { return c.Seconds / 3600 / float64(max(p.Jobs, 1)) })
	}
}

// timed reports whether the time of each clip is known.
func (p *Pilot) timed() bool {
	return !slices.ContainsFunc(p.Clips, func(c Cost) bool { return c.Seconds == 0 })
}

// Text is the forecast in words.
func (p *Pilot) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pilot: %d of %d clips, drawn by seed %d", len(p.Clips), p.Rows, p.Seed)
	if p.Rest == 0 {
		return b.String() + ": that is all of them\n"
	}
	fmt.Fprintf(&b, "; the other %d will take (95 %%):\n", p.Rest)
	for _, f := range p.Forecast {
		if f.Sum == 0 && f.What != ForecastHours {
			continue // such as tokens, where tools alone are asked
		}
		fmt.Fprintf(&b, "  %-11s about %s", forecastNames[f.What], amount(f.What, f.Sum))
		if f.Interval.Known {
			fmt.Fprintf(&b, ", from %s to %s", amount(f.What, f.Interval.Low), amount(f.What, f.Interval.High))
		} else {
			fmt.Fprintf(&b, ", no interval: %s", f.Interval.Method)
		}
		if f.What == ForecastHours {
			fmt.Fprintf(&b, ", with %d clips at a time as in the pilot", p.Jobs)
		}
		b.WriteByte('\n')
	}
	if !p.Priced {
		b.WriteString("  dollars     not known: not all prices are, see --prices\n")
	}
	if !p.timed() {
		b.WriteString("  hours       not known: answers of the pilot were remembered\n")
	}
	return b.String()
}

var forecastNames = map[string]string{ForecastCalls: "calls", ForecastTokensIn: "tokens in", ForecastTokensOut: "tokens out", ForecastUSD: "dollars", ForecastHours: "hours"}

func amount(what string, v float64) string {
	switch what {
	case ForecastUSD, ForecastHours:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// Remembered fills in the costs of an earlier pilot in the same folder where this one made
// its clips of remembered answers, and so does not know their time.
func (p *Pilot) Remembered(dir string) error {
	var earlier Pilot
	text, err := os.ReadFile(filepath.Join(dir, pilotFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &earlier); err != nil {
		return nil // it is written anew
	}
	for i := range p.Clips {
		at := slices.IndexFunc(earlier.Clips, func(c Cost) bool { return c.ID == p.Clips[i].ID })
		if at >= 0 && p.Clips[i].Seconds == 0 {
			p.Clips[i] = earlier.Clips[at]
		}
	}
	return nil
}

// Write keeps the pilot in a folder.
func (p *Pilot) Write(dir string) error {
	slices.SortFunc(p.Clips, func(a, b Cost) int { return cmp.Compare(a.ID, b.ID) })
	return outfile.WriteIn(dir, pilotFile, func(w io.Writer) error { return outfile.JSON(w, p) })
}
