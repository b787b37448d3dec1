package layers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/judge"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/scripted"
	"omniscope/run/local"
)

// This file is the sketch of design/types.md for a judge in two stages:
// CapRiCorn asks about each keypoint, then about each subject.

// The counts of a video. Its scores are shares, and the corpus takes their
// mean over videos, so what adds up are the shares and the number of videos.
const (
	accSum = iota
	covSum
	unknownSum // share of keypoints that could not be judged
	videos
	refSum
	refVideos
)

var capricornMetric = metric.Metric{
	Name:   "capricorn",
	Fields: []string{"acc_sum", "cov_sum", "unknown_sum", "videos", "ref_sum", "ref_videos"},
	Scores: []metric.Score{
		meanOverVideos("acc", accSum, videos, true), meanOverVideos("cov", covSum, videos, true), meanOverVideos("ref", refSum, refVideos, false)},
}

func meanOverVideos(name string, sum, n int, bounded bool) metric.Score {
	return metric.Score{
		Name: name, Title: name, Percent: true,
		Value: func(c metric.Counts) (float64, bool) { return c[sum] / c[n], c[n] > 0 },
		Bounds: func(c metric.Counts) (low, high float64, ok bool) {
			return c[sum] / c[n], (c[sum] + c[unknownSum]) / c[n], bounded && c[n] > 0
		},
		N:        func(c metric.Counts) int { return int(c[n]) },
		Unscored: func(c metric.Counts) int { return int(c[videos] - c[n]) },
	}
}

type capricorn struct {
	judge  *judge.Judge
	videos []video
}

type video struct {
	id, caption string
	events      []event
}

// An event is one keypoint. It names subjects, or it is one of the others.
type event struct {
	text     string
	subjects []string
}

func (v *video) step(e event) string {
	if len(e.subjects) > 0 {
		return v.id + "/subject|" + e.text
	}
	return v.id + "/other|" + e.text
}

func (e *capricorn) Plan() *bench.Plan {
	return &bench.Plan{System: "sketch", Units: len(e.videos), Steps: func(i int) string { return e.videos[i].step(e.videos[i].events[0]) }}
}

// Requests returns the calls of stage 1. How many stage 2 needs depends on
// their answers: a forecast says "at least".
func (e *capricorn) Requests(i int) ([]*model.Request, error) {
	var requests []*model.Request
	for _, ev := range e.videos[i].events {
		q := keypointQuestion(&e.videos[i], ev)
		requests = append(requests, &model.Request{Step: q.Step, Attempt: 1, Model: e.judge.Request, Messages: q.Messages})
	}
	return requests, nil
}

func (e *capricorn) Close() error { return nil }

// Evaluate asks both stages of one video. Each call is remembered by itself:
// after a crash only those without an answer are made.
func (e *capricorn) Evaluate(ctx context.Context, i int) (*bench.Result, error) {
	v, u := &e.videos[i], unit{mentions: make(map[string][]string), keypoints: make(map[string]int)}
	for _, ev := range v.events {
		answer, err := judge.Ask(ctx, e.judge, keypointQuestion(v, ev))
		if err != nil {
			return nil, err // the run stops; this video is done again next time
		}
		u.take(ev, answer)
	}
	for _, subject := range u.subjects() {
		mentions := u.mentions[subject]
		if len(mentions) < 2 {
			u.refs = append(u.refs, 0)
			continue
		}
		answer, err := judge.Ask(ctx, e.judge, clusterQuestion(v, subject, mentions))
		if err != nil {
			return nil, err
		}
		if answer.Outcome == omniscope.OK {
			u.refs = append(u.refs, pairs(answer.Value)/(float64(u.keypoints[subject]*(u.keypoints[subject]-1))/2))
		}
	}
	return u.result(v), nil
}

// keypointQuestion is stage 1.
func keypointQuestion(v *video, ev event) judge.Question[keypoint] {
	return judge.Question[keypoint]{
		Step:     v.step(ev),
		Messages: []model.Message{model.Text(model.User, "Caption: "+v.caption+"\nEvent: "+ev.text+"\nSubjects: "+strings.Join(ev.subjects, " "))},
		Read:     func(reply string) (keypoint, error) { return readKeypoint(reply, ev.subjects) },
	}
}

type keypoint struct {
	Type         string             `json:"event_type"`
	Descriptions map[string]*string `json:"subject_description_in_caption"` // null = not mentioned
}

func readKeypoint(reply string, subjects []string) (keypoint, error) {
	var k keypoint
	if err := json.Unmarshal([]byte(judge.FindJSON(reply)), &k); err != nil {
		return k, fmt.Errorf("it is not JSON: %w", err)
	}
	if !slices.Contains([]string{"correctly mentioned", "mentioned but with errors", "not mentioned"}, k.Type) {
		return k, fmt.Errorf("the event_type %q is not one of the three", k.Type)
	}
	for _, s := range subjects {
		if _, ok := k.Descriptions[s]; !ok && k.Type != "not mentioned" {
			return k, fmt.Errorf("it does not describe %s", s)
		}
	}
	return k, nil
}

