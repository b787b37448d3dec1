package detective

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"omniscope"
	"omniscope/model"
	"omniscope/model/judge"
)

var claimsSchema = &model.Schema{Name: "claims", JSON: json.RawMessage(`{"type":"object","properties":{` +
	`"claims":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"},"sense":{"type":"string","enum":["audio","visual","audio-visual"]}},"required":["text","sense"]}}},` +
	`"required":["claims"]}`)}

// split makes the claims. A model that cannot is an outcome of the audit.
func (a *audit) split(ctx context.Context) error {
	if strings.TrimSpace(a.report.Caption) == "" {
		a.report.Outcome, a.report.Why = omniscope.Abstained, "the caption is empty"
		return nil
	}
	if a.options.Splitter == nil {
		a.report.Claims = splitPlainly(a.report.Caption)
		return nil
	}
	got, err := judge.Ask(ctx, bounded(a.options.Splitter), judge.Question[[]Claim]{
		Step:     splitStep(clipName(a.clip)),
		Messages: splitMessages(a.report.Caption, a.options.Prompts),
		Schema:   func() *model.Schema { return claimsSchema },
		Read:     readClaims,
	})
	if err != nil {
		return err
	}
	a.report.Outcome, a.report.Why = got.Outcome, lastReason(got.Attempts)
	if got.Outcome == omniscope.OK {
		a.report.Claims = got.Value
	}
	return nil
}

func splitStep(clip string) string { return clip + "/audit/claims" }

func splitMessages(caption string, p *Prompts) []model.Message {
	return []model.Message{model.Text(model.User, fill(p.claims, "caption", caption))}
}

// SplitRequest is what an audit of a clip's caption asks first: the splitter for its claims. nil =
// there is nothing to ask, or no model to be asked.
func SplitRequest(clip, caption string, splitter *judge.Judge, p *Prompts) *model.Request {
	if splitter == nil || strings.TrimSpace(caption) == "" {
		return nil
	}
	return &model.Request{Step: splitStep(clip), Attempt: 1, Model: splitter.Request, Params: splitter.Params, Messages: splitMessages(caption, p)}
}

// readClaims reads {"claims": [{"text", "sense"}]}.
func readClaims(reply string) ([]Claim, error) {
	fields, err := judge.Object(reply)
	if err != nil {
		return nil, err
	}
	list := fields["claims"]
	if !list.IsArray() || len(list.Array()) == 0 {
		return nil, errors.New(`it has no list of "claims"`)
	}
	var claims []Claim
	for i, item := range list.Array() {
		words, err := text(item.Map(), "text")
		if err == nil && words == "" {
			err = errors.New(`it has no "text"`)
		}
		sense, senseErr := text(item.Map(), "sense")
		if err = errors.Join(err, senseErr); err != nil {
			return nil, fmt.Errorf("claim %d: %w", i+1, err)
		}
		c := Claim{ID: claimID(i), Text: words}
		if m := omniscope.Modality(sense); m == omniscope.Audio || m == omniscope.Visual || m == omniscope.AudioVisual {
			c.Sense = m
		}
		if facts := factsOf(words); len(facts) == 1 && !saysMore(words, facts) {
			c.Fact = &facts[0]
		} else {
			c.Fact = presence(words)
		}
		claims = append(claims, c)
	}
	return claims, nil
}

// SentenceOf is the sentence of a caption that a claim is of; "" = that is not known.
func (c *Claim) SentenceOf(caption string) string {
	if all := sentencesOf(caption); c.Sentence > 0 && c.Sentence <= len(all) {
		return all[c.Sentence-1]
	}
	return ""
}

func claimID(i int) string { return fmt.Sprintf("c%d", i+1) }

// splitPlainly splits without a model: each thing in a sentence that can be
// measured is a claim, and so is the sentence if it says more than that.
func splitPlainly(caption string) []Claim {
	claims := []Claim{}
	for i, sentence := range sentencesOf(caption) {
		facts := factsOf(sentence)
		for _, f := range facts {
			claims = append(claims, Claim{ID: claimID(len(claims)), Sentence: i + 1, Text: f.claim(), Sense: f.sense(), Fact: &f})
		}
		if len(facts) == 0 || saysMore(sentence, facts) {
			claims = append(claims, Claim{ID: claimID(len(claims)), Sentence: i + 1, Text: sentence, Fact: presence(sentence)})
		}
	}
	return claims
}

