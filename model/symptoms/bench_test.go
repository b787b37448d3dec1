package symptoms

import (
	"strings"
	"testing"
)

func BenchmarkFind(b *testing.B) {
	const english = "Today I would like to show you what we have found in our work on the parsing of long sentences. "
	const chinese = "今天我想介绍我们在长句子分析方面的研究成果，以及我们使用的BERT模型。"
	for _, c := range []struct{ name, lang, text string }{
		{"talk", "en", distinct(english, 80)},
		{"Chinese talk", "zh", distinct(chinese, 80)},
		{"loop", "en", strings.Repeat(english, 1200)},
		{"foreign loop", "de", strings.Repeat(english, 1200)},
		{"one character", "zh", strings.Repeat("好", 119376)},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := Given{Text: c.text, Lang: c.lang, Task: trans, Reference: c.text[:len(c.text)/2]}
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				Find(g)
			}
		})
	}
}

// distinct repeats a sentence n times with another word in each.
func distinct(sentence string, n int) string {
	var text strings.Builder
	for i := range n {
		text.WriteString(sentence)
		text.WriteString(strings.Repeat(string(rune('a'+i%26)), 1+i/26) + " ")
	}
	return text.String()
}
