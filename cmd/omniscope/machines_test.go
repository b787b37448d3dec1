package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"omniscope/bench/document"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/internal/testing/pgtest"
)

// A fleetRun is a command that several machines can do together.
type fleetRun struct {
	inquest
	args   []string // but those that say where
	server *fake.Server
	env    []string
	pid    int    // of the process that was started last
	away   string // folder in which workers are started; "" = that of the run
}

// start starts the program in a process of its own.
func (f *fleetRun) start(args ...string) (wait func() (string, error), signal func(os.Signal)) {
	f.t.Helper()
	need.Processes(f.t)
	cmd := exec.Command("omniscope", args...)
	cmd.Dir = f.dir
	if args[0] == "worker" {
		cmd.Dir = cmp.Or(f.away, f.dir)
	}
	cmd.Env = append(os.Environ(), append([]string{"OPENAI_API_KEY=k"}, f.env...)...)
	if f.server != nil {
		cmd.Env = append(cmd.Env, "OPENAI_BASE_URL="+f.server.URL())
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	fixture.OK(f.t, cmd.Start())
	f.pid = cmd.Process.Pid
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	return func() (string, error) {
		select {
		case err := <-done:
			return said.String(), err
		case <-time.After(2 * time.Minute):
			cmd.Process.Kill()
			<-done
			return said.String(), errors.New("it took too long")
		}
	}, func(s os.Signal) { cmd.Process.Signal(s) }
}

// must runs the program, which has to end well.
func (f *fleetRun) must(args ...string) {
	f.t.Helper()
	wait, _ := f.start(args...)
	if said, err := wait(); err != nil {
		f.t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, said)
	}
}

// in are the run's arguments, with its folders called name.
func (f *fleetRun) in(name string, more ...string) []string {
	return append(append(f.args[:len(f.args):len(f.args)], "--work-dir", f.path(name+"-work"), "--out", f.path(name)+"/", "--quiet"), more...)
}

// alone does the run on one machine and returns its documents.
func (f *fleetRun) alone() map[string]string {
	f.t.Helper()
	f.must(f.in("alone")...)
	return f.documents("alone")
}

// sharded does the run in four parts on a shared journal.
func (f *fleetRun) sharded(journal string) map[string]string {
	f.t.Helper()
	var all sync.WaitGroup
	for i := range 4 {
		wait, _ := f.start(f.in(fmt.Sprint("part", i), "--journal", journal, "--shard", fmt.Sprintf("%d/4", i))...)
		all.Go(func() {
			if said, err := wait(); err != nil {
				f.t.Errorf("part %d: %v\n%s", i, err, said)
			}
		})
	}
	all.Wait()
	before := number(f.t, journal, "SELECT count(*) FROM call")
	f.must(f.in("sharded", "--journal", journal)...)
	if after := number(f.t, journal, "SELECT count(*) FROM call"); after != before {
		f.t.Errorf("the command that made the results made %d calls", after-before)
	}
	return f.documents("sharded")
}

// byWorkers has four workers do the run.
func (f *fleetRun) byWorkers(journal string) map[string]string {
	f.t.Helper()
	for i := range 4 {
		wait, signal := f.start("worker", "--journal", journal, "--work-dir", f.path(fmt.Sprint("worker", i)), "-j", "4")
		defer func() {
			signal(os.Interrupt)
			if said, err := wait(); err != nil {
				f.t.Errorf("worker %d: %v\n%s", i, err, said)
			}
		}()
	}
	noteHolders(f.t, journal)
	f.must(f.in("workers", "--journal", journal, "--engine", "river")...)
	all := number(f.t, journal, "SELECT count(*) FROM call")
	theirs := number(f.t, journal, fmt.Sprintf("SELECT count(*) FROM call JOIN holder_seen h ON h.id = call.holder WHERE h.name NOT LIKE '%%:%d'", f.pid))
	if theirs != all || all == 0 {
		f.t.Errorf("%d of %d calls were made by workers", theirs, all)
	}
	return f.documents("workers")
}

