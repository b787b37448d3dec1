package captions

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/pyrepr"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
)

// How often the published scorer asks about a caption in one round: with the first prompt,
// and after that with the second.
const (
	listTries  = 9
	countTries = 3
)

// firstSeed is the published scorer's seed in its first pass; each further pass counts one up.
const firstSeed = 2024

// SALMONN makes the benchmark of the test set of video-SALMONN 2 (arXiv 2506.15220): a judge counts which
// annotated events a caption misses, which it gets wrong, and what it makes up, in seven
// rounds. The middle round gives the published score.
func SALMONN() bench.Benchmark {
	return newBenchmark(protocol{
		About: bench.Info{
			Hears: true, Sees: true,
			Name: "video-salmonn2", Title: "video-SALMONN 2 test set: events that captions miss, get wrong or make up",
			Paper: "arXiv 2506.15220", Licence: "data: tsinghua-ee/video-SALMONN_2_testset, Apache-2.0; bring your own copy",
			Judge: "openai/gpt-3.5-turbo-0125",
			About: "Each caption is judged in seven rounds; published is the round in the middle. Hall are incorrect and hallucinated\n" +
				"events together, Total is Miss and Hall; lower is better.",
			Asking:   bench.Asking{OfficialAttempts: listTries, Attempts: 3},
			Metric:   &metric.Events,
			StepKeys: "the clip's id, such as video/0.mp4, and for a later round /round2 to /round7; in scoring official\nalso /count behind it, for the second prompt",
			Needs:    bench.NeedsOf("tsinghua-ee/video-SALMONN_2_testset", "Apache-2.0", "video_salmonn2_test.json"),
		},
		Data:    "the test set's file, video_salmonn2_test.json",
		Version: "salmonn3",
		Prompts: "salmonn",
		Uses: map[string][]string{
			"list-system.txt": {"event_num"}, "list.txt": {"events_in_video", "cap_to_be_rated"},
			"count-system.txt": {"event_num"}, "count.txt": {"events_in_video", "cap_to_be_rated"},
		},
		Read: readSALMONN,
		First: func(a *asking, c *clip, caption string) (out []*model.Request) {
			text := salmonnMessages(a, "list", c, caption)
			for r := range metric.EventRounds {
				out = append(out, request(a.seeded(r).judge, c.step("round", r), text, salmonnSchema))
			}
			return out
		},
		Bound: func(a *asking, c *clip, caption string) bench.Bound {
			if a.scoring == bench.Strict {
				return bench.Bound{RepairBytes: repairWords}
			}
			return bench.Bound{Further: []bench.Further{{Questions: 1, Bytes: size(salmonnMessages(a, "count", c, caption)), MaxTokens: a.judge.Params.MaxTokens}}}
		},
		Exam:  examSALMONN,
		Score: scoreSALMONN,
	})
}

func readSALMONN(row []byte, _ string) ([]clip, error) {
	v := gjson.ParseBytes(row)
	c := clip{ID: v.Get("video").Str, Media: omniscope.Media{Video: v.Get("video").Str}}
	for _, e := range v.Get("events").Array() {
		if e.Type != gjson.String {
			return nil, errors.New("an event is not text")
		}
		c.Events = append(c.Events, e.Str)
	}
	if len(c.Events) == 0 {
		return nil, errors.New("the row has no events")
	}
	c.Prompt = strings.TrimPrefix(v.Get("conversations.0.value").Str, "<image>\n")
	return []clip{c}, nil
}

// seeded asks the judge with the published settings of a pass, as far as the user has not
// chosen others.
func (a *asking) seeded(pass int) *asking {
	of, j := *a, *a.judge
	of.judge = &j
	if j.Params.TopP == nil {
		topP := 0.1
		j.Params.TopP = &topP
	}
	if j.Params.Seed == nil {
		seed := int64(firstSeed + pass)
		j.Params.Seed = &seed
	}
	return &of
}

// salmonnMessages make a prompt: list or count.
func salmonnMessages(a *asking, prompt string, c *clip, caption string) []model.Message {
	return a.messages(prompt+"-system.txt", prompt+".txt", "event_num", strconv.Itoa(len(c.Events)),
		"events_in_video", pyrepr.List(c.Events), "cap_to_be_rated", prepared(caption))
}

// salmonnSchema is the wanted form of a reply that is asked for again.
func salmonnSchema() *model.Schema {
	const number, list = `{"type": "integer", "minimum": 0}`, `{"type": "array", "items": {"type": "string"}}`
	return &model.Schema{Name: "events", JSON: fmt.Appendf(nil, `{"type": "object", "properties": {"Missed": %s, "Incorrect": %[1]s, "Hallucination": %[1]s,
"Missed Event": %[2]s, "Incorrect Event": %[2]s, "Hallucination Event": %[2]s},
"required": ["Missed", "Incorrect", "Hallucination", "Missed Event", "Incorrect Event", "Hallucination Event"], "additionalProperties": false}`, number, list)}
}

// An eventCaption is a caption with the known number of correct events.
type eventCaption struct {
	events  []string
	caption string
	lost    int  // events that are missed or incorrect: judges differ in which of the two a changed event is
	made    bool // it mentions something else
}

var (
	street = []string{"A dog barks at a cyclist", "The cyclist falls off the bicycle", "A woman in a green dress helps him up", "A siren is heard"}
	stage  = []string{"A singer walks onto the stage", "The audience applauds", "The drummer drops a stick"}
)

// salmonnExam are captions with all events, some events, no event, or a changed one.
var salmonnExam = []eventCaption{
	{street, "A dog barks at a cyclist. The cyclist falls off the bicycle, and a woman in a green dress helps him up. A siren is heard.", 0, false},
	{stage, "A singer walks onto the stage, the audience applauds, and the drummer drops a stick.", 0, false},
	{street, "While a siren is heard, a cyclist at whom a dog barks falls off his bicycle. A woman who wears a green dress helps the cyclist up.", 0, false},
	{street, "A dog barks at a cyclist. The cyclist falls off the bicycle.", 2, false},
	{stage, "A singer walks onto the stage.", 2, false},
	{street, "A siren is heard.", 3, false},
	{street, "A chef cuts onions in a kitchen and pours oil into a pan.", 4, true},
	{stage, "Two children build a sandcastle at the sea.", 3, true},
	{street, "A dog barks at a cyclist. The cyclist falls off the bicycle, and a policeman with a black cap helps him up. A siren is heard.", 1, true},
	{stage, "A singer walks onto the stage, the audience boos and throws paper, and the drummer drops a stick.", 1, true},
}

// examSALMONN asks with the first prompt and the settings of the first round.
func examSALMONN(a *asking) []bench.ExamItem {
	return examine(a.seeded(0), 0, salmonnExam, func(e eventCaption, _ string) judge.Question[tally] {
		return judge.Question[tally]{Messages: salmonnMessages(a, "list", &clip{Events: e.events}, e.caption), Schema: salmonnSchema,
			Read: func(reply string) (tally, error) { return readTally(reply, len(e.events)) }}
	}, func(e eventCaption, t tally) bool {
		return t.Missed+t.Incorrect == e.lost && (e.made || t.Hallucinated == 0)
	})
}
