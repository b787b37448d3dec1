package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

// run runs the command with arguments while use asks its server, and returns the
// counts that it prints in the end.
func run(t *testing.T, use func(url string), args ...string) (counts fake.Stats) {
	t.Helper()
	read, write := io.Pipe()
	stop, ended := make(chan os.Signal, 1), make(chan error, 1)
	var out bytes.Buffer
	go func() { ended <- serve(args, write, &out, stop) }()
	url, err := bufio.NewReader(read).ReadString('\n')
	fixture.OK(t, err)
	use(strings.TrimSpace(url))
	stop <- os.Interrupt
	fixture.OK(t, <-ended)
	if err := json.Unmarshal(out.Bytes(), &counts); err != nil {
		t.Errorf("counts %q: %v", &out, err)
	}
	return counts
}

func ask(t *testing.T, url, key, question string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequest("POST", url+"/chat/completions", strings.NewReader(question))
	fixture.OK(t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(req)
	fixture.OK(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	fixture.OK(t, err)
	return resp.StatusCode, string(b)
}

func TestServesUntilStopped(t *testing.T) {
	counts := run(t, func(url string) {
		for _, test := range []struct {
			key    string
			status int
			want   string
		}{
			{"sesame", 200, `\"2\":\"`},
			{"other", 401, "invalid_api_key"},
			{"sesame", 503, "server_error"},
		} {
			status, body := ask(t, url, test.key, `{"model":"m","messages":[{"role":"user","content":"[BLANK_1] [BLANK_2]"}]}`)
			if status != test.status || !strings.Contains(body, test.want) {
				t.Errorf("got %d %s, want %d with %s", status, body, test.status, test.want)
			}
		}
	}, "-latency", "1ms", "-reply", "cloze", "-answer-bytes", "500", "-fail-every", "3", "-key", "sesame")
	if counts.Requests != 3 || counts.Answered != 1 {
		t.Errorf("stats %+v", counts)
	}
}

func TestServesADialect(t *testing.T) {
	run(t, func(url string) {
		status, body := ask(t, url, "", `{"messages": [{"role": "user", "content": [{"type": "input_video"}]}]}`)
		if status != 400 || !strings.Contains(body, "Unsupported chat content part type") {
			t.Errorf("%d %s", status, body)
		}
	}, "-dialect", "vllm", "-defects", "drops audio,halves the frames")
}

func TestInvalidFlags(t *testing.T) {
	for _, args := range [][]string{{"-dialect", "gopher"}, {"-dialect", "vllm", "-defects", "sleeps"}, {"-reply", "other"}} {
		if err := serve(args, io.Discard, io.Discard, nil); err == nil {
			t.Errorf("%v are accepted", args)
		}
	}
}

func TestResponderFor(t *testing.T) {
	for size, want := range map[int]int{0: 23, 1: 1, 3000: 3000} {
		responder, err := responderFor("fixed", size)
		if err != nil || len(responder(nil).Content) != want {
			t.Errorf("fixed, %d bytes: want %d, %v", size, want, err)
		}
	}
	if n := len(faults(10, 5)) - len(faults(0, 0)); n != 2 {
		t.Errorf("%d faults, want 2", n)
	}
}
