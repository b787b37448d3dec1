package main

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
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
		name     string // of its flag
		args     []string
		settings bool // it has a temperature
	}{
		{"model", []string{"caption", film, "--out", "OUT/p.jsonl", "--force"}, true},
		{"answerer", []string{"eval", "mmau", "--data", q.path("mmau.json"), "--captions", q.path("captions.jsonl"), "--out", "OUT"}, true},
		{"judge", []string{"eval", "m3-bench-web", "--data", q.path("web.json"), "--captions", q.path("web.jsonl"), "--out", "OUT"}, true},
		{"embedder", []string{"eval", "m3-bench-web", "--data", q.path("web.json"), "--captions", q.path("web.jsonl"), "--memory-limit", "5", "--judge", "openai/judge,base-url=" + one, "--out", "OUT"}, true},
		{"observer", []string{"audit", q.path("caption.txt"), film, "--tools", "scene"}, true},
		{"splitter", []string{"audit", q.path("caption.txt"), film, "--tools", "scene"}, true},
		{"detective", []string{"caption", film, "--tools", "scene", "--out", "OUT", "--force"}, true},
		{"transcriber", []string{"caption", "SPEECH", "--tools", "asr", "--out", "OUT", "--force"}, false},
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
				return []string{"--" + cmp.Or(map[string]string{"transcriber": "asr"}[role.name], role.name), model + ",base-url=" + url}
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
				{"concurrency", append(at(one, "openai/m"), "--concurrency", "3"), false},
				{"timeout", append(at(one, "openai/m"), "--timeout", "50s"), false},
				{"spelling", at("HTTP"+strings.TrimPrefix(one, "http")+"/chat/completions/", "openai/m"), false},
				{"key in a header", at(one, "openai/m,header.api-key=env:TEAM"), false},
				{"any address", append(at(two, "openai/m"), "--any-endpoint"), false},
				{"header", at(one, "openai/m,header.x-team=env:TEAM"), false},
				{"shaping", at(one, "openai/m,header.x-team!=env:TEAM"), true},
				{"address", at(two, "openai/m"), true},
				{"provider", at(one, "vllm/m"), true},
				{"name", at(one, "openai/n"), true},
				{"temperature", at(one, "openai/m,temperature=0.7"), true},
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
			if n := asked("value", at(one, "openai/m,header.x-team!=env:TEAM")...); n == 0 {
				t.Error("another value of a header that chooses who answers: no calls")
			}
		})
	}
}

// TestRefusedTemperature: the signature names what was sent.
func TestRefusedTemperature(t *testing.T) {
	t.Parallel()
	server := serve(t, fake.Config{Reply: func(r *fake.Request) fake.Reply {
		if strings.Contains(string(r.Body), `"temperature"`) {
			return fake.Reply{Status: http.StatusBadRequest, Body: []byte(`{"error": {"message": "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."}}`)}
		}
		return fake.ClozeReply(nil, 0)(r)
	}})
	tr := newTrial(t, 3)
	for range 2 { // the second command remembers the answers
		if v := tr.eval(server.URL()); v.code != exitDone || !strings.Contains(v.results.Signature, "|temperature:refused|") {
			t.Errorf("exit %d, %s: %s", v.code, v.results.Signature, v.errOut)
		}
	}
	q := newInquest(t)
	film := q.shortClip("film.mp4")
	q.write("captions.jsonl", `{"id": "film", "caption": "A man says hello."}`)
	for range 2 {
		v := q.command("caption", film, "--model", "openai/m,base-url="+server.URL()+",temperature=0", "--blind-share", "0", "--work-dir", q.path("work"), "--out", q.path("p.jsonl"))
		if v.code != exitDone || !strings.Contains(v.errOut, "does not take [temperature]") || !strings.Contains(q.read("p.details.jsonl"), `"dropped":["temperature"]`) {
			t.Errorf("predict: exit %d, %s", v.code, v.errOut)
		}
		v = q.command("audit", "--captions", q.path("captions.jsonl"), "--media", q.dir, "--judge", "offline", "--tools", "scene", "--observer", "openai/m,base-url="+server.URL()+",temperature=0", "--work-dir", q.path("work"))
		if !strings.Contains(v.out, "observer-temperature:refused") {
			t.Errorf("claims: exit %d, %s%s", v.code, v.out, v.errOut)
		}
	}
}

