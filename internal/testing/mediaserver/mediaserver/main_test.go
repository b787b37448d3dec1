package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestServesUntilStopped(t *testing.T) {
	read, write := io.Pipe()
	stop, ended := make(chan os.Signal, 1), make(chan error, 1)
	go func() {
		ended <- serve([]string{"-dialect", "vllm", "-defects", "drops audio,halves the frames"}, write, stop)
	}()
	url, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	request := `{"messages": [{"role": "user", "content": [{"type": "input_video"}]}]}`
	resp, err := http.Post(strings.TrimSpace(url)+"/chat/completions", "application/json", strings.NewReader(request))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 400 || !strings.Contains(string(body), "Unsupported chat content part type") {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	stop <- syscall.SIGTERM
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestInvalidFlags(t *testing.T) {
	for _, args := range [][]string{{"-dialect", "gopher"}, {"-defects", "sleeps"}} {
		if err := serve(args, io.Discard, nil); err == nil {
			t.Errorf("%v are accepted", args)
		}
	}
}
