package detective_test

import (
	"fmt"
	"html"
	"strings"
	"testing"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/testing/fixture"
	"omniscope/perceive"
)

// hostile is what no text may make of the page.
const hostile = `</style></title><script>alert(1)</script>"' onload='x' <img src=x onerror=y>&amp;`

// hostileReport has it wherever a text of others can be.
func hostileReport() *detective.Report {
	return &detective.Report{
		Clip:     detective.ClipInfo{ID: hostile, Path: hostile, LengthS: 10},
		Modality: hostile, Planner: hostile, Outcome: omniscope.OK, Why: hostile, Warnings: []string{hostile},
		Turns: []detective.Turn{{Number: 1, Inquiry: detective.Inquiry{Tool: hostile, Question: hostile}, Answer: hostile + "\n" + hostile}},
		Ledger: detective.Ledger{
			{ID: "o1", Tool: hostile, Kind: perceive.Text, What: hostile, Quote: hostile, StartS: 1, EndS: 2},
			{ID: "o2", Tool: hostile, Kind: perceive.Scene, What: hostile},
		},
		Caption: &detective.Caption{Sentences: []detective.Sentence{
			{Text: hostile, Evidence: []string{"o1", "o2"}}, {Text: hostile, Unfounded: true},
		}},
		Contradictions: []detective.Contradiction{{Evidence: []string{"o1", "o2"}, What: hostile, By: hostile}},
	}
}

// elements counts the elements of a page, and collects its attributes and
// texts. It reads what Page writes: attributes in double quotes, and no "<" in
// scripts.
func elements(t *testing.T, r *detective.Report, media string) (count map[string]int, attributes map[string][]string, text string) {
	t.Helper()
	var page, all strings.Builder
	fixture.OK(t, r.Page(&page, media, nil))
	count, attributes = make(map[string]int), make(map[string][]string)
	for rest := page.String(); rest != ""; {
		before, after, found := strings.Cut(rest, "<")
		all.WriteString(html.UnescapeString(before))
		if !found {
			break
		}
		name := after[:strings.IndexAny(after, " />")]
		after = after[len(name):]
		for after[0] != '>' {
			key, value, ok := strings.Cut(after[1:], `="`)
			if ok = ok && after[0] == ' ' && !strings.ContainsAny(key, "<> "); !ok {
				after = after[1:] // an attribute without a value, or the end of a tag
				continue
			}
			value, after, _ = strings.Cut(value, `"`)
			attributes[key] = append(attributes[key], html.UnescapeString(value))
		}
		count[name]++
		rest = after[1:]
	}
	return count, attributes, all.String()
}

func TestPageEscapesTexts(t *testing.T) {
	count, attributes, text := elements(t, hostileReport(), "javascript:"+hostile)
	if count["script"] != 1 || count["style"] != 1 || count["img"] != 0 {
		t.Errorf("%d scripts, %d styles, %d images: want the page's own alone", count["script"], count["style"], count["img"])
	}
	for name := range attributes {
		if strings.HasPrefix(name, "on") {
			t.Errorf("an attribute %s", name)
		}
	}
	if src := attributes["src"]; len(src) != 1 || !strings.HasPrefix(src[0], "./javascript:") {
		t.Errorf("the player shows %q, want a file", src)
	}
	if n := strings.Count(text, hostile); n < 15 {
		t.Errorf("the text stands there %d times as it was, want 15 or more", n)
	}
}

func TestPageLinks(t *testing.T) {
	count, attributes, text := elements(t, hostileReport(), "../clip one.mp4")
	if count["video"] != 1 || attributes["src"][0] != "../clip%20one.mp4" {
		t.Errorf("the player shows %q", attributes["src"])
	}
	has := func(name, value string, n int) {
		t.Helper()
		got := 0
		for _, v := range attributes[name] {
			if v == value {
				got++
			}
		}
		if got != n {
			t.Errorf("%s=%q stands there %d times, want %d", name, value, got, n)
		}
	}
	has("href", "#o1", 3) // from the caption, the timeline and the contradiction
	has("href", "#o2", 2) // the whole clip has no place on the timeline
	has("id", "o1", 1)
	has("id", "o2", 1)
	has("data-at", "1.000", 1)
	has("class", "unfounded", 1)
	if !strings.Contains(text, hostile+" o1 o2 noticed by ") {
		t.Error("the observations of a contradiction stand without blanks between them")
	}
	if !strings.Contains(text, "rest on no observation: 1.") || !strings.Contains(text, "0:10.0") {
		t.Error("it does not count unfounded sentences, or the timeline does not end with the clip")
	}
}

func TestPageWithoutACaption(t *testing.T) {
	r := &detective.Report{Outcome: omniscope.Failed, Why: "nothing was observed", Clip: detective.ClipInfo{ID: "x"}}
	count, _, text := elements(t, r, "x.mp4")
	if !strings.Contains(text, "There is none: failed nothing was observed") || count["svg"] != 0 {
		t.Errorf("%s", text)
	}
}

// TestPicturesOfShots has a picture of the middle of each shot, of eight moments where
// there is one, and none of a sound.
func TestPicturesOfShots(t *testing.T) {
	black := seen(perceive.Scene, 6, 6.5, 0.95, "From 6.00 s to 6.50 s the picture is black.", "")
	black.Values = map[string]float64{"black_s": 0.5}
	scene := observer("scene", omniscope.Visual, false, seen(perceive.Cut, 3, 3, 0.9, "A cut.", ""), black)
	r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{scene}}, detective.Offline{}, nil)
	if r.Clip.LengthS = 0; r.PictureTimes() != nil {
		t.Error("of a clip whose length is not known")
	}
	r.Clip.LengthS = 9
	if got := fmt.Sprint(r.PictureTimes()); got != "[1.5 4.5 7.75]" {
		t.Errorf("of three shots: %s", got)
	}
	var page strings.Builder
	p := &detective.Pictures{Wave: "wave.svg", Shot: func(s float64) string { return fmt.Sprintf("at-%.2f.jpg", s) }}
	fixture.OK(t, r.Page(&page, "clip.mp4", p))
	for _, want := range []string{`src="wave.svg"`, `data-at="4.500"`, `src="at-7.75.jpg"`} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%s is not there", want)
		}
	}
	r.Ledger = nil
	if got := r.PictureTimes(); len(got) != 8 || got[0] != 9.0/16 {
		t.Errorf("of one shot: %v", got)
	}
	r.Modality = omniscope.Audio
	if got := r.PictureTimes(); got != nil {
		t.Errorf("of a sound: %v", got)
	}
}

func TestWave(t *testing.T) {
	if got := detective.Wave([]float64{0, 0.5, 2}); !strings.Contains(got, `d="M0 29.5h1v1.0h-1zM1 15.0h1v30.0h-1zM2 0.0h1v60.0h-1z"`) {
		t.Error(got)
	}
}