// documents are the files that a run wrote, without what differs from run to run.
func (f *fleetRun) documents(name string) map[string]string {
	f.t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(f.path(name), func(path string, d fs.DirEntry, err error) error {
		base := filepath.Base(path)
		if err != nil || d.IsDir() || strings.HasPrefix(base, ".") || strings.HasSuffix(base, ".lock") || base == "report.md" || base == "results.csv" {
			return err
		}
		text, err := os.ReadFile(path)
		relative, _ := filepath.Rel(f.path(name), path)
		files[relative] = string(text)
		if base == "results.json" {
			var r document.Results
			if err := json.Unmarshal(text, &r); err != nil {
				return err
			}
			r.Run, r.Usage, r.Judge.Endpoint = document.RunInfo{}, document.UsageInfo{}, nil
			files[relative] = documentOf(f.t, &r)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		f.t.Fatalf("%s: %d documents, %v", name, len(files), err)
	}
	return files
}

// noteHolders has a journal keep which processes held it: when they leave, their rows go.
func noteHolders(t testing.TB, address string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); number(t, address, "SELECT count(*) FROM pg_tables WHERE tablename = 'holder'") == 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no worker has made the journal")
		}
	}
	conn, err := pgx.Connect(t.Context(), address)
	fixture.OK(t, err)
	defer conn.Close(t.Context())
	for _, change := range []string{
		"CREATE TABLE holder_seen(id bigint, name text)",
		"CREATE FUNCTION note_holder() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO holder_seen VALUES (NEW.id, NEW.name); RETURN NEW; END'",
		"CREATE TRIGGER note_holder AFTER INSERT ON holder FOR EACH ROW EXECUTE FUNCTION note_holder()",
	} {
		if _, err := conn.Exec(t.Context(), change); err != nil {
			t.Fatal(err)
		}
	}
}

// number asks a database for one.
func number(t testing.TB, address, query string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	fixture.OK(t, err)
	defer conn.Close(t.Context())
	fixture.OK(t, conn.QueryRow(t.Context(), query).Scan(&n))
	return n
}

// letterB says B, whatever is asked.
var letterB = fake.Config{Model: "mock", Latency: 5 * time.Millisecond, Reply: func(*fake.Request) fake.Reply { return fake.Reply{Content: "B"} }}

// quickRuns are the kinds of runs that take little time.
var quickRuns = []string{"omni-cloze", "mcif", "captions as memory"}

func TestManyMachinesMakeTheResultsOfOne(t *testing.T)     { testManyMachines(t, true) }
func TestLongManyMachinesMakeTheResultsOfOne(t *testing.T) { testManyMachines(t, false) }

// testManyMachines does runs of the quick kinds, or of the others, on one machine, in four
// parts, and by four workers. The documents are the same, and nothing is asked twice.
func testManyMachines(t *testing.T, quick bool) {
	for name, make := range runsOfEachKind(t) {
		if slices.Contains(quickRuns, name) != quick {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newInquest(t)
			f := make(q)
			f.inquest, f.away = q, t.TempDir()
			want := f.alone()
			asked := f.answered()
			for way, documents := range map[string]func(string) map[string]string{"in parts": f.sharded, "by workers": f.byWorkers} {
				before, journal := f.answered(), pgtest.New(t)
				if diff := gocmp.Diff(want, documents(journal)); diff != "" {
					t.Errorf("%s: the documents differ (-one machine +many):\n%.3000s", way, diff)
				}
				if n := f.answered() - before; n != asked {
					t.Errorf("%s: %d answers were given, and %d to one machine", way, n, asked)
				}
				if n := number(t, journal, "SELECT count(*) FROM claim"); n != 0 {
					t.Errorf("%s: %d claims are left", way, n)
				}
				if n := number(t, journal, "SELECT count(*) FROM (SELECT key, source FROM call WHERE outcome = 1 GROUP BY 1, 2 HAVING count(*) > 1) twice"); n != 0 {
					t.Errorf("%s: %d calls were made twice", way, n)
				}
			}
		})
	}
}

