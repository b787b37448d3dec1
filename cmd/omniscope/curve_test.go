package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/results/report"
)

// TestLongCurveOverWords has a model that writes a longer caption of each next clip; the
// longer half is right.
func TestLongCurveOverWords(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q := newInquest(t)
	var asked atomic.Int64
	server := serve(t, fake.Config{Reply: func(*fake.Request) fake.Reply {
		return fake.Reply{Content: strings.TrimSpace(strings.Repeat("word ", 10*int(asked.Add(1))))}
	}})
	rows, script := "", make(map[string][]string)
	for i := range 4 {
		id := fmt.Sprintf("c%d", i)
		q.toneClip(id+".mp4", 440+i)
		rows += strings.NewReplacer(`"uuid":"a"`, `"uuid":"`+id+`"`, "./film.mp4", "./"+id+".mp4").Replace(blankRow)
		letter := "E: not given"
		if i >= 2 {
			letter = "A: dog"
		}
		script[id] = []string{fmt.Sprintf(`{"1": %q}`, letter)}
	}
	judge, err := json.Marshal(script)
	fixture.OK(t, err)
	v := q.command("run", "omni-cloze", "--data", q.write("rows.jsonl", rows), "--media", q.dir, "--model", "openai/m,base-url="+server.URL(), "--concurrency", "1",
		"--work-dir", q.path("work"), "--out", q.path("out"), "--judge", "scripted/"+q.write("judge.json", string(judge)), "--quiet", "--blind-share", "0")
	v.must(t, exitDone)
	v = q.command("compare", q.path("out"), "--by", "words", "--bins", "2", "--score", "accuracy,not_given", "--json", "--out", q.path("curve"))
	var c report.Comparison
	if err := json.Unmarshal([]byte(v.out), &c); err != nil || v.code != exitDone {
		t.Fatalf("%v: exit code %d: %s%s", err, v.code, v.out, v.errOut)
	}
	want := `[[m 10–20 2 0.0 100.0] [m 30–40 2 100.0 0.0]]`
	if got := c.Tables[0].Rows; len(got) != 2 || cutIntervals(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	if page := q.read("curve/curves.html"); strings.Count(page, "<circle") != 4 {
		t.Errorf("the page has no 4 points: %s", page)
	}
	q.command("compare", q.path("out"), "--by", "words", "--per-run").ends(t, exitDone).prints(t, "10–40")
}

// cutIntervals leaves the values.
func cutIntervals(rows [][]string) string {
	for _, row := range rows {
		for i := range row {
			row[i], _, _ = strings.Cut(row[i], " [")
		}
	}
	return fmt.Sprint(rows)
}
