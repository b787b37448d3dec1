package neural

import (
	"fmt"

	"omniscope"
)

// progress counts tokens.
type progress struct {
	done, total int
	report      func(done, total int)
}

func (p *progress) add(tokens int) {
	p.done += tokens
	p.total = max(p.total, p.done)
	if p.report != nil {
		p.report(p.done, p.total)
	}
}

// texts are the different ones among those of a call.
type texts struct {
	all   []string
	index map[string]int
	first []string // where each is first, such as "reference 3"
}

func (t *texts) add(what string, i int, text string) int {
	if at, ok := t.index[text]; ok {
		return at
	}
	if t.index == nil {
		t.index = map[string]int{}
	}
	t.index[text] = len(t.all)
	t.all = append(t.all, text)
	t.first = append(t.first, fmt.Sprintf("%s %d", what, i))
	return len(t.all) - 1
}

// finite reports whether v is neither infinite nor NaN.
func finite(v float32) bool { return v-v == 0 }

// notFinite says that what was computed of a text is no number.
func (t *texts) notFinite(i int) error {
	return omniscope.Invalidf("%s, counted from 0: what the encoder makes of it is no finite number, so the weights are damaged or of another model", t.first[i])
}
