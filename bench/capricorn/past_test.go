package capricorn

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/testing/fixture"
)

var publishedFiles = []string{stage1File, stage2File, accFile, refFile}

// pastVideos leave nothing open once they were judged.
func pastVideos() (annotations, captions string) {
	annotations = jsonl(
		aRow("1", 60, lists{evts: {"<a> runs right", "<a> sits wrong", "<b> sleeps"}, ints: {"<a> meets <b> right"}, bg: {"rain right"}}),
		aRow("2", 200, lists{evts: {"<a> runs right", "<a> runs right", "<b> waits wrong", "<b> leaves right"}, trans: {"cut to black right"}}),
		aRow("3", 400, lists{bg: {"fog right"}}),
		aRow("4", 500, lists{evts: {"<c> falls"}, minor: {"a dog barks right"}}),
	)
	captions = jsonl(aCaption("4", "Four."), aCaption("2", "Two."), aCaption("1", "One."))
	return annotations, captions
}

// rowsOf are the rows of a result file, as JSON to be changed.
func rowsOf(t *testing.T, text string) []pairs {
	t.Helper()
	return recordsOf[pairs](t, []byte(text))
}

func rowsText(rows []pairs) string {
	var out []any
	for _, row := range rows {
		out = append(out, row)
	}
	return jsonl(out...)
}

// at follows keys and places into JSON.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.(pairs)[step]
		case int:
			v = v.([]any)[step]
		}
	}
	return v
}

