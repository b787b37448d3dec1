package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// A captioner is a server that describes what it was sent, and keeps the texts.
type captioner struct {
	*fake.Server
	mu    sync.Mutex
	texts []string // the last text of each request
}

func startCaptioner(t *testing.T, faults ...fake.Fault) *captioner {
	t.Helper()
	c := &captioner{}
	c.Server = fake.Start(t, fake.Config{Faults: faults, Reply: func(r *fake.Request) fake.Reply {
		text, media := partsOf(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.texts = append(c.texts, text)
		return fake.Reply{Content: fmt.Sprintf("A clip of %s.", strings.Join(media, ", "))}
	}})
	return c
}

// partsOf are the last text of a request, and its media by their number.
func partsOf(body []byte) (text string, media []string) {
	var request struct {
		Messages []struct{ Content json.RawMessage }
	}
	if err := json.Unmarshal(body, &request); err != nil || len(request.Messages) == 0 {
		return err.Error(), nil
	}
	content := request.Messages[len(request.Messages)-1].Content
	if json.Unmarshal(content, &text) == nil {
		return text, []string{"a text"}
	}
	var parts []struct{ Type, Text string }
	json.Unmarshal(content, &parts)
	count := make(map[string]int)
	for _, p := range parts {
		if count[p.Type]++; p.Type == "text" {
			text = p.Text
		}
	}
	for _, kind := range []string{"image_url", "input_audio", "video_url"} {
		if count[kind] > 0 {
			media = append(media, fmt.Sprintf("%d %s", count[kind], kind))
		}
	}
	return text, media
}

func (q inquest) predict(what string, c *captioner, more ...string) verdict {
	q.t.Helper()
	return q.predictBy("", what, c, more...)
}

// predictBy is predict by a profile.
func (q inquest) predictBy(profile, what string, c *captioner, more ...string) verdict {
	q.t.Helper()
	model := "openai/m,base-url=" + c.URL()
	if profile != "" {
		model += ",profile=" + profile
	}
	args := []string{"run", what, "--no-score"}
	if what == "captions" {
		args = []string{"caption"}
	}
	args = append(args, "--model", model, "--work-dir", q.path("work"), "--quiet")
	return q.command(append(args, more...)...)
}

func TestPredictCaptionsOfFiles(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	film := q.shortClip("film.mp4")
	broken := q.write("broken.mp4", "no film")
	out := q.path("captions.jsonl")
	q.predict("captions", c, film, broken, "--out", out, "--max-failures", "0.5").must(t, exitDone).prints(t, "missing").says(t, "asked by the profile called default")
	if got := q.read("captions.jsonl"); !strings.HasPrefix(got, `{"id":"film","path":"`+film+`","caption":"A clip of `) || strings.Count(got, "\n") != 1 {
		t.Errorf("answers: %s", got)
	}
	details := strings.Split(strings.TrimSpace(q.read("captions.details.jsonl")), "\n")
	if len(details) != 3 || !strings.Contains(details[1], `"outcome":"missing"`) || !strings.Contains(details[2], `"times":[`) {
		t.Errorf("details: %s", details)
	}
	asked := c.Stats().Answered
	if v := q.predict("captions", c, film, broken, "--out", out); v.code != exitFailures || c.Stats().Answered != asked {
		t.Errorf("the same command again: exit %d, %d calls more; want %d and none: %s", v.code, c.Stats().Answered-asked, exitFailures, v.errOut)
	}
	q.command("journal", "replay", "predict-", "--work-dir", q.path("work")).ends(t, exitUsage).says(t, "are repeated by their own commands")
	q.predict("captions", c, film, "--prompt", "Who is it?", "--out", out).ends(t, exitUsage).says(t, "--force")
	if v := q.predict("captions", c, film, "--prompt", "Who is it?", "--out", out, "--force"); v.code != exitDone || c.texts[len(c.texts)-1] != "Who is it?" {
		t.Errorf("a prompt of one's own: exit %d, asked %q", v.code, c.texts)
	}
}

// Answers that were paid for stay in their file: when a clip is gone, and when another endpoint is asked, until --force.
func TestPredictKeepsPaidAnswers(t *testing.T) {
	t.Parallel()
	q, c, other := newInquest(t), startCaptioner(t), startCaptioner(t)
	one, two := q.shortClip("one.mp4"), q.toneClip("two.mp4", 660) // equal clips share a call
	out := q.path("captions.jsonl")
	q.predict("captions", c, one, two, "--out", out).must(t, exitDone)
	paid := q.read("captions.jsonl")
	keeps := func(v verdict, code int, words string) {
		t.Helper()
		if v.code != code || !strings.Contains(v.errOut, words) || !strings.Contains(v.errOut, "--force") || q.read("captions.jsonl") != paid {
			t.Errorf("exit %d, want %d and %q: %s\n%s", v.code, code, words, v.errOut, q.read("captions.jsonl"))
		}
	}
	keeps(q.predict("captions", other, one, two, "--out", out), exitUsage, "has answers of "+c.URL()+", and this command asks "+other.URL())
	if n := other.Stats().Requests; n != 0 {
		t.Errorf("%d requests went to the other endpoint", n)
	}
	fixture.OK(t, os.WriteFile(two, []byte("gone"), 0o644))
	keeps(q.predict("captions", c, one, two, "--out", out), exitFailed, "has 2 answers, and this command has 1")
	if v := q.predict("captions", c, one, two, "--out", out, "--force", "--max-failures", "0.5"); v.code != exitDone || strings.Count(q.read("captions.jsonl"), "\n") != 1 {
		t.Errorf("with --force: exit %d, %s", v.code, v.errOut)
	}
	q.toneClip("one.mp4", 880)
	q.predict("captions", c, one, two, "--out", out, "--max-failures", "0.5").ends(t, exitDone).says(t, "1 samples had answers to other requests and were asked again (one)")
}

func TestConcurrencyOfAProfile(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	film := q.shortClip("film.mp4")
	args := []string{film}
	for i := range 4 {
		args = append(args, q.write(fmt.Sprintf("%d.mp4", i), q.read("film.mp4")))
	}
	own := q.write("own.yaml", "name: own\nsenses: [visual]\nconcurrency: 1\n")
	v := q.predictBy(own, "captions", c, append(args, "--out", q.path("captions.jsonl"))...)
	if v.code != exitDone || c.Stats().Answered == 0 || c.Stats().PeakInFlight != 1 {
		t.Errorf("exit %d, %d calls, %d at a time: %s", v.code, c.Stats().Answered, c.Stats().PeakInFlight, v.errOut)
	}
}

func TestPredictTable(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t, fake.Fault{When: fake.Always(), Do: fake.Say(`=1+1, "quoted"`)})
	film := q.shortClip("film.mp4")
	q.predict("captions", c, film, "--out", q.path("captions.csv")).must(t, exitDone)
	if got, want := q.read("captions.csv"), "id,path,caption,modality,system\nfilm,"+film+",\"'=1+1, \"\"quoted\"\"\",audio-visual,m\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPredictMisuse(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	film := q.shortClip("film.mp4")
	rows := q.write("ann.jsonl", `{"video_id":"a","video_path":"a.mp4","keypoints":[]}`)
	videos := q.write("short.jsonl", `{"film": [{"question": "Who?", "answer": "a man"}]}`)
	for _, x := range []struct {
		args []string
		says string
	}{
		{[]string{"caption", "--model", "openai/m"}, "name the media files"},
		{[]string{"caption", film, "--model", "openai/m", "--detective", "openai/d"}, "give one of them"},
		{[]string{"caption", film, "--prompt", "What?"}, "--prompt goes with --model"},
		{[]string{"caption", film, "--model", "gpt"}, "openai"},
		{[]string{"caption", film, "--model", "offline"}, "offline is no model"},
		{[]string{"caption", film, "--model", "openai/m,profile=qwen3-omny"}, "did you mean qwen3-omni?"},
		{[]string{"caption", film, "--model", "openai/m,profile=" + q.path("none.yaml")}, "none.yaml"},
		{[]string{"caption", film, "--model", "openai/m", "--modality", "vidio"}, "--modality"},
		{[]string{"caption", film, "--model", "openai/qwen3-vl", "--modality", "audio"}, "profile qwen3-vl is for models that are asked by visual, text"},
		{[]string{"run", "vdc", "--data", videos, "--model", "openai/m", "--modality", "text"}, "; --modality audio-visual can ask 1 of 1"},
		{[]string{"run", "mmau", "--data", videos, "--model", "openai/gpt-4o"}, "mmau asks about sound alone, and profile gpt-4o is for models that are asked by visual, text"},
		{[]string{"caption", film, "--model", "openai/m", "--max-failures", "2"}, "--max-failures is a share"},
		{[]string{"run", "mcif", "--model", "openai/m"}, "give the benchmark's file with --data"},
		{[]string{"run", "capricorn", "--model", "openai/m", "--data", rows}, "ann.jsonl"},
	} {
		v := q.command(append(x.args, "--work-dir", q.path("work"))...)
		if v.code != exitUsage && v.code != exitFailed || !strings.Contains(v.errOut, x.says) {
			t.Errorf("%v: exit %d, %q; want %q", x.args, v.code, v.errOut, x.says)
		}
	}
	if n := c.Stats().Answered; n != 0 {
		t.Errorf("%d calls", n)
	}
}

