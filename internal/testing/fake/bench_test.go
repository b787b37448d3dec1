package fake

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// clozeBody is a request body of about size bytes with ten placeholders.
func clozeBody(size int) string {
	var text strings.Builder
	for i := 1; i <= 10; i++ {
		fmt.Fprintf(&text, "[BLANK_%d] ", i)
		text.WriteString(strings.Repeat("some words of a note ", size/10/21))
	}
	return request(text.String())
}

// BenchmarkProcess measures the server as a process of its own under a client
// of 1,000 connections: calls per second, and the processor time a call costs
// on either side.
func BenchmarkProcess(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("reads /proc")
	}
	binary := filepath.Join(b.TempDir(), "fake")
	if out, err := exec.Command(need.Program(b, "go"), "build", "-o", binary, "./fake").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	b.Run("fixed", func(b *testing.B) { benchProcess(b, binary) })
	b.Run("cloze3KB", func(b *testing.B) { benchProcess(b, binary, "-reply", "cloze", "-answer-bytes", "3000") })
}

func benchProcess(b *testing.B, binary string, args ...string) {
	const connections = 1000
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.StdoutPipe()
	fixture.OK(b, err)
	var counted bytes.Buffer
	cmd.Stderr = &counted
	fixture.OK(b, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	fixture.OK(b, err)
	url := strings.TrimSpace(line) + "/chat/completions"
	body := clozeBody(10 << 10)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, MaxIdleConns: connections}}
	call(b, client, url, body, connections, connections) // opens the connections
	before := processorTime(b, "self")
	serverBefore := processorTime(b, fmt.Sprint(cmd.Process.Pid))
	b.ResetTimer()
	call(b, client, url, body, connections, b.N)
	b.StopTimer()
	clientTime := processorTime(b, "self") - before
	serverTime := processorTime(b, fmt.Sprint(cmd.Process.Pid)) - serverBefore
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
	b.ReportMetric(serverTime.Seconds()*1e6/float64(b.N), "server-us/call")
	b.ReportMetric(clientTime.Seconds()*1e6/float64(b.N), "client-us/call")
	b.ReportMetric(peakMemory(b, cmd.Process.Pid), "server-MB")
	client.CloseIdleConnections()
	cancel()
	cmd.Wait()
	if want := fmt.Sprintf(`"answered":%d,`, b.N+connections); !strings.Contains(counted.String(), want) {
		b.Errorf("want %s got %s", want, counted.String())
	}
}

// call sends n requests, a number of them at a time.
func call(b *testing.B, client *http.Client, url, body string, atATime, n int) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range atATime {
		all.Go(func() {
			for next.Add(1) <= int64(n) {
				resp, err := client.Post(url, "application/json", strings.NewReader(body))
				if err != nil {
					b.Error(err)
					return
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	all.Wait()
}

// processorTime is the time a process has run so far, in the kernel too.
func processorTime(b *testing.B, pid string) time.Duration {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	fixture.OK(b, err)
	var user, system int64
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+2:]))
	fmt.Sscan(fields[11]+" "+fields[12], &user, &system)
	const tick = time.Second / 100 // the same on every Linux there is
	return time.Duration(user+system) * tick
}

// peakMemory is the most memory a process has held so far, in MB.
func peakMemory(b *testing.B, pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	fixture.OK(b, err)
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	var kb float64
	fmt.Sscan(after, &kb)
	return kb / 1024
}
