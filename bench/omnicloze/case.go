package omnicloze

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
)

// caseOf is a unit as the case studies of the paper show it (arXiv 2510.12720, Figures
// 10 to 12): the passage with what was chosen for each blank, and the choices beside the
// answers.
func (u *unit) caseOf(it *item, caption *string) *document.Case {
	c := &document.Case{Unit: u.uuid, Cluster: u.clip, Outcome: u.outcome, Media: scalar(it.row.Get("video_path"))}
	right, judged := 0, 0
	for _, v := range u.verdicts[bench.Strict] {
		if v != omniscope.Unjudged {
			judged++
		}
		if v == omniscope.Correct {
			right++
		}
	}
	if judged > 0 {
		share := float64(right) / float64(judged)
		c.Score = &share
	}
	for _, f := range []document.Fact{{Name: "category", Value: u.category}, {Name: "sub-category", Value: u.subcategory},
		{Name: "blanks", Value: fmt.Sprintf("%d, of which %d right", len(u.blanks), right)}} {
		if f.Value != "" {
			c.Facts = append(c.Facts, f)
		}
	}
	text := []document.Piece{{Text: "There is none.", Tone: document.Dim}}
	if caption != nil && *caption != "" {
		text = []document.Piece{{Text: *caption}}
	}
	chosen := u.choices(it)
	c.Sections = []document.Section{
		{Title: "Caption", Text: text},
		{Title: "Passage", Text: filled(string(it.cloze.GetStringBytes("passage")), chosen)},
		u.choiceTable(chosen),
	}
	return c
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

// filled puts what was chosen in place of the placeholders.
func filled(passage string, chosen []shownBlank) (pieces []document.Piece) {
	byNumber := make(map[int]*shownBlank, len(chosen))
	for i := range chosen {
		byNumber[chosen[i].number] = &chosen[i]
	}
	at := 0
	plain := func(to int) {
		if to > at {
			pieces = append(pieces, document.Piece{Text: passage[at:to]})
		}
	}
	for from := 0; ; {
		i := strings.Index(passage[from:], gap)
		if i < 0 {
			break
		}
		start := from + i
		n, end := placeholderAt(passage, start)
		if from = max(end, start+len(gap)); byNumber[n] == nil {
			continue // stays as it is
		}
		c := byNumber[n]
		plain(start)
		pieces = append(pieces, document.Piece{Text: fmt.Sprintf("%d %s", n, c.text), Tone: c.tone,
			Note: fmt.Sprintf("blank %d, %s: chosen %s; right is %s", n, c.verdict, c.chosen, c.right)})
		at = end
	}
	plain(len(passage))
	return pieces
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

func (u *unit) choiceTable(chosen []shownBlank) document.Section {
	s := document.Section{Title: "Blanks", Columns: []string{"blank", "modality", "right", "chosen", "verdict"}, Rows: make([][][]document.Piece, len(chosen))}
	width := len(s.Columns)
	pieces, cells := make([]document.Piece, width*len(chosen)), make([][]document.Piece, width*len(chosen)) // of all rows
	for i, c := range chosen {
		at := i * width
		copy(pieces[at:], []document.Piece{{Text: strconv.Itoa(c.number)}, {Text: c.modality}, {Text: c.right}, {Text: c.chosen, Tone: c.tone}, {Text: c.verdict.String()}})
		for k := at; k < at+width; k++ {
			cells[k] = pieces[k : k+1 : k+1]
		}
		s.Rows[i] = cells[at : at+width : at+width]
	}
	return s
}

// caseLine is the unit's line of the file of cases. It reads the row again: see prepare.
func (e *evaluation) caseLine(i int, u *unit) ([]byte, error) {
	it, caption, err := u.load(e.data, i)
	if err != nil {
		return nil, err
	}
	var line bytes.Buffer
	err = json.NewEncoder(&line).Encode(u.caseOf(it, caption))
	return line.Bytes(), err
}
