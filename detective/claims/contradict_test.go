package claims_test

import (
	"strings"
	"testing"

	"omniscope"
	"omniscope/detective/claims"
	"omniscope/media"
	"omniscope/perceive"
)

// of makes an observation of a tool evidence. Tools a... hear, all others see.
func of(id, tool string, o perceive.Observation) claims.Evidence {
	sense := omniscope.Visual
	if strings.HasPrefix(tool, "a") {
		sense = omniscope.Audio
	}
	return claims.Evidence{ID: id, Turn: len(tool), Tool: tool, Sense: sense, Kind: o.Kind, What: o.What, Quote: o.Quote,
		StartS: o.Span.Start.Seconds(), EndS: o.Span.End.Seconds(), Sure: o.Sure, Values: o.Values}
}

func TestContradictions(t *testing.T) {
	text := func(start, end, sure float64, quote string) perceive.Observation {
		return seen(perceive.Text, start, end, sure, "Words.", quote)
	}
	speech := func(start, end float64, quote string) perceive.Observation {
		return seen(perceive.Speech, start, end, 0.9, "Speech.", quote)
	}
	cut := func(at float64) perceive.Observation { return seen(perceive.Cut, at, at, 0.9, "A cut.", "") }
	report := func(what string) perceive.Observation { return seen(perceive.Reported, 0, 0, 0.5, what, "") }
	silence := seen(perceive.Silence, 2, 6, 0.9, "Silence.", "")
	valued := func(o perceive.Observation, name string) perceive.Observation {
		o.Values = map[string]float64{name: 12}
		return o
	}
	knock := valued(seen(perceive.Sound, 3, 3.4, 0.9, "A short sound stands out.", ""), "above_db")
	black := valued(seen(perceive.Scene, 0, 3, 0.9, "The picture is black.", ""), "black_s")
	for _, c := range []struct {
		name   string
		ledger claims.Ledger
		want   []string // "o1 o2: a part of what is said"
	}{
		{"the same text read differently", claims.Ledger{of("o1", "ocr", text(0, 2, 0.9, "HARBOUR NEWS")), of("o2", "mllm", text(1, 3, 0.9, "Harbor News"))}, []string{"o1 o2: read as"}},
		{"case and punctuation are no difference", claims.Ledger{of("o1", "ocr", text(0, 2, 0.9, "HARBOUR NEWS!")), of("o2", "mllm", text(1, 3, 0.9, "harbour news"))}, nil},
		{"two texts side by side", claims.Ledger{of("o1", "ocr", text(0, 2, 0.9, "HARBOUR NEWS")), of("o2", "mllm", text(1, 3, 0.9, "Live"))}, nil},
		{"similar texts one after another", claims.Ledger{of("o1", "ocr", text(0, 2, 0.9, "Part 1")), of("o2", "mllm", text(2, 4, 0.9, "Part 2"))}, nil},
		{"speech heard differently", claims.Ledger{of("o1", "asr", speech(0, 2, "the ship leaves at nine")), of("o2", "asr2", speech(0, 2, "the sheep lives at night"))}, []string{"o1 o2: heard as"}},
		{"speech in silence", claims.Ledger{of("o1", "acoustics", silence), of("o2", "asr", speech(3, 4, "hello"))}, []string{"o1 o2: silence where asr hears speech"}},
		{"speech next to silence", claims.Ledger{of("o1", "acoustics", silence), of("o2", "asr", speech(5.9, 8, "hello"))}, nil},
		{"the level of the entire clip is not a sound in silence", claims.Ledger{of("o1", "acoustics", silence), of("o2", "asr", seen(perceive.Sound, 0, 0, 1, "It is quiet.", ""))}, nil},
		{"no text against a reading", claims.Ledger{of("o1", "mllm", report("There is no visible text.")), of("o2", "ocr", text(1, 2, 0.9, "STOP"))}, []string{"o1 o2: no text"}},
		{"no text against an unsure reading", claims.Ledger{of("o1", "mllm", report("There is no visible text.")), of("o2", "ocr", text(1, 2, 0.3, "sT0"))}, nil},
		{"no one speaks against speech", claims.Ledger{of("o1", "amllm", report("Music plays, and no one speaks.")), of("o2", "asr", speech(1, 2, "hello"))}, []string{"o1 o2: no speech"}},
		{"one shot against a cut", claims.Ledger{of("o1", "mllm", report("It is a single continuous shot.")), of("o2", "scene", cut(3))}, []string{"o1 o2: no cut"}},
		{"no sound track against speech", claims.Ledger{of("o1", "acoustics", seen(perceive.Absence, 0, 0, 1, "There is no sound track.", "")), of("o2", "asr", speech(1, 2, "hello"))}, []string{"o1 o2: no sound"}},
		{"no sound track and no speech agree", claims.Ledger{of("o1", "acoustics", seen(perceive.Absence, 0, 0, 1, "There is no sound track.", "")), of("o2", "asr", seen(perceive.Speech, 0, 0, 0.9, "There is no speech.", ""))}, nil},
		{"cuts counted differently in words", claims.Ledger{of("o1", "mllm", report("There are three cuts.")), of("o2", "vision", report("I count 2 hard cuts."))}, []string{"o1 o2: counts 3 cuts"}},
		{"cuts counted otherwise than seen", claims.Ledger{of("o1", "mllm", report("There are three cuts.")), of("o2", "scene", cut(3)), of("o3", "scene", cut(5))}, []string{"o1 o2 o3: counts 3 cuts, scene sees 2"}},
		{"cuts counted as seen", claims.Ledger{of("o1", "mllm", report("There are two cuts.")), of("o2", "scene", cut(3)), of("o3", "scene", cut(5))}, nil},
		{"a cut that another misses", claims.Ledger{of("o1", "scene", cut(3)), of("o2", "vision", cut(3.1)), of("o3", "scene", cut(5))}, []string{"o3 o2: a cut at 5.00 s"}},
		{"a short sound in what the same tool calls silence", claims.Ledger{of("o1", "acoustics", silence), of("o2", "acoustics", knock)}, []string{"o1 o2: silence where acoustics hears sound"}},
		{"a level of the same tool is not a sound in silence", claims.Ledger{of("o1", "acoustics", silence), of("o2", "acoustics", seen(perceive.Sound, 3, 5, 0.9, "It is quieter there.", ""))}, nil},
		{"words in a black picture", claims.Ledger{of("o1", "scene", black), of("o2", "ocr", text(1, 2, 0.9, "STOP"))}, []string{"o1 o2: black where ocr reads"}},
		{"words after black", claims.Ledger{of("o1", "scene", black), of("o2", "ocr", text(3, 4, 0.9, "STOP"))}, nil},
		{"one observer in one turn does not contradict itself", claims.Ledger{of("o1", "ocr", text(0, 2, 0.9, "HARBOUR NEWS")), of("o2", "ocr", text(1, 3, 0.9, "Harbor News"))}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.ledger.Contradictions()
			if len(got) != len(c.want) {
				t.Fatalf("got %+v, want %q", got, c.want)
			}
			for i, want := range c.want {
				ids, what, _ := strings.Cut(want, ": ")
				if strings.Join(got[i].Evidence, " ") != ids || !strings.Contains(got[i].What, what) || got[i].By != "rules" {
					t.Errorf("got %+v, want %q", got[i], want)
				}
			}
		})
	}
}

