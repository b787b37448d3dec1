package main

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/mockllm"
	"omniscope/internal/testing/need"
)

// An anyServer answers every kind of call that a role makes, and counts them.
func anyServer(t *testing.T) (url string, calls *atomic.Int64) {
	calls = &atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method == http.MethodGet:
			fmt.Fprint(w, `{"object": "list", "data": [{"id": "m"}]}`)
			return
		case strings.HasSuffix(r.URL.Path, "/embeddings"):
			fmt.Fprint(w, `{"object": "list", "model": "m", "data": [{"index": 0, "embedding": [0.5, 0.5]}], "usage": {"prompt_tokens": 3, "total_tokens": 3}}`)
		case strings.HasSuffix(r.URL.Path, "/transcriptions"):
			fmt.Fprint(w, `{"text": "hello there", "duration": 1, "segments": [{"start": 0.2, "end": 0.8, "text": "hello there"}]}`)
		default:
			fmt.Fprint(w, `{"id": "x", "object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": "A"}, "finish_reason": "stop"}],
				"usage": {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11}}`)
		}
		calls.Add(1)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", calls
}

// TestWhatIsAskedAgain changes one thing of a command at a time, for each role: what shapes answers and who answers
// are asked again, how calls are made is not. Unreadable answers are remembered, too.
func TestWhatIsAskedAgain(t *testing.T) {
	need.Processes(t)
	q := newInquest(t)
	film := q.shortClip("film.mp4")
	q.write("caption.txt", "A red car drives. A man says hello.")
	q.write("rows.jsonl", `{"uuid": "1", "caption": "A dog.", "passage": "A [BLANK_1].", "questions": [{"blank_id": 1}]}`)
	q.write("mmau.json", `[{"id": "a", "audio_id": "a.wav", "question": "Who?", "choices": ["Man", "Woman"], "answer": "Man", "task": "speech", "difficulty": "easy"}]`)
	q.write("captions.jsonl", `{"audio_id": "a.wav", "caption": "A man speaks."}`)
	q.write("web.json", `{"1": {"qa_list": [{"question": "Who calls?", "answer": "A man", "question_id": "1_Q1", "type": ["Person Understanding"]}]}}`)
	q.write("web.jsonl", `{"clip": "1", "caption": "A dog barks, and a man calls it."}`)
	t.Setenv("TEAM", "red")
	one, calls := anyServer(t)
	two, others := anyServer(t)
	for _, role := range []struct {
		name, flag string // the flags of its model, and of its settings
		args       []string
		settings   bool // it has a temperature
	}{
		{"model", "model", []string{"predict", "captions", film, "--out", "OUT/p.jsonl", "--force"}, true},
		{"answerer", "judge", []string{"eval", "mmau", "--data", q.path("mmau.json"), "--captions", q.path("captions.jsonl"), "--out", "OUT"}, true},
		{"judge", "judge", []string{"eval", "m3-bench-web", "--data", q.path("web.json"), "--captions", q.path("web.jsonl"), "--out", "OUT"}, true},
		{"embedder", "embedder", []string{"eval", "m3-bench-web", "--data", q.path("web.json"), "--captions", q.path("web.jsonl"), "--memory-limit", "5", "--judge", "openai/judge", "--judge-base-url", one, "--out", "OUT"}, true},
		{"observer", "observer", []string{"audit", q.path("caption.txt"), film, "--tools", "scene"}, true},
		{"splitter", "splitter", []string{"audit", q.path("caption.txt"), film, "--tools", "scene"}, true},
		{"detective", "detective", []string{"investigate", film, "--tools", "scene", "--out", "OUT", "--force"}, true},
		{"transcriber", "asr", []string{"investigate", "SPEECH", "--tools", "asr", "--out", "OUT", "--force"}, false},
	} {
		t.Run(role.name, func(t *testing.T) {
			if role.name == "transcriber" {
				role.args[1] = golden.Path(t, "media", "jfk.flac")
			}
			asked := func(name string, args ...string) int64 {
				t.Helper()
				before := calls.Load() + others.Load()
				all := append([]string{}, role.args...)
				for i, arg := range all {
					all[i] = strings.ReplaceAll(arg, "OUT", q.path("out-"+role.name+"-"+name))
				}
				v := q.command(append(append(all, "--work-dir", q.path("work-"+role.name), "--stop-after-unusable", "0", "--max-retries", "0"), args...)...)
				if v.code == exitUsage {
					t.Fatalf("%s: %s", name, v.errOut)
				}
				return calls.Load() + others.Load() - before
			}
			at := func(url, model string) []string {
				return []string{"--" + cmp.Or(map[string]string{"transcriber": "asr"}[role.name], role.name), model, "--" + role.flag + "-base-url", url}
			}
			first := asked("first", at(one, "openai/m")...)
			if first == 0 {
				t.Fatal("nothing is asked")
			}
			for _, c := range []struct {
				name  string
				args  []string
				again bool
			}{
				{"nothing", at(one, "openai/m"), false},
				{"concurrency", append(at(one, "openai/m"), "--max-concurrency", "3"), false},
				{"timeout", append(at(one, "openai/m"), "--timeout", "50s"), false},
				{"header", append(at(one, "openai/m"), "--"+role.flag+"-header", "x-team: env:TEAM"), false},
				{"shaping", append(at(one, "openai/m"), "--"+role.flag+"-header", "x-team!: env:TEAM"), true},
				{"address", at(two, "openai/m"), true},
				{"provider", at(one, "vllm/m"), true},
				{"name", at(one, "openai/n"), true},
				{"temperature", append(at(one, "openai/m"), "--"+role.flag+"-temperature", "0.7"), true},
			} {
				if c.name == "temperature" && !role.settings {
					continue
				}
				if n := asked(c.name, c.args...); (n > 0) != c.again {
					t.Errorf("another %s: %d calls, %d at first; want them again: %v", c.name, n, first, c.again)
				}
			}
			t.Setenv("OPENAI_API_KEY", "sk-another-key-0123456789")
			if n := asked("key", at(one, "openai/m")...); n > 0 {
				t.Errorf("another key: %d calls", n)
			}
			t.Setenv("TEAM", "blue")
			if n := asked("value", append(at(one, "openai/m"), "--"+role.flag+"-header", "x-team!: env:TEAM")...); n == 0 {
				t.Error("another value of a header that chooses who answers: no calls")
			}
		})
	}
}

