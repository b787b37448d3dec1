package vdc

import (
	"fmt"
	"strconv"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/bench/document"
	"omniscope/metric"
)

// counted counts items in a scoring.
func counted(items []item, p bench.Scoring) (t metric.CaptionQATally) {
	for i := range items {
		v := items[i].strict
		if p == bench.Official {
			v = items[i].official
		}
		switch {
		case v == nil:
			t.Unjudged++
			continue
		case v.yes:
			t.Yes++
		default:
			t.No++
		}
		t.Score += v.score
	}
	return t
}

// dropped says why the published program leaves a video out; "" = it does not.
func dropped(caption *string, t metric.CaptionQATally) string {
	switch {
	case caption == nil:
		return "video without a caption"
	case t.Yes+t.No == 0 && *caption == "":
		return "empty caption"
	case t.Unjudged > 0:
		return "video with an answer or a verdict that cannot be used"
	case t.Yes == 0 || t.Score == 0:
		return "video with accuracy 0 or score 0"
	}
	return ""
}

// finish counts the questions, the whole and each category.
func finish(out *captions.Result, c *captions.Clip[[]question], caption *string, items []item) {
	official, strict := counted(items, bench.Official), counted(items, bench.Strict)
	why := dropped(caption, official)
	if why != "" {
		official = metric.CaptionQATally{Unjudged: len(items)}
		says := "counted, with what could be judged"
		if caption == nil {
			says = "left unjudged"
		}
		out.Differ(why, len(items), "the whole video is left out of the means", says)
	} else {
		compare(out, items)
	}
	out.Counts = [2]metric.Counts{official.Count(), strict.Count()}
	parts := make(map[string][]item)
	var order []string
	for i, q := range c.Facts {
		if parts[q.Category] == nil {
			order = append(order, q.Category)
		}
		parts[q.Category] = append(parts[q.Category], items[i])
	}
	for _, name := range order {
		for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
			t := counted(parts[name], p)
			if p == bench.Official && why != "" {
				t = metric.CaptionQATally{Unjudged: len(parts[name])}
			}
			out.Parts[p] = append(out.Parts[p], bench.Tally{Dimension: "category", Group: name, Counts: t.Count()})
		}
	}
	if judged := strict.Yes + strict.No; judged > 0 {
		share := float64(strict.Yes) / float64(judged)
		out.Good = &share
	}
	records(out, c, items)
}

// compare notes the verdicts that the scorings read differently.
func compare(out *captions.Result, items []item) {
	n, contradictions := 0, 0
	for _, it := range items {
		switch {
		case it.strict != nil && *it.strict == *it.official:
		case it.contradicts:
			contradictions++
		default:
			n++
		}
	}
	out.Differ("verdict and score contradict", contradictions, "both count", "asked again, then left unjudged")
	out.Differ("verdict read otherwise", n, `as a Python literal, of which "Yes" is no`, "as it was meant, asked again where it is not clear")
}

// A record is a video's line of clips.jsonl.
type record struct {
	Clip      string            `json:"clip"`
	Outcome   omniscope.Outcome `json:"outcome"`
	Questions []questionRecord  `json:"questions"`
}

type questionRecord struct {
	Question string            `json:"question"`
	Category string            `json:"category"`
	Right    string            `json:"right"`
	Answer   string            `json:"answer"`
	Official *said             `json:"official"` // null = the published program cannot read it
	Strict   *said             `json:"strict"`   // null = unjudged
	Outcome  omniscope.Outcome `json:"outcome"`
}

type said struct {
	Pred  string  `json:"pred"`
	Score float64 `json:"score"`
}

func (v *verdict) said() *said {
	if v == nil {
		return nil
	}
	return &said{yesNo(v.yes), v.score}
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func records(out *captions.Result, c *captions.Clip[[]question], items []item) {
	line := record{Clip: c.ID, Outcome: out.Outcome}
	table := document.Section{Title: "Questions", Columns: []string{"question", "right answer", "answer from the caption", "verdict", "score"}}
	for i, q := range c.Facts {
		it := &items[i]
		line.Questions = append(line.Questions, questionRecord{q.Text, q.Category, q.Answer, it.response, it.official.said(), it.strict.said(), it.outcome})
		verdict, judged, score := omniscope.Unjudged, document.Piece{Text: "unjudged", Tone: document.Dim}, ""
		if v := it.strict; v != nil {
			verdict, judged, score = omniscope.Wrong, document.Piece{Text: "no", Tone: document.Bad}, fmt.Sprint(v.score)
			if v.yes {
				verdict, judged = omniscope.Correct, document.Piece{Text: "yes", Tone: document.Good}
			}
		}
		out.Verdicts = append(out.Verdicts, bench.ItemVerdict{Item: strconv.Itoa(i + 1), Verdict: verdict})
		table.Rows = append(table.Rows, [][]document.Piece{{{Text: q.Text}}, {{Text: q.Answer}}, {{Text: it.response}}, {judged}, {{Text: score}}})
	}
	out.Record, out.Sections = line, []document.Section{table}
}
