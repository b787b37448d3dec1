package captions

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/pyliteral"
	"omniscope/internal/rows"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
)

//go:embed prompts/ugc/ask.txt
var ugcAsk string

// UGC makes the benchmark UGC-VideoCap (arXiv 2507.11336): a judge compares a caption with a reference
// and rates how well it describes pictures, sound, and details.
func UGC() bench.Benchmark {
	return newBenchmark(protocol{
		About: bench.Info{
			Hears: true, Sees: true,
			Name: "ugc-videocap", Title: "UGC-VideoCap: captions rated for pictures, sound and detail",
			Paper: "arXiv 2507.11336", Licence: "data: openinterx/UGC-VideoCap, MIT; bring your own copy",
			Judge:    "openai/gpt-4o",
			About:    "One call a caption: the judge rates it from 1 to 5 in three dimensions. Scores are shares of the best rating.",
			Asking:   bench.Asking{OfficialAttempts: 20, Attempts: 3},
			Metric:   &metric.Levels,
			StepKeys: "the clip's video_id",
			Needs:    bench.NeedsOf("openinterx/UGC-VideoCap", "MIT", "final_caption_qa.json"),
		},
		Data:          "the benchmark's file, final_caption_qa.json",
		Version:       "ugc2",
		Prompts:       "ugc",
		Uses:          map[string][]string{"system.txt": nil, "judge.txt": {"caption", "reference"}},
		Form:          rows.Layout{Under: "samples"},
		CaptionPrompt: func(string) string { return ugcAsk },
		Read: func(row []byte, _ string) ([]clip, error) {
			v := gjson.ParseBytes(row)
			c := clip{ID: bench.ID(v.Get("video_id")), Reference: v.Get("answer").Str}
			if c.Reference == "" {
				return nil, errors.New("the row has no answer, which is the reference")
			}
			c.Media = omniscope.Media{Video: c.ID + ".mp4"}
			return []clip{c}, nil
		},
		Wants: func(_ *asking, caption string) bool { return strings.TrimSpace(caption) != "" }, // the published program skips blank ones
		First: func(a *asking, c *clip, caption string) []*model.Request {
			return []*model.Request{request(a.judge, c.ID, ugcMessages(a, c.ID, caption, c.Reference), ugcSchema)}
		},
		Bound: func(a *asking, _ *clip, _ string) bench.Bound {
			if a.scoring == bench.Official {
				return bench.Bound{}
			}
			return bench.Bound{RepairBytes: repairWords}
		},
		Exam:  examUGC,
		Score: scoreUGC,
	})
}

func ugcMessages(a *asking, id, caption, reference string) []model.Message {
	return a.messages("system.txt", "judge.txt", "id", id, "caption", strings.TrimSpace(caption), "reference", reference)
}

// ratings are of pictures, sound and details.
type ratings [3]int