// PlainClaims is how many claims a caption has where no model splits it.
func PlainClaims(caption string) int { return len(splitPlainly(caption)) }

// sentencesOf splits a text at the ends of sentences outside of quotes.
func sentencesOf(s string) []string {
	var list []string
	for line := range strings.Lines(s) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-*•# ")
		quotes := quotesOf(line)
		start := 0
		for i, r := range line {
			end := i + len(string(r))
			if strings.ContainsRune(".!?", r) && endsSentence(line, i, end, quotes) {
				end = pastQuote(end, quotes)
				list = appendSentence(list, line[start:end])
				start = end
			}
		}
		list = appendSentence(list, line[start:])
	}
	return list
}

func appendSentence(list []string, s string) []string {
	if s = strings.TrimSpace(s); len(words(s)) == 0 {
		return list
	}
	return append(list, s)
}

// endsSentence reports whether the mark between i and end does: nothing or a
// blank and no small letter follows, and it is the last thing of a quote or in
// none.
func endsSentence(line string, i, end int, quotes []quoted) bool {
	if q := around(i, quotes); q != nil && end != q.inner {
		return false
	}
	after := line[pastQuote(end, quotes):]
	trimmed := strings.TrimLeft(after, " \t")
	if trimmed == "" {
		return true
	}
	next, _ := utf8.DecodeRuneInString(trimmed)
	return len(trimmed) < len(after) && !unicode.IsLower(next) && !abbreviated(line[:i])
}

// pastQuote moves a place that is right before the closing mark of a quote
// behind it.
func pastQuote(at int, quotes []quoted) int {
	if q := around(at, quotes); q != nil && q.inner == at {
		return q.end
	}
	return at
}

// abbreviated reports whether a text ends in a word that a dot only shortens.
func abbreviated(before string) bool {
	last := before[strings.LastIndexAny(before, " \t")+1:]
	return slices.Contains([]string{"Mr", "Mrs", "Ms", "Dr", "St", "No", "vs", "approx", "ca"}, last)
}

// A quoted is a stretch in quotation marks.
type quoted struct {
	start, end int    // with the marks
	inner      int    // where the closing mark begins
	text       string // without them
}

// around returns the quote that a place lies in, nil if in none.
func around(at int, quotes []quoted) *quoted {
	i, _ := slices.BinarySearchFunc(quotes, at+1, func(q quoted, at int) int { return cmp.Compare(q.end, at) })
	if i < len(quotes) && quotes[i].start <= at {
		return &quotes[i]
	}
	return nil
}

// quotationMarks open and close.
var quotationMarks = [...][2]string{{`"`, `"`}, {"“", "”"}, {"«", "»"}, {"„", "“"}}

// quotesOf finds what stands in double quotation marks, in order. A mark that
// is never closed quotes nothing.
func quotesOf(line string) []quoted {
	var list []quoted
	var open [len(quotationMarks)]bool // nothing closes this mark any more
	for i := 0; i < len(line); {
		next := i + 1
		for k, pair := range quotationMarks {
			if open[k] || !strings.HasPrefix(line[i:], pair[0]) {
				continue
			}
			from := i + len(pair[0])
			n := strings.Index(line[from:], pair[1])
			if open[k] = n < 0; n > 0 {
				next = from + n + len(pair[1])
				list = append(list, quoted{start: i, inner: from + n, end: next, text: strings.TrimSpace(line[from : from+n])})
				break
			}
		}
		i = next
	}
	return list
}

// outside blanks the quotes out, so that what is left keeps its place.
func outside(line string, quotes []quoted) string {
	blank := []byte(line)
	for _, q := range quotes {
		for i := q.start; i < q.end; i++ {
			blank[i] = ' '
		}
	}
	return string(blank)
}
