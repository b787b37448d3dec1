package speed

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

// part is the variable that makes this program another one, so that each is a process of its own.
const part = "OMNISCOPE_SPEED_PART"

func TestMain(m *testing.M) {
	parts := map[string]func(args []string) error{"server": serve, "bare": bare, "rows": readRows, "table": table}
	if run, ok := parts[os.Getenv(part)]; ok {
		if err := run(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, os.Getenv(part)+":", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(built.Main(m))
}

// command makes the command of another part of this program.
func command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), part+"="+name)
	return cmd
}

// program makes a command of omniscope.
func program(b *testing.B, args ...string) *exec.Cmd {
	b.Helper()
	return exec.Command(built.Program(b), args...)
}

// peer makes a command of a script in the folder peers. It skips the benchmark where `scripts/peers.sh` has not
// installed what they need.
func peer(b *testing.B, script string, args ...string) *exec.Cmd {
	b.Helper()
	return peerOf(b, peers(b), script, args...)
}

// peers is the folder of the installed peers: PEERS, or one in the user's cache.
func peers(b *testing.B) string {
	b.Helper()
	folder := os.Getenv("PEERS")
	if folder == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			b.Skip(err)
		}
		folder = filepath.Join(cache, "omniscope-peers")
	}
	return folder
}

// peerOf is peer with a Python environment of its own.
func peerOf(b *testing.B, folder, script string, args ...string) *exec.Cmd {
	b.Helper()
	python := filepath.Join(folder, "bin", "python")
	if _, err := os.Stat(python); err != nil {
		b.Skip("install the peers with scripts/peers.sh")
	}
	return exec.Command(python, append([]string{filepath.Join("peers", script)}, args...)...)
}

// share returns n, or the SHARE of it: a number from 0 to 1.
func share(b *testing.B, n int) int {
	b.Helper()
	text := os.Getenv("SHARE")
	if text == "" {
		return n
	}
	part, err := strconv.ParseFloat(text, 64)
	if err != nil || part <= 0 || part > 1 {
		b.Fatalf("SHARE=%s is not a number from 0 to 1", text)
	}
	return max(1, int(part*float64(n)))
}

// latency is the time that the server takes for an answer.
const latency = 50 * time.Millisecond

// serve answers judge calls until its input ends. args are the kind of answers and their least bytes. It takes one
// processor: more would mostly wait, and take time from the client.
func serve(args []string) error {
	runtime.GOMAXPROCS(1)
	size, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	replies := map[string]fake.Responder{"cloze": fake.ClozeReply(nil, size), "capricorn": fake.CapricornReply(size), "caption": fake.FixedReply("A bell rings twice.")}
	s, err := fake.Listen(fake.Config{Latency: latency, Reply: replies[args[0]]})
	if err != nil {
		return err
	}
	defer s.Close()
	fmt.Println(s.URL())
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// startServer starts the server and returns its address.
func startServer(b *testing.B, replies string, answerBytes int) string {
	b.Helper()
	cmd := command("server", replies, strconv.Itoa(answerBytes))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	fixture.OK(b, err)
	out, err := cmd.StdoutPipe()
	fixture.OK(b, err)
	fixture.OK(b, cmd.Start())
	b.Cleanup(func() { in.Close(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	fixture.OK(b, err)
	return strings.TrimSpace(line)
}

// timed runs a command, reports what its process and its children took, and returns its output.
func timed(b *testing.B, cmd *exec.Cmd) []byte {
	b.Helper()
	started := time.Now()
	out, err := cmd.Output()
	wall := time.Since(started)
	if err != nil {
		var exit *exec.ExitError
		errors.As(err, &exit)
		b.Fatalf("%s: %v: %s", cmd.Args, err, exit.Stderr)
	}
	state := cmd.ProcessState
	b.ReportMetric(0, "ns/op") // wall-s has it
	b.ReportMetric(wall.Seconds(), "wall-s")
	b.ReportMetric((state.UserTime() + state.SystemTime()).Seconds(), "cpu-s")
	b.ReportMetric(float64(state.SysUsage().(*syscall.Rusage).Maxrss)/1024, "peak-MB")
	return out
}

// write makes a file.
func write(t testing.TB, path, text string) {
	t.Helper()
	fixture.OK(t, os.WriteFile(path, []byte(text), 0o600))
}
