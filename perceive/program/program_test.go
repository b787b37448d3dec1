package program

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
	"omniscope/perceive"
)

// TestMain is also the programs of the tests: the first argument says which.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "play" {
		play(os.Args[2], os.Args[3:])
		return
	}
	os.Exit(m.Run())
}

const birds = `"name": "birds", "version": "2", "about": "Names birds\nby their song.", "modality": "audio", "asks": true`

// play answers questions as a program of that kind does.
func play(kind string, args []string) {
	in := bufio.NewScanner(os.Stdin)
	for n := 1; in.Scan(); n++ {
		var asked struct {
			ID       int     `json:"id"`
			Describe bool    `json:"describe"`
			Path     string  `json:"path"`
			StartS   float64 `json:"start_s"`
			EndS     float64 `json:"end_s"`
			Question string  `json:"question"`
		}
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			panic(err)
		}
		if kind == "describes" {
			fmt.Printf("{\"id\": %d, %s}\n", asked.ID, args[0])
			continue
		}
		if asked.Describe {
			fmt.Printf("{\"id\": %d, %s}\n", asked.ID, birds)
			continue
		}
		say := func(format string, args ...any) {
			fmt.Printf("{\"id\": %d, %s}\n", asked.ID, fmt.Sprintf(format, args...))
		}
		switch kind {
		case "good":
			say(`"observations": [{"what": "Asked %s of %s from %v to %v.", "start_s": 1, "end_s": 2.5, "sure": 0.8}, {"what": "A robin.", "quote": "tick"}]`, asked.Question, filepath.Base(asked.Path), asked.StartS, asked.EndS)
		case "counts":
			say(`"text": "call %d of this process"`, n-1)
		case "says":
			fmt.Println(strings.ReplaceAll(args[0], "ID", fmt.Sprint(asked.ID)))
		case "error":
			say(`"error": "there is no\nsound in it"`)
		case "dies":
			fmt.Fprintln(os.Stderr, "Traceback\nValueError: out of memory")
			os.Exit(3)
		case "dies later":
			if n > 2 {
				os.Exit(1)
			}
			say(`"text": "call %d"`, n-1)
		case "hangs":
			time.Sleep(time.Hour)
		case "floods":
			for {
				fmt.Print(strings.Repeat("x", 1000))
			}
		}
	}
}

func opened(t *testing.T, o Options, args ...string) *Tool {
	t.Helper()
	o.Command = append([]string{os.Args[0], "play"}, args...)
	tool, err := Open(t.Context(), o)
	fixture.OK(t, err)
	t.Cleanup(func() { tool.Close() })
	return tool
}

var clip = &perceive.Clip{Clip: omniscope.Clip{Path: "/clips/a b.mp4", Span: omniscope.Span{Start: time.Second}}, File: &media.File{Duration: 9 * time.Second}}

func TestToolAnswers(t *testing.T) {
	tool := opened(t, Options{}, "good")
	info := tool.Info()
	if info.Name != "birds" || !strings.HasPrefix(info.Version, "2 ") || info.About != "Names birds by their song." || info.Modality != omniscope.Audio || !info.Asks {
		t.Errorf("%+v", info)
	}
	a, err := tool.Observe(t.Context(), clip, "which birds?")
	if err != nil || len(a.Observations) != 2 {
		t.Fatalf("%+v, %v", a, err)
	}
	first, second := a.Observations[0], a.Observations[1]
	if first.What != "Asked which birds? of a b.mp4 from 1 to 9." || first.Kind != perceive.Reported || first.Sure != 0.8 || first.Span != (omniscope.Span{Start: time.Second, End: 2500 * time.Millisecond}) {
		t.Errorf("%+v", first)
	}
	if second.Sure != 0.5 || second.Quote != "tick" {
		t.Errorf("%+v", second)
	}
}

// TestProcessesAreKept shows that a process answers many questions, and that no more run than may.
func TestProcessesAreKept(t *testing.T) {
	tool := opened(t, Options{Processes: 2}, "counts")
	var all sync.WaitGroup
	var mu sync.Mutex
	said := make(map[string]int)
	for range 20 {
		all.Go(func() {
			a, err := tool.Observe(t.Context(), clip, "")
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			said[a.Text]++
		})
	}
	all.Wait()
	for text, n := range said {
		if n > 2 {
			t.Errorf("%d processes say %q", n, text)
		}
	}
	if len(said) < 10 {
		t.Errorf("20 calls were made by %d or more processes", 20/max(len(said), 1))
	}
}

