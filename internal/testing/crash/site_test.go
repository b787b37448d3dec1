package crash

import (
	"bytes"
	"context"
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"omniscope"
	"omniscope/run"
	"omniscope/run/journal/sqlite"
)

// A site is a working folder with its run, and what its journal was seen to
// remember.
type site struct {
	t                  *testing.T
	program, work, url string
	eval               []string                      // benchmark and inputs, as on the command line
	command            []string                      // in place of an evaluation: the command line but for the folders
	answers            map[run.Key][sha256.Size]byte // digest of each answer
}

func (s *site) start() (cmd *exec.Cmd, says *bytes.Buffer) {
	s.t.Helper()
	args := s.command
	if args == nil {
		args = slices.Concat([]string{"eval"}, s.eval, []string{"--judge", "openai/mock,base-url=" + s.url, "-j", strconv.Itoa(concurrency)})
	}
	cmd = exec.Command(s.program, slices.Concat(args, []string{"--work-dir", s.work, "--out", filepath.Join(s.work, "out"), "--quiet"})...)
	says = new(bytes.Buffer)
	cmd.Dir, cmd.Stderr = s.work, says
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	return cmd, says
}

// finish lets a run end by itself.
func (s *site) finish() {
	s.t.Helper()
	cmd, says := s.start()
	if err := cmd.Wait(); err != nil {
		s.t.Fatalf("%v: %s", err, says)
	}
}

// killedAt starts a run and kills it at the moment, and reports whether the run
// was still there.
func (s *site) killedAt(when moment, j *judge) bool {
	s.t.Helper()
	ready := when.set(s, j)
	cmd, says := s.start()
	ended := make(chan error, 1)
	ctx, stop := context.WithCancel(s.t.Context())
	defer stop()
	go func() {
		err := cmd.Wait()
		stop()
		ended <- err
	}()
	ready(ctx)
	cmd.Process.Kill()
	err := <-ended
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == -1 {
		return true
	}
	if err != nil {
		s.t.Fatalf("it ended by itself: %v: %s", err, says)
	}
	return false
}

// read opens the journal as the next run would, and checks that every answer
// seen in it before is there, and is the same.
func (s *site) read() {
	s.t.Helper()
	dir := filepath.Join(s.work, "journal")
	if !sqlite.Exists(dir) {
		if len(s.answers) > 0 {
			s.t.Fatal("the journal is gone")
		}
		return
	}
	found := s.journal(dir)
	for key, digest := range s.answers {
		if found[key] != digest {
			s.t.Fatalf("answer %s was remembered and is gone or another", key)
		}
	}
	s.answers = found
}

func (s *site) journal(dir string) map[run.Key][sha256.Size]byte {
	s.t.Helper()
	journal, err := sqlite.Open(dir)
	if err != nil {
		s.t.Fatal(err)
	}
	defer journal.Close()
	runs, err := journal.Runs(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	found := make(map[run.Key][sha256.Size]byte)
	for _, r := range runs {
		for c, err := range journal.Calls(s.t.Context(), r.Name, "") {
			if err != nil {
				s.t.Fatal(err)
			}
			if c.Outcome != omniscope.OK {
				s.t.Errorf("call %s ended %s", c.Step, c.Outcome)
			}
			if _, twice := found[c.Key]; twice {
				s.t.Errorf("call %s is there twice", c.Step)
			}
			found[c.Key] = sha256.Sum256(c.Result)
		}
	}
	return found
}

// file returns a file of the results.
func (s *site) file(name string) []byte {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.work, "out", name))
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}
