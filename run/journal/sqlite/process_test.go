package sqlite_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/run/journal/sqlite"
)

// The test binary is its own second process: with this set it plays a part and ends.
const partVariable = "OMNISCOPE_STORE_TEST_PART"

func TestMain(m *testing.M) {
	if part := os.Getenv(partVariable); part != "" {
		if err := play(part, os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func play(part, dir, name, from, count string) error {
	switch part {
	case "lock":
		if _, err := sqlite.LockRun(dir, name); err != nil {
			return err
		}
		fmt.Println("locked")
		_, err := io.Copy(io.Discard, os.Stdin) // until killed
		return err
	case "append":
		first, err := strconv.Atoi(from)
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(count)
		if err != nil {
			return err
		}
		return appendAndTell(dir, name, first, n)
	}
	return fmt.Errorf("no part called %q", part)
}

// appendAndTell appends numbered entries and prints the number of each once it
// was acknowledged.
func appendAndTell(dir, name string, first, count int) error {
	s, err := sqlite.Open(dir)
	if err != nil {
		return err
	}
	defer s.Close()
	j, err := s.Run(context.Background(), journal.Description{Name: name, Manifest: "{}"})
	if err != nil {
		return err
	}
	defer j.Close()
	var next atomic.Int64
	var failed atomic.Value
	var appends sync.WaitGroup
	for range 64 {
		appends.Go(func() {
			for failed.Load() == nil {
				i := int(next.Add(1)) - 1
				if i >= count {
					return
				}
				if err := j.Append(context.Background(), heavy(first+i)); err != nil {
					failed.Store(err)
					return
				}
				fmt.Fprintln(os.Stdout, first+i) // one write: whole lines
			}
		})
	}
	appends.Wait()
	err, _ = failed.Load().(error)
	return err
}

type child struct {
	*exec.Cmd
	out io.Reader
}

func startChild(t *testing.T, part, dir, name string, first, count int) *child {
	t.Helper()
	need.Processes(t)
	cmd := exec.Command(os.Args[0], dir, name, strconv.Itoa(first), strconv.Itoa(count))
	cmd.Env = append(os.Environ(), partVariable+"="+part)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	fixture.OK(t, err)
	if _, err := cmd.StdinPipe(); err != nil { // held open until the test ends
		t.Fatal(err)
	}
	fixture.OK(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	return &child{cmd, out}
}

func (c *child) kill(t *testing.T) {
	t.Helper()
	fixture.OK(t, c.Process.Kill())
	c.Wait()
}

// TestKill kills a process that appends, again and again, and looks for every
// answer it had been promised. OMNISCOPE_SOAK sets the number of rounds.
func TestKill(t *testing.T) {
	rounds := 5
	if soak, err := strconv.Atoi(os.Getenv("OMNISCOPE_SOAK")); err == nil {
		rounds = soak
	}
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	var acknowledged []int
	for round := range rounds {
		c := startChild(t, "append", dir, "run", round*1_000_000, 1_000_000)
		life := 1 + random.IntN(3000) // the log is checkpointed every 2,000 or so
		lines := bufio.NewScanner(c.out)
		for told := 1; lines.Scan(); told++ {
			n, err := strconv.Atoi(lines.Text())
			fixture.OK(t, err)
			acknowledged = append(acknowledged, n)
			if told == life { // and read on what it had told by then
				fixture.OK(t, c.Process.Kill())
			}
		}
		c.Wait()
		mustHaveAll(t, dir, acknowledged)
		t.Logf("round %d: killed after %d answers, %d acknowledged in all", round, life, len(acknowledged))
	}
}

// heavy makes an entry as large as a model's answer.
func heavy(n int) *run.Entry {
	e := numbered(n)
	e.Result = fmt.Appendf(nil, `{"answer":%d,"text":"%s"}`, n, strings.Repeat("word ", 600))
	return e
}

// mustHaveAll reopens the journal and checks answers and request texts.
func mustHaveAll(t *testing.T, dir string, acknowledged []int) {
	t.Helper()
	j := openRun(t, dir, "run")
	defer j.Close()
	steps, err := j.Steps(t.Context())
	fixture.OK(t, err)
	found := make(map[int]bool)
	for _, e := range calls(t, j.store, "run", "") {
		found[mustBeHeavy(t, e)] = true
	}
	for _, n := range acknowledged {
		if !found[n] || !steps[numbered(n).Step] {
			t.Errorf("answer %d was acknowledged and is gone", n)
		}
		if e, err := j.Lookup(t.Context(), keyOf(n), ""); err != nil || e == nil {
			t.Errorf("answer %d was acknowledged and is not found: %v", n, err)
		}
	}
}

// mustBeHeavy checks an entry that tells its number, and returns it.
func mustBeHeavy(t *testing.T, e *run.Entry) (n int) {
	t.Helper()
	if _, err := fmt.Sscanf(string(e.Result), `{"answer":%d`, &n); err != nil {
		t.Fatal(err)
	}
	want := heavy(n)
	if e.Step != want.Step || e.Key != want.Key || !bytes.Equal(e.Result, want.Result) || !bytes.Equal(e.Request, want.Request) {
		t.Fatalf("entry %d differs (-want +got):\n%s", n, cmp.Diff(want, e))
	}
	return n
}

func TestProcessesShareANewFolder(t *testing.T) {
	const processes, answers = 4, 300
	dir := t.TempDir()
	var children []*child
	for p := range processes {
		children = append(children, startChild(t, "append", dir, fmt.Sprint("run-", p), p*answers, answers))
	}
	for p, c := range children {
		if _, err := io.Copy(io.Discard, c.out); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err != nil {
			t.Fatalf("process %d: %v", p, err)
		}
	}
	j := openRun(t, dir, "another")
	for n := range processes * answers {
		if e, err := j.Lookup(t.Context(), keyOf(n), ""); err != nil || e == nil {
			t.Errorf("answer %d is not found: %v", n, err)
		}
	}
	for p := range processes {
		var got []int
		for _, e := range calls(t, j.store, fmt.Sprint("run-", p), "") {
			got = append(got, mustBeHeavy(t, e)-p*answers)
		}
		if slices.Sort(got); !slices.Equal(got, numbers(answers)) {
			t.Errorf("run-%d has the calls %v", p, got)
		}
	}
}
