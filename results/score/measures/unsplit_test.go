package measures

import (
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/metric/ngram"
	"omniscope/results/score"
)

// TestTextsWithoutBlanksAreWarnedOf scores Chinese, Japanese, Thai and English with each tokenizer.
func TestTextsWithoutBlanksAreWarnedOf(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		tok  ngram.Tokenizer
		want bool
	}{
		"Chinese, cut at blanks":      {"今天天气非常好。\n我喜欢吃香蕉。", ngram.Tok13a, true},
		"Chinese, by its characters":  {"今天天气非常好。\n我喜欢吃香蕉。", ngram.TokZh, false},
		"Chinese, cut before":         {"今天 天气 非常 好 。\n我 喜欢 吃 香蕉 。", ngram.TokNone, false},
		"Japanese, cut at blanks":     {"今日は天気が良い\n私は学校へ行く", ngram.Tok13a, true},
		"Thai, cut at blanks":         {"ประเทศไทยสวยงามมาก\nอาหารอร่อยมาก", ngram.Tok13a, true},
		"Thai, by characters":         {"ประเทศไทยสวยงามมาก\nอาหารอร่อยมาก", ngram.TokChar, false},
		"English with a Chinese name": {"He said 今天天气非常好 and left the room.\nSo it goes.", ngram.Tok13a, false},
	} {
		b, err := ngram.NewBLEU(ngram.BLEUOptions{Tokenizer: c.tok})
		fixture.OK(t, err)
		texts := strings.Split(c.text, "\n")
		in := &score.Input{Refs: []score.Column{{Path: "ref.txt", Texts: texts}}, Systems: []score.Column{{Path: "hyp.txt", Texts: texts}}}
		warnings := strings.Join(BLEU(b, "", 1).Warn(in), "\n")
		if got := strings.Contains(warnings, "hyp.txt: the texts have hardly a blank"); got != c.want {
			t.Errorf("%s: %q", name, warnings)
		}
	}
	texts := []string{"今天天气非常好。"}
	in := &score.Input{Refs: []score.Column{{Path: "ref.txt", Texts: texts}}, Systems: []score.Column{{Path: "hyp.txt", Texts: texts}}}
	if warnings := WER("", "", "").Warn(in); len(warnings) != 2 || !strings.Contains(warnings[0], "a sentence counts as one word") {
		t.Errorf("WER: %q", warnings)
	}
}
