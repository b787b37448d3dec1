package claims

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences splits a text at the ends of sentences outside of quotes.
func Sentences(s string) []string {
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
	if s = strings.TrimSpace(s); len(Words(s)) == 0 {
		return list
	}
	return append(list, s)
}

// endsSentence reports whether the mark between i and end ends a sentence: the
// text ends there, or a blank and no small letter follow. In a quote only the
// last mark can end a sentence.
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

// around returns the quote that contains a place, or nil if the place is outside all quotes.
func around(at int, quotes []quoted) *quoted {
	i, _ := slices.BinarySearchFunc(quotes, at+1, func(q quoted, at int) int { return cmp.Compare(q.end, at) })
	if i < len(quotes) && quotes[i].start <= at {
		return &quotes[i]
	}
	return nil
}

// quotationMarks open and close.
var quotationMarks = [...][2]string{{`"`, `"`}, {"“", "”"}, {"«", "»"}, {"„", "“"}}

// quotesOf returns the texts in double quotation marks, in order. A mark that is
// never closed does not start a quote.
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
