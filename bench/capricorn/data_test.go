package capricorn

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/model"
)

func TestInvalidFiles(t *testing.T) {
	good, said := aRow("1", 60, lists{bg: {"rain right"}}), aCaption("1", "It rains.")
	without := func(row pairs, key string) pairs {
		out := pairs{}
		for k, v := range row {
			if k != key {
				out[k] = v
			}
		}
		return out
	}
	with := func(row pairs, key string, value any) pairs {
		out := without(row, key)
		out[key] = value
		return out
	}
	events := func(key string, value any) pairs {
		return with(aRow("2", 60, nil), "events", pairs{key: value})
	}
	for _, c := range []struct {
		name                  string
		annotations, captions string
		want                  string
	}{
		{"annotations that are not JSON", jsonl(good, "{]"), jsonl(said), "annotations.jsonl:2: not JSON at character 2"},
		{"after an empty line", "\n" + jsonl(good) + "\n[1\n", jsonl(said), "annotations.jsonl:4: not JSON"},
		{"a row that is a list", jsonl(good, "[]"), jsonl(said), "annotations.jsonl:2: has neither video_id nor video_path"},
		{"a row of no video", jsonl(good, without(good, "video_id")), jsonl(said), "annotations.jsonl:2: has neither video_id nor video_path"},
		{"a row of an empty name", jsonl(good, with(good, "video_id", "")), jsonl(said), "annotations.jsonl:2: has neither video_id nor video_path"},
		{"no events", jsonl(good, without(aRow("2", 60, nil), "events")), jsonl(said), "annotations.jsonl:2: has no object of events"},
		{"events in a list", jsonl(good, with(aRow("2", 60, nil), "events", []string{"rain"})), jsonl(said), "annotations.jsonl:2: has no object of events"},
		{"a class that is no list", jsonl(good, events(bg, "rain")), jsonl(said), "annotations.jsonl:2: events.bg_desc is not a list"},
		{"an event that is no text", jsonl(good, events(evts, []any{"<a> runs", 5})), jsonl(said), "annotations.jsonl:2: events.main_sbj_evts holds 5, which is not text"},
		{"a duration in words", jsonl(good, aRow("2", "60 s", nil)), jsonl(said), `annotations.jsonl:2: duration is "60 s", which is not a number of seconds`},
		{"a video that is annotated otherwise below", jsonl(good, aRow("2", 60, nil), aRow("1", 61, nil)), jsonl(said), "annotations.jsonl:3: video 1 is annotated already, and otherwise, on line 1"},
		{"no annotations", "", jsonl(said), "annotations.jsonl: no videos to score"},

		{"captions that are not JSON", jsonl(good), jsonl(said, "It rains."), "captions.jsonl:2: not JSON at character 1"},
		{"a caption of no video", jsonl(good), jsonl(said, pairs{"caption": "It rains."}), "captions.jsonl:2: has neither video_id nor video_path"},
		{"a caption that is no text", jsonl(good), jsonl(said, aCaption("2", 5)), "captions.jsonl:2: caption is not text"},
		{"captions by another name", jsonl(good), jsonl(pairs{"video_id": "1", "text": "It rains."}), "captions.jsonl:1: has no caption, looked for as caption, predicted_caption, prediction, response, omni_detective_trajectory: no field \"caption\" (the row has \"text\", \"video_id\"); name the caption's field with --caption-field"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev, err := Benchmark{}.Open(t.Context(), inputs(t, bench.Strict, &fake{}, c.annotations, c.captions))
			if err == nil {
				ev.Close()
				t.Fatal("it was taken")
			}
			if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: %v, want %s", omniscope.KindOf(err), err, c.want)
			}
		})
	}
}

