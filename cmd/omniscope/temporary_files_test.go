//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// TestLongKilledInvestigationFilesRemoved kills an investigation; the next
// one removes its temporary media, and not those of one that still runs.
func TestLongKilledInvestigationFilesRemoved(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip := q.shortClip("clip.mp4")
	caption := q.write("caption.txt", "A tone.")
	fixture.OK(t, os.Mkdir(q.path("tmp"), 0o755))
	asked, answer := make(chan struct{}, 10), make(chan struct{})
	server := serve(t, fake.Config{Reply: func(*fake.Request) fake.Reply {
		asked <- struct{}{}
		<-answer
		return fake.Reply{Content: "A test picture."}
	}})
	// begin starts a command and returns once it waits for a model, its media in tmp.
	begin := func(args ...string) *exec.Cmd {
		cmd := exec.Command("omniscope", append(args, "--tools", "sound", "--observer", "openai/mock,base-url="+server.URL())...)
		cmd.Env = append(os.Environ(), "TMPDIR="+q.path("tmp"))
		fixture.OK(t, cmd.Start())
		t.Cleanup(func() { cmd.Process.Kill() })
		<-asked
		return cmd
	}
	folders := func() (names []string) {
		entries, err := os.ReadDir(q.path("tmp"))
		fixture.OK(t, err)
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "omniscope") {
				names = append(names, e.Name())
			}
		}
		return names
	}
	investigate := func(name string) []string {
		return []string{"caption", clip, "--quiet", "--work-dir", q.path(name + "-work"), "--out", q.path(name)}
	}
	live := begin(investigate("live")...)
	kept := folders()
	if len(kept) != 1 {
		t.Fatalf("an open clip has its files in %v, want one folder", kept)
	}
	for _, args := range [][]string{investigate("killed"), {"audit", caption, clip, "--work-dir", q.path("audited")}} {
		cmd := begin(args...)
		if n := len(folders()); n != 2 {
			t.Errorf("%s: %d folders, want its own and that of the one before", args[0], n)
		}
		fixture.OK(t, cmd.Process.Kill())
		cmd.Wait()
		if n := len(folders()); n != 2 {
			t.Errorf("%s was killed and left %d folders: nothing is tested", args[0], n-1)
		}
	}
	last := begin(investigate("last")...)
	if got := folders(); len(got) != 2 || !slices.Contains(got, kept[0]) {
		t.Errorf("there are %v, want %s, which is in use, and one more", got, kept)
	}
	close(answer)
	for _, cmd := range []*exec.Cmd{live, last} {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %v", cmd.Args, err)
		}
	}
	if left := folders(); len(left) > 0 {
		t.Errorf("at the end there are %v", left)
	}
}

// TestProgramsEndWithTheirParent kills an investigation while ffprobe works.
func TestProgramsEndWithTheirParent(t *testing.T) {
	t.Parallel()
	need.Processes(t)
	q := newInquest(t)
	clip := q.write("clip.mp4", "whatever")
	programs := q.path("programs")
	fixture.OK(t, os.Mkdir(programs, 0o755))
	script := "#!/bin/sh\necho $$ > " + q.path("pid") + ".new\nmv " + q.path("pid") + ".new " + q.path("pid") + "\nexec sleep 1000\n"
	for _, name := range []string{"ffprobe", "ffmpeg"} {
		fixture.OK(t, os.WriteFile(filepath.Join(programs, name), []byte(script), 0o755))
	}
	cmd := exec.Command("omniscope", q.args(clip, "--tools", "scene")...)
	cmd.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"))
	fixture.OK(t, cmd.Start())
	pid := 0
	eventually(t, "the program started", func() bool {
		text, err := os.ReadFile(q.path("pid"))
		if err == nil {
			fmt.Sscan(string(text), &pid)
		}
		return pid > 0
	})
	fixture.OK(t, cmd.Process.Kill())
	cmd.Wait()
	defer syscall.Kill(pid, syscall.SIGKILL)
	eventually(t, "the program ended with its parent", func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		_, after, _ := strings.Cut(string(stat), ") ")
		return err != nil || strings.HasPrefix(after, "Z")
	})
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for began := time.Now(); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("after a minute it is still not so that %s", what)
		}
	}
}
