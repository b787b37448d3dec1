package asr

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// Replies in the forms of the server of whisper.cpp (examples/server/server.cpp).

// cppSegment is a segment of its verbose_json.
func cppSegment(times, text, logProb string) string {
	return `{"id":0,"text":"` + text + `",` + times + `"tokens":[50364,440],"words":[{"word":" a","start":0.0,"end":0.4,"t_dtw":-1,"probability":0.9}],"temperature":0.0,"avg_logprob":` + logProb + `,"no_speech_prob":0.02}`
}

func cppReply(heard string, segments ...string) string {
	return `{"task":"transcribe","language":"english","duration":4.0,"text":" a\n b\n","detected_language":"` + heard + `","detected_language_probability":0.93,` +
		`"language_probabilities":{"en":0.93},"segments":[` + strings.Join(segments, ",") + `]}`
}

func TestRepliesOfWhisperCPP(t *testing.T) {
	const first, second = `"start":0.5,"end":2.0,`, `"start":2.0,"end":3.5,`
	for _, c := range []struct {
		name, body string
		want       []Segment
	}{
		{"two sentences", cppReply("english", cppSegment(first, " One two.", "-0.2"), cppSegment(second, " Three.", "-0.4")), []Segment{
			{Start: 500 * time.Millisecond, End: 2 * time.Second, Text: " One two.", Sure: Sureness{Known: true, LogProb: -0.2, NoSpeech: 0.02}},
			{Start: 2 * time.Second, End: 3500 * time.Millisecond, Text: " Three.", Sure: Sureness{Known: true, LogProb: -0.4, NoSpeech: 0.02}},
		}},
		{"cut within a word", cppReply("english", cppSegment(first, " asked Kenn", "-0.2"), cppSegment(second, "edy, again", "-0.2")), []Segment{
			{Start: 500 * time.Millisecond, End: 3500 * time.Millisecond, Text: " asked Kennedy, again", Sure: Sureness{Known: true, LogProb: -0.2, NoSpeech: 0.02}},
		}},
		{"cut before a mark", cppReply("english", cppSegment(first, " yes", "-0.2"), cppSegment(second, ", no", "-0.2")), []Segment{
			{Start: 500 * time.Millisecond, End: 3500 * time.Millisecond, Text: " yes, no", Sure: Sureness{Known: true, LogProb: -0.2, NoSpeech: 0.02}},
		}},
		{"cut within a letter", cppReply("english", cppSegment(first, " caf\ufffd", "-0.2"), cppSegment(second, "\ufffd is", "-0.2")), []Segment{
			{Start: 500 * time.Millisecond, End: 3500 * time.Millisecond, Text: " caf\ufffd\ufffd is", Sure: Sureness{Known: true, LogProb: -0.2, NoSpeech: 0.02}},
		}},
		{"a language without blanks", cppReply("english", cppSegment(first, "你好", "-0.2"), cppSegment(second, "再见", "-0.2")), []Segment{
			{Start: 500 * time.Millisecond, End: 2 * time.Second, Text: "你好", Sure: Sureness{Known: true, LogProb: -0.2, NoSpeech: 0.02}},
			{Start: 2 * time.Second, End: 3500 * time.Millisecond, Text: "再见", Sure: Sureness{Known: true, LogProb: -0.2, NoSpeech: 0.02}},
		}},
		{"texts without blanks, one of them empty", cppReply("english", cppSegment(first, "One", "-0.2"), cppSegment(first, "", "-0.2"), cppSegment(second, "two", "-0.2")), []Segment{
			{Start: 500 * time.Millisecond, End: 2 * time.Second, Text: "One", Sure: Sureness{Known: true, LogProb: -0.2, NoSpeech: 0.02}},
			{Start: 500 * time.Millisecond, End: 2 * time.Second, Sure: Sureness{Known: true, LogProb: -0.2, NoSpeech: 0.02}},
			{Start: 2 * time.Second, End: 3500 * time.Millisecond, Text: "two", Sure: Sureness{Known: true, LogProb: -0.2, NoSpeech: 0.02}},
		}},
		{"without times", cppReply("english", cppSegment("", " One two.", "-0.2")), []Segment{
			{End: 4 * time.Second, Text: " One two.", Sure: Sureness{Known: true, LogProb: -0.2, NoSpeech: 0.02}},
		}},
		{"a segment without tokens", cppReply("english", cppSegment(first, "", "null")), []Segment{{Start: 500 * time.Millisecond, End: 2 * time.Second}}},
		{"a longer end than the sound", cppReply("english", cppSegment(`"start":0.5,"end":30.0,`, " One.", "-0.2")), []Segment{
			{Start: 500 * time.Millisecond, End: 30 * time.Second, Text: " One.", Sure: Sureness{Known: true, LogProb: -0.2, NoSpeech: 0.02}},
		}},
		{"English of German speech", cppReply("german", cppSegment(first, " One two.", "-0.2")), []Segment{
			{Start: 500 * time.Millisecond, End: 2 * time.Second, Text: " One two.", Sure: Sureness{Known: true, LogProb: -0.2, NoSpeech: 0.02}, Foreign: "german"},
		}},
		{"a language that is a guess", strings.Replace(cppReply("german", cppSegment(first, " One two.", "-0.2")), "0.93", "0.3", 1), []Segment{
			{Start: 500 * time.Millisecond, End: 2 * time.Second, Text: " One two.", Sure: Sureness{Known: true, LogProb: -0.2, NoSpeech: 0.02}},
		}},
		{"the form json", `{"text":" One two.\n Three.\n"}`, []Segment{{End: 4 * time.Second, Text: " One two.\n Three.\n"}}},
		{"no speech", `{"text":""}`, nil},
	} {
		got, err := readReply([]byte(c.body), 4*time.Second)
		if err != nil || len(got) != len(c.want) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
			continue
		}
		for i := range got {
			if g, w := got[i], c.want[i]; g.Start != w.Start || g.End != w.End || g.Text != w.Text || g.Sure != w.Sure || g.Foreign != w.Foreign {
				t.Errorf("%s: segment %d is %+v, want %+v", c.name, i, g, w)
			}
		}
	}
}

