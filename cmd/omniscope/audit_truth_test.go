package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"omniscope/bench/claims"
	"omniscope/detective"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/fonts"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/need"
)

// truth is whether a sentence is true of a clip, as is known from how the clip
// was made.
type truth bool

// statement is a sentence of a caption, whether it is true, and the verdicts that
// are no fault: a true one may be supported, a false one contradicted, and both
// unsupported. Where must is set, that verdict is wanted.
type statement struct {
	text string
	true truth
	must detective.Support
}

const (
	isTrue  truth = true
	isFalse truth = false
)

// auditAll audits sentences of one clip by the command line, one audit for all,
// and returns the verdicts on each sentence's claims.
func (q inquest) auditAll(clip, tools string, statements []statement) map[string][]detective.Claim {
	q.t.Helper()
	var lines []string
	for _, s := range statements {
		lines = append(lines, s.text)
	}
	out := q.t.TempDir()
	q.command("audit", q.write("caption.txt", strings.Join(lines, "\n")), clip, "--tools", tools, "--out", out, "--work-dir", q.path("work")).must(q.t, exitDone)
	r, err := claims.ReadAudit(out)
	fixture.OK(q.t, err)
	got := make(map[string][]detective.Claim)
	for _, c := range r.Claims {
		if c.Sentence < 1 || c.Sentence > len(lines) {
			q.t.Fatalf("claim %q is of sentence %d of %d: each line must be one sentence", c.Text, c.Sentence, len(lines))
		}
		text := lines[c.Sentence-1]
		got[text] = append(got[text], c)
	}
	return got
}

// judged checks the verdicts on statements.
func judged(t *testing.T, statements []statement, got map[string][]detective.Claim) {
	t.Helper()
	for _, s := range statements {
		wrong := detective.Contradicted
		if s.true == isFalse {
			wrong = detective.Supported
		}
		found, supported := s.must == "", 0
		for _, c := range got[s.text] {
			if c.Support == wrong && s.true == isTrue {
				t.Errorf("%q is true, and %q is %s: %+v", s.text, c.Text, c.Support, c.Says)
			}
			if c.Support == detective.Supported {
				supported++
			}
			found = found || c.Support == s.must
		}
		if n := len(got[s.text]); s.true == isFalse && n > 0 && supported == n {
			t.Errorf("%q is false, and all of it is supported: %+v", s.text, got[s.text])
		}
		if !found {
			t.Errorf("%q has no claim that is %s: %+v", s.text, s.must, got[s.text])
		}
	}
}

// made makes a clip with ffmpeg.
func (q inquest) made(name string, args ...string) string {
	q.t.Helper()
	need.Programs(q.t, "tesseract")
	clips.Make(q.t, q.path(name), args...)
	return q.path(name)
}

// shots is a filter graph of one picture after another, each two seconds long.
func shots(n int) string {
	colours := []string{"red", "blue", "green", "yellow", "purple", "orange", "cyan", "white", "brown", "pink"}
	var graph strings.Builder
	for i := range n {
		fmt.Fprintf(&graph, "color=c=%s:s=160x120:r=10:d=2,drawbox=x=%d:y=%d:w=40:h=30:color=%s:t=fill[s%d];", colours[i%10], 10+25*(i%4), 10+20*(i%5), colours[(i+3)%10], i)
	}
	for i := range n {
		fmt.Fprintf(&graph, "[s%d]", i)
	}
	fmt.Fprintf(&graph, "concat=n=%d,format=yuv420p[v]", n)
	return graph.String()
}

var (
	yes  = detective.Supported
	no   = detective.Contradicted
	open = detective.Unsupported
)

