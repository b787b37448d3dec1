package captions

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/testing/captionstest"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
)

const vdcData = `{"v1": [{"question": "What moves", "answer": "a dog", "category": "Object'"}, {"question": "Where?", "answer": "in a park", "category": "location"}, {"question": "Why?", "answer": "it plays", "category": "odd"}]}
{"v2": [{"question": "Who?", "answer": "nobody", "category": "person"}]}
{"v3": [{"question": "Who?", "answer": "a man", "category": "person"}]}`

const vdcCaptions = `{"video_id": "v1.mp4", "caption": "A dog plays."}
{"video_id": "v2", "caption": ""}
{"video_id": "v3", "caption": "A man."}`

func vdcReplies(step string, attempt int, _ string) string {
	if !strings.HasSuffix(step, "/judge") {
		return "an answer to " + step
	}
	if attempt == 1 && step == "v1/q3/judge" {
		return "```python\n{'pred': 'no', 'score': 1}\n```"
	}
	return "{'pred': 'yes', 'score': 4.8}"
}

// TestPromptsVDC shows what both models see, to the blank that the published prompt lacks.
func TestPromptsVDC(t *testing.T) {
	texts := make(map[string]string)
	in := inputs(t, vdcData, vdcCaptions, func(step string, attempt int, text string) string {
		if step == "v3" || step == "v3/judge" {
			texts[step] = text
		}
		return vdcReplies(step, attempt, text)
	}, bench.Strict, 1)
	in.Samples = []omniscope.SampleID{"v3"}
	captionstest.Score(t, VDC(), in)
	for step, want := range map[string]string{
		"v3":       "\n\ndetailed description: A man., question: Who?DO NOT PROVIDE ANY OTHER",
		"v3/judge": "Question: Who?\nCorrect Answer: a man\nPredicted Answer: an answer to v3\n\nProvide your evaluation",
	} {
		if !strings.Contains(texts[step], want) {
			t.Errorf("%s: %q has no %q", step, texts[step], want)
		}
	}
}

// TestScoringsVDC scores one video of three questions by their verdicts.
func TestScoringsVDC(t *testing.T) {
	const y, n = "{'pred': 'yes', 'score': 5}", "{'pred': 'no', 'score': 1}"
	for _, c := range []struct {
		name             string
		replies          [3]string // first verdicts; a second is always n. "" = the call fails
		official, strict string    // videos, accuracy sum, score sum, yes, no, unjudged
		differs          string
	}{
		{"clear", [3]string{y, y, n}, "1 0.667 3.667 2 1 0", "1 0.667 3.667 2 1 0", ""},
		{"in a fence", [3]string{y, y, "```\n" + n + "\n```"}, "0 0.000 0.000 0 0 3", "1 0.667 3.667 2 1 0", "video with an answer or a verdict that cannot be used"},
		{"a word", [3]string{y, y, "yes"}, "0 0.000 0.000 0 0 3", "1 0.667 3.667 2 1 0", "video with an answer or a verdict that cannot be used"},
		{"a capital", [3]string{y, "{'pred': 'Yes', 'score': 5}", n}, "1 0.333 3.667 1 2 0", "1 0.667 3.667 2 1 0", "verdict read otherwise"},
		{"a score as text", [3]string{y, "{'pred': 'yes', 'score': '4'}", n}, "1 0.667 3.333 2 1 0", "1 0.667 3.333 2 1 0", ""},
		{"a score out of range", [3]string{y, y, "{'pred': 'no', 'score': 90}"}, "1 0.667 33.333 2 1 0", "1 0.667 3.667 2 1 0", "verdict read otherwise"},
		{"yes with score 0", [3]string{y, y, "{'pred': 'yes', 'score': 0}"}, "1 1.000 3.333 3 0 0", "1 0.667 3.667 2 1 0", "verdict and score contradict"},
		{"yes with score 1", [3]string{y, y, "{'pred': 'yes', 'score': 1}"}, "1 1.000 3.667 3 0 0", "1 0.667 3.667 2 1 0", "verdict and score contradict"},
		{"no with score 5", [3]string{y, y, "{'pred': 'no', 'score': 5}"}, "1 0.667 5.000 2 1 0", "1 0.667 3.667 2 1 0", "verdict and score contradict"},
		{"no with score 4", [3]string{y, y, "{'pred': 'no', 'score': 4.0}"}, "1 0.667 4.667 2 1 0", "1 0.667 3.667 2 1 0", "verdict and score contradict"},
		{"scores that go with either verdict", [3]string{"{'pred': 'yes', 'score': 2}", "{'pred': 'yes', 'score': 3}", "{'pred': 'no', 'score': 3}"}, "1 0.667 2.667 2 1 0", "1 0.667 2.667 2 1 0", ""},
		{"no score", [3]string{y, y, "{'pred': 'yes'}"}, "0 0.000 0.000 0 0 3", "1 0.667 3.667 2 1 0", "video with an answer or a verdict that cannot be used"},
		{"nothing right", [3]string{n, n, n}, "0 0.000 0.000 0 0 3", "1 0.000 1.000 0 3 0", "video with accuracy 0 or score 0"},
		{"a failed call", [3]string{y, y, ""}, "0 0.000 0.000 0 0 3", "1 1.000 5.000 2 0 1", "video with an answer or a verdict that cannot be used"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := inputs(t, vdcData, vdcCaptions, func(step string, attempt int, _ string) string {
				for i, s := range []string{"v1/judge", "v1/q2/judge", "v1/q3/judge"} {
					switch {
					case step == s && (attempt == 1 || c.replies[i] == ""):
						return c.replies[i]
					case step == s:
						return n
					}
				}
				return "an answer"
			}, bench.Strict, 2)
			r := captionstest.One(t, VDC(), in, 0)
			if ok := c.name != "a failed call"; ok != (r.Outcome == omniscope.OK) {
				t.Errorf("the outcome is %v", r.Outcome)
			}
			scored{c.official, c.strict, r.Outcome, c.differs}.check(t, r, "overall", func(k metric.Counts) string {
				return fmt.Sprintf("%g %.3f %.3f %g %g %g", k[0], k[1], k[2], k[8], k[9], k[10])
			})
		})
	}
}

