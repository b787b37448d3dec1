package speed

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"omniscope/internal/testing/built"
	"omniscope/internal/testing/mockllm"
)

// part is the variable that makes this program another one, so that each is a process of its own.
const part = "OMNISCOPE_SPEED_PART"

func TestMain(m *testing.M) {
	parts := map[string]func(args []string) error{"server": serve, "bare": bare}
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
	cmd.Stderr = os.Stderr
	return cmd
}

// latency is the time that the server takes for an answer.
const latency = 50 * time.Millisecond

// serve answers judge calls until its input ends. args are the blanks of a passage and the least bytes of an answer.
// It takes one processor: more would mostly wait, and take time from the client.
func serve(args []string) error {
	runtime.GOMAXPROCS(1)
	size, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	s, err := mockllm.Start(mockllm.Config{Latency: latency, Reply: mockllm.ClozeReply(nil, size)})
	if err != nil {
		return err
	}
	defer s.Close()
	fmt.Println(s.URL())
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// startServer starts the server, whose answers have at least so many bytes, and returns its address.
func startServer(b *testing.B, answerBytes int) string {
	b.Helper()
	cmd := command("server", strconv.Itoa(answerBytes))
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { in.Close(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// took is what a process took.
type took struct {
	calls  float64 // seconds from the first call to the last answer
	wall   float64 // seconds of the process
	cpu    float64 // seconds of processor time
	peakMB float64 // largest resident memory
}

// timed runs a command and returns its output. took.calls is left to the caller.
func timed(b *testing.B, cmd *exec.Cmd) ([]byte, took) {
	b.Helper()
	started := time.Now()
	out, err := cmd.Output()
	wall := time.Since(started)
	if err != nil {
		b.Fatalf("%s: %v", cmd.Args, err)
	}
	state := cmd.ProcessState
	return out, took{
		wall:   wall.Seconds(),
		cpu:    (state.UserTime() + state.SystemTime()).Seconds(),
		peakMB: float64(state.SysUsage().(*syscall.Rusage).Maxrss) / 1024,
	}
}
