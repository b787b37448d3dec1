package letters

import (
	"strings"

	"omniscope/metric/textnorm"
)

// A form is the texts before and after a letter in a reply.
type form struct{ before, after string }

// mmau is the reader of lmms-eval's task mmau (parse_multi_choice_response in its utils.py). It reads A to D, also if there are
// more or fewer options.
func mmau(reply string, _ []string) string {
	return lastForm(between(reply), []string{"A", "B", "C", "D"}, form{" ", " "}, false)
}

// mmar is the reader of lmms-eval's task mmar, which differs in what comes before a blank, in the place that decides among
// several letters in brackets, and in knowing the options' words.
func mmar(reply string, options []string) string {
	text := between(reply)
	letters := make([]string, len(options))
	for i := range options {
		letters[i] = Letter(i)
	}
	found := lastForm(text, letters, form{"", " "}, true)
	if found != Drawn || len(strings.FieldsFunc(text, textnorm.IsSpace)) <= 5 {
		return found
	}
	text = textnorm.Lower(text)
	best := -1
	for i, o := range options {
		if at := strings.LastIndex(text, textnorm.Lower(textnorm.Strip(o))); at > best {
			best, found = at, Letter(i)
		}
	}
	return found
}

// between is a reply without some marks at its ends, one kind after the other, with a blank at each end.
func between(reply string) string {
	for _, c := range []string{",", ".", "!", "?", ";", ":", "'"} {
		reply = strings.Trim(reply, c)
	}
	return " " + reply + " "
}

// lastForm returns the letter in brackets, else in the second form, else before a point. Of several it is the one
// that comes last between blanks, or the first of the alphabet if no letter is between blanks. brackets: of letters in brackets the last
// one there counts instead.
func lastForm(text string, letters []string, second form, brackets bool) string {
	for k, f := range []form{{"(", ")"}, second, {"", "."}} {
		var found []string
		for _, l := range letters {
			if strings.Contains(text, f.before+l+f.after) {
				found = append(found, l)
			}
		}
		if len(found) == 0 {
			continue
		}
		by := form{" ", " "}
		if k == 0 && brackets {
			by = f
		}
		best, at := found[0], strings.LastIndex(text, by.before+found[0]+by.after)
		for _, l := range found[1:] {
			if next := strings.LastIndex(text, by.before+l+by.after); next > at {
				best, at = l, next
			}
		}
		return best
	}
	return Drawn
}
