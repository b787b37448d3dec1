package neural

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// What a process of TestManyProcessesShareAStore is told.
const (
	writerPath  = "OMNISCOPE_TEST_STORE"
	writerFirst = "OMNISCOPE_TEST_STORE_FIRST" // number of its first record
	writerDies  = "OMNISCOPE_TEST_STORE_DIES"  // after so many bytes; 0 = not at all
)

// A dying file ends the process, without any warning, after some bytes.
type dying struct {
	storeFile
	left int
}

func (d *dying) WriteAt(p []byte, at int64) (int, error) {
	if len(p) >= d.left {
		d.storeFile.WriteAt(p[:d.left], at)
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		if err != nil {
			panic(err)
		}
		select {}
	}
	d.left -= len(p)
	return d.storeFile.WriteAt(p, at)
}

func TestWriter(t *testing.T) {
	path := os.Getenv(writerPath)
	if path == "" {
		t.Skip("this is a process of TestManyProcessesShareAStore")
	}
	s, w := openTest(t, path)
	if left, _ := strconv.Atoi(os.Getenv(writerDies)); left > 0 {
		s.file = &dying{s.file, left}
	}
	first, _ := strconv.Atoi(os.Getenv(writerFirst))
	for n := first; n < first+120; n++ {
		s.put([]record{numbered(n), numbered(n + 1)})
		if !has(s, n) {
			t.Fatalf("record %d is not there: %q", n, w.said)
		}
	}
	for _, said := range w.said {
		if !strings.Contains(said, "cut off") {
			t.Error(said)
		}
	}
}

// startWriter returns how its process ended, when it has.
func startWriter(t *testing.T, path string, first, dies int) (wait func() error) {
	t.Helper()
	need.Processes(t)
	self, err := os.Executable()
	fixture.OK(t, err)
	c := exec.Command(self, "-test.run=^TestWriter$")
	c.Env = append(os.Environ(), writerPath+"="+path, fmt.Sprintf("%s=%d", writerFirst, first), fmt.Sprintf("%s=%d", writerDies, dies))
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	fixture.OK(t, c.Start())
	return func() error {
		if err := c.Wait(); err != nil {
			return fmt.Errorf("%w: %s", err, &out)
		}
		return nil
	}
}

// Three processes write records, of which some are the same, while others die
// in the middle of one.
func TestManyProcessesShareAStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	s, w := openTest(t, path)
	var live, dead []func() error
	for i := range 3 {
		live = append(live, startWriter(t, path, i*60, 0))
		dead = append(dead, startWriter(t, path, 1000+i*100, 777+i*5000))
	}
	for _, wait := range dead {
		if wait() == nil {
			t.Error("a process that should have died lives")
		}
	}
	for _, wait := range live {
		if err := wait(); err != nil {
			t.Error(err)
		}
	}
	s.put([]record{numbered(5000)})
	again, _ := openTest(t, path)
	for n := range 241 {
		if !has(s, n) || !has(again, n) {
			t.Fatalf("record %d: %v, opened again %v; warnings %q", n, has(s, n), has(again, n), w.said)
		}
	}
	for n := 1000; n < 1400; n++ {
		if again.knows(numbered(n).key) && !has(again, n) {
			t.Fatalf("record %d is damaged", n)
		}
	}
}