func TestInvalidOptions(t *testing.T) {
	in := inputs(t, bench.Official, &fake{}, jsonl(aRow("1", 60, nil)), "")
	for want, change := range map[string]func(b *Benchmark, in *bench.Inputs){
		"give the benchmark's annotations with --data FILE":                   func(_ *Benchmark, in *bench.Inputs) { in.Data = "" },
		"scoring official asks one call for each keypoint: leave out --judge": func(b *Benchmark, _ *bench.Inputs) { b.Batched = true },
	} {
		b, in := Benchmark{}, in
		change(&b, &in)
		if _, err := b.Open(t.Context(), in); omniscope.KindOf(err) != omniscope.Usage || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// What can be scored is scored, and what is odd about the files is told.
func TestOddFiles(t *testing.T) {
	row, said := aRow("1", 60, lists{bg: {"rain right"}}), aCaption("1", "It rains.")
	lacking := pairs{"video_id": "1", "duration": 60, "events": pairs{bg: []string{"rain right"}, evts: nil}}
	const dropped = "acc –, cov –, ref –"
	for _, c := range []struct {
		name                  string
		annotations, captions string
		official, strict      string
		warnings              []string // of strict
	}{
		{"as they should be", jsonl(row), jsonl(said), "acc 100, cov 100, ref –", "acc 100, cov 100, ref –", nil},
		{"with marks and blank lines of an editor", "\ufeff\r\n" + strings.ReplaceAll(jsonl(row), "\n", "\r\n"), "\n" + jsonl(said), "acc 100, cov 100, ref –", "acc 100, cov 100, ref –", nil},
		{"by path", jsonl(pairs{"video_path": "./v/1.mp4", "duration": 60, "events": row["events"]}), jsonl(pairs{"video_path": `C:\v\1.mkv`, "prediction": "It rains."}),
			"acc 100, cov 100, ref –", "acc 100, cov 100, ref –", nil},
		{"by number", jsonl(aRow("1", 60, lists{bg: {"rain right"}})), jsonl(pairs{"video_id": 1, "caption": "It rains."}), "acc 100, cov 100, ref –", "acc 100, cov 100, ref –", nil},
		{"a row twice", jsonl(row, row), jsonl(said), "acc 100, cov 100, ref –", "acc 100, cov 100, ref –", []string{"annotations.jsonl:2: video 1 stands there twice and is scored once"}},
		{"lists missing", jsonl(lacking), jsonl(said), dropped, "acc 100, cov 100, ref –",
			[]string{"annotations.jsonl:1: video 1 has no list of main_sbj_evts, main_sbj_ints, trans_desc, minor_evts"}},
		{"the same caption twice", jsonl(row), jsonl(said, said), "acc 100, cov 100, ref –", "acc 100, cov 100, ref –",
			[]string{"captions.jsonl:2: video 1 has a caption already, on line 1"}},
		{"another caption below", jsonl(row), jsonl(aCaption("1", "It snows."), said), "acc 100, cov 100, ref –", "acc – (1 unscored, 0–100), cov – (1 unscored, 0–100), ref –",
			[]string{"captions.jsonl:2: video 1 has a caption already, on line 1"}},
		{"another caption above two that are equal", jsonl(row), jsonl(aCaption("1", "It snows."), said, said), "acc 100, cov 100, ref –", "acc – (1 unscored, 0–100), cov – (1 unscored, 0–100), ref –",
			[]string{"captions.jsonl:2: video 1 has a caption already, on line 1", "captions.jsonl:3: video 1 has a caption already, on line 2"}},
		{"another caption between two that are equal", jsonl(row), jsonl(said, aCaption("1", "It snows."), said), "acc 100, cov 100, ref –", "acc – (1 unscored, 0–100), cov – (1 unscored, 0–100), ref –",
			[]string{"captions.jsonl:2: video 1 has a caption already, on line 1", "captions.jsonl:3: video 1 has a caption already, on line 2"}},
		{"no duration", jsonl(aRow("1", nil, lists{bg: {"rain right"}})), jsonl(said), dropped, "acc 100, cov 100, ref –", []string{"annotations.jsonl:1: video 1 has no duration"}},
		{"no captions", jsonl(row), "", dropped, "acc – (1 unscored, 0–100), cov – (1 unscored, 0–100), ref –", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for p, want := range map[bench.Scoring]string{bench.Official: c.official, bench.Strict: c.strict} {
				e := opened(t, Benchmark{}, inputs(t, p, &fake{}, c.annotations, c.captions))
				r := evaluated(t, e, 0)
				if got := summary(overall(r, p)); got != want || e.plan.Units != 1 {
					t.Errorf("%v: %d videos, %s, want %s", p, e.plan.Units, got, want)
				}
				same := slices.EqualFunc(e.plan.Warnings, c.warnings, strings.HasSuffix)
				if !same {
					t.Errorf("%v: warnings %q, want %q", p, e.plan.Warnings, c.warnings)
				}
			}
		})
	}
}

// The last of several captions is the one that official asks about.
func TestLastCaptionCounts(t *testing.T) {
	in := inputs(t, bench.Official, &fake{}, jsonl(aRow("1", 60, lists{bg: {"rain right"}})), jsonl(aCaption("1", "It snows."), aCaption("1", "It rains.")))
	requests, err := opened(t, Benchmark{}, in).Requests(0)
	if err != nil || len(requests) != 1 || !strings.Contains(requests[0].Messages[0].Parts[0].Text, "It rains.") {
		t.Errorf("%v, %+v", err, requests)
	}
}

func TestCaptionsOfUnknownVideos(t *testing.T) {
	annotations, captions := jsonl(aRow("1", 60, lists{bg: {"rain right"}})), jsonl(aCaption("1", "It rains."), aCaption("9", "x"), aCaption("8", "x"))
	_, err := Benchmark{}.Open(t.Context(), inputs(t, bench.Official, &fake{}, annotations, captions))
	const want = "captions.jsonl:2: video 9 is not annotated, and the published scorer stops there: leave its caption out, or score with --scoring strict"
	if omniscope.KindOf(err) != omniscope.Invalid || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("official: %v, want %s", err, want)
	}
	e := opened(t, Benchmark{}, inputs(t, bench.Strict, &fake{}, annotations, captions))
	if got := strings.Join(e.plan.Warnings, "\n"); got != "2 captions are of videos that are not annotated and are left out; the published scorer stops there, and what scoring official has here is of the rest: 9, 8" || e.plan.Units != 1 {
		t.Errorf("strict: %d videos, %s", e.plan.Units, got)
	}
}