// TestDescriptionsRefused shows which descriptions are no tool's, and what is said of them.
func TestDescriptionsRefused(t *testing.T) {
	for name, c := range map[string]struct{ says, why string }{
		"a bad name":   {`"name": "../birds"`, `it calls itself "../birds"`},
		"no version":   {`"name": "birds"`, `it names no "version"`},
		"no about":     {`"name": "birds", "version": "1"`, `it does not say "about"`},
		"no modality":  {`"name": "birds", "version": "1", "about": "x", "modality": "smell"`, `its "modality" is "smell"`},
		"another form": {`"name": 7`, "its answer has another form"},
	} {
		if _, err := Open(t.Context(), Options{Command: []string{os.Args[0], "play", "describes", c.says}}); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(t.Context(), Options{Command: []string{filepath.Join(t.TempDir(), "none")}}); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "cannot be started") {
		t.Errorf("a program that is not there: %v", err)
	}
	if _, err := Open(t.Context(), Options{}); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("no program: %v", err)
	}
}

// TestProgramsThatMisbehave shows that a program harms nothing but its own answer.
func TestProgramsThatMisbehave(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		kind omniscope.Kind
		why  string
	}{
		"it dies":                   {[]string{"dies"}, omniscope.Exhausted, "it ended with exit code 3, without an answer; it wrote: ValueError: out of memory"},
		"it hangs":                  {[]string{"hangs"}, omniscope.Exhausted, "it did not answer within"},
		"it floods":                 {[]string{"floods"}, omniscope.Malformed, "more than 1048576 bytes"},
		"it says so":                {[]string{"error"}, omniscope.Exhausted, "it says: there is no sound in it"},
		"no JSON":                   {[]string{"says", "Loading model..."}, omniscope.Malformed, "no JSON object in a line: Loading model..."},
		"another's answer":          {[]string{"says", `{"id": 99, "text": "x"}`}, omniscope.Malformed, `has not the "id"`},
		"no id":                     {[]string{"says", `{"text": "x"}`}, omniscope.Malformed, `has not the "id"`},
		"an observation of nothing": {[]string{"says", `{"id": ID, "observations": [{"what": " "}]}`}, omniscope.Malformed, `observation 1 has no "what"`},
		"surer than sure":           {[]string{"says", `{"id": ID, "observations": [{"what": "x", "sure": 7}]}`}, omniscope.Malformed, "7 sure"},
		"backwards in time":         {[]string{"says", `{"id": ID, "observations": [{"what": "x", "start_s": 7, "end_s": 3}]}`}, omniscope.Malformed, "from 7 to 3 s"},
		"text that is a list":       {[]string{"says", `{"id": ID, "text": ["x"]}`}, omniscope.Malformed, "another form"},
	} {
		t.Run(name, func(t *testing.T) {
			tool := opened(t, Options{Timeout: 2 * time.Second}, c.args...)
			for range 2 { // the second call meets a new process
				_, err := tool.Observe(t.Context(), clip, "")
				if omniscope.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.why) || len(err.Error()) > 1000 {
					t.Errorf("%v", err)
				}
			}
		})
	}
}

func TestDeadProcessIsStartedAgain(t *testing.T) {
	tool := opened(t, Options{}, "dies later")
	for n := range 4 {
		if a, err := tool.Observe(t.Context(), clip, ""); err != nil || a.Text == "" {
			t.Errorf("call %d: %+v, %v", n+1, a, err)
		}
	}
}

func TestLongAnswersAreCut(t *testing.T) {
	r := reply{Text: strings.Repeat("ä", 100_000)}
	for range 600 {
		r.Observations = append(r.Observations, observation{What: strings.Repeat("ö", 5000)})
	}
	a, err := r.answer()
	if err != nil || len(a.Text) > longestLine/16+4 || len(a.Observations) != mostObserved || len(a.Observations[0].What) > longestWhat+4 || len(a.Warnings) != 1 {
		t.Errorf("%d, %d, %v", len(a.Text), len(a.Observations), err)
	}
}

func TestCallEndsWithItsContext(t *testing.T) {
	tool := opened(t, Options{}, "hangs")
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if _, err := tool.Observe(ctx, clip, ""); err != context.DeadlineExceeded {
		t.Error(err)
	}
}
