package detective_test

import (
	"context"
	"strings"
	"testing"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/testing/runtest"
	"omniscope/media"
	"omniscope/perceive"
	"omniscope/run"
)

// A partTool says which part of the clip it was shown.
type partTool struct {
	*fakeTool
	shown []string
}

func (p *partTool) Observe(ctx context.Context, c *perceive.Clip, question string) (*perceive.Answer, error) {
	p.shown = append(p.shown, c.Focus.Words()+" of "+c.Span.Start.String()+"–"+c.Span.End.String())
	return p.fakeTool.Observe(ctx, c, question)
}

// filmOf makes a clip of ten seconds with a picture. Its file holds no media.
func filmOf(t *testing.T) *perceive.Clip {
	c := clipOf(t)
	c.File.Video = &media.Stream{Kind: media.Video, Width: 1280, Height: 720}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestPlannerLooksCloser(t *testing.T) {
	const asked = `{"tool": "eye", "question": "what?", "from_s": 2.5, "to_s": 4, "region": [0, 0.5, 0.25, 1]}`
	eye := &partTool{fakeTool: observer("eye", omniscope.Visual, true, seen(perceive.Reported, 0, 0, 0.6, "A dog.", ""))}
	p, _ := planner(map[string][]string{"clip/turn-1": {asking("eye", "what?")}, "clip/turn-2": {asked},
		"clip/turn-3": {`{"tool": "eye", "question": "what?", "from_s": 8, "to_s": 10.05}`}, "clip/caption": {caption("A dog.|o1,o2")}}, nil)
	r := investigate(t, &detective.Investigation{Clip: filmOf(t), Tools: []perceive.Tool{eye}, Budget: 3}, p, &run.Once{Journal: runtest.NewMemory()})
	want := []string{" of 0s–0s", "2.50 to 4.00 s, in the region 0, 0.5, 0.25, 1 of 2.5s–4s", "8.00 to 10.05 s of 8s–10s"}
	if strings.Join(eye.shown, "\n") != strings.Join(want, "\n") {
		t.Errorf("it was shown\n%s\nwant\n%s", strings.Join(eye.shown, "\n"), strings.Join(want, "\n"))
	}
	if got := r.Trajectory[4].Content; got != asked {
		t.Errorf("the trajectory has %s, want %s", got, asked)
	}
	if got := r.Trajectory[5].Content; !strings.Contains(got, "[o2] from 2.50 s to 4.00 s: in the region [0, 0.5, 0.25, 1]: A dog.") {
		t.Errorf("the planner reads %s", got)
	}
}

// TestCloserAnswersAreKept shows that one part is asked about once, and another part again.
func TestCloserAnswersAreKept(t *testing.T) {
	once := &run.Once{Journal: runtest.NewMemory()}
	clip := filmOf(t)
	eye := &partTool{fakeTool: observer("eye", omniscope.Visual, true, seen(perceive.Reported, 0, 0, 0.6, "A dog.", ""))}
	for i, focus := range []string{`"to_s": 4`, `"to_s": 4`, `"to_s": 4.001`, `"region": [0, 0, 0.5, 1]`, `"region": [0, 0, 1, 1]`} {
		p, _ := planner(map[string][]string{"clip/turn-1": {`{"tool": "eye", "question": "what?", ` + focus + `}`}, "clip/caption": {caption("A dog.|o1")}}, nil)
		investigate(t, &detective.Investigation{Clip: clip, Tools: []perceive.Tool{eye}, Budget: 1}, p, once)
		if want := []int{1, 1, 2, 3, 4}[i]; len(eye.shown) != want {
			t.Fatalf("after %s it was asked %d times, want %d", focus, len(eye.shown), want)
		}
	}
}

func TestUnusableCloserLooks(t *testing.T) {
	for name, focus := range map[string]string{
		"beyond the end": `"from_s": 9, "to_s": 12`, "after the end": `"from_s": 10.5`, "turned round": `"from_s": 5, "to_s": 4`, "below zero": `"from_s": -1`,
		"a time in words": `"from_s": "2 s"`, "a region in words": `"region": "left"`, "a region of pixels": `"region": [0, 0, 640, 360]`,
		"a region of two": `"region": [0.1, 0.5]`, "a region that is turned": `"region": [0.5, 0, 0.1, 1]`, "nothing to see": `"region": [0.5, 0.5, 0.501, 0.501]`,
	} {
		t.Run(name, func(t *testing.T) {
			eye := &partTool{fakeTool: observer("eye", omniscope.Visual, true, seen(perceive.Reported, 0, 0, 0.6, "A dog.", ""))}
			p, _ := planner(map[string][]string{"clip/turn-1": {`{"tool": "eye", "question": "what?", ` + focus + `}`, asking("eye", "what?")}, "clip/caption": {caption("A dog.|o1")}}, nil)
			r := investigate(t, &detective.Investigation{Clip: filmOf(t), Tools: []perceive.Tool{eye}, Budget: 1}, p, nil)
			if r.Turns[0].Asked != 2 || len(eye.shown) != 1 {
				t.Errorf("asked %d times, the tool %q", r.Turns[0].Asked, eye.shown)
			}
		})
	}
}

func TestSoundHasNoRegion(t *testing.T) {
	ear := &partTool{fakeTool: observer("ear", omniscope.Audio, true, seen(perceive.Reported, 0, 0, 0.6, "A bark.", ""))}
	p, _ := planner(map[string][]string{"clip/turn-1": {`{"tool": "ear", "question": "what?", "from_s": 1, "to_s": 2, "region": [0, 0, 0.5, 1]}`}, "clip/caption": {caption("A bark.|o1")}}, nil)
	investigate(t, &detective.Investigation{Clip: filmOf(t), Tools: []perceive.Tool{ear}, Budget: 1}, p, nil)
	if len(ear.shown) != 1 || ear.shown[0] != "1.00 to 2.00 s of 1s–2s" {
		t.Errorf("it was shown %q", ear.shown)
	}
}

// A reader reads badly at first, and asks for closer looks.
type reader struct{ *fakeTool }

func at(o perceive.Observation, left, top, right, bottom float64) perceive.Observation {
	o.Values = map[string]float64{"left": left, "top": top, "right": right, "bottom": bottom}
	return o
}

func (r reader) Observe(ctx context.Context, c *perceive.Clip, question string) (*perceive.Answer, error) {
	r.fakeTool.Observe(ctx, c, question)
	read := func(sure float64, words string, left float64) perceive.Observation {
		return at(seen(perceive.Text, 2, 4, sure, "From 2.00 s to 4.00 s the picture shows the words “"+words+"”.", words), left, 0.5, left+0.2, 0.6)
	}
	sign := perceive.Focus{FromS: 2, ToS: 4, Region: media.Region{0.1, 0.4, 0.4, 0.7}}
	switch {
	case c.Focus.Whole():
		return &perceive.Answer{Observations: []perceive.Observation{read(0.6, "Harb0ur cafe open", 0.15), read(0.95, "Fresh fish", 0.7)},
			Closer: []perceive.Focus{sign, {ToS: 1}, {ToS: 2}, {ToS: 3}, {ToS: 5}}}, nil
	case c.Focus == sign:
		return &perceive.Answer{Observations: []perceive.Observation{read(0.97, "Harbour cafe, open", 0.15)}}, nil
	}
	return &perceive.Answer{Observations: []perceive.Observation{read(0.9, "Fresh fish", 0.7), read(0.9, "fish", 0.7)}}, nil
}

// TestOfflineLooksCloser where a tool was unsure, three times at most, and tells what it read better in place of what it
// read badly, without conflict.
func TestOfflineLooksCloser(t *testing.T) {
	ocr := reader{observer("ocr", omniscope.Visual, false)}
	r := investigate(t, &detective.Investigation{Clip: filmOf(t), Tools: []perceive.Tool{ocr}}, detective.Offline{}, nil)
	if len(r.Turns) != 4 || r.Turns[1].Inquiry.FromS != 2 || r.Turns[3].Inquiry.ToS != 2 {
		t.Fatalf("turns: %+v", r.Turns)
	}
	var told []string
	for _, s := range r.Caption.Sentences {
		told = append(told, s.Text+" "+strings.Join(s.Evidence, ","))
	}
	want := []string{
		"From 2.00 s to 4.00 s the picture shows the words “Fresh fish”. o2,o4",
		"From 2.00 s to 4.00 s the picture shows the words “Harbour cafe, open”. o3,o1",
	}
	if strings.Join(told, "\n") != strings.Join(want, "\n") {
		t.Errorf("it tells\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
	if len(r.Contradictions) > 0 {
		t.Errorf("contradictions: %+v", r.Contradictions)
	}
}

// A dimReader answers closer looks by a function, and the first look by one answer.
type dimReader struct {
	*fakeTool
	closer func(perceive.Focus) *perceive.Answer
	whole  *perceive.Answer
}

func (r dimReader) Observe(_ context.Context, c *perceive.Clip, _ string) (*perceive.Answer, error) {
	if c.Focus.Whole() {
		return r.whole, nil
	}
	return r.closer(c.Focus), nil
}

func TestScopeOfCloserLookReachesCaption(t *testing.T) {
	const none = "No text can be read with confidence."
	nothing := &perceive.Answer{Text: none}
	words := func(from, to float64) *perceive.Answer {
		return &perceive.Answer{Observations: []perceive.Observation{seen(perceive.Text, from, to, 0.9, "Words.", "Fresh fish")}}
	}
	with := func(a *perceive.Answer, f perceive.Focus) *perceive.Answer {
		a.Closer = []perceive.Focus{f}
		return a
	}
	corner := media.Region{0, 0.3, 0.4, 0.8}
	for name, c := range map[string]struct {
		tool   string
		whole  *perceive.Answer
		closer *perceive.Answer
		want   string
	}{
		"nothing in a stretch": {"ocr", with(words(1, 2), perceive.Focus{FromS: 4, ToS: 6}), nothing,
			"From 1.00 s to 2.00 s the picture shows the words “Fresh fish”. From 4.00 s to 6.00 s: " + none},
		"nothing in a stretch and region": {"ocr", with(words(1, 2), perceive.Focus{FromS: 4, ToS: 6, Region: corner}), nothing,
			"From 1.00 s to 2.00 s the picture shows the words “Fresh fish”. From 4.00 s to 6.00 s, in a part of the picture: " + none},
		"nothing in a region": {"ocr", with(words(1, 2), perceive.Focus{Region: corner}), nothing,
			"From 1.00 s to 2.00 s the picture shows the words “Fresh fish”.\nIn a part of the picture: " + none},
		"nothing at first": {"ocr", with(&perceive.Answer{Text: none}, perceive.Focus{FromS: 4, ToS: 6}), words(4, 6),
			"From 4.00 s to 6.00 s the picture shows the words “Fresh fish”."},
		"nothing at all": {"ocr", with(&perceive.Answer{Text: none}, perceive.Focus{FromS: 4, ToS: 6}), nothing,
			"From 4.00 s to 6.00 s: " + none + "\n" + none},
		"nothing said in a stretch": {"asr", &perceive.Answer{Observations: []perceive.Observation{seen(perceive.Speech, 1, 2, 0.9, "Speech.", "hello there")}, Closer: []perceive.Focus{{FromS: 7}}},
			&perceive.Answer{Text: "Nothing was transcribed."}, "From 1.00 s to 2.00 s somebody says: “hello there”. From 7.00 s to the end: Nothing was transcribed."},
	} {
		t.Run(name, func(t *testing.T) {
			sense := omniscope.Visual
			if c.tool == "asr" {
				sense = omniscope.Audio
			}
			tool := dimReader{observer(c.tool, sense, false), func(perceive.Focus) *perceive.Answer { return c.closer }, c.whole}
			r := investigate(t, &detective.Investigation{Clip: filmOf(t), Tools: []perceive.Tool{tool}}, detective.Offline{}, nil)
			if r.Caption.Text != c.want {
				t.Errorf("got  %s\nwant %s", r.Caption.Text, c.want)
			}
		})
	}
}