func TestContinuing(t *testing.T) {
	annotations, captions := pastVideos()
	in := inputs(t, bench.Official, &fake{}, annotations, captions)
	whole := scoreToFiles(t, Benchmark{}, in)
	without := func(text, video string) string {
		return rowsText(slices.DeleteFunc(rowsOf(t, text), func(row pairs) bool { return row["video_id"] == video }))
	}
	change := func(text string, change func(rows []pairs)) string {
		rows := rowsOf(t, text)
		change(rows)
		return rowsText(rows)
	}
	fails := func(event any) {
		event.(pairs)["judgement"], event.(pairs)["reason"] = "failed", nil
		if _, ok := event.(pairs)[descriptionsKey]; ok {
			event.(pairs)[descriptionsKey] = nil
		}
	}
	const firstEvents = "1/other|rain right\n1/subject|<a> meets <b> right\n1/subject|<a> runs right\n1/subject|<a> sits wrong\n1/subject|<b> sleeps"
	for _, c := range []struct {
		name  string
		files func() (stage1, stage2 string) // "-" = there is none
		asked string
	}{
		{"from a whole run", func() (string, string) { return whole[stage1File], whole[stage2File] }, ""},
		{"from rows in another order", func() (string, string) {
			return change(whole[stage1File], slices.Reverse[[]pairs]), change(whole[stage2File], slices.Reverse[[]pairs])
		}, ""},
		{"from other videos' rows besides", func() (string, string) {
			return whole[stage1File] + `{"video_id": "x", "main_sbj_info": {}}` + "\n", whole[stage2File] + `{"video_id": "x", "categorization_info": {}}` + "\n"
		}, ""},
		{"without one video", func() (string, string) { return without(whole[stage1File], "1"), without(whole[stage2File], "1") }, "1/cluster|<a>\n" + firstEvents},
		{"without one video's groups", func() (string, string) { return whole[stage1File], without(whole[stage2File], "2") }, "2/cluster|<a>\n2/cluster|<b>"},
		{"without one video's judgements", func() (string, string) { return without(whole[stage1File], "1"), whole[stage2File] }, firstEvents},
		{"from the first stage", func() (string, string) { return whole[stage1File], "-" }, "1/cluster|<a>\n2/cluster|<a>\n2/cluster|<b>"},
		{"from the first stage, with nothing of the second", func() (string, string) { return whole[stage1File], "" }, "1/cluster|<a>\n2/cluster|<a>\n2/cluster|<b>"},
		{"from nothing", func() (string, string) { return "", "-" }, "1/cluster|<a>\n" + firstEvents +
			"\n2/cluster|<a>\n2/cluster|<b>\n2/other|cut to black right\n2/subject|<a> runs right\n2/subject|<a> runs right\n2/subject|<b> leaves right\n2/subject|<b> waits wrong" +
			"\n4/other|a dog barks right\n4/subject|<c> falls"},
		{"with the last line cut off", func() (string, string) {
			return whole[stage1File][:len(whole[stage1File])-20], whole[stage2File]
		}, "4/other|a dog barks right\n4/subject|<c> falls"},
		{"with the last line of the second stage cut off", func() (string, string) {
			lines := strings.SplitAfter(whole[stage2File], "\n")
			return whole[stage1File], lines[0] + lines[1][:len(lines[1])/2]
		}, "2/cluster|<a>\n2/cluster|<b>"},
		{"with an event that failed", func() (string, string) {
			return change(whole[stage1File], func(rows []pairs) { fails(at(rows[0], "main_sbj_info", "<a>", 1)) }), whole[stage2File]
		}, "1/subject|<a> sits wrong"},
		{"with an event of two subjects that failed", func() (string, string) {
			return change(whole[stage1File], func(rows []pairs) {
				fails(at(rows[0], "main_sbj_info", "<a>", 2))
				fails(at(rows[0], "main_sbj_info", "<b>", 1))
			}), whole[stage2File]
		}, "1/subject|<a> meets <b> right"},
		{"with one that failed the second time it was asked about", func() (string, string) {
			return change(whole[stage1File], func(rows []pairs) { fails(at(rows[1], "main_sbj_info", "<a>", 1)) }), whole[stage2File]
		}, "2/subject|<a> runs right"},
		{"with an event without subjects that failed", func() (string, string) {
			return change(whole[stage1File], func(rows []pairs) { fails(at(rows[0], "other_event_judge", 0)) }), whole[stage2File]
		}, "1/other|rain right"},
		{"with groups of other descriptions", func() (string, string) {
			return whole[stage1File], change(whole[stage2File], func(rows []pairs) {
				at(rows[1], "categorization_info", "<b>").(pairs)["sbj_captions"] = []string{"the b", "a bird"}
			})
		}, "2/cluster|<b>"},
		{"with groups of one description more", func() (string, string) {
			return whole[stage1File], change(whole[stage2File], func(rows []pairs) {
				at(rows[1], "categorization_info", "<b>").(pairs)["sbj_captions"] = []string{"the b", "the b", "the b"}
			})
		}, "2/cluster|<b>"},
		{"with descriptions that could not be grouped", func() (string, string) {
			return whole[stage1File], change(whole[stage2File], func(rows []pairs) {
				at(rows[1], "categorization_info", "<a>").(pairs)["gpt_categorization"] = "Judge Failed"
			})
		}, "2/cluster|<a>"},
		{"with a video's row twice: the last counts", func() (string, string) {
			stale := change(whole[stage1File], func(rows []pairs) { fails(at(rows[0], "other_event_judge", 0)) })
			return stale + whole[stage1File], whole[stage2File] + whole[stage2File]
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			stage1, stage2 := c.files()
			for name, text := range map[string]string{stage1File: stage1, stage2File: stage2} {
				if text != "-" {
					fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
				}
			}
			f := &fake{}
			in := in
			j := *in.Judge
			j.Model, in.Judge = f, &j
			files := scoreToFiles(t, Benchmark{Continue: dir}, in)
			if got := f.calls(); got != c.asked {
				t.Errorf("asked\n%s\nwant\n%s", got, c.asked)
			}
			for _, name := range publishedFiles {
				if files[name] != whole[name] {
					t.Errorf("%s:\n%s\nof an uninterrupted run:\n%s", name, files[name], whole[name])
				}
			}
			sameButAttempts(t, files, whole)
		})
	}
}

