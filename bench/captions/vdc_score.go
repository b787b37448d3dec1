package captions

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/parallel"
	"omniscope/internal/pyliteral"
	"omniscope/metric"
	"omniscope/model/judge"
)

// A vdcVerdict is a judge's verdict on an answer, as in clips.jsonl.
type vdcVerdict struct {
	Pred  string  `json:"pred"` // yes or no
	Score float64 `json:"score"`
}

func (v *vdcVerdict) yes() bool { return v.Pred == "yes" }

// A vdcItem is the outcome of a question.
type vdcItem struct {
	asked
	by          [2]*vdcVerdict // by scoring; nil = the published program stumbles over it, unjudged
	contradicts bool           // the first verdict and its score
}

// scoreVDC has all questions answered and judged.
func scoreVDC(ctx context.Context, a *asking, c *clip, caption *string, wanted bool, out *result) error {
	items := make([]vdcItem, len(c.Questions))
	if wanted {
		err := parallel.Calls(atOnce, len(items), func(i int) error {
			q, it := &c.Questions[i], &items[i]
			return a.answer(ctx, c.step("q", i), vdcAnswerMessages(a, q, *caption), true, &it.asked, func(step, answer string, first, usable bool) error {
				return it.judge(ctx, a, step, q, answer, first, usable)
			})
		})
		if err != nil {
			return err
		}
		for i := range items {
			out.note(c, i, &items[i].asked)
		}
	}
	out.absent(caption)
	if out.Outcome == omniscope.Abstained {
		for i := range items {
			items[i].by[bench.Strict] = &vdcVerdict{Pred: "no"}
		}
	}
	countVDC(out, c, caption, items)
	recordVDC(out, c, items)
	return nil
}

// judge asks the judge about an answer.
func (it *vdcItem) judge(ctx context.Context, a *asking, step string, q *question, response string, first, usable bool) error {
	var clear *vdcVerdict
	answer, err := judge.Ask(ctx, a.judge, judge.Question[vdcVerdict]{Step: step, Messages: vdcJudgeMessages(a, q, response), Schema: vdcSchema, Whole: true,
		Read: func(reply string) (vdcVerdict, error) {
			v, err := readVDCVerdict(reply)
			if clear = nil; err == nil {
				clear = &v
			}
			if a.scoring == bench.Official {
				return publishedVDCVerdict(reply)
			}
			return v, err
		}})
	if err != nil {
		return err
	}
	if usable {
		it.outcome, it.why, it.by[bench.Strict] = answer.Outcome, why(answer), clear
	}
	if reply, ok := firstReply(answer); ok && first {
		if v, err := publishedVDCVerdict(reply); err == nil {
			it.by[bench.Official] = &v
		}
		_, err := readVDCVerdict(reply)
		it.contradicts = isContradiction(err)
	}
	return nil
}

// publishedVDCVerdict reads a verdict as the published program does: a Python literal and nothing else.
// Only yes in small letters counts as yes.
func publishedVDCVerdict(reply string) (vdcVerdict, error) {
	value, err := pyliteral.Parse(reply)
	if err != nil {
		return vdcVerdict{}, err
	}
	d, ok := value.(pyliteral.Dict)
	if !ok {
		return vdcVerdict{}, errors.New("it is no dictionary")
	}
	v := vdcVerdict{Pred: "no"}
	said, ok := d.Get("pred")
	number, there := d.Get("score")
	if !ok || !there {
		return v, errors.New("it lacks pred or score")
	}
	if said == "yes" {
		v.Pred = "yes"
	}
	v.Score, err = pythonFloat(number)
	return v, err
}

// pythonFloat returns the result of float() for a value. NaN and infinity are errors, because they cannot be averaged.
func pythonFloat(v any) (f float64, err error) {
	switch v := v.(type) {
	case *big.Int:
		f, _ = new(big.Float).SetInt(v).Float64()
	case float64:
		f = v
	case bool:
		if v {
			f = 1
		}
	case string:
		f, err = strconv.ParseFloat(strings.TrimSpace(v), 64)
	default:
		err = fmt.Errorf("%v is no number", v)
	}
	if err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
		err = fmt.Errorf("%v is no score", v)
	}
	return f, err
}

