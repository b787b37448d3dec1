package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"omniscope/internal/testing/mockllm"
)

// asCommand makes the test binary run as the command itself.
const asCommand = "MOCKLLM_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestCommand(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-latency", "1ms", "-reply", "cloze", "-answer-bytes", "500",
		"-fail-every", "3", "-key", "sesame")
	cmd.Env = append(os.Environ(), asCommand+"=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill() // only matters when the test fails before the end
	url, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	url = strings.TrimSpace(url)

	for _, test := range []struct {
		key    string
		status int
		want   string
	}{
		{"sesame", 200, `\"2\":\"`},
		{"other", 401, "invalid_api_key"},
		{"sesame", 503, "server_error"},
	} {
		status, body := ask(t, url, test.key)
		if status != test.status || !strings.Contains(body, test.want) {
			t.Errorf("got %d %s, want %d with %s", status, body, test.status, test.want)
		}
	}

	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	var st mockllm.Stats
	if err := json.Unmarshal(stderr.Bytes(), &st); err != nil || st.Requests != 3 || st.Answered != 1 {
		t.Errorf("stats %s, %v", &stderr, err)
	}
}

func ask(t *testing.T, url, key string) (status int, body string) {
	t.Helper()
	const question = `{"model":"m","messages":[{"role":"user","content":"[BLANK_1] [BLANK_2]"}]}`
	req, err := http.NewRequest("POST", url+"/chat/completions", strings.NewReader(question))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

func TestResponderFor(t *testing.T) {
	for size, want := range map[int]int{0: 23, 1: 1, 3000: 3000} {
		responder, err := responderFor("fixed", size)
		if err != nil || len(responder(nil).Content) != want {
			t.Errorf("fixed, %d bytes: want %d, %v", size, want, err)
		}
	}
	if _, err := responderFor("other", 0); err == nil {
		t.Error("took an unknown reply")
	}
	if n := len(faults(10, 5)) - len(faults(0, 0)); n != 2 {
		t.Errorf("%d faults, want 2", n)
	}
}
