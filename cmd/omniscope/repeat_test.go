package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/bench/document"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/results/repeat"
)

// seedsOf counts the requests of each seed.
type seedsOf map[int64]int

func (s seedsOf) count(body []byte) {
	var request struct{ Seed *int64 }
	if json.Unmarshal(body, &request) == nil && request.Seed != nil {
		s[*request.Seed]++
	}
}

func TestRepeatedJudgements(t *testing.T) {
	t.Parallel()
	const samples = 4
	tr, seeds := newTrial(t, samples), make(seedsOf)
	reply := fake.ClozeReply(nil, 0) // by a hash of the request, seed included
	server := serve(t, fake.Config{Model: "mock", Reply: func(r *fake.Request) fake.Reply {
		seeds.count(r.Body)
		return reply(r)
	}})
	flags := []string{"--repeat", "3", "--concurrency", "1", "--judge-exam=false"}
	v := tr.eval(server.URL(), flags...)
	v.ends(t, exitDone)
	if fmt.Sprint(seeds) != "map[1:4 2:4 3:4]" {
		t.Errorf("requests by seed: %v", seeds)
	}
	if !strings.Contains(v.out, "3 repetitions, scoring strict") || !strings.Contains(v.out, "pass@k") {
		t.Errorf("%s", v.out)
	}

	var d repeat.Document
	q := inquest{tr.t, tr.dir}
	fixture.OK(t, json.Unmarshal([]byte(q.read("out/repeat.json")), &d))
	sum := 0.0
	for n := 1; n <= 3; n++ {
		var r document.Results
		fixture.OK(t, json.Unmarshal([]byte(q.read(fmt.Sprintf("out/repetition-%d/results.json", n))), &r))
		sum += *r.Headline.Scores["accuracy"].Value
		if !strings.Contains(r.Signature, fmt.Sprintf("|repetition:%d|", n)) {
			t.Errorf("repetition %d has the signature %s", n, r.Signature)
		}
	}
	if d.Samples != samples || len(d.Repetitions) != 3 || !strings.Contains(q.read("out/repeat.json"), `"mean"`) {
		t.Errorf("%d samples, %d repetitions", d.Samples, len(d.Repetitions))
	}
	for _, p := range d.Scorings {
		if mean := p.Scores[0].Mean.Value; p.Name == "strict" && (mean == nil || math.Abs(*mean-sum/3) > 1e-12) {
			t.Errorf("mean %v, want %v", mean, sum/3)
		}
	}

	tr.eval(server.URL(), flags...).ends(t, exitDone)
	if n := server.Stats().Answered; n != 3*samples {
		t.Errorf("%d answers, want %d: the second command asks nothing", n, 3*samples)
	}
	tr.asking(",temperature=0.5").eval(server.URL(), "--repeat", "2", "--concurrency", "1", "--judge-exam=false").ends(t, exitUsage)
	for _, x := range []struct{ flags, says string }{
		{"--judge offline --repeat 2", "the offline baseline always says the same"},
		{"--repeat 0", "--repeat must be at least 1"},
		{"--repeat 2 --shard 0/2", "leave out --repeat"},
		{"--repeat 2 --json", "--json is for one run"},
	} {
		tr.eval(server.URL(), strings.Fields(x.flags)...).ends(t, exitUsage).says(t, x.says)
	}
	tr.asking(",extra.seed=7").eval(server.URL(), "--repeat", "2").ends(t, exitUsage).says(t, "extra.seed gives a seed")
}

func TestRepeatedAnswers(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	q.shortClip("film.mp4")
	rows := q.write("rows.jsonl", clozeOfFilm)
	args := []string{"run", "omni-cloze", "--data", rows, "--model", "openai/m,base-url=" + c.URL(), "--work-dir", q.path("work"), "--quiet", "--blind-share", "0", "--repeat", "2", "--out", q.path("out")}
	for range 2 {
		v := q.command(args...)
		if v.code != exitDone || c.Stats().Answered != 2 || !strings.Contains(v.out, "2 repetitions, scoring official") {
			t.Fatalf("exit %d, %d calls: %s%s", v.code, c.Stats().Answered, v.out, v.errOut)
		}
	}
	q.command(append(args, "--judge", "openai/m", "--judge", "openai/n", "--out", q.path("two"))...).ends(t, exitUsage).says(t, "--repeat is for one judge")
	fixture.OK(t, os.Remove(q.path("out/omni-cloze/m/repeat.json")))
	if v := q.command(append(args, "--json")...); v.code != exitDone || !json.Valid([]byte(v.out)) {
		t.Errorf("exit %d, no JSON: %s%s", v.code, v.out, v.errOut)
	}
	var d repeat.Document
	fixture.OK(t, json.Unmarshal([]byte(q.read("out/omni-cloze/m/repeat.json")), &d))
	if d.System != "m" || len(d.Repetitions) != 2 || d.Samples != 1 {
		t.Errorf("%+v", d)
	}
}

// TestRepeatedAnswersWithoutAJudge repeats a benchmark that asks no judge: its repetitions have different signatures, too.
func TestRepeatedAnswersWithoutAJudge(t *testing.T) {
	t.Parallel()
	set := golden.Path(t, "mcif", "build", "case_a", "OUT")
	q, c := newInquest(t), startCaptioner(t)
	source := filepath.Join(set, "MCIF1.0.IF.long.de.src.fixedprompts.xml")
	defs, err := mcifxml.ReadDefinitions(t.Context(), source, "long", "de", mcifxml.Options{})
	fixture.OK(t, err)
	q.mediaOf(set, defs, "none", "none")
	args := []string{"run", "mcif", "--data", source, "--media", q.path("media"), "--modality", "text", "--model", "openai/m,base-url=" + c.URL(), "--work-dir", q.path("work"), "--quiet", "--blind-share", "0",
		"--scorers", "lengths", "--repeat", "2", "--out", q.path("out")}
	v := q.command(args...)
	if v.code != exitDone || !strings.Contains(v.out, "2 repetitions, scoring official") {
		t.Errorf("exit %d: %s%s", v.code, v.out, v.errOut)
	}
}

func TestRepeatedDescriptionsOfTheDetective(t *testing.T) {
	t.Parallel()
	q, seeds := newInquest(t), make(seedsOf)
	server := serve(t, fake.Config{Model: "m", Reply: func(r *fake.Request) fake.Reply {
		seeds.count(r.Body)
		return fake.Reply{Content: "A test card."}
	}})
	q.shortClip("film.mp4")
	rows := q.write("rows.jsonl", clozeOfFilm)
	v := q.command("run", "omni-cloze", "--data", rows, "--model", "detective", "--tools", "scene", "--observer", "openai/m,base-url="+server.URL(), "--inquiries", "3",
		"--concurrency", "1", "--work-dir", q.path("work"), "--quiet", "--repeat", "2", "--out", q.path("out"), "--max-failures", "1")
	if v.code != exitDone || seeds[1] == 0 || seeds[1] != seeds[2] || len(seeds) != 2 {
		t.Errorf("exit %d, requests by seed %v: %s%s", v.code, seeds, v.out, v.errOut)
	}
}