func TestPredictThenEval(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ benchmark, row, scored string }{
		{"omni-cloze", `{"uuid":"0001","video_path":"film.mp4","cloze":{"passage":"A [BLANK_1] runs.","blanks":[{"number":1,"options":["A: clip","B: cat","C: cow","D: bird","E: not given"],"answer_key":"A","required_modality":"visual"}]}}`, "samples +1: 1 ok"},
		{"capricorn", `{"video_id":"v1","video_path":"film.mp4","duration":100,"events":{"main_sbj_evts":[],"main_sbj_ints":[],"bg_desc":[],"trans_desc":[],"minor_evts":["a clip of a test card is shown"]}}`, "samples +1: 1 ok"},
	} {
		t.Run(c.benchmark, func(t *testing.T) {
			t.Parallel()
			q, server := newInquest(t), startCaptioner(t)
			q.shortClip("film.mp4")
			rows := q.write("rows.jsonl", c.row+"\n")
			q.predict(c.benchmark, server, "--data", rows, "--out", q.path("captions.jsonl")).must(t, exitDone)
			v := q.command("eval", c.benchmark, "--data", rows, "-p", q.path("captions.jsonl"), "--work-dir", q.path("work"), "--quiet")
			if v.code != exitDone || !regexp.MustCompile(c.scored).MatchString(v.out) {
				t.Errorf("exit %d: %s%s", v.code, v.out, v.errOut)
			}
		})
	}
}