// MarshalJSON implements json.Marshaler: an object by dimensions.
func (r ratings) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"visual":%d,"audio":%d,"details":%d}`, r[0], r[1], r[2]), nil
}

// scoreUGC has a caption rated.
func scoreUGC(ctx context.Context, a *asking, c *clip, caption *string, wanted bool, out *result) (err error) {
	var official, strict *ratings
	switch {
	case wanted:
		if official, strict, err = rate(ctx, a, c, *caption, out); err != nil {
			return err
		}
	case caption == nil:
		out.Outcome = omniscope.Missing
	default:
		out.Outcome, strict = omniscope.Abstained, &ratings{1, 1, 1}
		out.differ("empty caption", 1, "the clip is left out", "the lowest rating, without asking the judge")
	}
	out.Counts = [2]metric.Counts{metric.CountLevels((*[3]int)(official)), metric.CountLevels((*[3]int)(strict))}
	if official != nil && *official == (ratings{}) {
		out.Counts[bench.Official][metric.LevelForced] = 1
	}
	if strict != nil {
		out.good(float64(strict[0]+strict[1]+strict[2]), 3*metric.TopLevel)
	}
	recordUGC(out, c, official, strict)
	return nil
}

// rate asks the judge. A reply that cannot be read is asked for again, as often as the scoring
// of the run allows; if no reply can, official scoring counts 0 in all dimensions.
func rate(ctx context.Context, a *asking, c *clip, caption string, out *result) (official, strict *ratings, err error) {
	answer, official, strict, err := askBoth(ctx, a, judge.Question[ratings]{Step: c.ID, Messages: ugcMessages(a, c.ID, caption, c.Reference), Schema: ugcSchema}, publishedRatings, readRatings)
	if err != nil {
		return nil, nil, err
	}
	out.Outcome = answer.Outcome
	if out.Outcome != omniscope.OK && out.Outcome != omniscope.Pending {
		out.warn("clip %s: %s: %v", c.ID, answer.Outcome, why(answer))
		if a.scoring == bench.Official {
			official = &ratings{}
		}
	}
	differUGC(out, a.scoring == bench.Official && out.Outcome != omniscope.OK, official, strict)
	return official, strict, nil
}

// differUGC notes what the scorings treat differently; unread is whether official scoring could read no reply.
func differUGC(out *result, unread bool, official, strict *ratings) {
	switch {
	case unread && strict != nil:
		out.differ("no reply in the published form", 1, "0 in all dimensions", "read as it was meant")
	case unread:
		out.differ("no usable reply", 1, "0 in all dimensions", "left unjudged")
	case official == nil && strict != nil:
		out.differ("first reply that cannot be read", 1, "asks up to 20 times, but only in a run with --scoring official", "read as it was meant, or asked again")
	case official != nil && strict == nil:
		out.differ("rating that is not clear", 1, "counts unchanged", "asked again, then left unjudged")
	case official != nil && *official != *strict:
		out.differ("rating read otherwise", 1, "as Python's int() reads it", "a whole number from 1 to 5, else asked again")
	}
}

var braces = regexp.MustCompile(`(?s)\{.*\}`)

var ugcDimensions = [3]string{"visual", "audio", "details"}

// publishedRatings reads ratings as the published program does: from the first brace to the last, with
// all single quotes made double.
func publishedRatings(reply string) (r ratings, err error) {
	var found map[string]any
	d := json.NewDecoder(strings.NewReader(strings.ReplaceAll(braces.FindString(reply), "'", `"`)))
	d.UseNumber()
	if err := d.Decode(&found); err != nil {
		return r, err
	}
	if d.More() {
		return r, errors.New("more follows on the dictionary")
	}
	for i, name := range ugcDimensions {
		v, ok := found[name]
		if !ok {
			return r, fmt.Errorf("it has no %q", name)
		}
		if r[i], err = pythonInt(v); err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
	}
	return r, nil
}

// pythonInt returns the result of int() for a JSON value.
func pythonInt(v any) (int, error) {
	var text string
	switch v := v.(type) {
	case bool:
		return map[bool]int{true: 1}[v], nil
	case json.Number:
		f, err := v.Float64()
		if err != nil || math.Abs(f) > 1e9 {
			return 0, fmt.Errorf("%v is not a rating", v)
		}
		return int(f), nil
	case string:
		text = strings.TrimSpace(v)
	}
	n, err := pyliteral.Parse(text)
	if whole, ok := n.(*big.Int); ok && err == nil && whole.IsInt64() && math.Abs(float64(whole.Int64())) < 1e9 {
		return int(whole.Int64()), nil
	}
	return 0, fmt.Errorf("%v is not a whole number", v)
}

// readRatings reads ratings soundly.
func readRatings(reply string) (r ratings, err error) {
	d, err := judge.Dict(reply)
	if err != nil {
		return r, err
	}
	for i, name := range ugcDimensions {
		f, ok := d[name].(float64)
		if text, isText := d[name].(string); isText {
			n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 8)
			f, ok = float64(n), err == nil
		}
		if !ok || f != math.Trunc(f) || f < 1 || f > metric.TopLevel {
			return r, fmt.Errorf("the key %q is no whole number from 1 to %d", name, metric.TopLevel)
		}
		r[i] = int(f)
	}
	return r, nil
}

