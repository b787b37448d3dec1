// Package ugc is UGC-VideoCap (arXiv 2507.11336): a judge compares a caption with a reference
// and rates what it tells of pictures, of sound, and in detail.
package ugc

import (
	"context"
	"embed"
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
	"omniscope/bench/captions"
	"omniscope/bench/document"
	"omniscope/internal/pyliteral"
	"omniscope/internal/rows"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
)

//go:embed prompts/*.txt
var promptFiles embed.FS

//go:embed ask.txt
var ask string

// A reference is what people say of a clip.
type reference string

// New makes the benchmark.
func New() bench.Benchmark {
	return captions.New(captions.Protocol[reference]{
		About: bench.Info{
			Hears: true, Sees: true,
			Name: "ugc-videocap", Title: "UGC-VideoCap: captions rated for pictures, sound and detail",
			Paper: "arXiv 2507.11336", Licence: "data: openinterx/UGC-VideoCap, MIT; bring your own copy",
			Judge:    "openai/gpt-4o",
			About:    "One call a caption: the judge rates it from 1 to 5 in three dimensions. Scores are shares of the best rating.",
			Asking:   bench.Asking{OfficialAttempts: 20, Attempts: 3},
			Metric:   &metric.Levels,
			StepKeys: "the clip's video_id",
			Needs: []bench.Need{
				{Part: "annotations", Dataset: "openinterx/UGC-VideoCap", Names: []string{"final_caption_qa.json"}, Licence: "MIT", Flag: "--data"},
				{Part: "media", Dataset: "openinterx/UGC-VideoCap", Flag: "--media"},
			},
		},
		Data:          "the benchmark's file, final_caption_qa.json",
		Version:       "ugc2",
		Prompts:       promptFiles,
		Uses:          map[string][]string{"system.txt": nil, "judge.txt": {"caption", "reference"}},
		Form:          rows.Layout{Under: "samples"},
		CaptionPrompt: func(string) string { return ask },
		Read: func(row []byte, _ string) ([]captions.Clip[reference], error) {
			v := gjson.ParseBytes(row)
			c := captions.Clip[reference]{ID: bench.ID(v.Get("video_id")), Facts: reference(v.Get("answer").Str)}
			if c.Facts == "" {
				return nil, errors.New("the row has no answer, which is the reference")
			}
			c.Media = omniscope.Media{Video: c.ID + ".mp4"}
			return []captions.Clip[reference]{c}, nil
		},
		First: func(a *captions.Asking, c *captions.Clip[reference], caption *string) []*model.Request {
			if !asked(caption) {
				return nil
			}
			return []*model.Request{captions.Request(a.Judge, c.ID, messages(a, c, *caption), schema)}
		},
		Bound: func(a *captions.Asking, _ *captions.Clip[reference], _ *string) bench.Bound {
			const words = 1000
			if a.Scoring == bench.Official {
				return bench.Bound{}
			}
			return bench.Bound{RepairBytes: words}
		},
		Exam:  exam,
		Score: score,
	})
}

// asked reports whether there is a caption: the published program skips blank ones.
func asked(caption *string) bool { return caption != nil && strings.TrimSpace(*caption) != "" }

func messages(a *captions.Asking, c *captions.Clip[reference], caption string) []model.Message {
	return a.Messages("system.txt", "judge.txt", "id", c.ID, "caption", strings.TrimSpace(caption), "reference", string(c.Facts))
}

// score has a caption rated.
func score(ctx context.Context, a *captions.Asking, c *captions.Clip[reference], caption *string) (*captions.Result, error) {
	var official, strict *[3]int
	out := &captions.Result{Outcome: omniscope.Missing}
	switch {
	case asked(caption):
		var err error
		if official, strict, err = rate(ctx, a, c, *caption, out); err != nil {
			return nil, err
		}
	case caption != nil:
		out.Outcome, strict = omniscope.Abstained, &[3]int{1, 1, 1}
		out.Differ("empty caption", 1, "the clip is left out", "the lowest rating, without asking the judge")
	}
	out.Counts = [2]metric.Counts{metric.CountLevels(official), metric.CountLevels(strict)}
	if official != nil && *official == [3]int{} {
		out.Counts[bench.Official][metric.LevelForced] = 1
	}
	if strict != nil {
		good := float64(strict[0]+strict[1]+strict[2]) / (3 * metric.TopLevel)
		out.Good = &good
	}
	records(out, c, official, strict)
	return out, nil
}

