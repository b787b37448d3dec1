package caption

import (
	"fmt"
	"strings"

	"omniscope/internal/visible"
	"omniscope/metric/textnorm"
)

// A Result is what a command that describes clips came to.
type Result struct {
	Clips    int            `json:"clips"`
	Wanted   int            `json:"wanted"` // captions; of a list with several passes more than clips
	Captions int            `json:"captions"`
	Words    int            `json:"words"` // of all captions
	Failed   int            `json:"failed"`
	reasons  map[string]int // of failures, by their first line

	File        string `json:"file"`                   // of the rows, or their folder
	NothingSeen bool   `json:"nothing_seen,omitempty"` // no model looked at the clips
}

// add counts a caption.
func (r *Result) add(text string) { r.Add(textnorm.CountWords(text)) }

// Add counts a caption of so many words.
func (r *Result) Add(words int) {
	r.Captions++
	r.Words += words
}

// Fail counts a clip without a caption.
func (r *Result) Fail(why string) {
	if r.reasons == nil {
		r.reasons = make(map[string]int)
	}
	r.Failed++
	r.reasons[reasonOf(why)]++
}

// reasonOf is the part of a message that clips have in common: what follows the clip's name, in one line.
func reasonOf(why string) string {
	why, _, _ = strings.Cut(why, "\n")
	if _, after, found := strings.Cut(why, ": "); found {
		why = after
	}
	return visible.Line(why)
}

// commonest is the reason of most failures, the first in alphabetical order of several.
func (r *Result) commonest() (why string, n int) {
	for text, count := range r.reasons {
		if count > n || count == n && text < why {
			why, n = text, count
		}
	}
	return why, n
}

// Text returns the result in lines, the first of which has the numbers, and the last the next command. used are the calls
// and the cost; "" = no model was asked.
func (r *Result) Text(used string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "captions  %d of ", r.Captions)
	if r.Wanted != r.Clips {
		fmt.Fprintf(&b, "%d, of ", r.Wanted)
	}
	b.WriteString(count(r.Clips, "clip"))
	if r.Captions > 0 {
		fmt.Fprintf(&b, ", %s, %.0f a caption", count(r.Words, "word"), float64(r.Words)/float64(r.Captions))
	}
	b.WriteByte('\n')
	if r.Failed > 0 {
		why, n := r.commonest()
		fmt.Fprintf(&b, "failed    %d, %d of them: %s\n", r.Failed, n, why)
	}
	if used != "" {
		fmt.Fprintf(&b, "usage     %s\n", used)
	}
	if r.Captions == 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "written   %s\n", r.File)
	if r.NothingSeen {
		b.WriteString("no model looked: nothing that was seen is named; add a model that looks with --observer vllm/NAME\n")
	}
	fmt.Fprintf(&b, "next      omniscope people new captions reviews --captions %s\n", r.File)
	return b.String()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