func TestRunBenchmark(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	q.shortClip("film.mp4")
	rows := q.write("rows.jsonl", `{"uuid":"0001","video_path":"film.mp4","cloze":{"passage":"A [BLANK_1] runs.","blanks":[{"number":1,"options":["A: clip","B: cat","C: cow","D: bird","E: not given"],"answer_key":"A","required_modality":"visual"}]}}`+"\n")
	args := func(more ...string) []string {
		return append([]string{"run", "omni-cloze", "--model", "openai/m,base-url=" + c.URL(), "--data", rows, "--work-dir", q.path("work"), "--quiet"}, more...)
	}
	v := q.command(args("--out", q.path("a"), "--judge", "openai/j,base-url="+c.URL(), "--max-calls", "1")...)
	if v.code != exitBudget || c.Stats().Answered != 1 || !strings.Contains(v.errOut, "this command: 1 call, ") {
		t.Errorf("one call for both halves: exit %d after %d calls: %s", v.code, c.Stats().Answered, v.errOut)
	}
	v = q.command(args("--out", q.path("b"), "--seed", "7", "--modality", "visual")...)
	if v.code != exitDone || !regexp.MustCompile(`samples +1: 1 ok`).MatchString(v.out) {
		t.Fatalf("exit %d: %s%s", v.code, v.out, v.errOut)
	}
	has(t, v.out, "seed:7", "modality:visual", "system     m")
	asked := c.Stats().Answered
	if v = q.command(args("--out", q.path("b"), "--seed", "7", "--modality", "visual")...); v.code != exitDone || c.Stats().Answered != asked {
		t.Errorf("the same command again: exit %d, %d calls more", v.code, c.Stats().Answered-asked)
	}
	q.command("run", "omni-cloze", "--model", "openai/m").ends(t, exitUsage).says(t, "--data FILE")
}