func TestErrorsOfWhisperCPP(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		body   string
		kind   omniscope.Kind
		words  string
	}{
		{"no file, with status 200", 200, `{"error":"no 'file' field in the request"}`, omniscope.Exhausted, "no 'file' field"},
		{"sound that it cannot read, with status 200", 200, `{"error":"failed to read audio data"}`, omniscope.Exhausted, "failed to read audio data"},
		{"an invalid request", 400, "Invalid request", omniscope.Invalid, "Invalid request"},
		{"another path", 404, "File Not Found (/v1/audio/transcriptions)", omniscope.Denied, "does not transcribe"},
		{"a failure", 500, `{"error":"failed to process audio"}`, omniscope.Exhausted, "failed to process audio"},
		{"an exception", 500, "500 Internal Server Error\nstoi", omniscope.Exhausted, "stoi"},
		{"a model that loads", 503, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`, omniscope.Exhausted, "Loading model"},
	} {
		s := serve(t, says(c.status, c.body, "Content-Type", http.DetectContentType([]byte(c.body))))
		_, err := s.engine(t, nil).Transcribe(t.Context(), fourSeconds)
		if err == nil || omniscope.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v of kind %v, want %v with %q", c.name, err, omniscope.KindOf(err), c.kind, c.words)
		}
	}
}

// Words in a language that the engine does not hear are neither quoted nor mentioned.
func TestWordsInAnotherLanguage(t *testing.T) {
	e := &ear{info: EngineInfo{Name: "w", Quotes: true, Mentions: true, LeastLogProb: -1}, heard: []Segment{{Start: 0, End: 4 * second, Text: "The house is red.", Sure: sure(-0.1), Foreign: "german"}}}
	a, err := heardBy(t, e, 1, 5)
	fixture.OK(t, err)
	if warned := strings.Join(a.Warnings, "; "); strings.Contains(a.Text, "house") || !strings.Contains(warned, "german") || !strings.Contains(warned, "-l auto") || strings.Contains(warned, "repeat") {
		t.Errorf("%s\n%s", a.Text, warned)
	}
	for text, want := range map[string]string{"caf\ufffd\ufffd is": "caf… is", "\ufffd": "…", "plain": "plain"} {
		if got := readable(text); got != want {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}