// TestPartsContradictNothing but what another observer reads differently.
func TestPartsContradictNothing(t *testing.T) {
	closer := func(e claims.Evidence) claims.Evidence {
		e.Closer = perceive.Focus{FromS: 2, ToS: 4, Region: media.Region{0, 0, 0.5, 0.5}}
		return e
	}
	cut := func(id, tool string, at float64) claims.Evidence {
		return claims.Evidence{ID: id, Tool: tool, Turn: len(id), Sense: omniscope.Visual, Kind: perceive.Cut, What: "A cut.", StartS: at, EndS: at, Sure: 0.9}
	}
	text := func(id, tool, words string) claims.Evidence {
		return claims.Evidence{ID: id, Tool: tool, Sense: omniscope.Visual, Kind: perceive.Text, What: "words", Quote: words, StartS: 2, EndS: 4, Sure: 0.9}
	}
	none := claims.Evidence{ID: "o9", Tool: "eye", Sense: omniscope.Visual, Kind: perceive.Reported, What: "There is no text.", Sure: 0.9}
	for name, c := range map[string]struct {
		ledger claims.Ledger
		want   int
	}{
		"cuts of a part":                 {claims.Ledger{cut("o1", "scene", 1), closer(cut("o2", "eye", 3))}, 0},
		"no text in a part":              {claims.Ledger{text("o1", "ocr", "Harbour cafe"), closer(none)}, 0},
		"no text at all, but in a part":  {claims.Ledger{none, text("o1", "ocr", "Harbour cafe")}, 1},
		"two readings by one":            {claims.Ledger{text("o1", "ocr", "Harb0ur cafe"), closer(text("o2", "ocr", "Harbour cafes"))}, 0},
		"two readings by two":            {claims.Ledger{text("o1", "ocr", "Harb0ur cafe"), closer(text("o2", "eye", "Harbour cafes"))}, 1},
		"two readings by two, unchanged": {claims.Ledger{text("o1", "ocr", "Harbour cafe"), closer(text("o2", "eye", "Harbour cafe"))}, 0},
	} {
		if found := c.ledger.Contradictions(); len(found) != c.want {
			t.Errorf("%s: %+v, want %d", name, found, c.want)
		}
	}
}
