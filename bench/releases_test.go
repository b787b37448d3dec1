package bench_test

import (
	"path/filepath"
	"slices"
	"testing"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// TestReleasesAreTheFiles compares the digests with the released files.
func TestReleasesAreTheFiles(t *testing.T) {
	for _, c := range []struct{ benchmark, release, file string }{
		{"mmau", "test-mini, v05.15.25", "mmau/mmau-test-mini.json"},
		{"vdc", "detailed", "vdc/detailed.jsonl"}, {"vdc", "short", "vdc/short.jsonl"}, {"vdc", "background", "vdc/background.jsonl"},
		{"vdc", "camera", "vdc/camera.jsonl"}, {"vdc", "main_object", "vdc/main_object.jsonl"},
		{"video-salmonn2", "released", "video-salmonn2-test/video_salmonn2_test.json"},
		{"dream-1k", "released", "dream-1k/DREAM-1k.jsonl"},
		{"ugc-videocap", "released", "ugc-videocap/final_caption_qa.json"},
		{"m3-bench-web", "web", "m3-bench/web.json"},
	} {
		digest, err := sha256hex.File(golden.Path(t, "bench", filepath.FromSlash(c.file)))
		fixture.OK(t, err)
		if r, known := bench.ReleaseOf(c.benchmark, digest); !known || r.Name != c.release {
			t.Errorf("%s is %q of %s, want %q", c.file, r.Name, c.benchmark, c.release)
		}
	}
}

// TestMarks tests each kind of incomplete run or other data, and some complete runs.
func TestMarks(t *testing.T) {
	const mmau, vdcShort = "9f18fda99f8dbc2bc5ecd6323fb5063309f54969810b5c6f1caeb3b8d904cf1c", "deaf83c8f5f55c9a8f515c2634cf49077bf42ebc1bbbd6b938bb99d5e5bec630"
	visual := map[string]string{"modality": "visual"}
	for _, c := range []struct {
		name, benchmark, digest string
		samples, of             int
		part                    map[string]string
		outcomes                map[string]int
		want                    []string
	}{
		{"all of the released file", "mmau", mmau, 1000, 1000, nil, nil, nil},
		{"as many samples as published", "omni-cloze", "1", 2320, 2320, nil, nil, nil},
		{"5 % missing", "mmar", "1", 1000, 1000, nil, map[string]int{"ok": 950, "missing": 50}, nil},
		{"a part of the benchmark", "capricorn", "1", 1000, 1000, visual, nil, nil},
		{"nothing is known of the benchmark", "claims", "1", 3, 3, nil, nil, nil},
		{"an older document, complete", "omni-cloze", "1", 2320, 0, nil, nil, nil},

		{"--limit", "mmau", mmau, 3, 1000, nil, nil, []string{"3 of 1,000 samples"}},
		{"another file of as many samples", "mmau", "1", 1000, 1000, nil, nil, []string{"not the published data, which have 1,000 samples"}},
		{"a part of other data", "omni-cloze", "1", 3, 4, nil, nil, []string{"3 of 4 samples", "not the published data, which have 2,320 samples"}},
		{"data of another benchmark", "mmar", mmau, 1000, 1000, nil, nil, []string{"the data are from mmau"}},
		{"another subset", "vdc", vdcShort, 10, 1027, nil, nil, []string{"10 of 1,027 samples"}},
		{"an older document", "omni-cloze", "1", 3, 0, nil, nil, []string{"not the published data, which have 2,320 samples"}},
		{"a quarter is answered", "mmau", mmau, 1000, 1000, nil, map[string]int{"ok": 250, "missing": 750}, []string{"750 of 1,000 samples without an answer"}},
		{"the judge failed", "omni-cloze", "1", 2320, 2320, nil, map[string]int{"ok": 2000, "failed": 100, "unparsed": 100, "pending": 120}, []string{"320 of 2,320 samples without a judgement"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &document.Results{Benchmark: document.BenchmarkInfo{Name: c.benchmark}, Samples: c.samples, Outcomes: c.outcomes,
				Data: document.DataInfo{Samples: c.of, Part: c.part}, Run: document.RunInfo{Inputs: map[string]string{"data": c.digest, "answers": "2"}}}
			if bench.Mark(r); !slices.Equal(r.Marks, c.want) || r.Marks == nil {
				t.Errorf("marks %q, want %q", r.Marks, c.want)
			}
		})
	}
}
