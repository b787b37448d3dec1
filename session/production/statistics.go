package production

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"omniscope/internal/quantity"
)

// Statistics are those of an output, a pass each.
type Statistics struct {
	List   string           `json:"list"`
	Rows   int              `json:"rows"`
	Passes []passStatistics `json:"passes"`
}

// passStatistics count what a pass brought. They describe the clips that have a caption, all of
// them: there is nothing to estimate.
type passStatistics struct {
	Pass      string      `json:"pass"`
	Captions  int         `json:"captions"`
	Failures  int         `json:"failures"` // of this command
	Untried   int         `json:"untried"`  // rows of the list that have neither
	Words     valueSpread `json:"words"`    // of a caption
	Seconds   valueSpread `json:"seconds"`  // of a clip
	Hours     float64     `json:"hours"`    // of all clips together
	Inquiries valueSpread `json:"inquiries"`

	// EarlyStops is the share of clips whose inquiries ended before the budget did because
	// nothing new came, by the planner's word or by the ledger's.
	EarlyStops     float64     `json:"early_stops"`
	Sentences      int         `json:"sentences"`
	Unfounded      float64     `json:"unfounded"`      // share of the sentences that rest on no observation
	Disputed       float64     `json:"disputed"`       // share of them that rest on what another observer contradicts
	Contradictions valueSpread `json:"contradictions"` // listed for a clip
	Contradicted   float64     `json:"contradicted"`   // share of clips with at least one
}

// WordsOfAll counts the words of all captions.
func (p *passStatistics) WordsOfAll() int { return int(math.Round(p.Words.Mean * float64(p.Captions))) }

// A valueSpread is the distribution of a figure over clips: the mean, and the figures that a
// twentieth, half, and all but a twentieth of the clips have at most.
type valueSpread struct {
	Mean   float64 `json:"mean"`
	P5     float64 `json:"p5"`
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
}

// Statistics counts what there is.
func (o *Output) Statistics(passes []string) (*Statistics, error) {
	s := &Statistics{List: o.list.Name, Rows: len(o.list.Rows)}
	for _, pass := range passes {
		var t tally
		if err := o.Summaries(pass, t.add); err != nil {
			return nil, err
		}
		p := t.statistics(pass)
		for _, f := range o.Failures([]string{pass}) {
			if f.Pass == pass {
				p.Failures++
			}
		}
		p.Untried = len(o.list.Rows) - p.Captions - p.Failures
		s.Passes = append(s.Passes, p)
	}
	return s, nil
}

// A tally collects the figures of a pass: some 50 bytes for each clip.
type tally struct {
	words, seconds, inquiries, contradictions           []float64
	early, contradicted, sentences, unfounded, disputed int
}

func (t *tally) add(s Summary) {
	t.words = append(t.words, float64(s.Words))
	if s.Seconds > 0 { // 0 = not known
		t.seconds = append(t.seconds, s.Seconds)
	}
	t.inquiries = append(t.inquiries, float64(s.Inquiries))
	t.contradictions = append(t.contradictions, float64(s.Contradictions))
	t.sentences += s.Sentences
	t.unfounded += s.Unfounded
	t.disputed += s.Disputed
	if s.Ended.Early() {
		t.early++
	}
	if s.Contradictions > 0 {
		t.contradicted++
	}
}

func (t *tally) statistics(pass string) passStatistics {
	n := len(t.words)
	p := passStatistics{Pass: pass, Captions: n, Sentences: t.sentences, Words: spread(t.words), Seconds: spread(t.seconds), Inquiries: spread(t.inquiries), Contradictions: spread(t.contradictions)}
	p.Hours = p.Seconds.Mean * float64(len(t.seconds)) / 3600
	if n > 0 {
		p.EarlyStops, p.Contradicted = float64(t.early)/float64(n), float64(t.contradicted)/float64(n)
	}
	if t.sentences > 0 {
		p.Unfounded, p.Disputed = float64(t.unfounded)/float64(t.sentences), float64(t.disputed)/float64(t.sentences)
	}
	return p
}

// spread sorts the values.
func spread(values []float64) valueSpread {
	if len(values) == 0 {
		return valueSpread{}
	}
	slices.Sort(values)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	at := func(share float64) float64 { return values[max(0, int(math.Ceil(share*float64(len(values))))-1)] }
	return valueSpread{Mean: sum / float64(len(values)), P5: at(0.05), Median: at(0.5), P95: at(0.95)}
}

// Markdown writes the statistics as tables.
func (s *Statistics) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Captions of %s\n\n%d rows. A spread is the mean, and in brackets what 5 %%, 50 %% and 95 %% of the clips have at most.\n\n|  |", strings.ReplaceAll(s.List, "|", "\\|"), s.Rows)
	for _, p := range s.Passes {
		b.WriteString(" " + passName(p.Pass) + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(s.Passes)) + "\n")
	for _, row := range statisticsRows {
		b.WriteString("| " + row.name + " |")
		for i := range s.Passes {
			value := "–"
			if p := &s.Passes[i]; row.of == nil || row.of(p) > 0 {
				value = row.value(p)
			}
			b.WriteString(" " + value + " |")
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

var passNames = map[string]string{"av": "audio-visual", "a": "audio", "v": "visual"}

// passName is a pass in words, such as "audio, 3 inquiries".
func passName(pass string) string {
	senses, after, found := strings.Cut(pass, "-")
	if !found {
		return passNames[senses]
	}
	return passNames[senses] + ", " + after + " inquiries"
}

func captionsOf(p *passStatistics) float64  { return float64(p.Captions) }
func sentencesOf(p *passStatistics) float64 { return float64(p.Sentences) }
func secondsOf(p *passStatistics) float64   { return p.Hours }

var statisticsRows = []struct {
	name  string
	of    func(*passStatistics) float64 // the denominator: no value if it is 0; nil = the value is a count
	value func(*passStatistics) string
}{
	{"captions", nil, func(p *passStatistics) string { return fmt.Sprint(p.Captions) }},
	{"failures of this command", nil, func(p *passStatistics) string { return fmt.Sprint(p.Failures) }},
	{"not tried", nil, func(p *passStatistics) string { return fmt.Sprint(p.Untried) }},
	{"words of a caption", captionsOf, func(p *passStatistics) string { return p.Words.String() }},
	{"seconds of a clip", secondsOf, func(p *passStatistics) string { return p.Seconds.String() }},
	{"hours of all clips", secondsOf, func(p *passStatistics) string { return fmt.Sprintf("%.1f", p.Hours) }},
	{"inquiries", captionsOf, func(p *passStatistics) string { return p.Inquiries.String() }},
	{"clips that were enough before the budget was used up", captionsOf, func(p *passStatistics) string { return quantity.Percent(p.EarlyStops) }},
	{"sentences", nil, func(p *passStatistics) string { return fmt.Sprint(p.Sentences) }},
	{"sentences without evidence", sentencesOf, func(p *passStatistics) string { return quantity.Percent(p.Unfounded) }},
	{"sentences that another observer contradicts", sentencesOf, func(p *passStatistics) string { return quantity.Percent(p.Disputed) }},
	{"contradictions listed for a clip", captionsOf, func(p *passStatistics) string { return p.Contradictions.String() }},
	{"clips with a contradiction", captionsOf, func(p *passStatistics) string { return quantity.Percent(p.Contradicted) }},
}

// String is the spread in a table.
func (s valueSpread) String() string {
	return fmt.Sprintf("%.1f (%.4g, %.4g, %.4g)", s.Mean, s.P5, s.Median, s.P95)
}
