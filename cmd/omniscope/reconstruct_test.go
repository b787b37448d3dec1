package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

// Two systems, by names that stand nowhere else.
var reconstructed = []string{"zebra-captioner", "quokka-captioner"}

// A reconstruction is a folder with clips and captions, in which the program runs.
type reconstruction struct {
	*peopleProgram
	clips int
}

func newReconstruction(t *testing.T, clips int) *reconstruction {
	t.Helper()
	r := &reconstruction{newPeopleProgram(t), clips}
	fixture.OK(t, os.Mkdir(filepath.Join(r.dir, "clips"), 0o755))
	var list strings.Builder
	captions := make([]strings.Builder, len(reconstructed))
	for c := range clips {
		film, err := fake.Film(float64(2+c%3), 1+c%2, false)
		if err != nil {
			t.Skipf("no clips can be made: %v", err)
		}
		r.write(fmt.Sprintf("clips/c%02d.mp4", c), string(fake.Marked(film, fmt.Sprint("clip ", c))))
		fmt.Fprintf(&list, `{"id": "c%02d", "path": "clips/c%02d.mp4"}`+"\n", c, c)
		for s := range reconstructed {
			fmt.Fprintf(&captions[s], `{"id": "c%02d", "caption": "captionmark %d of %d: a dog barks."}`+"\n", c, s, c)
		}
	}
	r.write("clips.jsonl", list.String())
	for s, system := range reconstructed {
		r.write(system+".jsonl", captions[s].String())
	}
	return r
}

// args are those of the command, with an endpoint or a program as the generator.
func (r *reconstruction) args(out, generator string, more ...string) []string {
	args := []string{"reconstruct", "--originals", "clips.jsonl", "--generator", generator, "--out", out, "--draw", "0", "--seed", "7", "--poll", "10ms", "--retry-wait", "5ms", "--quiet"}
	for _, s := range reconstructed {
		args = append(args, "--captions", s+"="+s+".jsonl")
	}
	return append(args, more...)
}

// reconstructionServer makes films of prompts, and misbehaves by the clip's number: see misbehave.
func reconstructionServer(t *testing.T, behave func(clip, system int) fake.VideoBehaviour) *fake.Videos {
	t.Helper()
	return (&fake.Videos{
		Behave: func(prompt string) fake.VideoBehaviour {
			clip, system := ofPrompt(prompt)
			return behave(clip, system)
		},
		Video: func(prompt, seconds string) ([]byte, error) {
			length, err := strconv.ParseFloat(seconds, 64)
			if err != nil {
				return nil, err
			}
			film, err := fake.Film(length, 2, strings.HasSuffix(prompt, "1."))
			return fake.Marked(film, "prompt="+prompt), err
		},
	}).Start(t)
}

var numbers = regexp.MustCompile(`captionmark (\d+) of (\d+)`)

func ofPrompt(prompt string) (clip, system int) {
	found := numbers.FindStringSubmatch(prompt)
	system, _ = strconv.Atoi(found[1])
	clip, _ = strconv.Atoi(found[2])
	return clip, system
}

func misbehave(clip, system int) fake.VideoBehaviour {
	b := fake.VideoBehaviour{Polls: clip % 3, Delay: 5 * time.Millisecond}
	switch n := 2*clip + system; {
	case n == 4:
		b.Fail = "internal_error"
	case n == 15:
		b.Fail = "moderation_blocked"
	case n == 26:
		b.State = "expired"
	case n%10 == 1:
		b.Refuse, b.RetryAfter = []int{429, 429}, "0.01"
	case n%10 == 3:
		b.Refuse = []int{500}
	case n%10 == 7:
		b.Truncate = 2
	case n%10 == 8:
		b.Polls, b.BadPolls = 12, []int{500, 503}
	case n == 9:
		b.Lost = 1
	}
	return b
}

// results are the files of a folder that two runs must agree on, and its videos. Ids of jobs are the server's.
func (r *reconstruction) results(out string) string {
	r.t.Helper()
	var all strings.Builder
	for _, name := range []string{"pairs.jsonl", "key.jsonl", "failures.jsonl", "automatic.jsonl", "automatic.md"} {
		all.WriteString(regexp.MustCompile(`"job":"[^"]*"`).ReplaceAllString(r.read(filepath.Join(out, name)), `"job":""`))
	}
	files, err := filepath.Glob(filepath.Join(r.dir, out, "videos", "*"))
	fixture.OK(r.t, err)
	slices.Sort(files)
	for _, f := range files {
		text, err := os.ReadFile(f)
		fixture.OK(r.t, err)
		fmt.Fprintf(&all, "%s %d %d\n", filepath.Base(f), len(text), bytes.Count(text, []byte("prompt=")))
	}
	return all.String()
}

