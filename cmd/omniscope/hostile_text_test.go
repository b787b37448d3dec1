package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// hostileText steers a terminal in many ways: a title, a colour, C1, DEL, a
// return to the start of the line, reading direction, invisible characters.
const hostileText = "e\x1b]0;owned\a\x1b[31m\u009b2J\x7f\b\r\u202e\u2066\u200f\u200b\u2060\ufeff\u2028\u0085x"

// hostileName is such text as a file may be called.
const hostileName = "n\x1b[31m\u009b\x7f\r\u202e\u200b\xffx"

// acting returns the first thing in text that must not reach a terminal.
func acting(text string) string {
	if !utf8.ValidString(text) {
		return "bytes that are not UTF-8"
	}
	for i, r := range text {
		switch {
		case r == '\n', r == '\t':
		case unicode.IsControl(r), strings.ContainsRune("\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff", r):
			return fmt.Sprintf("%U in %q", r, text[max(0, i-60):min(len(text), i+60)])
		}
	}
	return ""
}

// hostileServer answers with hostile text in every place: replies, the names of
// models, codes and messages of errors.
func hostileServer(t *testing.T) (url string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		var asked struct{ Model string }
		json.NewDecoder(r.Body).Decode(&asked)
		switch {
		case strings.HasSuffix(r.URL.Path, "/models"):
			json.NewEncoder(w).Encode(map[string]any{"data": []any{map[string]any{"id": hostileText}}})
		case asked.Model == "failing":
			w.WriteHeader(http.StatusBadRequest)
			json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": hostileText, "code": hostileText}})
		case asked.Model == "page":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html>"+hostileText+hostileName)
		default:
			json.NewEncoder(w).Encode(map[string]any{"id": hostileText, "model": hostileText, "choices": []any{map[string]any{
				"finish_reason": hostileText, "message": map[string]any{"content": hostileText}}}})
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// hostileFolder holds files whose names and contents are hostile.
func hostileFolder(t *testing.T) string {
	dir := t.TempDir()
	row := map[string]any{
		"uuid": "u" + hostileText, "video_path": hostileText, "predicted_caption": hostileText + " a dog",
		"metadata": map[string]any{"category": hostileText, "subcategory": hostileText},
		"cloze": map[string]any{"passage": "A [BLANK_1] " + hostileText, "blanks": []any{map[string]any{
			"number": 1, "options": []string{"A: dog", "B: cat " + hostileText, "C: cow", "D: pig", "E: not given"},
			"answer_key": "A", "required_modality": "audio"}}},
	}
	rows, err := json.Marshal(row)
	fixture.OK(t, err)
	clips := fixture.Read(t, "testdata/clips.jsonl")
	for name, text := range map[string]string{
		"rows.jsonl": string(rows) + "\n", hostileName + ".jsonl": clips, "broken.jsonl": hostileText + hostileName + "\n",
		hostileName + ".txt": hostileText + "\n", "ref.txt": "a reference\n", hostileName + ".mp4": "no media " + hostileText,
		"table.csv":   "judge,system,score,value\n\"" + hostileText + "\",s,accuracy,0.5\n\"" + hostileText + "\",r,accuracy,0.6\nj,s,accuracy,0.5\nj,r,accuracy,0.7\n",
		"prices.yaml": "\"" + "a\x1b" + "\": {in: x}\n", "lines.jsonl": `{"a": 1` + hostileText + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Skipf("no such file names here: %v", err)
		}
	}
	below := filepath.Join(dir, hostileName)
	fixture.OK(t, os.Mkdir(below, 0o755))
	env := "no line " + hostileText + "\nOMNISCOPE_LIMIT=" + hostileText + "\n"
	fixture.OK(t, os.WriteFile(filepath.Join(below, ".env"), []byte(env), 0o600))
	return dir
}

// TestLongHostileText shows hostile names and contents through many commands: what
// people read holds nothing that acts on their terminal.
func TestLongHostileText(t *testing.T) {
	need.Processes(t)
	dir, url := hostileFolder(t), hostileServer(t)
	run := func(in string, args ...string) (out string) {
		t.Helper()
		cmd := exec.Command("omniscope", args...)
		cmd.Dir, cmd.Env = filepath.Join(dir, in), append(os.Environ(), "OPENAI_BASE_URL="+url, "OPENAI_API_KEY=sk-0123456789")
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		cmd.Run() // whatever it ends with
		if stdout.Len()+stderr.Len() == 0 {
			t.Errorf("%+q prints nothing", args)
		}
		for name, text := range map[string]string{"standard output": stdout.String(), "standard error": stderr.String()} {
			if what := acting(text); what != "" {
				t.Errorf("%+q: %s has %s", args, name, what)
			}
		}
		return stdout.String() + stderr.String()
	}
	eval := func(more ...string) []string {
		return append([]string{"eval", "omni-cloze", "-p", "rows.jsonl", "--quiet", "--max-retries", "0", "--retry-wait", "1ms"}, more...)
	}
	said := run("", eval()...)
	if !strings.Contains(said, `\u001b[31m`) {
		t.Errorf("the characters are not shown but lost: %+q", said)
	}
	run("", eval("--system", hostileName, "--out", hostileName+"-out")...)
	run("", eval("-p", hostileName+".jsonl")...)
	run("", eval("--data", "absent "+hostileName)...)
	run("", eval("--prompts", hostileName+" absent", "--judge", "openai/m")...)
	run("", eval("--sample", hostileText)...)
	run("", eval("--prices", "prices.yaml", "--judge", "openai/m")...)
	run("", eval("--judge", "scripted/"+hostileName)...)
	run("", eval("--judge", hostileText)...)
	run("", eval("--judge", "openai/"+hostileText, "--dry-run")...)
	for _, model := range []string{"m", "failing", "page", hostileText} {
		run("", eval("--judge", "openai/"+model)...)
	}
	run("", "eval", "omni-cloze", "-p", "broken.jsonl")
	run("", "eval", hostileText)
	run("", "eval", "omni-cloze", "--"+hostileText)
	run("", hostileText)
	run("", "journal", "show")
	runs, err := filepath.Glob(filepath.Join(dir, "omniscope-work/journal/requests/*.jsonl"))
	if err != nil || len(runs) == 0 {
		t.Fatalf("no runs in the journal: %v", err)
	}
	for _, path := range runs {
		name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		run("", "journal", "show", name)
		run("", "journal", "show", name, "--step", "u"+hostileText)
		run("", "journal", "replay", name)
	}
	run("", "journal", "show", hostileText)
	run("", "doctor", "--judge", "openai/"+hostileText, "--work-dir", hostileName)
	run("", "score", "wer", "--hyp", hostileName+".txt", "--ref", "ref.txt", "--per-segment")
	run("", "score", "bleu", "--hyp", hostileName+".absent", "--ref", "ref.txt")
	run("", "compare", "--table", "table.csv")
	run("", "compare", hostileName, "absent "+hostileName)
	run("", "caption", hostileName+".mp4", "--quiet")
	run("", "caption", "absent "+hostileName)
	run("", "audit", hostileName+".txt", hostileName+".mp4")
	run("", "eval", "mcif", "-s", hostileName+".jsonl", "-r", "absent "+hostileName, "-t", "short", "-l", "en")
	run("", "eval", "mcif", "--systems", hostileName)
	run("", "data", "import", hostileName+".jsonl", "--out", hostileName+".safetensors")
	run("", "data", "get", hostileText)
	run(hostileName, eval("-p", "../rows.jsonl")...)
	run(hostileName, "doctor", "--no-network")
}