func sameButAttempts(t *testing.T, a, b map[string]string) {
	t.Helper()
	for _, name := range recordFiles[:2] {
		rows, others := rowsOf(t, a[name]), rowsOf(t, b[name])
		for _, row := range append(rows, others...) {
			delete(row, "attempts")
		}
		if rowsText(rows) != rowsText(others) {
			t.Errorf("%s:\n%s\nof an uninterrupted run:\n%s", name, a[name], b[name])
		}
	}
}

// A folder that the command itself wrote, or the published scripts, serves
// either scoring and either way of asking.
func TestContinuingOtherwise(t *testing.T) {
	annotations, captions := pastVideos()
	in := inputs(t, bench.Official, &fake{}, annotations, captions)
	dir := t.TempDir()
	for name, text := range scoreToFiles(t, Benchmark{}, in) {
		if name == stage1File {
			text = strings.Join(strings.SplitAfter(text, "\n")[1:], "") // without video 1
		}
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for _, c := range []struct {
		name  string
		b     Benchmark
		asked string
	}{
		{"strict", Benchmark{Continue: dir}, "1/other|rain right\n1/subject|<a> meets <b> right\n1/subject|<a> runs right\n1/subject|<a> sits wrong\n1/subject|<b> sleeps"},
		{"batched", Benchmark{Continue: dir, Batched: true}, "1/batch"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{}
			e := opened(t, c.b, inputs(t, bench.Strict, f, annotations, captions))
			var foretold []string
			for i := range e.plan.Units {
				requests, err := e.Requests(i)
				fixture.OK(t, err)
				for _, r := range requests {
					foretold = append(foretold, r.Step)
				}
			}
			slices.Sort(foretold)
			for i := range e.plan.Units {
				evaluated(t, e, i)
			}
			if got := f.calls(); got != c.asked || strings.Join(foretold, "\n") != c.asked {
				t.Errorf("asked\n%s\nforetold\n%s\nwant\n%s", got, strings.Join(foretold, "\n"), c.asked)
			}
			warned := slices.Contains(e.plan.Warnings, "2 of 4 videos have judgements in "+dir+": they are those of the judge and the prompts of that run")
			if len(e.plan.Inputs) != 4 || !warned || !strings.Contains(e.plan.Protocol, "|continued:") {
				t.Errorf("protocol %s, inputs %v, warnings %q", e.plan.Protocol, e.plan.Inputs, e.plan.Warnings)
			}
		})
	}
}