// soaked is a size of a test: the usual one, or that of the paper, which takes several minutes.
func soaked(usual, all int) int {
	if os.Getenv(soakEnv) != "" {
		return all
	}
	return usual
}

// TestLongReconstructKilled kills the program again and again, at moments that a seed draws, while a server
// misbehaves. No order is repeated by the program itself; where the user has orders repeated whose reply
// never came, no job is taken twice; and in the end there is what an undisturbed run made.
func TestLongReconstructKilled(t *testing.T) {
	clips, kills := soaked(16, 50), soaked(10, 30)
	r := newReconstruction(t, clips)
	all := 2 * clips
	quiet := reconstructionServer(t, misbehave)
	// Failures are a few, and more than --max-failures in the small test.
	finish := func(s *fake.Videos, out string) {
		generator := "openai/mock,base-url=" + s.URL()
		r.exits(0, r.args(out, generator, "--max-failures", "0.9")...)
		r.exits(0, r.args(out, generator, "--max-failures", "0.9", "--order-again")...)
	}
	finish(quiet, "undisturbed")
	if n := len(quiet.Jobs()); n != all {
		t.Fatalf("an undisturbed run ordered %d jobs, want %d", n, all)
	}

	server := reconstructionServer(t, misbehave)
	random := rand.New(rand.NewPCG(uint64(kills), 1))
	killed := 0
	for range kills {
		cmd := r.command(r.args("killed", "openai/mock,base-url="+server.URL(), "--max-failures", "0.9")...)
		fixture.OK(t, cmd.Start())
		before, moment := server.Stats().Requests, 1+random.IntN(max(2, 12*all/kills))
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		deadline := time.Now().Add(20 * time.Second)
		for server.Stats().Requests < before+moment && time.Now().Before(deadline) && len(ended) == 0 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(random.IntN(15)) * time.Millisecond)
		cmd.Process.Kill()
		if err := <-ended; err != nil && strings.Contains(err.Error(), "killed") {
			killed++
		}
	}
	if n := server.Repeats(); n > 0 {
		t.Errorf("%d orders were repeated without being asked for", n)
	}
	alone := len(server.Jobs())
	finish(server, "killed")
	t.Logf("%d of %d commands were killed; %d jobs were taken until then, %d orders repeated by --order-again", killed, kills, alone, server.Repeats())
	if killed < kills/2 {
		t.Errorf("only %d of %d commands were killed", killed, kills)
	}
	taken := make(map[string]int)
	for _, j := range server.Jobs() {
		taken[j.Prompt]++
	}
	for prompt, n := range taken {
		if n != 1 {
			t.Errorf("%d jobs were taken of %q", n, prompt)
		}
	}
	if len(taken) != all {
		t.Errorf("%d jobs were taken, want %d", len(taken), all)
	}
	if a, b := r.results("undisturbed"), r.results("killed"); a != b {
		t.Errorf("the results differ:\n%s\n---\n%s", a, b)
	}
	asked := server.Stats().Requests
	r.exits(0, r.args("killed", "openai/mock,base-url="+server.URL(), "--max-failures", "0.9")...)
	if n := server.Stats().Requests; n != asked {
		t.Errorf("a command with nothing left to do made %d requests", n-asked)
	}
}