// TestLongPredictMCIF runs every file of a test set with every modality, and has the
// published scorer's form accept what was written.
func TestLongPredictMCIF(t *testing.T) {
	t.Parallel()
	set := golden.Path(t, "mcif", "build", "case_a", "OUT")
	q, c := newInquest(t), startCaptioner(t)
	film, sound := q.shortClip("film.mp4"), q.path("sound.wav")
	clips.Make(t, sound, "-i", film, "-ac", "1")
	for _, lang := range []string{"de", "en", "it", "zh"} {
		for _, track := range []string{"long", "short"} {
			for _, prompts := range []string{"fixed", "mixed"} {
				source := filepath.Join(set, fmt.Sprintf("MCIF1.0.IF.%s.%s.src.%sprompts.xml", track, lang, prompts))
				defs, err := mcifxml.ReadDefinitions(t.Context(), source, track, lang, mcifxml.Options{})
				fixture.OK(t, err)
				q.mediaOf(set, defs, film, sound)
				for _, modality := range []string{"text", "audio", "video", "mllm"} {
					q.predictTask(c, set, source, defs, modality, map[string]string{"fixed": "fixed", "mixed": "random"}[prompts])
				}
			}
		}
	}
}

// mediaOf puts a clip in the place of each of a test set's.
func (q inquest) mediaOf(set string, defs *mcifxml.Definitions, film, sound string) {
	q.t.Helper()
	track := strings.ToUpper(defs.Track)
	link := func(from, folder, name string) {
		if name == "" {
			return
		}
		to := q.path(filepath.Join("media", track+"_"+folder, name))
		fixture.OK(q.t, os.MkdirAll(filepath.Dir(to), 0o755))
		if err := os.Symlink(from, to); err != nil && !os.IsExist(err) {
			q.t.Fatal(err)
		}
	}
	for _, d := range defs.Samples {
		link(film, "VIDEOS", d.VideoPath)
		link(sound, "AUDIOS", d.AudioPath)
		link(filepath.Join(set, track+"_TEXTS", d.TextPath), "TEXTS", d.TextPath)
	}
}

func (q inquest) predictTask(c *captioner, set, source string, defs *mcifxml.Definitions, modality, prompts string) {
	t := q.t
	t.Helper()
	c.mu.Lock()
	c.texts = nil
	c.mu.Unlock()
	v := q.predict("mcif", c, "--data", source, "--media", q.path("media"), "--modality", modality, "--out", q.path("out")+"/", "--system", "sys")
	if modality == "text" && defs.Track == "short" {
		if v.code != exitUsage || !strings.Contains(v.errOut, "it names no such media") {
			t.Errorf("%s: text of short: exit %d, %s", source, v.code, v.errOut)
		}
		return
	}
	if v.code != exitDone {
		t.Fatalf("%s %s: %s", source, modality, v.errOut)
	}
	for _, text := range c.texts {
		if !slices.ContainsFunc(defs.Samples, func(d mcifxml.Definition) bool {
			return text == d.Instruction || modality == "text" && strings.HasSuffix(text, "\n"+d.Instruction)
		}) {
			t.Fatalf("%s %s: asked %q, which is no instruction of the set", source, modality, text)
		}
	}
	name := fmt.Sprintf("%s_%s_%s_%s_sys_output.xml", modality, defs.Track, defs.Lang, prompts)
	out, err := mcifxml.ReadOutput(t.Context(), q.path("out/"+name), defs.Track, defs.Lang, mcifxml.Options{})
	fixture.OK(t, err)
	asked := 0
	for _, d := range defs.Samples {
		if modality != "text" || d.TextPath != "" {
			asked++
		}
	}
	if len(out.Samples) != asked || out.Refused != nil || len(out.Problems) > 0 {
		t.Errorf("%s: %d answers of %d, %v %v", name, len(out.Samples), asked, out.Refused, out.Problems)
	}
	filter := map[string]string{"mllm": "video"}[modality]
	if filter == "" {
		filter = modality
	}
	references := filepath.Join(set, fmt.Sprintf("MCIF1.0.IF.%s.%s.ref.xml", defs.Track, defs.Lang))
	v = q.command("eval", "mcif", "-s", q.path("out/"+name), "-r", references, "-t", defs.Track, "-l", defs.Lang, "-m", filter, "--compat", "--scorers", "lengths", "--work-dir", q.path("work"))
	if !strings.Contains(v.out, `"state": "OK"`) {
		t.Errorf("eval of %s: %s%s", name, v.out, v.errOut)
	}
}

