//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// A stuck command waits for what never comes.
type stuck struct {
	name string
	args []string
	path string // in place of PATH
	read bool   // it reads standard input
}

// stuckCommands read inputs that never end, or run programs that never do.
func stuckCommands(t *testing.T) []stuck {
	t.Helper()
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	fixture.OK(t, syscall.Mkfifo(fifo, 0o600))
	caption := filepath.Join(dir, "caption.txt")
	fixture.OK(t, os.WriteFile(caption, []byte("A dog barks."), 0o600))
	return []stuck{
		{name: "omni-cloze", args: []string{"eval", "omni-cloze", "-p", fifo}},
		{name: "omni-cloze, data", args: []string{"eval", "omni-cloze", "-p", "/dev/zero", "-d", fifo}},
		{name: "capricorn", args: []string{"eval", "capricorn", "-d", fifo, "-p", caption}},
		{name: "mcif", args: []string{"eval", "mcif", "-s", fifo, "-t", "long", "-l", "de", "-r", fifo}},
		{name: "score", args: []string{"score", "wer", "--lang", "en", "--hyp", fifo, "--ref", fifo}},
		{name: "score, zeros", args: []string{"score", "bleu", "--hyp", "/dev/zero", "--ref", "/dev/zero"}},
		{name: "text", args: []string{"score", "normalize", "--scheme", "whisper-en"}, read: true},
		{name: "audit", args: []string{"audit", fifo, fifo}},
		{name: "audit, media", args: []string{"audit", caption, fifo}},
		{name: "caption", args: []string{"caption", fifo}},
		{name: "a script", args: []string{"eval", "omni-cloze", "-p", "testdata/clips.jsonl", "--judge", "scripted/" + fifo}},
		{name: "prices", args: []string{"eval", "omni-cloze", "-p", "testdata/clips.jsonl", "--judge", "openai/x,base-url=http://127.0.0.1:1/v1", "--prices", fifo}},
	}
}

// start runs the command until it has had time to get stuck.
func (s stuck) start(t *testing.T) (cmd *exec.Cmd, said *bufio.Reader) {
	t.Helper()
	need.Processes(t)
	cmd = exec.Command("omniscope", s.args...)
	cmd.Env = append(os.Environ(), "OMNISCOPE_WORK_DIR="+t.TempDir())
	if s.path != "" {
		cmd.Env = append(cmd.Env, "PATH="+s.path)
	}
	errOut, err := cmd.StderrPipe()
	fixture.OK(t, err)
	if s.read {
		in, err := cmd.StdinPipe()
		fixture.OK(t, err)
		t.Cleanup(func() { in.Close() })
	}
	fixture.OK(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	time.Sleep(300 * time.Millisecond)
	return cmd, bufio.NewReader(errOut)
}

// heard waits until the command says that it has heard a signal; false where it
// has ended before, as it may refuse its input.
func heard(said *bufio.Reader) bool {
	for {
		line, err := said.ReadString('\n')
		if strings.Contains(line, "interrupt again") {
			return true
		}
		if err != nil {
			return false
		}
	}
}

// TestSecondSignal ends every command at once, whatever it is doing.
func TestSecondSignal(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		for _, s := range stuckCommands(t) {
			t.Run(signal.String()+"/"+s.name, func(t *testing.T) {
				t.Parallel()
				cmd, said := s.start(t)
				cmd.Process.Signal(signal)
				if heard(said) {
					cmd.Process.Signal(signal)
				}
				second := time.Now()
				cmd.Wait()
				// Either the signal ended it, however slow the machine, or it had ended
				// before: if stuck, it ends by itself after five seconds.
				if took := time.Since(second); !killedBySignal(cmd) && took > 4*time.Second {
					t.Errorf("it ended after %s by itself", took)
				}
			})
		}
	}
}

func killedBySignal(cmd *exec.Cmd) bool {
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled()
}

// TestFirstSignal ends what is stuck as well, since nothing is paid for.
func TestFirstSignal(t *testing.T) {
	for _, s := range stuckCommands(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			cmd, said := s.start(t)
			cmd.Process.Signal(os.Interrupt)
			first := time.Now()
			interrupted := heard(said)
			go io.Copy(io.Discard, said)
			code := exitCodeOf(cmd.Wait())
			if took := time.Since(first); took > time.Minute {
				t.Errorf("it ended after %s", took)
			}
			if interrupted && code != exitInterrupted && code != exitFailed { // it may have found fault with the input by then
				t.Errorf("exit code %d", code)
			}
		})
	}
}

// TestSecondSignalIgnored runs in the background of a script, where
// shells have SIGINT ignored.
func TestSecondSignalIgnored(t *testing.T) {
	t.Parallel()
	need.Processes(t)
	cmd := exec.Command("sh", "-c", `trap "" INT; exec omniscope score normalize --scheme whisper-en`)
	in, err := cmd.StdinPipe()
	fixture.OK(t, err)
	defer in.Close()
	errOut, err := cmd.StderrPipe()
	fixture.OK(t, err)
	fixture.OK(t, cmd.Start())
	defer cmd.Process.Kill()
	time.Sleep(500 * time.Millisecond)
	cmd.Process.Signal(os.Interrupt)
	said := bufio.NewReader(errOut)
	if !heard(said) {
		t.Skip("it ended at the first")
	}
	cmd.Process.Signal(os.Interrupt)
	second := time.Now()
	rest, err := io.ReadAll(said)
	fixture.OK(t, err)
	cmd.Wait()
	// What ends by itself, after five seconds if it is stuck, says so.
	if took := time.Since(second); strings.Contains(string(rest), "omniscope: interrupted") && took > 4*time.Second {
		t.Errorf("it ended after %s by itself", took)
	}
}

// TestSignalsEndPrograms interrupts a command twice whose ffmpeg never ends.
func TestSignalsEndPrograms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pid := filepath.Join(dir, "pid")
	sleeper := "#!/bin/sh\necho $$ > '" + pid + "'\nexec /bin/sleep 1000\n"
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(sleeper), 0o755))
	}
	clip := filepath.Join(dir, "clip.mp4")
	fixture.OK(t, os.WriteFile(clip, []byte("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"), 0o600))
	cmd, said := stuck{args: []string{"caption", clip, "--tools", "scene"}, path: dir + ":" + os.Getenv("PATH")}.start(t)
	var child int
	for deadline := time.Now().Add(20 * time.Second); child == 0 && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		text, _ := os.ReadFile(pid)
		child, _ = strconv.Atoi(strings.TrimSpace(string(text)))
	}
	if child == 0 {
		t.Skip("it ran no program")
	}
	cmd.Process.Signal(os.Interrupt)
	if heard(said) {
		cmd.Process.Signal(os.Interrupt)
	}
	cmd.Wait()
	for deadline := time.Now().Add(20 * time.Second); syscall.Kill(child, 0) == nil; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			syscall.Kill(child, syscall.SIGKILL)
			t.Fatal("the program that it ran is still there")
		}
	}
}