// TestResultsOfAnotherAddress: results of one address are not continued, and not written over, by a command that asks another one.
func TestResultsOfAnotherAddress(t *testing.T) {
	need.Processes(t)
	q := newInquest(t)
	film := q.shortClip("film.mp4")
	q.write("list.jsonl", `{"id": "film", "path": "film.mp4"}`)
	q.write("captions.jsonl", `{"id": "film", "caption": "A man says hello."}`)
	q.write("rows.jsonl", `{"uuid": "one", "cloze": {"passage": "A [BLANK_1] rings.", "blanks": [{"number": 1, "answer": "bell", "distractors": ["horn", "drum", "whistle"], "required_modality": "audio", "options": ["A: bell", "B: horn", "C: drum", "D: whistle", "E: not given"], "answer_index": 0, "answer_key": "A"}]}}`)
	for _, sense := range []string{"a", "v", "av"} {
		q.write("captions-"+sense+".jsonl", `{"uuid": "one", "caption": "A bell rings."}`)
	}
	saying := func(text string) string {
		return serve(t, fake.Config{Reply: func(*fake.Request) fake.Reply { return fake.Reply{Content: text} }}).URL()
	}
	one, two := saying("A red car."), saying("A blue car.")
	speech, _ := anyServer(t)
	sounds, _ := anyServer(t)
	for _, c := range []struct {
		name, file string
		args       []string
		addresses  [2]string
	}{
		{"caption", "film/report.json", []string{"caption", film, "--tools", "scene", "--observer", "openai/m"}, [2]string{one, two}},
		{"list", "av/captions-00000.jsonl", []string{"caption", "--list", q.path("list.jsonl"), "--passes", "av", "--tools", "scene", "--observer", "openai/m"}, [2]string{one, two}},
		{"predict", "captions.jsonl", []string{"caption", film, "--blind-share", "0", "--model", "openai/m"}, [2]string{one, two}},
		{"probe", "", []string{"probe", "--trials", "silence", "--model", "openai/m"}, [2]string{one, two}},
		{"claims", "results.json", []string{"audit", "--captions", q.path("captions.jsonl"), "--media", q.dir, "--judge", "offline", "--tools", "asr", "--asr", "openai/m"}, [2]string{speech, sounds}},
		{"curate test", "run.json", []string{"curate", "cloze", "test", q.path("rows.jsonl"), "--judge", "openai/m"}, [2]string{one, two}},
		{"curate describe", "describe.json", []string{"curate", "cloze", "describe", "--captions-a", q.path("captions-a.jsonl"), "--captions-v", q.path("captions-v.jsonl"), "--captions-av", q.path("captions-av.jsonl"), "--validator", "openai/m"}, [2]string{one, two}},
	} {
		out := q.path("out-" + c.name)
		if c.name == "predict" {
			out += string(os.PathSeparator)
		}
		run := func(address string, more ...string) verdict {
			return q.command(append(append(withSettings(",base-url="+address, c.args...), "--work-dir", q.path("work"), "--out", out), more...)...)
		}
		first := run(c.addresses[0])
		if first.code != exitDone && first.code != exitFailures {
			t.Fatalf("%s: exit %d, %s", c.name, first.code, first.errOut)
		}
		before := fixture.Read(t, filepath.Join(out, c.file))
		if v := run(c.addresses[1]); v.code != exitUsage || !strings.Contains(v.errOut, "--force") {
			t.Errorf("%s: exit %d, %s", c.name, v.code, v.errOut)
		}
		if fixture.Read(t, filepath.Join(out, c.file)) != before {
			t.Errorf("%s: the results were written over", c.name)
		}
		if v := run(c.addresses[0]); v.code != first.code {
			t.Errorf("%s again: exit %d, %s", c.name, v.code, v.errOut)
		}
		if v := run(c.addresses[1], "--force"); v.code != first.code || c.name != "claims" && c.name != "probe" && fixture.Read(t, filepath.Join(out, c.file)) == before {
			t.Errorf("%s by force: exit %d, %s", c.name, v.code, v.errOut)
		}
	}
}