// TestRefusedTemperature: the signature names what was sent.
func TestRefusedTemperature(t *testing.T) {
	t.Parallel()
	server := serve(t, mockllm.Config{Reply: func(r *mockllm.Request) mockllm.Reply {
		if strings.Contains(string(r.Body), `"temperature"`) {
			return mockllm.Reply{Status: http.StatusBadRequest, Raw: []byte(`{"error": {"message": "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."}}`)}
		}
		return mockllm.ClozeReply(nil, 0)(r)
	}})
	tr := newTrial(t, 3)
	for range 2 { // the second command remembers the answers
		if v := tr.eval(server.URL()); v.code != exitDone || !strings.Contains(v.results.Signature, "|temperature:refused|") {
			t.Errorf("exit %d, %s: %s", v.code, v.results.Signature, v.errOut)
		}
	}
}

// TestModelChangesItsName has an endpoint that answers under another name from the third answer on: predict and eval warn of it.
func TestModelChangesItsName(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	server := serve(t, mockllm.Config{Reply: func(r *mockllm.Request) mockllm.Reply {
		return mockllm.Reply{Content: "A caption.", Model: map[bool]string{true: "m-old", false: "m-new"}[r.N <= 2]}
	}})
	var rows []string
	for i := range 5 {
		name := fmt.Sprintf("%d.mp4", i)
		q.toneClip(name, 200+100*i)
		rows = append(rows, fmt.Sprintf(`{"id": "q%d", "audio_id": %q, "question": "Who?", "choices": ["Man", "Woman"], "answer": "Man", "task": "speech", "difficulty": "easy"}`, i, name))
	}
	data := q.write("data.json", "["+strings.Join(rows, ",")+"]")
	const words = "answered under 2 names: m-new (3), m-old (2)"
	v := q.command("predict", "mmau", "--data", data, "--media", q.dir, "--modality", "audio", "--blind-share", "0", "--model", "openai/m", "--model-base-url", server.URL(), "--max-concurrency", "1", "--work-dir", q.path("work"), "--out", q.path("p.jsonl"))
	if v.code != exitDone || !strings.Contains(v.errOut, words) {
		t.Errorf("predict: exit %d, %s", v.code, v.errOut)
	}
	v = q.command("eval", "mmau", "--data", data, "-p", q.path("p.jsonl"), "--work-dir", q.path("work"))
	if v.code != exitDone || !strings.Contains(v.out+v.errOut, words) {
		t.Errorf("eval: exit %d, %s%s", v.code, v.out, v.errOut)
	}
}
