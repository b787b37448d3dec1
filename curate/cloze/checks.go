package cloze

import (
	"fmt"
	"slices"
	"strings"

	"omniscope"
)

// A checkInfo is a check as users see it.
type checkInfo struct {
	Name, Means string
	find        func(*Draft, Rules) []Finding // without the check's name; nil = it takes more than one draft, see Row, Balance and test
}

// checks are all checks, in the order in which a draft goes through them.
var checks = []checkInfo{
	{"count", "the draft has another number of blanks than it must have", checkCount},
	{"numbering", "the blanks are not numbered 1, 2, 3, ..., each once", checkNumbering},
	{"placeholder", "a blank has no mark in the passage, or several; or a mark has no blank", checkPlaceholders},
	{"mark", "something in the passage looks like a mark and is none, such as [BLANK 3]", checkMarks},
	{"quota", "too few blanks need one of the senses", checkQuotas},
	{"sense", "required_modality is not visual, audio or audio-visual", checkSenses},
	{"distractors", "a blank does not have three distractors", checkDistractors},
	{"empty", "an answer or distractor is empty", checkEmpty},
	{"distinct", "two options of a blank say the same", checkDistinct},
	{"leak", "the answer stands elsewhere in the passage", checkLeaks},
	{"leak-options", "all options of another blank contain the answer", checkLeakOptions},
	{"time", "a timestamp or an exact duration", checkTimes},
	{"giveaway", "the form of the answer sets it apart from its distractors", checkGiveaways},
	{"sentence", "an option is a whole sentence", checkSentences},
	{"letters", "options, answer_index and answer_key of a row do not fit answer and distractors", nil},
	{"balance", "the right options of a file are not spread evenly over A to D", nil},
	{"guessable", "a judge without any caption answers the blank right", nil},
	{"modality", "a caption of one sense is enough for a blank that is said to need another", nil},
}

// Help lists the checks, a line each.
func Help() string {
	var out strings.Builder
	for _, c := range checks {
		fmt.Fprintf(&out, "  %-13s %s\n", c.Name, c.Means)
	}
	return out.String()
}

func checkCount(d *Draft, r Rules) []Finding {
	if n := len(d.Blanks); r.Blanks > 0 && n != r.Blanks {
		return []Finding{{Says: fmt.Sprintf("there are %d blanks, not %d", n, r.Blanks)}}
	}
	return nil
}

// checkNumbering names numbers that are there twice or out of range. Which numbers
// are missing follows from that, and is not told again.
func checkNumbering(d *Draft, _ Rules) (out []Finding) {
	seen := make(map[int]bool)
	for _, b := range d.Blanks {
		switch n := len(d.Blanks); {
		case b.Number < 1 || b.Number > n:
			out = append(out, Finding{Blank: max(0, b.Number), Text: fmt.Sprint(b.Number), Says: fmt.Sprintf("the number is not one of 1 to %d", n)})
		case seen[b.Number]:
			out = append(out, Finding{Blank: b.Number, Text: fmt.Sprint(b.Number), Says: "two blanks have this number"})
		}
		seen[b.Number] = true
	}
	return out
}

func checkQuotas(d *Draft, r Rules) (out []Finding) {
	if r.Blanks == 0 {
		return nil
	}
	have := make(map[omniscope.Modality]int)
	for _, b := range d.Blanks {
		have[b.Modality]++
	}
	for _, m := range modalities {
		if have[m] < r.Least[m] {
			out = append(out, Finding{Text: string(m), Says: fmt.Sprintf("%d blanks are %s, at least %d must be", have[m], m, r.Least[m])})
		}
	}
	return out
}

func checkSenses(d *Draft, _ Rules) (out []Finding) {
	for _, b := range d.Blanks {
		if !knownModality(b.Modality) {
			out = append(out, Finding{Blank: b.Number, Text: string(b.Modality), Says: "required_modality must be visual, audio or audio-visual"})
		}
	}
	return out
}

func knownModality(m omniscope.Modality) bool { return slices.Contains(modalities, m) }