// TestContradictingVerdictsVDC leaves a question unjudged if the judge contradicts itself to the end.
func TestContradictingVerdictsVDC(t *testing.T) {
	in := inputs(t, vdcData, vdcCaptions, func(step string, _ int, _ string) string {
		if step == "v1/q2/judge" {
			return "{'pred': 'yes', 'score': 0}"
		}
		return vdcReplies(step, 2, "")
	}, bench.Strict, 3)
	r := captionstest.One(t, VDC(), in, 0)
	if k := r.Tallies[bench.Strict][0].Counts; r.Outcome != omniscope.Unparsed || k[8] != 2 || k[10] != 1 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], `"pred" is "yes", and the score 0 means no match`) {
		t.Errorf("%v, strict %v, warnings %q", r.Outcome, k, r.Warnings)
	}
	if k := r.Tallies[bench.Official][0].Counts; k[8] != 3 {
		t.Errorf("official %v", k)
	}
}

// TestAnswererAndJudgeVDC has one model answer and another one judge.
func TestAnswererAndJudgeVDC(t *testing.T) {
	in := inputs(t, vdcData, vdcCaptions, func(step string, attempt int, text string) string {
		if !strings.HasSuffix(step, "/judge") {
			t.Errorf("the judge is asked %s", step)
		}
		return vdcReplies(step, attempt, text)
	}, bench.Strict, 1)
	answering := captionstest.OneByOne(func(step string, attempt int, text string) string {
		if strings.HasSuffix(step, "/judge") {
			t.Errorf("the answerer is asked %s", step)
		}
		return "x"
	})
	in.Roles = map[string]*judge.Judge{answerer: {Name: "test/answerer", Model: answering, Request: "answerer"}}
	r := captionstest.Score(t, VDC(), in)
	if v := captionstest.Whole(r, bench.Strict)["accuracy"]; v.N != 5 || v.Value == nil {
		t.Errorf("%+v", v)
	}
}

// TestCallsOnTheWireAreAwaitedVDC has the budget run out while other questions of the video are
// being answered: what is paid for is not thrown away.
func TestCallsOnTheWireAreAwaitedVDC(t *testing.T) {
	in := inputs(t, vdcData, vdcCaptions, nil, bench.Strict, 1)
	begun, over := make(chan struct{}), make(chan struct{})
	var cancelled atomic.Bool
	in.Judge.Model = generate(func(ctx context.Context, req *model.Request) (*model.Response, error) {
		switch req.Step {
		case "v1":
			close(begun)
			<-over
			time.Sleep(20 * time.Millisecond) // for a cancellation to arrive
			cancelled.Store(ctx.Err() != nil)
		case "v1/q2":
			<-begun
			close(over)
			return nil, &omniscope.Error{Kind: omniscope.Budget, Err: errors.New("the budget is used up")}
		}
		return &model.Response{Text: "x", Finish: model.Stop}, nil
	})
	ev, err := VDC().Open(t.Context(), in)
	fixture.OK(t, err)
	defer ev.Close()
	if _, err := ev.Evaluate(t.Context(), 0); omniscope.KindOf(err) != omniscope.Budget || cancelled.Load() {
		t.Errorf("it ends with %v; the other call was cancelled: %v", err, cancelled.Load())
	}
}

type generate func(context.Context, *model.Request) (*model.Response, error)

func (f generate) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	return f(ctx, req)
}

