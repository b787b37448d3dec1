package spelling

import (
	"slices"
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	benchmarks := []string{"omni-cloze", "capricorn", "mcif"}
	flags := []string{"judge", "judge-base-url", "judge-attempts", "max-cost", "max-calls", "concurrency", "predictions", "profile", "dry-run", "data", "limit"}
	for _, c := range []struct {
		word  string
		names []string
		want  string
	}{
		{"omnicloze", benchmarks, "omni-cloze"},
		{"OmniCloze", benchmarks, "omni-cloze"},
		{"OMNI_CLOZE", benchmarks, "omni-cloze"},
		{"cloze-omni", benchmarks, "omni-cloze"},
		{"omni-colze", benchmarks, "omni-cloze"},
		{"capricorn-1k", benchmarks, "capricorn"},
		{"mcif1.0", benchmarks, "mcif"},
		{"cloze", benchmarks, "omni-cloze"},
		{"mmlu", benchmarks, ""},
		{"x", benchmarks, ""},
		{"", benchmarks, ""},
		{"--", benchmarks, ""},
		{"judg", flags, "judge"},
		{"jugde", flags, "judge"},
		{"attempts", flags, "judge-attempts"},
		{"calls-max", flags, "max-calls"},
		{"MaxCost", flags, "max-cost"},
		{"max", flags, "max-cost max-calls"},
		{"pre", flags, "predictions"},
		{"p", flags, ""},
		{"frobnicate", flags, ""},
		{"demo-1", []string{"demo-01", "demo-02", "demo-10"}, "demo-01"},
		{"demo-3", []string{"demo-01", "demo-02"}, ""},
		{"clip-13", []string{"clip-12"}, ""},
		{"clpi-12", []string{"clip-12"}, "clip-12"},
		{"视频一", []string{"视频一.mp4", "其他.mp4"}, "视频一.mp4"},
		{"bert_score/fr", []string{"bert_score/en", "bert_score/de"}, ""},
		{"bert_scroe/de", []string{"bert_score/en", "bert_score/de"}, "bert_score/de"},
		{"di", []string{"de", "it"}, ""},
		{strings.Repeat("a", 10000), []string{"aaa"}, "aaa"},
	} {
		if got := Near(c.word, c.names); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%.20q: got %q, want %q", c.word, got, c.want)
		}
	}
}

func TestOffer(t *testing.T) {
	for want, names := range map[string][]string{
		"":                                   nil,
		"; did you mean a?":                  {"a"},
		"; did you mean a or b?":             {"a", "b"},
		`; did you mean a, "b c" or "\x1b"?`: {"a", "b c", "\x1b"},
	} {
		if got := Offer(names); got != want {
			t.Errorf("%q: got %q, want %q", names, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b             string
		distance, slipsN int
	}{
		{"", "", 0, 0}, {"abc", "", 3, 3}, {"kitten", "sitting", 3, 3}, {"blue", "bleu", 2, 1}, {"ca", "abc", 3, 3}, {"judge", "jugde", 2, 1},
	} {
		a, b := []rune(c.a), []rune(c.b)
		if d := Distance(a, b); d != c.distance || Distance(b, a) != d {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, d, c.distance)
		}
		if n := typos(a, b); n != c.slipsN || typos(b, a) != n {
			t.Errorf("typos(%q, %q) = %d, want %d", c.a, c.b, n, c.slipsN)
		}
	}
}
func TestNearest(t *testing.T) {
	fields := strings.Fields("answer_key options required_modality number caption predicted_caption uuid id")
	for written, want := range map[string]string{
		"answerkey": "answer_key", "answerKey": "answer_key", "anwser_key": "answer_key", "Answer-Key": "answer_key", "answer_keys": "answer_key",
		"option": "options", "optoins": "options", "captoin": "caption", "predicted_captions": "predicted_caption",
		"uid": "uuid", "ID": "id", "text": "", "x": "", "": "", "key": "", "video": "",
	} {
		got, ok := Nearest(written, fields)
		if got != want || ok != (want != "") {
			t.Errorf("%q: got %q, want %q", written, got, want)
		}
	}
}

func TestNearestTakesTheFirstOfEquals(t *testing.T) {
	if got, _ := Nearest("hypp", []string{"hypa", "hypb"}); got != "hypa" {
		t.Errorf("got %q", got)
	}
}
