package cloze

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model/judge"
	"omniscope/model/scripted"
)

// write writes files below a new folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o700))
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

const (
	heard = "A man sings. A dog barks."
	seen  = "A man in red stands on a stage. A cat sleeps."
	both  = "A man in blue sings on a stage."
)

// three are captions of the clip one, in plain rows.
func three(t *testing.T) *Clips {
	t.Helper()
	dir := write(t, map[string]string{
		"a.jsonl":  `{"uuid": "one", "caption": "` + heard + `"}`,
		"v.jsonl":  `{"id": "one", "caption": "` + seen + `"}`,
		"av.jsonl": `{"id": "one", "caption": "` + both + `", "video_path": "clips/one.mp4#t=1,4"}`,
	})
	c, err := OpenClips(t.Context(), Files{Audio: dir + "/a.jsonl", Visual: dir + "/v.jsonl", AudioVisual: dir + "/av.jsonl"})
	fixture.OK(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

func clipOf(t *testing.T, c *Clips, id string) *clipEntry {
	t.Helper()
	clip, err := c.Clip(t.Context(), id)
	fixture.OK(t, err)
	return clip
}

// describer answers with replies, one for each asking.
func describer(t *testing.T, replies ...string) *Describer {
	t.Helper()
	prompt, err := LoadDescribePrompt(nil, "")
	fixture.OK(t, err)
	script := make([]scripted.Reply, len(replies))
	for i, text := range replies {
		script[i] = scripted.Reply{Text: text}
	}
	return &Describer{Prompt: prompt, Asker: &judge.Judge{Name: "scripted/x", Request: "x", Attempts: 2, Model: scripted.New(map[string][]scripted.Reply{"one/describe": script})}}
}

const goodReply = `{"sentences": [
	{"text": "A man sings on a stage.", "from": ["a1", "v1", "av1"], "modality": "audio-visual"},
	{"text": "A dog barks.", "from": ["a2"], "modality": "audio"},
	{"text": "It is his birthday.", "from": [], "modality": "visual"}],
	"conflicts": [{"between": ["v1", "av1"], "why": "the colour of his clothes"}], "dropped": []}`

func TestDescribe(t *testing.T) {
	d, err := describer(t, goodReply).Describe(t.Context(), clipOf(t, three(t), "one"))
	fixture.OK(t, err)
	if d.Outcome != omniscope.OK || d.Caption != "A man sings on a stage. A dog barks." || d.VideoPath != "clips/one.mp4" || d.Stretch != "1,4" || d.Asked != 1 {
		t.Errorf("description %+v", d)
	}
	if !reflect.DeepEqual(d.Unfounded, []string{"It is his birthday."}) || !reflect.DeepEqual(d.Unused, []string{"v2"}) || len(d.Conflicts) != 1 {
		t.Errorf("unfounded %q, unused %q, conflicts %v", d.Unfounded, d.Unused, d.Conflicts)
	}
	if !d.Sentences[0].Disputed || d.Sentences[1].Disputed {
		t.Errorf("sentences %+v: the first rests on what conflicts, the second does not", d.Sentences)
	}
}

func TestDescribeAsksAgain(t *testing.T) {
	d, err := describer(t, "I would rather talk.", goodReply).Describe(t.Context(), clipOf(t, three(t), "one"))
	if err != nil || d.Outcome != omniscope.OK || d.Asked != 2 {
		t.Errorf("%+v, %v", d, err)
	}
	d, err = describer(t, "{}", "{}", goodReply).Describe(t.Context(), clipOf(t, three(t), "one"))
	if err != nil || d.Outcome != omniscope.Unparsed || d.Asked != 2 || d.Why == "" || d.Caption != "" {
		t.Errorf("after two askings: %+v, %v", d, err)
	}
}

func TestQuestionNumbersSentences(t *testing.T) {
	messages := describer(t).Messages(clipOf(t, three(t), "one"))
	text := messages[0].Parts[0].Text
	for _, want := range []string{"The audio caption:\na1: A man sings.\na2: A dog barks.\n", "The visual caption:\nv1: A man in red", "The audio-visual caption:\nav1: A man in blue"} {
		if !strings.Contains(text, want) {
			t.Errorf("the question lacks %q:\n%s", want, text)
		}
	}
}

func TestBadReplies(t *testing.T) {
	clip := clipOf(t, three(t), "one")
	one := func(fields string) string { return `{"sentences": [{"text": "x", ` + fields + `}]}` }
	for reply, says := range map[string]string{
		`{"sentences": []}`: "no list of",
		`{"sentences": [{"from": ["a1"], "modality": "audio"}]}`:                          `sentence 1: it has no "text"`,
		one(`"from": ["a9", "o1"], "modality": "audio"`):                                  "there is no sentence a9, o1; the sentences are a1 to a2, v1 to v2, av1 to av1",
		one(`"from": "a1", "modality": "audio"`):                                          "it is not a list",
		one(`"from": ["a1"], "modality": "sound"`):                                        "not one of audio, visual, audio-visual",
		one(`"from": ["a1"], "modality": "visual"`):                                       "it must be audio",
		one(`"from": ["v1"], "modality": "audio-visual"`):                                 "it must be visual",
		one(`"from": ["a1", "v1"], "modality": "audio"`):                                  "it must be audio-visual",
		one(`"from": ["a1", "av1"], "modality": "visual"`):                                "it must be audio or audio-visual",
		one(`"from": ["v1", "av1"], "modality": "audio"`):                                 "it must be visual or audio-visual",
		one(`"from": [], "modality": "audio"`):                                            "none of its sentences says",
		strings.Replace(goodReply, `"dropped": []`, `"dropped": ["a2"]`, 1):               `sentence 2 rests on a2, which is in "dropped" as well`,
		strings.Replace(goodReply, `"v1", "av1"], "why"`, `"v1", "v1"], "why"`, 1):        "fewer than two",
		strings.Replace(goodReply, "the colour of his clothes", " ", 1):                   `it has no "why"`,
		strings.Replace(goodReply, `"conflicts": [`, `"conflicts": "none", "more": [`, 1): `its "conflicts" is not a list`,
		goodReply + goodReply:                                                             "2 JSON objects",
		`{"sentences": 1, "sentences": 2}`:                                                "twice",
	} {
		if _, err := clip.readReply(reply); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s\ngot the error %v, want %q", reply, err, says)
		}
	}
}

// TestModalitiesOfAudioVisualSentences: a sentence of the audio-visual caption may need any sense.
func TestModalitiesOfAudioVisualSentences(t *testing.T) {
	clip := clipOf(t, three(t), "one")
	for _, modality := range []string{"audio", "visual", "audio-visual"} {
		if _, err := clip.readReply(`{"sentences": [{"text": "x", "from": ["[av1]"], "modality": "` + modality + `"}]}`); err != nil {
			t.Errorf("%s: %v", modality, err)
		}
	}
}

// report is an investigation of the clip one, with a caption of one sentence.
func report(text string) string {
	return `{"schema": "omniscope.investigation/1", "clip": {"id": "one", "path": "one.mp4"}, "outcome": "ok",
		"ledger": [{"id": "o1", "tool": "sound", "what": "rain", "start_s": 1.5, "end_s": 2}, {"id": "o2", "tool": "asr", "what": "a word"}],
		"caption": {"outcome": "ok", "text": "` + text + `", "sentences": [{"text": "` + text + `", "evidence": ["o1", "o7"]}]}}`
}

func trajectory(text string) string {
	return `{"id": "one", "url": "one.mp4", "omni_detective_trajectory": [{"role": "user", "content": "describe"}, {"role": "assistant", "content": "` + text + `"}]}`
}

func TestInvestigations(t *testing.T) {
	dir := write(t, map[string]string{
		"a/captions-00000.jsonl": trajectory("Rain falls."), "reports/a/x/report.json": report("Rain falls."),
		"v/captions-00000.jsonl": trajectory("It is grey."), "reports/v/x/report.json": report("It was green."),
		"alone/x/report.json": report("Rain falls here."), "alone/index.html": "",
	})
	c, err := OpenClips(t.Context(), Files{Audio: dir + "/a", Visual: dir + "/v/captions-00000.jsonl", AudioVisual: dir + "/alone"})
	fixture.OK(t, err)
	defer c.Close()
	clip := clipOf(t, c, "one")
	if got := clip.sentence("a1"); got == nil || !reflect.DeepEqual(got.Evidence, []string{"a:o1"}) {
		t.Errorf("the audio caption's sentence: %+v", got)
	}
	if got := clip.sentence("v1"); got == nil || got.Text != "It is grey." || got.Evidence != nil || !clip.Stale {
		t.Errorf("the report of another caption counts: %+v", got)
	}
	d, err := describer(t, `{"sentences": [{"text": "Grey rain.", "from": ["a1", "v1", "av1"], "modality": "audio-visual"}], "conflicts": [], "dropped": []}`).Describe(t.Context(), clip)
	fixture.OK(t, err)
	if want := []string{"a:o1", "av:o1"}; !reflect.DeepEqual(d.Sentences[0].Evidence, want) {
		t.Errorf("evidence %q, want %q", d.Sentences[0].Evidence, want)
	}
	if len(d.Evidence) != 2 || d.Evidence[0].What != "rain" || d.Evidence[0].EndS != 2 || d.VideoPath != "one.mp4" {
		t.Errorf("evidence %+v", d.Evidence)
	}
}

func TestBadCaptions(t *testing.T) {
	good := `{"id": "one", "caption": "A."}`
	for name, c := range map[string]struct {
		files map[string]string
		says  string
	}{
		"not JSON":      {map[string]string{"a": good + "\n{\"id\": "}, "a:2: not JSON"},
		"no id":         {map[string]string{"a": good + "\n{\"caption\": \"B.\"}"}, `a:2: the row has no uuid or id`},
		"no caption":    {map[string]string{"a": `{"id": 1, "kaption": "B."}`}, "a:1: the row has no caption"},
		"twice":         {map[string]string{"a": good + "\n" + good}, "a:2: the id one is there already, on line 1"},
		"unfinished":    {map[string]string{"a/unfinished-00000.jsonl": good}, "is not finished"},
		"empty folder":  {map[string]string{"a/readme": "x"}, "holds no captions"},
		"bad report":    {map[string]string{"a/x/report.json": "{}"}, "names no clip"},
		"two reports":   {map[string]string{"a/x/report.json": report("A."), "a/y/report.json": report("A.")}, "are both of the clip one"},
		"no such file":  {nil, "no such file"},
		"nothing joint": {map[string]string{"a": `{"id": "two", "caption": "A."}`}, "no clip has a caption in all of"},
	} {
		if c.files == nil {
			c.files = make(map[string]string)
		}
		c.files["v"], c.files["av"] = good, good
		dir := write(t, c.files)
		_, err := OpenClips(t.Context(), Files{Audio: dir + "/a", Visual: dir + "/v", AudioVisual: dir + "/av"})
		if err == nil || !strings.Contains(err.Error(), c.says) || omniscope.KindOf(err) != omniscope.Invalid {
			t.Errorf("%s: got %v, want %q", name, err, c.says)
		}
	}
}

func TestMissingCaptions(t *testing.T) {
	dir := write(t, map[string]string{
		"a":  "{\"id\": \"one\", \"caption\": \"A.\"}\n{\"id\": \"two\", \"caption\": null}",
		"v":  "{\"id\": \"one\", \"caption\": \"B.\"}",
		"av": "{\"id\": \"one\", \"caption\": \"C.\"}\n{\"id\": \"two\", \"caption\": \"D.\"}",
	})
	c, err := OpenClips(t.Context(), Files{Audio: dir + "/a", Visual: dir + "/v", AudioVisual: dir + "/av"})
	fixture.OK(t, err)
	defer c.Close()
	if !reflect.DeepEqual(c.Lacking(), []string{"two"}) {
		t.Errorf("lacking: %q", c.Lacking())
	}
	d, err := describer(t).Describe(t.Context(), clipOf(t, c, "two")) // asks nothing: there is no reply
	if err != nil || d.Outcome != omniscope.Missing || !strings.Contains(d.Why, "its audio caption in") || !strings.Contains(d.Why, "there is no visual caption in") {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestOutput(t *testing.T) {
	dir := t.TempDir()
	o, err := OpenOutput(dir, "run-1", false)
	fixture.OK(t, err)
	done, err := describer(t, goodReply).Describe(t.Context(), clipOf(t, three(t), "one"))
	fixture.OK(t, err)
	// In any order they are written in that of the clips.
	for n, d := range map[int]*description{2: {UUID: "three", Outcome: omniscope.Missing, Why: "no caption"}, 1: done, 0: {UUID: "zero", Outcome: omniscope.Failed, Why: "no answer"}} {
		fixture.OK(t, o.Add(n, d))
	}
	fixture.OK(t, o.Write())
	fixture.OK(t, o.Close())
	failures, _ := os.ReadFile(filepath.Join(dir, FailuresFile))
	if want := `{"uuid":"zero","outcome":"failed","why":"no answer"}` + "\n" + `{"uuid":"three","outcome":"missing","why":"no caption"}` + "\n"; string(failures) != want {
		t.Errorf("failures\n%s", failures)
	}
	var read description
	text, _ := os.ReadFile(filepath.Join(dir, DescriptionsFile))
	if err := json.Unmarshal(text, &read); err != nil || read.UUID != "one" || len(read.Sentences) != 2 || len(read.CaptionSentences) != 5 {
		t.Errorf("%+v, %v", read, err)
	}
	if s := o.Summary; s.Clips != 3 || s.Failed() != 2 || s.Described() != 2 || s.Unfounded != 1 || s.Disputed != 1 || s.NoEvidence != 2 || s.Unused != 1 {
		t.Errorf("summary %+v", s)
	}
	if _, err := OpenOutput(dir, "run-2", false); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("another run writes over it: %v", err)
	}
	for _, again := range []struct {
		run   string
		force bool
	}{{"run-1", false}, {"run-2", true}} {
		o, err := OpenOutput(dir, again.run, again.force)
		if err != nil {
			t.Fatalf("%+v: %v", again, err)
		}
		o.Close()
	}
}

func TestPromptsOfAFolder(t *testing.T) {
	for name, c := range map[string]struct{ file, text, says string }{
		"misspelt":       {"described.txt", "x", "replaces no prompt"},
		"no placeholder": {"describe.txt", "{audio} {visual}", "has no {audio_visual}"},
	} {
		dir := write(t, map[string]string{c.file: c.text})
		if _, err := LoadDescribePrompt(os.DirFS(dir), dir); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReleasedRowsNameNoFolder(t *testing.T) {
	for row, want := range map[string]string{
		`{"path": "/home/me/clips/a.mp4"}`:                        "a.mp4",
		`{"path": "clips/a.mp4"}`:                                 "clips/a.mp4",
		`{"video_path": "./videos/a.mp4", "path": "/home/a.mp4"}`: "./videos/a.mp4",
	} {
		if got := videoOf([]byte(row)); got != want {
			t.Errorf("%s: %q, want %q", row, got, want)
		}
	}
}