// TestPredictFaults: what is no answer is counted and never written as one.
func TestPredictFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault   fake.Effect
		outcome string
	}{
		"refusal": {fake.Refuse("I can not do that."), "refused"},
		"cut off": {fake.Finish("length"), "truncated"},
		"empty":   {fake.Say(" "), "abstained"},
		"cut off, in the words of another provider":  {fake.Finish("MAX_TOKENS"), "truncated"},
		"filtered, in the words of another provider": {fake.Finish("SAFETY"), "refused"},
		"a thought without an end":                   {fake.Say("<think>The user wants a description. I see a"), "unparsed"},
		"no answer":                                  {fake.Status(400, "the media are not taken", "bad"), "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newInquest(t)
			server := startCaptioner(t, fake.Fault{When: fake.Always(), Do: c.fault})
			film := q.shortClip("film.mp4")
			v := q.predict("captions", server, film, "--out", q.path("captions.jsonl"), "--max-retries", "0")
			if v.code == exitDone {
				t.Errorf("exit %d: %s", v.code, v.out)
			}
			if !ondisk.Exists(q.path("captions.jsonl")) {
				if !strings.Contains(v.errOut, "the media are not taken") {
					t.Error(v.errOut)
				}
				return // the endpoint refuses every request: the run stops
			}
			want := ""
			if name == "empty" { // the model says nothing, and that is an answer
				want = `{"id":"film","path":"` + film + `","caption":"","modality":"audio-visual","system":"m"}` + "\n"
			}
			if got := q.read("captions.jsonl"); got != want {
				t.Errorf("answers %q, want %q", got, want)
			}
			lines := bufio.NewScanner(strings.NewReader(q.read("captions.details.jsonl")))
			lines.Scan()
			if lines.Scan(); !strings.Contains(lines.Text(), `"outcome":"`+c.outcome+`"`) {
				t.Errorf("%s; want %s", lines.Text(), c.outcome)
			}
		})
	}
}

// TestPredictFindsLostMedia asks servers that count as a Qwen model does and that do not perceive all of what they were sent: a token is 28 x 28
// pixels, a picture has two marks, and a second of sound is 25 tokens.
func TestPredictFindsLostMedia(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		drops func(kind string, n int) bool // the nth part of a kind, from 1
		few   bool
	}{
		"all":                {func(string, int) bool { return false }, false},
		"no sound":           {func(kind string, _ int) bool { return kind == "input_audio" }, true},
		"half of the frames": {func(kind string, n int) bool { return kind == "image_url" && n%2 == 0 }, true},
		"no frames":          {func(kind string, _ int) bool { return kind == "image_url" }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newInquest(t)
			server := &captioner{}
			server.Server = fake.Start(t, fake.Config{Reply: func(r *fake.Request) fake.Reply {
				return fake.Reply{Content: "A test card and a tone.", PromptTokens: qwenTokens(r.Body, c.drops)}
			}})
			v := q.predictBy("qwen2.5-omni", "captions", server, q.toneClip("film.mp4", 440), "--out", q.path("captions.jsonl"))
			details := q.read("captions.details.jsonl")
			if v.code != exitDone || strings.Contains(details, `"tokens_too_few":true`) != c.few || strings.Contains(v.errOut, "it did not perceive all of it") != c.few {
				t.Errorf("exit %d, %s %s", v.code, v.errOut, details)
			}
		})
	}
}

// qwenTokens counts the tokens of a request: 20 for the template, a token for 4 bytes of text, and the tokens of media that are not dropped.
func qwenTokens(body []byte, drops func(kind string, n int) bool) int {
	tokens, seen := 20, make(map[string]int)
	gjson.GetBytes(body, "messages").ForEach(func(_, message gjson.Result) bool {
		content := message.Get("content")
		if content.Type == gjson.String {
			tokens += len(content.Str) / 4
			return true
		}
		content.ForEach(func(_, part gjson.Result) bool {
			kind := part.Get("type").Str
			seen[kind]++
			data := part.Get("image_url.url").Str + part.Get("input_audio.data").Str
			raw, err := base64.StdEncoding.DecodeString(data[strings.IndexByte(data, ',')+1:])
			switch {
			case kind == "text":
				tokens += len(part.Get("text").Str) / 4
			case err != nil || drops(kind, seen[kind]):
			case kind == "image_url":
				if picture, _, err := image.DecodeConfig(bytes.NewReader(raw)); err == nil {
					tokens += picture.Width/28*(picture.Height/28) + 2
				}
			default:
				tokens += len(raw)/2/16000*25 + 2
			}
			return true
		})
		return true
	})
	return tokens
}