// readVDCVerdict reads a verdict soundly.
func readVDCVerdict(reply string) (v vdcVerdict, err error) {
	d, err := judge.Dict(reply)
	if err != nil {
		return v, err
	}
	said, _ := d["pred"].(string)
	if v.Pred = strings.ToLower(strings.TrimSpace(said)); v.Pred != "yes" && v.Pred != "no" {
		return v, errors.New(`the key "pred" is neither "yes" nor "no"`)
	}
	score, ok := d["score"].(float64)
	if text, isText := d["score"].(string); isText {
		score, err = strconv.ParseFloat(strings.TrimSpace(text), 64)
		ok = err == nil
	}
	switch v.Score = score; {
	case !ok:
		return v, errors.New(`the key "score" is no number`)
	case !(score >= 0 && score <= metric.TopCaptionQAScore):
		return v, fmt.Errorf("the score is not between 0 and %d", metric.TopCaptionQAScore)
	case v.yes() && score <= tooLowForYes:
		return v, contradiction(fmt.Sprintf(`"pred" is "yes", and the score %g means no match`, score))
	case !v.yes() && score >= tooHighForNo:
		return v, contradiction(fmt.Sprintf(`"pred" is "no", and the score %g means a match`, score))
	}
	return v, nil
}

// Scores that no verdict goes with: the prompt calls 5 the highest meaningful match, and asks whether the
// answers match meaningfully. 2 and 3 go with either verdict.
const (
	tooLowForYes = 1
	tooHighForNo = 4
)

// dropped returns why the published program leaves a video out; "" = it does not.
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

// countVDC counts the questions, all of them and each category.
func countVDC(out *result, c *clip, caption *string, items []vdcItem) {
	tally := func(p bench.Scoring, questions []int) (t metric.CaptionQATally) {
		for _, i := range questions {
			v := items[i].by[p]
			switch {
			case v == nil:
				t.Unjudged++
				continue
			case v.yes():
				t.Yes++
			default:
				t.No++
			}
			t.Score += v.Score
		}
		return t
	}
	leftOut := dropped(caption, tally(bench.Official, c.numbers()))
	if leftOut != "" {
		strict := "counted, with what could be judged"
		if caption == nil {
			strict = "left unjudged"
		}
		out.differ(leftOut, len(items), "the video is left out of the means", strict)
	} else {
		out.differBy(vdcWays, len(items), func(i int) string { return items[i].how() })
	}
	out.tally(c, "category", func(p bench.Scoring, questions []int) metric.Counts {
		t := tally(p, questions)
		if p == bench.Official && leftOut != "" {
			t = metric.CaptionQATally{Unjudged: len(questions)}
		}
		return t.Count()
	})
	strict := tally(bench.Strict, c.numbers())
	out.good(float64(strict.Yes), strict.Yes+strict.No)
}

// vdcWays describe what the scorings treat differently in a video that both count.
var vdcWays = []way{
	{"verdict and score contradict", "both count", "asked again, then left unjudged"},
	{"verdict read otherwise", `as a Python literal; "Yes" counts as no`, "as it was meant, asked again where it is not clear"},
}

func (it *vdcItem) how() string {
	switch official, strict := it.by[bench.Official], it.by[bench.Strict]; {
	case strict != nil && *strict == *official:
		return ""
	case it.contradicts:
		return vdcWays[0].how
	}
	return vdcWays[1].how
}

func recordVDC(out *result, c *clip, items []vdcItem) {
	out.recordQuestions(c, []string{"question", "right answer", "answer from the caption", "verdict", "score"}, func(i int, line *questionRecord) (bench.ItemVerdict, [][]document.Piece) {
		it := &items[i]
		line.Category, line.Answer, line.Official, line.Strict, line.Outcome = c.Questions[i].Groups[0], it.answer, it.by[bench.Official], it.by[bench.Strict], it.outcome
		verdict, pred, score := omniscope.Unjudged, "unjudged", ""
		if v := it.by[bench.Strict]; v != nil {
			verdict, pred, score = omniscope.Wrong, v.Pred, fmt.Sprint(v.Score)
			if v.yes() {
				verdict = omniscope.Correct
			}
		}
		return bench.ItemVerdict{Item: strconv.Itoa(i + 1), Verdict: verdict}, [][]document.Piece{cell(pred, verdictTones[verdict]), cell(score, document.Plain)}
	})
}
