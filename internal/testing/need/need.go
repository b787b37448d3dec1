// Package need skips tests that start programs: all of them in `make quick` (go test
// -short), and elsewhere those with a program that is not installed.
//
// Packages with a program of their own call it for their users: built, browser, clips,
// foreign and pgtest.
package need

import (
	"os/exec"
	"testing"
)

// Processes skips the test in `make quick`: it starts other processes.
func Processes(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("make quick starts no processes")
	}
}

// Program returns the path of a program that the test starts.
func Program(t testing.TB, name string) string {
	t.Helper()
	Processes(t)
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: `make programs` installs what tests use", name)
	}
	return path
}

// Programs skips the test unless it may start all these programs.
func Programs(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		Program(t, name)
	}
}

// FFmpeg skips the test unless it may start ffmpeg and ffprobe.
func FFmpeg(t testing.TB) {
	t.Helper()
	Programs(t, "ffmpeg", "ffprobe")
}
