package omnicloze

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/jsonfast"
	"omniscope/internal/quantity"
)

// caseLine is the unit's line of the file of cases. It reads the row again: see prepare.
func (e *evaluation) caseLine(i int, u *unit) ([]byte, error) {
	it, caption, err := u.load(e.data, i)
	if err != nil {
		return nil, err
	}
	return u.appendCase(nil, it, caption), nil
}

// appendCase writes a document.Case as the case studies of the paper show a unit (arXiv 2510.12720, Figures 10 to 12): the
// passage with the chosen words, and the choices next to the answers. It is written by hand, as encoding/json
// writes it: the pieces of a case cost more memory than all else that a call leaves behind.
func (u *unit) appendCase(b []byte, it *item, caption *string) []byte {
	text, tone := "No text.", document.Dim
	if caption != nil && *caption != "" {
		text, tone = *caption, document.Plain
	}
	passage := it.passage()
	b = slices.Grow(b, 512+len(text)*17/16+len(passage)*17/16+320*len(u.blanks))
	b = jsonfast.AppendHTML(append(b, `{"unit":`...), u.uuid)
	b = appendGiven(b, `,"cluster":`, u.clip)
	b = jsonfast.AppendHTML(append(b, `,"outcome":`...), u.outcome.String())
	b = appendGiven(b, `,"media":`, scalar(it.row.Get("video_path")))
	b = u.appendFacts(append(b, `,"score":`...))
	b = append(b, `,"sections":[{"title":"Caption","text":[`...)
	b = appendPiece(b, text, tone, "")
	chosen := u.choices(it)
	b = append(b, `]},{"title":"Passage"`...)
	if passage != "" {
		b = append(appendFilled(append(b, `,"text":[`...), passage, chosen), ']')
	}
	b = append(b, `},{"title":"Blanks","columns":["blank","modality","right","chosen","verdict"]`...)
	for i, c := range chosen {
		if i == 0 {
			b = append(b, `,"rows":[`...)
		} else {
			b = append(b, ',')
		}
		b = appendPiece(append(b, `[[`...), strconv.Itoa(c.number), "", "")
		b = appendPiece(append(b, `],[`...), c.modality, "", "")
		b = appendPiece(append(b, `],[`...), c.right, "", "")
		b = appendPiece(append(b, `],[`...), c.chosen, c.tone, "")
		b = append(appendPiece(append(b, `],[`...), c.verdict.String(), "", ""), `]]`...)
	}
	if len(chosen) > 0 {
		b = append(b, ']')
	}
	return append(b, "}]}\n"...)
}

// appendFacts writes the score, and what else there is to know of the unit.
func (u *unit) appendFacts(b []byte) []byte {
	right, judged := 0, 0
	for _, v := range u.verdicts[bench.Strict] {
		judged += quantity.If(v != omniscope.Unjudged)
		right += quantity.If(v == omniscope.Correct)
	}
	if judged > 0 {
		b = strconv.AppendFloat(b, float64(right)/float64(judged), 'f', -1, 64)
	} else {
		b = append(b, "null"...)
	}
	b = append(b, `,"facts":[`...)
	if u.category != "" {
		b = append(jsonfast.AppendHTML(append(b, `{"name":"category","value":`...), u.category), `},`...)
	}
	if u.subcategory != "" {
		b = append(jsonfast.AppendHTML(append(b, `{"name":"sub-category","value":`...), u.subcategory), `},`...)
	}
	return fmt.Appendf(b, `{"name":"blanks","value":"%d, of which %d right"}]`, len(u.blanks), right)
}

// appendGiven writes a member unless its value is empty.
func appendGiven(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	return jsonfast.AppendHTML(append(b, name...), value)
}

// appendPiece writes a document.Piece.
func appendPiece(b []byte, text string, tone document.Tone, note string) []byte {
	b = jsonfast.AppendHTML(append(b, `{"t":`...), text)
	b = appendGiven(b, `,"k":`, string(tone))
	return append(appendGiven(b, `,"n":`, note), '}')
}

// A shownBlank is what became of a blank.
type shownBlank struct {
	number        int
	modality      string
	right, chosen string // letters and their texts
	text          string // of what was chosen, alone
	tone          document.Tone
	verdict       omniscope.Verdict
}

func (u *unit) choices(it *item) []shownBlank {
	all := make([]shownBlank, len(u.blanks))
	for i, b := range u.blanks {
		options := it.blanks[i].options()
		named := func(letter string) string {
			switch at := indexOfLetter(letter); {
			case letter == notGiven:
				return "not given"
			case at >= 0 && at < len(options):
				return options[at]
			}
			return ""
		}
		letter, _ := u.shownChoice(i)
		all[i] = shownBlank{number: b.number, modality: string(b.modality), right: withLetter(b.key, named(b.key)), chosen: withLetter(letter, named(letter)),
			text: named(letter), verdict: u.verdicts[bench.Strict][i]}
		switch all[i].verdict {
		case omniscope.Correct:
			all[i].tone = document.Good
		case omniscope.NotGiven:
			all[i].tone = document.Mild
		case omniscope.Wrong:
			all[i].tone = document.Bad
		default:
			all[i].tone, all[i].text = document.Dim, "not judged"
		}
	}
	return all
}

// indexOfLetter is the place of a letter among the options; -1 for none.
func indexOfLetter(letter string) int {
	if len(letter) != 1 || letter[0] < 'A' || letter[0] > 'D' {
		return -1
	}
	return int(letter[0] - 'A')
}

func withLetter(letter, text string) string {
	if letter == "" || text == "" {
		return letter
	}
	return letter + ": " + text
}

// appendFilled writes the pieces of a passage, with the chosen words instead of the placeholders.
func appendFilled(b []byte, passage string, chosen []shownBlank) []byte {
	byNumber := make(map[int]*shownBlank, len(chosen))
	for i := range chosen {
		byNumber[chosen[i].number] = &chosen[i]
	}
	at, first := 0, true
	piece := func(text string, tone document.Tone, note string) {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendPiece(b, text, tone, note)
	}
	for from := 0; ; {
		i := strings.Index(passage[from:], gap)
		if i < 0 {
			break
		}
		start := from + i
		n, end := placeholderAt(passage, start)
		from = max(end, start+len(gap))
		c := byNumber[n]
		if c == nil {
			continue // stays as it is
		}
		if start > at {
			piece(passage[at:start], "", "")
		}
		piece(fmt.Sprintf("%d %s", n, c.text), c.tone, fmt.Sprintf("blank %d, %s: chosen %s; right is %s", n, c.verdict, c.chosen, c.right))
		at = end
	}
	if at < len(passage) {
		piece(passage[at:], "", "")
	}
	return b
}

// placeholderAt reads a placeholder, [BLANK_12], that begins with a gap: its number, and where it ends; -1, 0 = it is not one.
func placeholderAt(passage string, start int) (n, end int) {
	const mostDigits = 6
	digits := passage[start+len(gap):]
	size := 0
	for size < len(digits) && size < mostDigits && '0' <= digits[size] && digits[size] <= '9' {
		size++
	}
	n, err := strconv.Atoi(digits[:size])
	if err != nil || !strings.HasPrefix(digits[size:], "]") {
		return -1, 0
	}
	return n, start + len(gap) + size + 1
}
