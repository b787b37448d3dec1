package main

import (
	"bytes"
	"errors"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fullDisk is an output that takes a number of bytes.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), d.room)
	if d.room -= n; n < len(p) {
		return n, errors.New("no space left")
	}
	return n, nil
}

// TestLostOutput wants an exit code that scripts notice, wherever an output ends.
func TestLostOutput(t *testing.T) {
	need.Processes(t)
	for _, args := range [][]string{{"docs", "models"}, {"docs", "--json"}, {"docs"}, {"--help"}, {"help", "eval"}} {
		for _, room := range []int{0, 100} {
			var errOut bytes.Buffer
			if code := execute(t.Context(), args, &fullDisk{room}, &errOut); code != exitFailed || !strings.Contains(errOut.String(), "no space left") {
				t.Errorf("%q with room for %d bytes: exit code %d, %q", args, room, code, &errOut)
			}
		}
	}
}

func TestLostReportOfSuite(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	file := q.suiteOf(c, "")
	report := q.path("out/omni-cloze/n/report.txt")
	fixture.OK(t, errors.Join(os.MkdirAll(filepath.Dir(report), 0o755), os.Symlink("/dev/full", report)))
	q.command("run", file, "--out", q.path("out"), "--force").ends(t, exitFailed).says(t, "no space left", "1 of 4 runs")
}