// clusterQuestion is stage 2: which descriptions mean the same person.
func clusterQuestion(v *video, subject string, mentions []string) judge.Question[map[string][]string] {
	return judge.Question[map[string][]string]{
		Step:     v.id + "/cluster|" + subject,
		Messages: []model.Message{model.Text(model.User, "Caption: "+v.caption+"\nDescriptions: "+strings.Join(mentions, "; "))},
		Read: func(reply string) (clusters map[string][]string, err error) {
			if err := json.Unmarshal([]byte(judge.FindJSON(reply)), &clusters); err != nil {
				return nil, fmt.Errorf("it is not JSON: %w", err)
			}
			n := 0
			for _, c := range clusters {
				n += len(c)
			}
			if n != len(mentions) {
				return nil, errors.New("it does not have each description once")
			}
			return clusters, nil
		},
	}
}

// A unit is a video on its way to counts.
type unit struct {
	verdicts  [5]int // by omniscope.Verdict
	mentions  map[string][]string
	keypoints map[string]int
	refs      []float64 // of the subjects that could be judged
}

func (u *unit) take(ev event, a judge.Answer[keypoint]) {
	verdict := omniscope.Unjudged
	if a.Outcome == omniscope.OK {
		verdict = map[string]omniscope.Verdict{"correctly mentioned": omniscope.Correct, "mentioned but with errors": omniscope.Partial,
			"not mentioned": omniscope.NotGiven}[a.Value.Type]
	}
	u.verdicts[verdict]++
	for _, s := range ev.subjects {
		u.keypoints[s]++
		if d := a.Value.Descriptions[s]; d != nil {
			u.mentions[s] = append(u.mentions[s], *d)
		}
	}
}

// subjects returns those with two keypoints or more: one cannot be inconsistent.
func (u *unit) subjects() (names []string) {
	for name, n := range u.keypoints {
		if n > 1 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func pairs(clusters map[string][]string) (n float64) {
	for _, c := range clusters {
		n += float64(len(c)*(len(c)-1)) / 2
	}
	return n
}

func (u *unit) result(v *video) *bench.Result {
	all, counts := float64(len(v.events)), make(metric.Counts, len(capricornMetric.Fields))
	counts[videos] = 1
	counts[accSum] = float64(u.verdicts[omniscope.Correct]) / all
	counts[covSum] = float64(u.verdicts[omniscope.Correct]+u.verdicts[omniscope.Partial]) / all
	counts[unknownSum] = float64(u.verdicts[omniscope.Unjudged]) / all
	for _, ref := range u.refs {
		counts[refSum] += ref / float64(len(u.refs))
		counts[refVideos] = 1
	}
	r := &bench.Result{Unit: v.id, Cluster: v.id, Outcome: omniscope.OK}
	for _, p := range []bench.Profile{bench.Official, bench.Strict} {
		r.Tallies[p] = []bench.Tally{{Dimension: "overall", Counts: counts}}
	}
	return r
}

func TestSketchOfAJudgeInTwoStages(t *testing.T) {
	script := scripted.New(map[string][]scripted.Reply{
		"v1/subject|<man> waves": {{Text: `{"event_type": "correctly mentioned", "subject_description_in_caption": {"<man>": "a tall man"}}`}},
		"v1/subject|<man> sits":  {{Text: `{"event_type": "mentioned but with errors", "subject_description_in_caption": {"<man>": "the man in blue"}}`}},
		"v1/other|it rains":      {{Text: "not JSON"}, {Text: `{"event_type": "not mentioned"}`}},
		"v1/cluster|<man>":       {{Text: `{"first": ["a tall man", "the man in blue"]}`}},
		"v2/other|a bell rings":  {{Text: `{"event_type": "correctly mentioned"}`}},
	})
	e := &capricorn{
		judge: &judge.Judge{Name: "scripted", Model: script, Attempts: 5},
		videos: []video{
			{"v1", "A tall man waves. The man in blue stands.", []event{{"<man> waves", []string{"<man>"}}, {"<man> sits", []string{"<man>"}}, {"it rains", nil}}},
			{"v2", "A bell rings.", []event{{"a bell rings", nil}}},
		},
	}
	r := scoreSketch(t, sketch{&capricornMetric}, e)
	want(t, r, "strict", "acc", (1.0/3+1)/2)
	want(t, r, "strict", "cov", (2.0/3+1)/2)
	want(t, r, "strict", "ref", 1)
	if s := r.Headline.Scores["ref"]; s.N != 1 || s.Unscored != 1 {
		t.Errorf("ref counts %d videos and %d without subjects", s.N, s.Unscored)
	}
}

// A sketch is a benchmark of which only the metric matters.
type sketch struct{ metric *metric.Metric }

func (s sketch) Info() bench.Info { return bench.Info{Name: "sketch", Metric: s.metric} }

func (s sketch) Open(context.Context, bench.Inputs) (bench.Evaluation, error) { return nil, nil }

func scoreSketch(t *testing.T, b bench.Benchmark, ev bench.Evaluation) *omniscope.Results {
	t.Helper()
	r, err := bench.Score(context.Background(), b, ev, bench.Strict, bench.Options{Engine: &local.Engine{Workers: 2}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func want(t *testing.T, r *omniscope.Results, profile, score string, value float64) {
	t.Helper()
	for _, p := range r.Profiles {
		if p.Name != profile {
			continue
		}
		if got := p.Slices[0].Scores[score].Value; got == nil || math.Abs(*got-value) > 1e-12 {
			t.Errorf("%s %s is %v, want %g", profile, score, got, value)
		}
	}
}

// noBounds is for scores that have no highest value.
func noBounds(metric.Counts) (low, high float64, ok bool) { return 0, 0, false }