func TestVideoFilter(t *testing.T) {
	annotations, captions := someVideos()
	for _, c := range []struct {
		name    string
		limit   int
		samples []omniscope.SampleID
		want    string
	}{
		{"all", 0, nil, "1 2 3 4 5 6 7"},
		{"the first two", 2, nil, "1 2"},
		{"more than there are", 99, nil, "1 2 3 4 5 6 7"},
		{"by name, in the file's order", 0, []omniscope.SampleID{"7", "2"}, "2 7"},
		{"by name, with a limit", 1, []omniscope.SampleID{"7", "2"}, "2"},
	} {
		in := inputs(t, bench.Official, &fake{}, annotations, captions) // whose captions of other videos are no error
		in.Limit, in.Samples = c.limit, c.samples
		e := opened(t, Benchmark{}, in)
		var got []string
		for _, p := range e.data.units {
			got = append(got, p.id)
		}
		if strings.Join(got, " ") != c.want || e.plan.Units != len(got) {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
	in := inputs(t, bench.Strict, &fake{}, annotations, captions)
	in.Samples = []omniscope.SampleID{"none", "1", "nobody"}
	if _, err := (Benchmark{}).Open(t.Context(), in); omniscope.KindOf(err) != omniscope.Usage || !strings.HasSuffix(err.Error(), "annotations.jsonl: nobody, none") {
		t.Errorf("of videos that are not there: %v", err)
	}
}

// A caption of 10 MB is judged like any other. Each question holds it, so that
// memory must not grow with the number of questions.
func TestCaption10MB(t *testing.T) {
	const size, questions = 10 << 20, 40
	events := lists{}
	for i := range questions {
		events[bg] = append(events[bg], strings.Repeat("rain ", i+1)+"right")
	}
	var asked, most atomic.Int64
	m := listening(func(req *model.Request) {
		if n := len(req.Messages[0].Parts[0].Text); n < size {
			t.Errorf("a question of %d bytes", n)
		}
		if asked.Add(1)%8 == 0 {
			runtime.GC()
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			most.Store(max(most.Load(), int64(now.HeapAlloc)))
		}
	})
	in := inputs(t, bench.Strict, m, jsonl(aRow("1", 60, events)), jsonl(aCaption("1", strings.Repeat("It rains. ", size/10+1))))
	r := evaluated(t, opened(t, Benchmark{}, in), 0)
	if got := summary(overall(r, bench.Strict)); got != "acc 100, cov 100, ref –" || asked.Load() != questions {
		t.Errorf("%s after %d questions", got, asked.Load())
	}
	if limit := int64(3*atOnce*size + 4*size); most.Load() > limit {
		t.Errorf("%d MB in use, want %d at most", most.Load()>>20, limit>>20)
	}
}

// listening is a fake that tells what it is asked.
type listening func(*model.Request)

func (f listening) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	f(req)
	return (&fake{}).Generate(ctx, req)
}