// TestLongAuditOfMadeClips audits invented captions of clips of which all is known.
func TestLongAuditOfMadeClips(t *testing.T) {
	for _, c := range []struct {
		name       string
		clip       func(q inquest) string
		statements []statement
	}{
		{"a picture without a sound track", func(q inquest) string {
			return q.made("mute.mp4", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=10:d=6", "-c:v", "mpeg4")
		}, []statement{
			{"A woman speaks.", isFalse, no},
			{"A man's voice is heard.", isFalse, no},
			{"Soft music plays in the background.", isFalse, no},
			{"A dog barks twice.", isFalse, no},
			{`A man says "Welcome to the harbour".`, isFalse, no},
			{"The silence is broken by a bang.", isFalse, no},
			{"There is loud applause.", isFalse, no},
			{"A narrator describes the scene.", isFalse, no},
			{"No one speaks.", isTrue, yes},
			{"Nobody speaks.", isTrue, yes},
			{"There is no sound.", isTrue, yes},
			{"The clip is completely silent.", isTrue, yes},
			{"There is no music.", isTrue, ""},
			{"A person moves the lips as if to speak.", isTrue, ""},
			{"A picture of a singing bird may be seen.", isTrue, ""},
			{"There are no cuts.", isTrue, yes},
			{"It is a single continuous shot.", isTrue, yes},
			{"There is one cut.", isFalse, no},
			{"There are twenty-one cuts.", isFalse, no},
			{"It is not completely silent.", isFalse, ""},
		}},
		{"a tone without a picture", func(q inquest) string {
			return q.made("tone.wav", "-f", "lavfi", "-i", "sine=frequency=440:duration=2,adelay=2000|2000,apad=pad_dur=2")
		}, []statement{
			{`A card reads "HARBOUR NEWS".`, isFalse, no},
			{"There are three cuts.", isFalse, no},
			{"The camera pans to the left.", isFalse, no},
			{"A man wears a red coat.", isFalse, no},
			{"There are no cuts.", isTrue, yes},
			{"There is no visible text.", isTrue, yes},
			{"There is no sound.", isFalse, no},
			{"There is no sound in the first two seconds.", isTrue, ""},
			{"There is no sound after 4.5 s.", isTrue, ""},
			{"There is no sound until 2 s.", isTrue, ""},
			{"There is a silence.", isTrue, yes},
			{"There is a silence from 0.1 to 1.9 s.", isTrue, yes},
			{"There is a silence from 2.2 to 3.8 s.", isFalse, open},
			{"There is a silence of 12 s.", isFalse, open},
			{"There is a long silence.", isFalse, open},
			{"There is a silence, 1.5 s long.", isTrue, yes},
			{"A tone sounds from 2 to 4 s.", isTrue, ""},
			{"A voice tells of a man who wears a red coat.", isTrue, ""},
		}},
		{"four shots", func(q inquest) string {
			return q.made("four.mp4", "-f", "lavfi", "-i", "anoisesrc=a=0.1:d=8", "-filter_complex", shots(4), "-map", "[v]", "-map", "0:a", "-c:v", "mpeg4", "-q:v", "2", "-c:a", "aac")
		}, []statement{
			{"There are 3 hard cuts.", isTrue, yes},
			{"There are three cuts.", isTrue, yes},
			{"It cuts three times.", isTrue, yes},
			{"There are at least 2 cuts.", isTrue, yes},
			{"There are at least 3 cuts.", isTrue, yes},
			{"There are more than two cuts.", isTrue, yes},
			{"There are at most 5 cuts.", isTrue, yes},
			{"There are fewer than 4 cuts.", isTrue, yes},
			{"There are 2 to 4 cuts.", isTrue, yes},
			{"There are 2-4 cuts.", isTrue, yes},
			{"There are between 2 and 4 cuts.", isTrue, yes},
			{"There are about 3 cuts.", isTrue, yes},
			{"There are a few cuts.", isTrue, yes},
			{"There are several cuts.", isTrue, yes},
			{"There are a couple of cuts.", isTrue, ""},
			{"There are cuts at 2 s, 4 s and 6 s.", isTrue, yes},
			{"At 4 s there is a hard cut.", isTrue, yes},
			{"There are two cuts in the first five seconds.", isTrue, ""},
			{"There is one cut every two seconds.", isTrue, ""},
			{"There is one cut between 3 and 5 s.", isTrue, ""},
			{"There are no cuts after 7 s.", isTrue, ""},
			{"There is not a single cut in the last second.", isTrue, ""},
			{"There may be five cuts.", isTrue, ""},
			{"He has five cuts on his face.", isTrue, ""},
			{"A chef cuts two carrots.", isTrue, ""},
			{"The man cuts twice into the bread.", isTrue, ""},
			{"A title appears at 5 s and there is a cut.", isTrue, ""},
			{"There is a cut at 2 s before the end.", isTrue, ""},
			{"There is a cut at 1 minute 5 s.", isFalse, ""},
			{"There are 4 hard cuts.", isFalse, no},
			{"There are twenty cuts.", isFalse, no},
			{"There are twenty-one cuts.", isFalse, no},
			{"There are one hundred and three cuts.", isFalse, no},
			{"There are a dozen cuts.", isFalse, no},
			{"There are two dozen cuts.", isFalse, no},
			{"There are 1,200 cuts.", isFalse, no},
			{"There are at least 5 cuts.", isFalse, no},
			{"There are at most 2 cuts.", isFalse, no},
			{"There are more than 10 cuts.", isFalse, no},
			{"There are 10 to 12 cuts.", isFalse, no},
			{"There are about 30 cuts.", isFalse, no},
			{"There are dozens of cuts.", isFalse, no},
			{"There are no cuts.", isFalse, no},
			{"It is one continuous shot.", isFalse, no},
			{"There is a cut at 3 s.", isFalse, no},
			{"There are cuts at 2 s, 5 s and 6 s.", isFalse, no},
			{"There is no sound.", isFalse, no},
			{"The picture is mostly purple.", isFalse, ""},
			{"The picture is mostly red, with people in black coats.", isFalse, ""},
		}},
		{"a fade through black and one cut", func(q inquest) string {
			return q.made("fade.mp4", "-filter_complex", "testsrc=s=160x120:r=25:d=3,fade=t=out:st=2.4:d=0.4[a];mandelbrot=s=160x120:r=25,trim=duration=3,setpts=PTS-STARTPTS,fade=t=in:st=0.2:d=0.4[b];"+
				"color=c=white:s=160x120:r=25:d=3[c];[a][b][c]concat=n=3,format=yuv420p[v]", "-map", "[v]", "-c:v", "mpeg4", "-q:v", "2")
		}, []statement{
			{"There is one hard cut.", isTrue, ""},
			{"There are 2 hard cuts.", isFalse, ""},
			{"There is a cut at 6 s.", isTrue, yes},
			{"There is a hard cut at 3 s.", isFalse, open},
			{"There are 9 cuts.", isFalse, no},
			{"There are no cuts.", isFalse, no},
		}},
		{"cards", func(q inquest) string {
			return q.made("cards.mp4", "-filter_complex", card(q.t, "HARBOUR NEWS")+"[a];"+card(q.t, "COMING SOON")+"[b];"+card(q.t, "PIER TWELVE")+"[c];[a][b][c]concat=n=3,format=yuv420p[v]", "-map", "[v]", "-c:v", "mpeg4", "-q:v", "2")
		}, []statement{
			{`A card reads "HARBOUR NEWS".`, isTrue, yes},
			{`The words "coming soon" can be read.`, isTrue, yes},
			{`The text "PIER TWELVE" is shown from 6.5 to 8.5 s.`, isTrue, ""},
			{`A card reads "COMING NOON".`, isFalse, open},
			{`A card reads "HARBOUR ZONE".`, isFalse, no},
			{`A card reads "BAKERY OPEN DAILY".`, isFalse, open},
			{`First "COMING SOON" and then "HARBOUR NEWS" can be read.`, isFalse, ""},
			{`The card "PIER TWELVE" is shown at 1 s.`, isFalse, open},
			{"There is no text.", isFalse, no},
			{"There is no text besides the cards.", isTrue, ""},
			{"The picture is mostly white.", isTrue, ""},
			{"The picture is mostly green.", isFalse, open},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := newInquest(t)
			judged(t, c.statements, q.auditAll(c.clip(q), "scene,sound,ocr", c.statements))
		})
	}
}

// card is a filter of a text on white, three seconds long.
func card(t testing.TB, text string) string {
	t.Helper()
	return fonts.Named(fmt.Sprintf("color=c=white:s=640x360:r=10:d=3,drawtext=text='%s':fontsize=64:fontcolor=black:x=(w-tw)/2:y=(h-th)/2", text), fonts.Sans(t))
}

// known is what is known of a real clip.
type known struct {
	File     string  `json:"file"`
	Duration float64 `json:"duration_s"`
	Streams  []struct {
		Type  string `json:"codec_type"`
		Cover int    `json:"attached_pic"`
	} `json:"streams"`
	Content struct {
		Speech []struct {
			Text string `json:"text"`
		} `json:"speech"`
		SpeechNote string    `json:"speech_note"`
		Cuts       []float64 `json:"hard_cuts_s"`
		Gradual    []any     `json:"gradual"`
		Text       []struct {
			From float64 `json:"t0"`
			To   float64 `json:"t1"`
			Text string  `json:"text"`
		} `json:"visible_text"`
		Sounds []string `json:"sounds"`
	} `json:"content"`
}

// statements are true and false sentences of a known clip.
func (k *known) statements() (list []statement) {
	add := func(is truth, must detective.Support, format string, args ...any) {
		list = append(list, statement{fmt.Sprintf(format, args...), is, must})
	}
	sound, picture := false, false
	for _, s := range k.Streams {
		sound = sound || s.Type == "audio"
		picture = picture || s.Type == "video" && s.Cover == 0
	}
	n := len(k.Content.Cuts)
	silent := !sound || strings.Contains(strings.Join(k.Content.Sounds, " "), "DIGITALLY SILENT")
	if picture {
		add(isTrue, "", "There are %d hard cuts.", n)
		add(isTrue, "", "There are at least %d cuts.", n)
		add(isTrue, "", "There are about %d cuts.", n)
		add(isFalse, "", "There are %d hard cuts.", 3*n+30)
		add(isFalse, "", "There are at least %d cuts.", 3*n+30)
		if n >= 4 {
			add(isFalse, no, "There are %d hard cuts.", n/3)
			add(isFalse, no, "There are no cuts.")
		}
		for _, at := range k.Content.Cuts {
			add(isTrue, "", "There is a hard cut at %.2f s.", at)
		}
		if n == 0 && len(k.Content.Gradual) == 0 {
			add(isTrue, "", "There are no cuts.")
			add(isTrue, "", "It is a single continuous shot.")
		}
	} else {
		add(isTrue, yes, "There are no cuts.")
		add(isFalse, no, "There are %d cuts.", n+3)
		add(isFalse, no, "The camera pans to the left.")
	}
	add(is(silent), "", "There is no sound.")
	if silent {
		add(isFalse, no, "A woman speaks.")
		add(isFalse, no, "Loud music plays.")
		add(isTrue, "", "Nobody speaks.")
	} else {
		add(isTrue, "", "There is something to hear, a sound.")
	}
	switch spoken := len(k.Content.Speech) > 0 || k.Content.SpeechNote != ""; {
	case spoken:
		add(isFalse, "", "Nobody speaks.")
	case !silent:
		add(isTrue, "", "Nobody speaks.")
	}
	for _, s := range k.Content.Text {
		if strings.ToUpper(s.Text) == s.Text && !strings.ContainsAny(s.Text, "/(") {
			add(isTrue, "", "The text “%s” can be read.", s.Text)
			add(isTrue, "", "The text “%s” can be read at %.1f s.", s.Text, (s.From+s.To)/2)
			add(isFalse, "", "The text “%s” can be read.", reversed(s.Text))
		}
	}
	if picture && len(k.Content.Text) == 0 {
		add(isTrue, "", "There is no text.")
	}
	return list
}

func is(b bool) truth { return truth(b) }

// reversed has each word of a text spelled backwards: other words of the same
// letters.
func reversed(s string) string {
	fields := strings.Fields(s)
	for i, w := range fields {
		letters := []rune(w)
		for a, b := 0, len(letters)-1; a < b; a, b = a+1, b-1 {
			letters[a], letters[b] = letters[b], letters[a]
		}
		fields[i] = string(letters)
	}
	return strings.Join(fields, " ")
}

// someKnownClips are short ones: a picture with sound, one without, speech, an
// animal.
var someKnownClips = []string{"smpte_2997.mp4", "sintel_2s_letterbox.mp4", "jfk.flac", "esc10_dog.ogg"}

// TestAuditOfKnownClips audits what is known of real clips, and the contrary.
func TestAuditOfKnownClips(t *testing.T) { auditKnownClips(t, true) }

// TestLongAuditOfKnownClips audits all the others.
func TestLongAuditOfKnownClips(t *testing.T) { auditKnownClips(t, false) }

func auditKnownClips(t *testing.T, some bool) {
	t.Helper()
	text, err := os.ReadFile(golden.Path(t, "media", "MANIFEST.json"))
	fixture.OK(t, err)
	need.Programs(t, "ffmpeg", "ffprobe", "tesseract")
	var manifest struct{ Files []known }
	fixture.OK(t, json.Unmarshal(text, &manifest))
	for _, k := range manifest.Files {
		if slices.Contains(someKnownClips, k.File) != some {
			continue
		}
		t.Run(k.File, func(t *testing.T) {
			t.Parallel()
			q := newInquest(t)
			statements := k.statements()
			if k.File == "bbb_trailer.webm" {
				statements = append(statements, statement{"There are 11 hard cuts, apart from fades.", isTrue, ""}, statement{"There are 14 hard cuts.", isFalse, open})
			}
			tools := "scene,sound"
			if slices.ContainsFunc(statements, func(s statement) bool { return strings.HasPrefix(s.text, "The text") }) {
				tools += ",ocr" // which takes most of the time
			}
			judged(t, statements, q.auditAll(golden.Path(t, "media", k.File), tools, statements))
		})
	}
}
