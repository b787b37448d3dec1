package harness

import (
	"strings"

	"omniscope/model/judge/letters"
)

// drawing lists the readers that draw a random option if they find no option, by harness and benchmark.
var drawing = map[string]map[string]string{
	"lmms-eval": {"mmau": "lmms-eval-mmau", "mmar": "lmms-eval-mmar"},
}

// drawn reports that the harness chose an option by itself for an answer in which omniscope reads one;
// "" = it did not, or is not known to.
func (s *Sample) drawn(r *Request, options []string, option int) string {
	title, reads := r.Harness.Title, ", omniscope reads "+letters.Letter(option)
	if r.Harness.Name == "lmms-eval" && r.Benchmark.Info().Name == "worldsense" && option != 0 && !strings.ContainsAny(s.scored(), "ABCD") {
		return "taken for A by " + title + reads
	}
	reader, ok := letters.Find(drawing[r.Harness.Name][r.Benchmark.Info().Name])
	if !ok || reader.Read(s.scored(), options) != letters.Drawn {
		return ""
	}
	return "drawn by " + title + reads
}

// scored is the text that the harness's scorer read: the filtered one, or the answer without the
// thoughts that lmms-eval takes off by default (lmms_eval/api/reasoning.py).
func (s *Sample) scored() string {
	if text, ok := s.Fields["filtered_resps"]; ok {
		return text
	}
	text := s.Answer
	for _, tag := range []string{"think", "analysis"} {
		text = withoutPairs(text, "<"+tag+">", "</"+tag+">")
	}
	return strings.TrimSpace(text)
}

// withoutPairs takes what is between two tags off a text, with the tags; and where only the second is
// there, all before its last place.
func withoutPairs(text, open, closing string) string {
	for {
		start := strings.Index(text, open)
		if start < 0 {
			break
		}
		end := strings.Index(text[start:], closing)
		if end < 0 {
			return text
		}
		text = text[:start] + text[start+end+len(closing):]
	}
	if at := strings.LastIndex(text, closing); at >= 0 {
		return text[at+len(closing):]
	}
	return text
}
