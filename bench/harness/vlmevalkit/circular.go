package vlmevalkit

import (
	"fmt"
	"strconv"
)

// passStep is what VLMEvalKit adds to a question's index for each further pass of a circular evaluation, in which
// options take turns in standing first (vlmeval/dataset/utils/multiple_choice.py).
const passStep = 1_000_000

// passes counts the passes of a circular evaluation.
type passes struct {
	later int
	wrong map[int]bool // by the question's index: in some pass
	hits  bool         // the file has VLMEvalKit's verdicts
}

// add reports whether a row is of a later pass.
func (p *passes) add(fields map[string]string) (later bool) {
	index, err := strconv.Atoi(fields["index"])
	if err != nil || index < 0 {
		return false
	}
	if p.wrong == nil {
		p.wrong = make(map[int]bool)
	}
	hit, err := strconv.ParseFloat(fields["hit"], 64)
	p.hits = p.hits || err == nil
	p.wrong[index%passStep] = p.wrong[index%passStep] || hit != 1
	if index < passStep {
		return false
	}
	p.later++
	return true
}

// note says that only the first pass is read; "" = there is but one.
func (p *passes) note(path string) string {
	if p.later == 0 {
		return ""
	}
	text := fmt.Sprintf("%s is of a circular evaluation: only the first pass is read, %d rows of later passes are not", path, p.later)
	if p.hits {
		right := 0
		for _, wrong := range p.wrong {
			if !wrong {
				right++
			}
		}
		text += fmt.Sprintf("; by VLMEvalKit %d of %d questions are right in all passes (%.1f %%)", right, len(p.wrong), 100*float64(right)/float64(len(p.wrong)))
	}
	return text
}
