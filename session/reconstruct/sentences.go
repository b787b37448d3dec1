package reconstruct

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
)

// Forecast describes, line by line, what there is to order. dir is the folder of results, "" = none yet.
func (r *Run) Forecast(p *Plan, dir string) (lines []string, err error) {
	var there map[string]jobState
	if dir != "" {
		if there, err = PeekLedger(dir); err != nil {
			return nil, err
		}
	}
	lengths := make(map[string]int)
	jobs, seconds, made, ordered, ended := 0, 0.0, 0, 0, 0
	for _, j := range p.Jobs {
		s := there[j.Name]
		outcome := Outcome(s.Outcome)
		if s.Uncertain {
			outcome = Uncertain
		}
		switch {
		case s.Brought != nil:
			made++
		case outcome != "" && !slices.Contains(r.Again, outcome):
			ended++
		case outcome == "" && s.ID != "":
			ordered++
		default:
			jobs++
			seconds += j.Seconds
			lengths[Seconds(j.Seconds)]++
		}
	}
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	say("%d clips and %d systems: %d videos", len(p.Clips), len(p.Systems), len(p.Jobs))
	if made+ordered+ended > 0 {
		say("%d are there, %d are ordered, %d ended without a video", made, ordered, ended)
	}
	say("to order: %d jobs, %s seconds%s", jobs, Seconds(seconds), r.dollars(seconds*r.Price))
	for _, length := range slices.Sorted(maps.Keys(lengths)) {
		say("  %d of %s s", lengths[length], length)
	}
	return lines, nil
}

// dollars is an amount as the end of a list; "" without a price.
func (r *Run) dollars(usd float64) string {
	if r.Price <= 0 {
		return ""
	}
	return fmt.Sprintf(", $%.2f", usd)
}

// Sentences describe a result line by line: the videos, the orders, and the outcomes of the others.
func (r *Run) Sentences(p *Plan, result *Result) (lines []string) {
	text := fmt.Sprintf("%d of %d videos are there; %d were ordered by this command%s", len(result.Made), len(p.Jobs), result.Orders, r.dollars(result.CostUSD))
	if result.All > result.Orders {
		text += fmt.Sprintf("; %d by all commands%s", result.All, r.dollars(result.AllUSD))
	}
	lines = []string{text}
	counts := make(map[Outcome]int)
	for _, f := range result.Failures {
		counts[f.Outcome]++
	}
	for _, outcome := range slices.Sorted(maps.Keys(counts)) {
		hint := "the same command tries again"
		if slices.Contains(Final, outcome) {
			hint = "--order-again=" + string(outcome) + " orders again"
		}
		lines = append(lines, fmt.Sprintf("  %d %s: %s", counts[outcome], outcome, hint))
	}
	return lines
}

// Next is the command that continues with the videos in dir.
func (p *Plan) Next(dir string) string {
	return fmt.Sprintf("omniscope people new rating PROJECT --pairs %s, and serve it with --media %s --media %s", filepath.Join(dir, pairsFile), dir, p.Media)
}

// OtherServers describes the videos that another server made: they are kept.
func (r *Run) OtherServers(p *Plan) (warnings []string, err error) {
	there, err := PeekLedger(r.Dir)
	if err != nil || r.Queue == nil {
		return nil, err
	}
	others := make(map[string]int)
	for _, j := range p.Jobs {
		if s := there[j.Name]; s.Brought != nil && s.Server != "" && s.Server != r.Server {
			others[s.Server]++
		}
	}
	for _, server := range slices.Sorted(maps.Keys(others)) {
		warnings = append(warnings, fmt.Sprintf("%d videos were made at %s and are kept: name another --out to have them made at %s", others[server], server, r.Server))
	}
	return warnings, nil
}
