package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/quantity"
	"omniscope/model/judge"
)

// A fact is one labelled line. Lines break between its parts only.
type fact struct {
	label     string
	parts     []string
	separator string
}

func sentence(label, s string) fact { return fact{label, strings.Fields(s), " "} }

func list(label string, parts ...string) fact { return fact{label, parts, " · "} }

func (f fact) String() string { return strings.Join(f.parts, f.separator) }

// head says what was measured and how it went.
func head(r *document.Results, t terms) []fact {
	benchmark := r.Benchmark.Name
	if r.Benchmark.Title != "" {
		benchmark = r.Benchmark.Title
	}
	if r.Benchmark.Paper != "" {
		benchmark += " (" + r.Benchmark.Paper + ")"
	}
	facts := []fact{sentence("benchmark", benchmark), sentence("system", r.System)}
	if judged(r) {
		facts = append(facts, sentence("judge", judgeText(r.Judge)))
	}
	if at := r.Judge.Endpoint; at != nil {
		facts = append(facts, list("endpoint", endpoint(*at)...))
	}
	if len(r.Judge.Readable) > 0 {
		facts = append(facts, list("readable", readable(r.Judge.Readable)...))
	}
	if r.Judge.Exam != nil {
		facts = append(facts, list("examined", examined(r.Judge.Exam)...))
	}
	facts = append(facts, sentence("scoring", r.Headline.Scoring), sentence("samples", samples(r)))
	if marks := r.Marked(); marks != "" {
		facts = append(facts, sentence("marked", marks))
	}
	return append(facts, headlineFact(r, t))
}

// judged reports whether anybody judged: some benchmarks compare without.
func judged(r *document.Results) bool { return r.Judge.Name != "" }

func judgeText(j document.JudgeInfo) string {
	name := j.Name
	if j.Baseline {
		name += ": baseline, not comparable with published scores"
	}
	if len(j.Answered) > 0 {
		name += ", answered by " + tallies(j.Answered)
	}
	return name
}

// endpoint says where the judge answered, who named that address, and whose key
// it got.
func endpoint(e document.EndpointInfo) []string {
	from, key := "the provider's own address", "no key"
	if e.AddressFrom != "" {
		from = "address from " + e.AddressFrom
	}
	if e.KeyFrom != "" {
		key = "key from " + e.KeyFrom
	}
	return []string{e.Address, from, key}
}

// readable lists how many of the judge's replies could be read, by asking.
func readable(readings []judge.Reading) (parts []string) {
	names := []string{"first", "second", "third"}
	for _, r := range readings {
		name := fmt.Sprintf("asking %d", r.Asking)
		if r.Asking <= len(names) {
			name = names[r.Asking-1] + " asking"
		}
		if r.Schema {
			name += " with a schema"
		}
		parts = append(parts, fmt.Sprintf("%s %s of %s (%.1f%%)", name, quantity.Grouped(r.Readable), quantity.Grouped(r.Replies), 100*float64(r.Readable)/float64(r.Replies)))
	}
	return parts
}

// examined describes the examination of the judge.
func examined(x *document.ExamInfo) []string {
	parts := []string{fmt.Sprintf("%d of %d known answers right", x.Right, x.Items)}
	if x.Unreadable > 0 {
		parts = append(parts, quantity.Things(x.Unreadable, "reply")+" unreadable")
	}
	if x.Failed > 0 {
		parts = append(parts, quantity.Things(x.Failed, "call")+" failed")
	}
	if len(x.WrongItems) > 0 {
		parts = append(parts, "wrong: "+strings.Join(x.WrongItems, ", "))
	}
	return parts
}

// tallies writes names with their counts, by name.
func tallies(counts map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s (%s)", name, quantity.Grouped(counts[name])))
	}
	return strings.Join(parts, ", ")
}

func samples(r *document.Results) string {
	if o := outcomes(r); o != "" {
		return quantity.Grouped(r.Samples) + ": " + o
	}
	return quantity.Grouped(r.Samples)
}