// rate asks the judge. A reply that cannot be read is asked for again, as often as the scoring
// that is run says; where none can, official scoring counts 0 in all dimensions.
func rate(ctx context.Context, a *captions.Asking, c *captions.Clip[reference], caption string, out *captions.Result) (official, strict *[3]int, err error) {
	q := judge.Question[[3]int]{Step: c.ID, Messages: messages(a, c, caption), Schema: schema, Read: read}
	if a.Scoring == bench.Official {
		q.Repeat = true
		q.Read = func(reply string) ([3]int, error) {
			if r, err := read(reply); err == nil && strict == nil {
				strict = &r
			}
			return published(reply)
		}
	}
	answer, err := judge.Ask(ctx, a.Judge, q)
	if err != nil {
		return nil, nil, err
	}
	out.Outcome = answer.Outcome
	ok := answer.Outcome == omniscope.OK
	switch reply, replied := captions.FirstReply(answer); {
	case a.Scoring == bench.Official && ok:
		official = &answer.Value
	case a.Scoring == bench.Official && answer.Outcome != omniscope.Pending:
		official = &[3]int{}
	case a.Scoring == bench.Strict && replied:
		if r, err := published(reply); err == nil {
			official = &r
		}
	}
	if a.Scoring == bench.Strict && ok {
		strict = &answer.Value
	}
	if !ok && answer.Outcome != omniscope.Pending {
		out.Warn("clip %s: %s: %v", c.ID, answer.Outcome, captions.Why(answer))
	}
	switch {
	case a.Scoring == bench.Official && !ok:
		what, says := "no usable reply", "left unjudged"
		if strict != nil {
			what, says = "no reply in the published form", "read as it was meant"
		}
		out.Differ(what, 1, "0 in all dimensions", says)
	case official == nil && strict != nil:
		out.Differ("first reply that cannot be read", 1, "asks up to 20 times: run with --profile official to have it asked", "read as it was meant, or asked again")
	case official != nil && strict == nil:
		out.Differ("rating that is not clear", 1, "counts as it stands", "asked again, then left unjudged")
	case official != nil && *official != *strict:
		out.Differ("rating read otherwise", 1, "as Python's int() makes of it", "a whole number from 1 to 5, asked again where it is none")
	}
	return official, strict, nil
}

var braces = regexp.MustCompile(`(?s)\{.*\}`)

var dimensions = [3]string{"visual", "audio", "details"}

// published reads ratings as the published program does: from the first brace to the last, with
// all single quotes made double.
func published(reply string) (ratings [3]int, err error) {
	var found map[string]any
	d := json.NewDecoder(strings.NewReader(strings.ReplaceAll(braces.FindString(reply), "'", `"`)))
	d.UseNumber()
	if err := d.Decode(&found); err != nil {
		return ratings, err
	}
	if d.More() {
		return ratings, errors.New("more follows on the dictionary")
	}
	for i, name := range dimensions {
		v, ok := found[name]
		if !ok {
			return ratings, fmt.Errorf("it has no %q", name)
		}
		if ratings[i], err = pythonInt(v); err != nil {
			return ratings, fmt.Errorf("%s: %w", name, err)
		}
	}
	return ratings, nil
}

// pythonInt is what int() makes of a JSON value.
func pythonInt(v any) (int, error) {
	var text string
	switch v := v.(type) {
	case bool:
		return map[bool]int{true: 1}[v], nil
	case json.Number:
		f, err := v.Float64()
		if err != nil || math.Abs(f) > 1e9 {
			return 0, fmt.Errorf("%v is no rating", v)
		}
		return int(f), nil
	case string:
		text = strings.TrimSpace(v)
	}
	n, err := pyliteral.Parse(text)
	if whole, ok := n.(*big.Int); ok && err == nil && whole.IsInt64() && math.Abs(float64(whole.Int64())) < 1e9 {
		return int(whole.Int64()), nil
	}
	return 0, fmt.Errorf("%v is no whole number", v)
}

// read reads ratings soundly.
func read(reply string) (ratings [3]int, err error) {
	d, err := judge.Dict(reply)
	if err != nil {
		return ratings, err
	}
	for i, name := range dimensions {
		f, ok := d[name].(float64)
		if text, isText := d[name].(string); isText {
			n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 8)
			f, ok = float64(n), err == nil
		}
		if !ok || f != math.Trunc(f) || f < 1 || f > metric.TopLevel {
			return ratings, fmt.Errorf("the key %q is no whole number from 1 to %d", name, metric.TopLevel)
		}
		ratings[i] = int(f)
	}
	return ratings, nil
}

func schema() *model.Schema {
	const level = `{"type": "integer", "minimum": 1, "maximum": 5}`
	return &model.Schema{Name: "ratings", JSON: fmt.Appendf(nil, `{"type": "object", "properties": {"visual": %s, "audio": %[1]s, "details": %[1]s}, "required": ["visual", "audio", "details"], "additionalProperties": false}`, level)}
}

// A record is a clip's line of clips.jsonl.
type record struct {
	Clip     string            `json:"clip"`
	Outcome  omniscope.Outcome `json:"outcome"`
	Official *levels           `json:"official"` // null = left out
	Strict   *levels           `json:"strict"`   // null = unjudged
}

type levels struct {
	Visual  int `json:"visual"`
	Audio   int `json:"audio"`
	Details int `json:"details"`
}

func asLevels(r *[3]int) *levels {
	if r == nil {
		return nil
	}
	return &levels{r[0], r[1], r[2]}
}

func records(out *captions.Result, c *captions.Clip[reference], official, strict *[3]int) {
	out.Record = record{c.ID, out.Outcome, asLevels(official), asLevels(strict)}
	table := document.Section{Title: "Ratings", Columns: []string{"dimension", "1 to 5"}}
	for i, name := range dimensions {
		rating := document.Piece{Text: "unjudged", Tone: document.Dim}
		if strict != nil {
			rating = document.Piece{Text: fmt.Sprint(strict[i])}
		}
		table.Rows = append(table.Rows, [][]document.Piece{{{Text: name}}, {rating}})
	}
	out.Sections = []document.Section{table, {Title: "Reference", Text: []document.Piece{{Text: string(c.Facts)}}}}
}