// An event of nobody is not in the published files, and a video on which the
// published scorer raises an error has no row there, unless that is when it
// counts.
func TestPublishedFilesSkipErrors(t *testing.T) {
	annotations := jsonl(
		aRow("1", 60, lists{evts: {"somebody runs", "<a> runs right"}}),
		aRow("2", 60, lists{bg: {"rain right", "rain right"}}),
		aRow("3", 60, lists{evts: {"<a> sits"}}),
	)
	captions := jsonl(aCaption("1", "One."), aCaption("2", "Two."), aCaption("3", "Three."))
	f := &fake{says: map[string][]any{"3/subject|<a> sits": {judged("not mentioned", "<b>", "-")}}}
	in := inputs(t, bench.Strict, f, annotations, captions)
	dir := t.TempDir()
	for name, text := range scoreToFiles(t, Benchmark{}, in) {
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	f.calls()
	scoreToFiles(t, Benchmark{Continue: dir}, in)
	if got, want := f.calls(), "1/other|somebody runs\n3/subject|<a> sits"; got != want {
		t.Errorf("asked\n%s\nwant\n%s", got, want)
	}
}

func TestBrokenResultFiles(t *testing.T) {
	const row = `{"video_id": "1", "main_sbj_info": {}, "other_event_judge": []}` + "\n"
	for _, c := range []struct {
		name           string
		stage1, stage2 string
		kind           omniscope.Kind
		want           string
	}{
		{"no files", "-", "-", omniscope.NotFound, "holds no 1_judge_accuracy_coverage.jsonl to continue from"},
		{"the second stage only", "-", "", omniscope.NotFound, "holds no 1_judge_accuracy_coverage.jsonl to continue from"},
		{"a line cut off in the middle of the file", row + "{\n" + row, "", omniscope.Invalid, stage1File + ":2: not JSON at character"},
		{"a row of no video", row + `{"main_sbj_info": {}}` + "\n", "", omniscope.Invalid, stage1File + ":2: has neither video_id nor video_path"},
		{"a row without judgements", row + `{"video_id": "2"}` + "\n", "", omniscope.Invalid, stage1File + ":2: has no object main_sbj_info"},
		{"judgements in a list", `{"video_id": "2", "main_sbj_info": []}`, "", omniscope.Invalid, stage1File + ":1: has no object main_sbj_info"},
		{"the files exchanged", `{"video_id": "2", "categorization_info": {}}`, row, omniscope.Invalid, stage1File + ":1: has no object main_sbj_info"},
		{"groups without descriptions", row, `{"video_id": "2"}`, omniscope.Invalid, stage2File + ":1: has no object categorization_info"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{stage1File: c.stage1, stage2File: c.stage2} {
				if text != "-" {
					fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
				}
			}
			_, err := Benchmark{Continue: dir}.Open(t.Context(), inputs(t, bench.Strict, &fake{}, jsonl(aRow("1", 60, nil)), ""))
			if omniscope.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: %v, want %v: %s", omniscope.KindOf(err), err, c.kind, c.want)
			}
		})
	}
}

// The rows of every file stand in the annotations' order, whoever came first.
func TestRowsStandInTheAnnotationsOrder(t *testing.T) {
	annotations, captions := pastVideos()
	for range 5 {
		files := scoreToFiles(t, Benchmark{}, inputs(t, bench.Official, &fake{}, annotations, captions))
		for _, name := range []string{stage1File, stage2File} {
			var got []string
			for _, row := range rowsOf(t, files[name]) {
				got = append(got, row["video_id"].(string))
			}
			if strings.Join(got, " ") != "1 2 4" {
				t.Errorf("%s has %v", name, got)
			}
		}
		var doc struct {
			PerVideo []struct {
				ID string `json:"video_id"`
			} `json:"per_video"`
		}
		if err := json.Unmarshal([]byte(files[accFile]), &doc); err != nil || len(doc.PerVideo) != 3 || doc.PerVideo[2].ID != "4" {
			t.Errorf("%v, %+v", err, doc)
		}
	}
}

// A subject's identifier is readable in every file.
func TestIdentifiersUnchanged(t *testing.T) {
	annotations, captions := pastVideos()
	for name, text := range scoreToFiles(t, Benchmark{}, inputs(t, bench.Official, &fake{}, annotations, captions)) {
		if strings.Contains(text, `\u003c`) || name != accFile && strings.HasPrefix(name, "1_") && !strings.Contains(text, `"<a>"`) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// What stands there with the text of an event of nobody is said of another
// event, which is not asked about again.
func TestContinueWithEventEqualToOneWithoutSubject(t *testing.T) {
	annotations, captions := jsonl(aRow("1", 60, lists{evts: {"rain falls right"}, bg: {"rain falls right"}})), jsonl(aCaption("1", "One."))
	f := &fake{says: map[string][]any{"1/subject|rain falls right": {judged("not mentioned", "<x>", "-")}}}
	in := inputs(t, bench.Official, f, annotations, captions)
	dir := t.TempDir()
	whole := scoreToFiles(t, Benchmark{}, in)
	for name, text := range whole {
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	f.calls()
	again := scoreToFiles(t, Benchmark{Continue: dir}, in)
	if got := f.calls(); got != "1/subject|rain falls right" || again[stage1File] != whole[stage1File] {
		t.Errorf("asked\n%s\nand wrote\n%s", got, again[stage1File])
	}
}