// TestModelChangesItsName has an endpoint that answers under another name from the third answer on: predict and eval warn of it.
func TestModelChangesItsName(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	server := serve(t, fake.Config{Reply: func(r *fake.Request) fake.Reply {
		return fake.Reply{Content: "A caption.", Model: map[bool]string{true: "m-old", false: "m-new"}[r.N <= 2]}
	}})
	var rows []string
	for i := range 5 {
		name := fmt.Sprintf("%d.mp4", i)
		q.toneClip(name, 200+100*i)
		rows = append(rows, fmt.Sprintf(`{"id": "q%d", "audio_id": %q, "question": "Who?", "choices": ["Man", "Woman"], "answer": "Man", "task": "speech", "difficulty": "easy"}`, i, name))
	}
	data := q.write("data.json", "["+strings.Join(rows, ",")+"]")
	const words = "answered under 2 names: m-new (3), m-old (2)"
	q.command("run", "mmau", "--no-score", "--data", data, "--media", q.dir, "--modality", "audio", "--blind-share", "0", "--model", "openai/m,base-url="+server.URL(), "--concurrency", "1", "--work-dir", q.path("work"), "--out", q.path("p.jsonl")).ends(t, exitDone).says(t, words)
	q.command("eval", "mmau", "--data", data, "-p", q.path("p.jsonl"), "--work-dir", q.path("work")).ends(t, exitDone).tells(t, words)
	// The same of an observer: its answers are remembered as answers of a tool.
	server = serve(t, fake.Config{Reply: func(r *fake.Request) fake.Reply {
		return fake.Reply{Content: "A tone.", Model: map[bool]string{true: "m-old", false: "m-new"}[r.N <= 2]}
	}})
	look := []string{"caption", q.path("0.mp4"), q.path("1.mp4"), q.path("2.mp4"), q.path("3.mp4"), q.path("4.mp4"), "--tools", "scene", "--observer", "openai/m,base-url=" + server.URL(),
		"--concurrency", "1", "--work-dir", q.path("work"), "--out", q.path("seen")}
	q.command(append(look, "--max-calls", "2")...).ends(t, exitBudget)
	q.command(look...).ends(t, exitDone).says(t, words)
}

// TestAnswersAddedByHand: predict keeps a file with more answers than it writes, and names who answered.
func TestAnswersAddedByHand(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	film, server, other := q.shortClip("film.mp4"), serve(t, fake.Config{Model: "m"}), serve(t, fake.Config{Model: "m"})
	predict := func(address string, more ...string) verdict {
		return q.command(append([]string{"caption", film, "--model", "openai/m,base-url=" + address, "--blind-share", "0", "--work-dir", q.path("work"), "--out", q.path("p.jsonl")}, more...)...)
	}
	predict(server.URL()).must(t, exitDone)
	// The answer came from the first address.
	if v := predict(other.URL(), "--any-endpoint"); v.code != exitDone || other.Stats().Requests > 0 {
		t.Errorf("any address: exit %d, %s", v.code, v.errOut)
	}
	predict(server.URL()).ends(t, exitDone)
	q.write("p.jsonl", q.read("p.jsonl")+`{"id": "mine", "caption": "A dog."}`+"\n")
	if v := predict(server.URL()); v.code != exitFailed || !strings.Contains(v.errOut, "has 2 answers, and this command has 1") || !strings.Contains(q.read("p.jsonl"), "mine") {
		t.Errorf("exit %d, %s", v.code, v.errOut)
	}
	if v := predict(server.URL(), "--force"); v.code != exitDone || strings.Contains(q.read("p.jsonl"), "mine") {
		t.Errorf("by force: exit %d, %s", v.code, v.errOut)
	}
}