func TestPublishedVectorsVDC(t *testing.T) {
	var vectors struct {
		Parse struct {
			Cases []struct {
				In, Error string
				Parsed    json.RawMessage
				Yes       bool `json:"counts_as_yes"`
			}
		} `json:"vdc_judge_parse"`
	}
	text, err := os.ReadFile(golden.Path(t, "bench", "vectors", "official_scoring_vectors.json"))
	if err == nil {
		err = json.Unmarshal(text, &vectors)
	}
	fixture.OK(t, err)
	for _, c := range vectors.Parse.Cases {
		v, err := publishedVDCVerdict(c.In)
		if ok := c.Error == "" && strings.Contains(string(c.Parsed), "score"); ok != (err == nil) || err == nil && v.yes() != c.Yes {
			t.Errorf("%s: %+v, %v; the published program: %s%s", c.In, v, err, c.Parsed, c.Error)
		}
	}
	if n := len(vectors.Parse.Cases); n != 12 {
		t.Errorf("%d cases, want 12", n)
	}
}

// TestReleasedFilesVDC loads the five subsets, and scores each with a judge that derives its verdicts
// from the step. It compares the means over videos with a loop over the file.
func TestReleasedFilesVDC(t *testing.T) {
	for subset, want := range map[string][2]int{"detailed": {1027, 19811}, "short": {1027, 19512}, "background": {1027, 19156}, "camera": {1027, 19112}, "main_object": {1025, 19234}} {
		t.Run(subset, func(t *testing.T) {
			data := golden.Path(t, "bench", "vdc", subset+".jsonl")
			byVideo, order := readPlainly(t, data)
			var file strings.Builder
			questions := 0
			var official, strict [2]float64
			videos := 0.0
			for _, video := range order {
				n := byVideo[video]
				questions += n
				json.NewEncoder(&file).Encode(map[string]string{"video_id": video, "caption": "Something of " + video})
				right, points, unread := 0.0, 0.0, false
				for i := range n {
					v, broken := hashed(video, i)
					unread = unread || broken
					points += float64(v)
					if v > 2 {
						right++
					}
				}
				strict[0], strict[1] = strict[0]+right/float64(n), strict[1]+points/float64(n)
				if !unread && right > 0 && points > 0 {
					official[0], official[1], videos = official[0]+right/float64(n), official[1]+points/float64(n), videos+1
				}
			}
			if len(order) != want[0] || questions != want[1] {
				t.Errorf("%d videos with %d questions, want %v", len(order), questions, want)
			}
			r := captionstest.Score(t, VDC(), captionstest.Inputs(data, captionstest.File(t, "c.jsonl", file.String()), scripted, bench.Strict, 2))
			for p, sums := range map[bench.Scoring][3]float64{bench.Official: {official[0], official[1], videos}, bench.Strict: {strict[0], strict[1], float64(len(order))}} {
				scores := captionstest.Whole(r, p)
				if math.Abs(*scores["accuracy"].Value-sums[0]/sums[2]) > 1e-12 || math.Abs(*scores["score"].Value-sums[1]/sums[2]) > 1e-12 {
					t.Errorf("%v: accuracy %v and score %v, the loop has %v and %v over %v videos", p, *scores["accuracy"].Value, *scores["score"].Value, sums[0]/sums[2], sums[1]/sums[2], sums[2])
				}
			}
			if twice := strings.Contains(strings.Join(r.Warnings, "\n"), "4 clips are there twice"); twice != (subset == "main_object") || strings.Contains(strings.Join(r.Warnings, "\n"), "no version") {
				t.Errorf("it warns: %q", r.Warnings)
			}
		})
	}
}

// readPlainly counts the questions of each video; of a video that is there twice the last row
// counts.
func readPlainly(t *testing.T, path string) (byVideo map[string]int, order []string) {
	f, err := os.Open(path)
	fixture.OK(t, err)
	defer f.Close()
	byVideo = make(map[string]int)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row map[string][]any
		fixture.OK(t, json.Unmarshal(lines.Bytes(), &row))
		for video, list := range row {
			if _, again := byVideo[video]; !again {
				order = append(order, video)
			}
			byVideo[video] = len(list)
		}
	}
	return byVideo, order
}

// hashed is the score of a question, and whether its first verdict is broken.
func hashed(video string, question int) (score int, broken bool) {
	h := fnv.New32a()
	fmt.Fprint(h, video, " ", question)
	n := int(h.Sum32() >> 4)
	return n % 6, n/6%200 == 0
}

func scripted(step string, attempt int, _ string) string {
	name, ok := strings.CutSuffix(step, "/judge")
	if !ok {
		return "x"
	}
	video, question := name, 1
	if at := strings.LastIndex(name, "/q"); at >= 0 {
		video = name[:at]
		fmt.Sscan(name[at+2:], &question)
	}
	score, broken := hashed(video, question-1)
	if broken && attempt == 1 {
		return "I say: yes"
	}
	return fmt.Sprintf("{'pred': '%s', 'score': %d}", map[bool]string{true: "yes", false: "no"}[score > 2], score)
}