// TestPredictStopsAtAnEmptyAccount: no other sample would fare better, and the message names the model, its address and the key.
func TestPredictStopsAtAnEmptyAccount(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	server := startCaptioner(t, fake.Fault{When: fake.Always(), Do: fake.Status(429, "Insufficient balance or no resource package. Please recharge.", "1113")})
	v := q.predict("captions", server, q.shortClip("a.mp4"), q.shortClip("b.mp4"), "--out", q.path("captions.jsonl"), "--concurrency", "1")
	if v.code != exitFailed || !strings.Contains(v.errOut, "429 (1113)") || !strings.Contains(v.errOut, " at "+server.URL()) || !strings.Contains(v.errOut, " key") || ondisk.Exists(q.path("captions.jsonl")) {
		t.Errorf("exit %d: %s", v.code, v.errOut)
	}
}

// TestPredictGoesOnAfterAFilteredQuestion: a filter that answers 403 refuses one sample, and not the key.
func TestPredictGoesOnAfterAFilteredQuestion(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	server := startCaptioner(t, fake.Fault{When: fake.Between(1, 1), Do: fake.Status(403, "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO", "")})
	v := q.predict("captions", server, q.shortClip("a.mp4"), q.shortClip("b.mp4"), "--out", q.path("captions.jsonl"), "--concurrency", "1", "--blind-share", "0")
	if got := q.read("captions.details.jsonl"); v.code != exitFailures || strings.Count(got, `"outcome":"refused"`) != 1 || strings.Count(got, `"outcome":"ok"`) != 1 {
		t.Errorf("exit %d: %s %s", v.code, v.errOut, got)
	}
}

// MMAU is asked by sound without a flag, and a model that knows the answers has 100 in both scorings, whether it answers in words, as
// it is asked to, or by letters.
func TestPerfectModelOfSoundQuestions(t *testing.T) {
	t.Parallel()
	for _, bench := range []string{"mmau", "mmar"} {
		for _, reply := range []string{"a train", "B", "B. a train"} {
			q := newInquest(t)
			c := startCaptioner(t, fake.Fault{When: fake.Always(), Do: fake.Say(reply)})
			q.shortClip("film.mp4")
			data := q.write("data.json", `[{"id": "q1", "audio_id": "film.mp4", "audio_path": "film.mp4", "question": "What is heard?", "choices": ["a dog", "a train", "rain"], "answer": "a train"}]`)
			v := q.predict(bench, c, "--data", data, "--out", q.path("p.jsonl"), "--blind-share", "0")
			if v.code != exitDone || strings.Contains(v.errOut, "letters, and are written") != (reply != "a train") {
				t.Fatalf("%s, %q: exit %d, %s", bench, reply, v.code, v.errOut)
			}
			if got := q.read("p.jsonl"); !strings.Contains(got, `":"a train"`) {
				t.Errorf("%s, %q is written as %s", bench, reply, got)
			}
			v = q.command("eval", bench, "--data", data, "-p", q.path("p.jsonl"), "--work-dir", q.path("work"), "--json", "--scoring", "official", "--quiet")
			if v.code != exitDone || strings.Count(v.out, `"correct": 1`) < 2 || strings.Contains(v.out, `"wrong": 1`) || strings.Contains(v.errOut, "letters of options") {
				t.Errorf("%s, %q: exit %d, %s %s", bench, reply, v.code, v.errOut, v.out)
			}
			q.predict(bench, c, "--data", data, "--modality", "audio-visual").ends(t, exitUsage).says(t, "write --modality audio")
		}
	}
}

// A sense that the benchmark tests and the model is not sent is a warning before the first call.
func TestUnsentSenseIsAWarning(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	q.shortClip("film.mp4")
	data := q.write("rows.jsonl", `{"uuid": "1", "video_path": "film.mp4", "cloze": {"passage": "A [BLANK_1] rings.", "blanks": [{"number": 1, "answer": "bell", "distractors": ["horn", "drum", "whistle"], "required_modality": "audio"}]}}`)
	q.command("run", "omni-cloze", "--no-score", "--data", data, "--model", "openai/qwen3-vl-8b,base-url="+c.URL(), "--work-dir", q.path("work"), "--quiet", "--out", q.path("c.jsonl")).ends(t, exitDone).says(t, "omni-cloze tests sound, and --modality visual sends the model no sound")
}
