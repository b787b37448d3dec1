package main

import (
	"bytes"
	"errors"
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

// readers are the commands that open a file of the user's, of each kind.
func readers() map[string][]string {
	return map[string][]string{
		"rows of Omni-Cloze":    {"eval", "omni-cloze", "-p", "FILE"},
		"captions":              {"eval", "omni-cloze", "-d", "good.jsonl", "-p", "FILE"},
		"annotations":           {"eval", "capricorn", "-d", "FILE", "-p", "good.jsonl"},
		"outputs of MCIF":       {"eval", "mcif", "-s", "FILE", "-r", "good.xml", "-t", "long", "-l", "en"},
		"references of MCIF":    {"eval", "mcif", "-s", "good.xml", "-r", "FILE", "-t", "long", "-l", "en"},
		"values":                {"eval", "mcif", "-s", "good.xml", "-r", "good.xml", "-t", "long", "-l", "en", "--scored", "FILE"},
		"texts":                 {"score", "wer", "--lang", "en", "--ref", "FILE", "--hyp", "FILE2"},
		"records":               {"score", "bleu", "--as", "jsonl", "--data", "FILE"},
		"lines of a plain text": {"score", "resegment", "--plain", "FILE"},
		"a table of ratings":    {"compare", "--table", "FILE"},
		"a script":              {"eval", "omni-cloze", "-p", "good.jsonl", "--judge", "scripted/FILE"},
		"prices":                {"eval", "omni-cloze", "-p", "good.jsonl", "--judge", "openai/x,base-url=http://127.0.0.1:1", "--prices", "FILE"},
		"a caption":             {"audit", "FILE", "good.mp4"},
		"standard input":        {"eval", "omni-cloze", "-p", "-"},
	}
}

// start runs a reader on a file in a process of its own.
func startReader(t *testing.T, args []string, file string) (cmd *exec.Cmd, said *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"good.jsonl": strings.ReplaceAll(goodRow, "%d", "1"),
		"good.xml":   xmlHead + `<sample id="1" iid="ASR_1" task="ASR"><reference>a</reference></sample>` + xmlTail,
	} {
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	full := make([]string, len(args))
	for i, a := range args {
		full[i] = strings.ReplaceAll(a, "FILE", file)
	}
	said = new(bytes.Buffer)
	need.Processes(t)
	cmd = exec.Command("omniscope", full...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, said, said
	return cmd, said
}

// A pipe that nobody writes to, and one whose writer is slow, are left when the
// command is told to end.
func TestInterruptSilentPipe(t *testing.T) {
	const soon = 20 * time.Second // a moment, on a machine with nothing else to do
	for name, args := range readers() {
		for _, slow := range []bool{false, true} {
			t.Run(name+map[bool]string{false: " without a writer", true: " with a slow writer"}[slow], func(t *testing.T) {
				t.Parallel()
				pipe := filepath.Join(t.TempDir(), "pipe")
				fixture.OK(t, syscall.Mkfifo(pipe, 0o600))
				var writer *os.File
				stdin := !strings.Contains(strings.Join(args, " "), "FILE")
				if slow || stdin {
					var err error
					writer, err = os.OpenFile(pipe, os.O_RDWR, 0)
					fixture.OK(t, err)
					defer writer.Close()
				}
				if slow {
					writer.WriteString("{") // and no more
				}
				cmd, said := startReader(t, args, pipe)
				if stdin {
					reader, err := os.Open(pipe)
					fixture.OK(t, err)
					defer reader.Close()
					cmd.Stdin = reader
				}
				fixture.OK(t, cmd.Start())
				ended := make(chan error, 1)
				go func() { ended <- cmd.Wait() }()
				if err := signalReader(cmd, ended); err != nil {
					t.Fatalf("%v: %s", err, said)
				}
				select {
				case <-ended:
				case <-time.After(soon):
					cmd.Process.Kill()
					t.Fatal("it outlives a SIGTERM")
				}
				if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
					t.Errorf("exit code %d: %s", code, said)
				}
			})
		}
	}
}

// signalReader sends a SIGTERM once the program reads its input, which it keeps
// in a temporary file.
func signalReader(cmd *exec.Cmd, ended <-chan error) error {
	fds := filepath.Join("/proc", strconv.Itoa(cmd.Process.Pid), "fd")
	for start := time.Now(); time.Since(start) < 20*time.Second; time.Sleep(10 * time.Millisecond) {
		select {
		case <-ended:
			return errors.New("it ended by itself")
		default:
		}
		entries, _ := os.ReadDir(fds)
		for _, e := range entries {
			if to, err := os.Readlink(filepath.Join(fds, e.Name())); err == nil && strings.Contains(to, "omniscope-input-") {
				return cmd.Process.Signal(syscall.SIGTERM)
			}
		}
	}
	return errors.New("it never opens its input")
}

// Devices that never end meet a limit: the command refuses them by itself.
func TestEndlessDevices(t *testing.T) {
	for name, args := range readers() {
		if name == "standard input" {
			continue
		}
		for _, device := range []string{"/dev/zero", "/dev/urandom"} {
			t.Run(name+" from "+device, func(t *testing.T) {
				cmd, said := startReader(t, args, device)
				if cmd.Run(); cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(said.String(), device) {
					t.Errorf("exit code %d: %.500s", cmd.ProcessState.ExitCode(), said)
				}
				if peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10; peak >= mostHostilePeak {
					t.Errorf("it took %d MiB at its peak", peak>>20)
				}
			})
		}
	}
}