// TestLongReconstructWithProgram has ffmpeg make the videos, and kills that, too.
func TestLongReconstructWithProgram(t *testing.T) {
	clips, kills := soaked(12, 50), soaked(6, 20)
	r := newReconstruction(t, clips)
	generator := "exec:ffmpeg -v error -nostdin -fflags +bitexact -f lavfi -i testsrc2=size=64x48:rate=10 -t {seconds} -passlogfile {prompt_file} -fflags +bitexact -flags:v +bitexact {out}"
	r.exits(0, r.args("undisturbed", generator)...)
	for n := range kills {
		cmd := r.command(r.args("killed", generator, "-j", "2")...)
		fixture.OK(t, cmd.Start())
		time.Sleep(time.Duration(200+100*(n%5)) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
	}
	r.exits(0, r.args("killed", generator)...)
	if a, b := r.results("undisturbed"), r.results("killed"); a != b || strings.Count(a, "hidden-") != 4*clips {
		t.Errorf("the results differ, or lack videos:\n%s\n---\n%s", a, b)
	}
	if left, _ := filepath.Glob(filepath.Join(r.dir, "killed", "videos", ".*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	seconds := regexp.MustCompile(`"seconds_ordered":(\d+)`).FindAllStringSubmatch(r.read("killed/automatic.jsonl"), -1)
	if len(seconds) != 2*clips || seconds[0][1] > "4" {
		t.Errorf("%d videos, the first of %q s", len(seconds), seconds[0])
	}
}

// TestLongReconstructRated has three people rate reconstructions through the pages, keeps all that their
// browsers are sent, and looks for what would tell whose a video is. Then the report has the means.
func TestLongReconstructRated(t *testing.T) {
	clips := soaked(15, 50)
	r := newReconstruction(t, clips)
	server := reconstructionServer(t, func(int, int) fake.VideoBehaviour { return fake.VideoBehaviour{} })
	r.exits(0, r.args("made", "openai/mock,base-url="+server.URL())...)
	for _, name := range append(slices.Clone(reconstructed), "captionmark") {
		if strings.Contains(r.read("made/pairs.jsonl"), name) {
			t.Errorf("pairs.jsonl has %s", name)
		}
	}
	r.exits(0, "people", "new", "rating", "ratings", "--pairs", "made/pairs.jsonl", "--controls", "2", "--seed", "3")
	links := make(map[string]string)
	for _, id := range []string{"ann", "ben", "cas"} {
		links[id] = r.link(r.exits(0, "people", "invite", "ratings", id, "--role", "voter"))
	}
	items := r.ratedItems()
	served := r.serve("people", "serve", "ratings", "--listen", "127.0.0.1:0", "--media", "made", "--media", ".")
	var mu sync.Mutex
	sums, counts := make(map[string]float64), make(map[string]float64)
	secrets := [][]byte{[]byte("captionmark"), []byte("hidden-"), []byte("prompt=")}
	for _, s := range reconstructed {
		secrets = append(secrets, []byte(s))
	}
	for _, k := range strings.Split(strings.TrimSpace(r.read("made/key.jsonl")), "\n") {
		var key struct{ Name string }
		fixture.OK(t, json.Unmarshal([]byte(k), &key))
		secrets = append(secrets, []byte(key.Name))
	}
	var raters sync.WaitGroup
	for n, id := range []string{"ann", "ben", "cas"} {
		raters.Go(func() {
			b := served.signIn(links[id])
			look := func(method, path string) (int, string) {
				status, body := b.do(method, path, nil)
				for _, s := range secrets {
					if bytes.Contains([]byte(body), s) {
						t.Errorf("%s %s has %q", method, path, s)
					}
				}
				return status, body
			}
			for _, path := range []string{"/overview", "/results", "/export/ratings", "/export/events"} {
				if status, _ := look("GET", path); status != 403 {
					t.Errorf("%s shows %s: %d", path, id, status)
				}
			}
			for {
				look("GET", "/")
				_, page := look("POST", "/next/rate")
				found := taskOnPage.FindStringSubmatch(page)
				if found == nil {
					return
				}
				var task struct {
					Item  string
					Media []struct{ Address, Trouble string }
				}
				if err := json.Unmarshal([]byte(found[1]), &task); err != nil || len(task.Media) != 2 {
					t.Errorf("%v: %+v", err, task)
					return
				}
				look("GET", "/task/rate/"+task.Item)
				for _, m := range task.Media {
					lookAtClip(t, look, m.Address)
				}
				it := items[task.Item]
				similarity, consistency := it.quality(n, clips)
				b.submit("rate", task.Item, "rating", map[string]any{"similarity": strconv.Itoa(similarity), "subject-consistency": strconv.Itoa(consistency)})
				mu.Lock()
				if it.Control == "" {
					sums[it.System] += float64(similarity)
					counts[it.System]++
				}
				mu.Unlock()
			}
		})
	}
	raters.Wait()
	if t.Failed() {
		return
	}
	if len(counts) != 2 || counts["hidden-1"] != float64(3*clips) {
		t.Fatalf("rated: %v", counts)
	}
	served.kill()
	r.checkReport(sums, counts)
}

// lookAtClip gets all that a page shows of a clip, once it is ready.
func lookAtClip(t *testing.T, look func(method, path string) (int, string), address string) {
	deadline := time.Now().Add(5 * time.Minute)
	for time.Now().Before(deadline) {
		var info struct {
			Ready                         bool
			Address, Player, Times, Peaks string
			Shots                         []struct{ Picture string }
		}
		status, body := look("GET", address+"ready")
		if err := json.Unmarshal([]byte(body), &info); err != nil || status != 200 {
			t.Errorf("%sready: %d %s", address, status, body)
			return
		}
		if !info.Ready {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		for _, file := range []string{info.Player, info.Times, info.Peaks} {
			if file == "" {
				continue
			}
			if status, _ := look("GET", info.Address+file); status != 200 {
				t.Errorf("%s%s: %d", info.Address, file, status)
			}
		}
		return
	}
	t.Errorf("%s was never ready", address)
}

// A ratedItem is what the project's log holds of an item and raters do not see.
type ratedItem struct{ Clip, System, Control, Again string }

// quality is how a scripted person rates.
func (i ratedItem) quality(person, clips int) (similarity, consistency int) {
	if i.Control == "original" {
		return 5, 5
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(i.Clip, "c"))
	similarity = 2 + n%2
	if i.System == "hidden-1" {
		similarity++
	}
	if person == 2 && n%3 == 0 {
		similarity--
	}
	return similarity, 6 - similarity
}

// ratedItems are the items of the project, from its log.
func (r *reconstruction) ratedItems() map[string]ratedItem {
	r.t.Helper()
	r.exits(0, "people", "export", "ratings", "events", "--out", "log")
	items := make(map[string]ratedItem)
	files, _ := filepath.Glob(filepath.Join(r.dir, "log*", "events.jsonl"))
	if len(files) != 1 {
		r.t.Fatalf("no events: %q", files)
	}
	text := fixture.Read(r.t, files[0])
	for line := range strings.Lines(text) {
		var e struct {
			Body struct {
				ID      string
				Payload ratedItem
			}
		}
		if err := json.Unmarshal([]byte(line), &e); err == nil && e.Body.Payload.Clip != "" {
			items[e.Body.ID] = e.Body.Payload
		}
	}
	return items
}

// checkReport compares the report with the means of what was rated.
func (r *reconstruction) checkReport(sums, counts map[string]float64) {
	t := r.t
	t.Helper()
	codes := make(map[string]string)
	for line := range strings.Lines(r.read("made/key.jsonl")) {
		var key struct{ Code, System string }
		fixture.OK(t, json.Unmarshal([]byte(line), &key))
		codes[key.Code] = key.System
	}
	better := codes["hidden-1"]
	scores := "system,Acc,Cov,Ref\n"
	for _, s := range reconstructed {
		scores += s + map[bool]string{true: ",60,40,70\n", false: ",30,20,50\n"}[s == better]
	}
	r.write("scores.csv", scores)
	out := r.exits(0, "reconstruct", "report", "made", "--ratings", "ratings", "--scores", "scores.csv", "--out", "figure")
	for _, want := range []string{`similarity +Acc/Cov +2 +1\.000`, `similarity +Ref +2 +1\.000`, `subject-consistency +Acc/Cov +2 +-1\.000`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("the report lacks %s:\n%s", want, out)
		}
	}
	systems := r.read("figure/systems.csv")
	for code, system := range codes {
		mean := sums[code] / counts[code]
		if want := fmt.Sprintf("similarity,%s,%.2f,", system, mean); !strings.Contains(systems, want) || math.IsNaN(mean) {
			t.Errorf("systems.csv lacks %s:\n%s", want, systems)
		}
	}
	for file, want := range map[string]string{"relations.csv": "scale,score,systems,Pearson r", "scatter.html": "<svg", "report.md": "Krippendorff", "report.json": "omniscope/reconstruct-report/1"} {
		if !strings.Contains(r.read("figure/"+file), want) {
			t.Errorf("%s lacks %q", file, want)
		}
	}
	// The project's exports say the same.
	r.exits(0, "people", "export", "ratings", "ratings", "--out", "csv")
	if again := r.exits(0, "reconstruct", "report", "made", "--ratings", "csv/ratings.csv", "--scores", "scores.csv"); !regexp.MustCompile(`similarity +Acc/Cov +2 +1\.000`).MatchString(again) {
		t.Errorf("of the file:\n%s", again)
	}
}