// runsOfEachKind are the kinds of runs that several machines can do together.
func runsOfEachKind(t *testing.T) map[string]func(q inquest) *fleetRun {
	return map[string]func(q inquest) *fleetRun{
		"omni-cloze": func(q inquest) *fleetRun {
			tr := newTrial(t, 60)
			return &fleetRun{args: []string{"eval", "omni-cloze", "-p", tr.path("rows.jsonl"), "--judge", "openai/mock"}, server: serve(t, fake.Config{Model: "mock", Latency: 5 * time.Millisecond})}
		},
		"capricorn": func(q inquest) *fleetRun {
			var videos, captions strings.Builder
			for i := range 6 {
				videos.WriteString(videoRow(fmt.Sprint("v", i)))
				fmt.Fprintf(&captions, `{"video_id": "v%d", "caption": "Dog %d barks at a cat."}`+"\n", i, i)
			}
			return &fleetRun{args: []string{"eval", "capricorn", "-p", q.write("rows.jsonl", captions.String()), "--data", q.write("videos.jsonl", videos.String()), "--judge", "openai/mock"},
				server: serve(t, fake.Config{Model: "mock", Reply: fake.CapricornReply(0), Latency: 5 * time.Millisecond})}
		},
		"mcif": func(inquest) *fleetRun {
			q, models, s := networkRun(t)
			return &fleetRun{args: []string{"eval", "mcif", "-s", s.Predictions, "-r", s.Data, "-t", "long", "-l", "de", "--breakdown-qa-types", "--models-dir", models, "--cache-dir", q.path("cache")},
				env: []string{"OMNISCOPE_MODELS_DIR=" + models}}
		},
		"cascade": func(q inquest) *fleetRun {
			var rows, captions []string
			for i := range 60 {
				rows = append(rows, fmt.Sprintf(`{"id": "q%d", "audio_id": "a%d.wav", "question": "Which of %d?", "choices": ["one", "two", "three"], "answer": "two", "task": "sound", "difficulty": "easy"}`, i, i, i))
				captions = append(captions, fmt.Sprintf(`{"id": "a%d", "caption": "It is %d."}`, i, i))
			}
			q.write("data.json", "["+strings.Join(rows, ",")+"]")
			q.write("captions.jsonl", strings.Join(captions, "\n"))
			return &fleetRun{args: []string{"eval", "mmau", "-d", "data.json", "--captions", "captions.jsonl", "--answerer", "openai/mock", "--circular"}, server: serve(t, letterB)}
		},
		"cascade without captions": func(q inquest) *fleetRun {
			q.write("data.json", `[{"id": "q", "audio_id": "a.wav", "question": "?", "choices": ["one", "two"], "answer": "two", "task": "sound", "difficulty": "easy"}]`)
			return &fleetRun{args: []string{"eval", "mmau", "-d", "data.json", "--captions", "none", "--answerer", "openai/mock"}, server: serve(t, letterB)}
		},
		"captions as memory": func(q inquest) *fleetRun {
			var videos, captions []string
			for i := range 12 {
				videos = append(videos, fmt.Sprintf(`"v%d": {"qa_list": [{"question": "Which of %d?", "answer": "one", "question_id": "v%d_Q1", "type": ["a"]}, {"question": "Why?", "answer": "two", "question_id": "v%d_Q2", "type": ["b"]}]}`, i, i, i, i))
				captions = append(captions, fmt.Sprintf(`{"id": "v%d", "caption": ["It is %d.", "It rains.", "It ends."]}`, i, i))
			}
			q.write("web.json", "{"+strings.Join(videos, ",")+"}")
			q.write("captions.jsonl", strings.Join(captions, "\n"))
			server := serve(t, fake.Config{Model: "mock", Latency: 5 * time.Millisecond, Reply: func(*fake.Request) fake.Reply { return fake.Reply{Content: "Yes"} }})
			return &fleetRun{args: []string{"eval", "m3-bench-web", "-d", "web.json", "--captions", "captions.jsonl", "--judge", "openai/mock", "--answerer", "openai/answerer,base-url=" + server.URL(),
				"--embedder", "openai/vectors,base-url=" + server.URL(), "--memory-limit", "10", "--top-k", "1"}, server: server}
		},
		"claims": func(q inquest) *fleetRun {
			claimsFiles(q, 8)
			return &fleetRun{args: claimsArgs, server: serve(q.t, fake.Config{Model: "mock", Latency: 5 * time.Millisecond, Reply: claimsReply})}
		},
		"predict": func(q inquest) *fleetRun {
			var clips []string
			for i := range 5 {
				clips = append(clips, q.toneClip(fmt.Sprintf("clip%d.mp4", i), 300+40*i))
			}
			c := startCaptioner(t)
			return &fleetRun{args: append([]string{"caption", "--model", "openai/m"}, clips...), server: c.Server}
		},
		"predict of a benchmark": func(q inquest) *fleetRun {
			var rows strings.Builder
			for i := range 5 {
				name := fmt.Sprintf("clip%d.mp4", i)
				q.toneClip(name, 300+40*i)
				rows.WriteString(strings.Replace(videoRow(fmt.Sprint("v", i)), "{", `{"video_path": "`+name+`", `, 1))
			}
			q.write("videos.jsonl", rows.String())
			c := startCaptioner(t)
			return &fleetRun{args: []string{"run", "capricorn", "--no-score", "--model", "openai/m", "--data", "videos.jsonl", "--media", "."}, server: c.Server}
		},
		"investigate": func(q inquest) *fleetRun {
			var clips []string
			for i := range 5 {
				clips = append(clips, q.toneClip(fmt.Sprintf("clip%d.mp4", i), 300+40*i))
			}
			return &fleetRun{args: append([]string{"caption", "--tools", "sound,scene", "--detective", "offline", "--concurrency", "1"}, clips...)}
		},
	}
}

// answered is how many questions the server has answered.
func (f *fleetRun) answered() int {
	if f.server == nil {
		return 0
	}
	return int(f.server.Stats().Answered)
}