func ugcSchema() *model.Schema {
	const level = `{"type": "integer", "minimum": 1, "maximum": 5}`
	return &model.Schema{Name: "ratings", JSON: fmt.Appendf(nil, `{"type": "object", "properties": {"visual": %s, "audio": %[1]s, "details": %[1]s}, "required": ["visual", "audio", "details"], "additionalProperties": false}`, level)}
}

// A ratingsRecord is a clip's line of clips.jsonl.
type ratingsRecord struct {
	record
	Official *ratings `json:"official"` // null = left out
	Strict   *ratings `json:"strict"`   // null = unjudged
}

func recordUGC(out *result, c *clip, official, strict *ratings) {
	out.Record = ratingsRecord{record{c.ID, out.Outcome}, official, strict}
	table := document.Section{Title: "Ratings", Columns: []string{"dimension", "1 to 5"}}
	for i, name := range ugcDimensions {
		rating := cell("unjudged", document.Dim)
		if strict != nil {
			rating = number(strict[i])
		}
		table.Rows = append(table.Rows, [][]document.Piece{cell(name, document.Plain), rating})
	}
	out.Sections = []document.Section{table, {Title: "Reference", Text: cell(c.Reference, document.Plain)}}
}

// A ratedCaption is a caption with known bounds of its ratings.
type ratedCaption struct {
	reference, caption string
	low, high          ratings // of pictures, sound and detail
}

const (
	harbour = "At a harbour in the rain, two fishermen in yellow coats unload crates of fish from a red boat named AURORA. A bell rings twice, gulls cry, and one of the men shouts 'Hurry up!' over the noise of an engine. The mood is tense."
	kitchen = "In a bright kitchen a young woman in a striped apron slices carrots and slides them into a steel pot. Cheerful guitar music plays, the knife taps on the board, and she says 'Ten minutes to go' to the camera. A caption reads EASY SOUP."
)

var (
	good    = ratings{4, 4, 4}
	best    = ratings{metric.TopLevel, metric.TopLevel, metric.TopLevel}
	worst   = ratings{1, 1, 1}
	poor    = ratings{2, 2, 2}
	noSound = ratings{metric.TopLevel, 2, metric.TopLevel}
	noView  = ratings{2, metric.TopLevel, metric.TopLevel}
)

// ugcExam are captions that have all of the reference, nothing of it, all but the sound, or only the sound.
var ugcExam = []ratedCaption{
	{harbour, harbour, good, best},
	{kitchen, kitchen, good, best},
	{harbour, "It rains at a harbour. Two fishermen who wear yellow coats unload crates of fish from a red boat; AURORA is written on it. A bell rings two times, gulls cry, an engine is loud, and one of the men shouts 'Hurry up!' in a tense mood.", good, best},
	{kitchen, "A young woman with a striped apron stands in a bright kitchen, slices carrots and puts them into a steel pot while a caption shows EASY SOUP. To cheerful guitar music and the tapping of her knife she tells the camera 'Ten minutes to go'.", good, best},
	{harbour, kitchen, worst, poor},
	{kitchen, harbour, worst, poor},
	{harbour, "A cat sleeps on a sofa in a silent room.", worst, poor},
	{kitchen, "A football match is played in a full stadium, and the crowd sings.", worst, poor},
	{harbour, "At a harbour in the rain, two fishermen in yellow coats unload crates of fish from a red boat named AURORA.", ratings{4, 1, 1}, noSound},
	{kitchen, "Cheerful guitar music plays, a knife taps on a board, and a woman's voice says 'Ten minutes to go'.", ratings{1, 3, 1}, noView},
}

func examUGC(a *asking) []bench.ExamItem {
	return examine(a, 0, ugcExam, func(e ratedCaption, step string) judge.Question[ratings] {
		return judge.Question[ratings]{Messages: ugcMessages(a, step, e.caption, e.reference), Schema: ugcSchema, Read: readRatings}
	}, func(e ratedCaption, found ratings) bool {
		for k, r := range found {
			if r < e.low[k] || r > e.high[k] {
				return false
			}
		}
		return true
	})
}