// outcomes counts how the judging of the samples ended, the good end first.
func outcomes(r *document.Results) string {
	var names []string
	for _, o := range omniscope.Outcomes {
		names = append(names, o.String())
	}
	for _, name := range slices.Sorted(maps.Keys(r.Outcomes)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var parts []string
	for _, name := range names {
		if n := r.Outcomes[name]; n != 0 {
			parts = append(parts, quantity.Grouped(n)+" "+name)
		}
	}
	return strings.Join(parts, ", ")
}

func headlineFact(r *document.Results, t terms) fact {
	scores := document.Slice{Dimension: whole, Scores: r.Headline.Scores}
	if r.Status == document.NoScore {
		text := noScore + ": " + whyNothing(r, reasons(scores, t.columns))
		if other := otherThan(r); anyScore(other, t.columns, func(_ Column, s omniscope.Score) bool { return s.Value != nil }) {
			text += "; scoring " + other.Name + " has scores"
		}
		return sentence("headline", text)
	}
	f := list("headline")
	for _, c := range t.columns {
		if cell := c.plain(scores); cell != "" {
			f.parts = append(f.parts, c.Title+" "+cell)
		}
	}
	return f
}

// whyNothing says why a document has no score at all.
func whyNothing(r *document.Results, known []reason) string {
	why := "nothing was judged"
	switch {
	case len(known) == 1:
		return known[0].why
	case !judged(r):
		why = "nothing was scored"
	}
	if o := outcomes(r); o != "" {
		why += " (" + o + ")"
	}
	return why
}

// usage says what the run cost and, where other commands worked on it before,
// what this one did.
func usage(u document.UsageInfo) []fact {
	now, seconds := u.ThisCommand, fmt.Sprintf("%.1f s", u.Seconds)
	switch {
	case u.Calls == 0 && u.Remembered == 0 && (now == nil || now.Remembered == 0):
		return []fact{list("usage", "no calls", seconds)}
	case now == nil || now.Calls == u.Calls && now.Remembered == u.Remembered:
		return []fact{list("usage", append(spent(u.Sums()), seconds)...)}
	}
	share := append(spent(*now), seconds)
	share[0] = "this command: " + share[0]
	return []fact{list("usage", spent(u.Sums())...), list("", share...)}
}

// spent says how many calls were made and what they took.
func spent(u document.CommandUsage) []string {
	cost := "price unknown"
	if v, ok := finite(u.CostUSD); ok {
		cost = dollars(v)
	}
	parts := []string{quantity.Things(u.Calls, "call"), quantity.Grouped(u.Remembered) + " remembered", quantity.Grouped(u.Failed) + " failed",
		quantity.Grouped(u.Retries) + " retries", quantity.Grouped(u.RateLimited) + " rate limited (429)"}
	if u.TokensIn+u.TokensOut == 0 && u.Calls > u.Failed { // an answer takes tokens: 0 is unknown
		parts = append(parts, "tokens unknown", cost)
	} else {
		in := quantity.Grouped(u.TokensIn) + " tokens in"
		if u.Cached > 0 {
			in += " (" + quantity.Grouped(u.Cached) + " cached)"
		}
		parts = append(parts, in, quantity.Grouped(u.TokensOut)+" out", cost)
	}
	if u.Lost.Tries > 0 {
		parts = append(parts, lost(u.Lost))
	}
	return parts
}

// lost says what may have to be paid for and brought nothing.
func lost(l document.LostInfo) string {
	about := quantity.Grouped(l.TokensIn+l.TokensOut) + " tokens"
	if v, ok := finite(l.CostUSD); ok {
		about = dollars(v)
	}
	tries := "1 try"
	if l.Tries != 1 {
		tries = quantity.Grouped(l.Tries) + " tries"
	}
	return "of that about " + about + " for " + tries + " that brought nothing usable"
}

// effects says how much each score would change were a difference mended and
// nothing else; "" where that is not known.
func effects(d document.Difference, columns []Column) string {
	var parts []string
	for _, c := range columns {
		if v, ok := d.Effects[c.Name]; ok {
			if c.Percent {
				v *= 100
			}
			parts = append(parts, fmt.Sprintf("%s %+.2f", c.Title, v))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ")
}

// difference describes one difference between the scorings.
func difference(d document.Difference, item string) string {
	return fmt.Sprintf("%s (%s, %s)", d.What, quantity.Things(d.Samples, "sample"), quantity.Things(d.Items, item))
}
