package textnorm

import (
	"strings"
	"testing"
)

// Talks as models transcribe them, with about as many names, numbers and marks.
var talks = map[string]string{
	"en": "Hi everyone, I'm going to talk about our work on multilingual parsing (joint work with Dr. Smith). " +
		"So, uh, we've seen that 95.3% of the models don't generalise well, and in 2021 twenty-five systems were tested. " +
		"Let's look at the first example: it costs $2 million, doesn't it? The BERT-base model's accuracy is three point five points higher.\n",
	"de": "Hallo zusammen, ich möchte heute über unsere Arbeit zur mehrsprachigen Zerlegung sprechen (gemeinsam mit Dr. Müller). " +
		"Wir haben gesehen, dass 95,3 % der Modelle nicht gut verallgemeinern – und das ist für größere Systeme „überraschend“.\n",
	"zh": "大家好，我今天要介绍我们在多语言语义解析方面的工作（与史密斯博士合作）。我们发现，95.3%的模型不能很好地泛化；" +
		"请看第一个例子：BERT-base模型的准确率提高了3.5个百分点。谢谢大家！\n",
}

func long(language string) string {
	talk := talks[language]
	return strings.Repeat(talk, 20_000/len(talk))
}

func BenchmarkEnglish(b *testing.B) {
	b.Run("made", func(b *testing.B) { benchmarkEnglish(b, []string{long("en")}) })
	b.Run("real", func(b *testing.B) { benchmarkEnglish(b, published(b, "normalizer_en.jsonl")) })
}

func benchmarkEnglish(b *testing.B, texts []string) {
	setBytes(b, texts)
	for b.Loop() {
		for _, s := range texts {
			if _, err := English(s); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkBasic(b *testing.B) {
	for _, language := range []string{"de", "zh", "en"} {
		b.Run("made-"+language, func(b *testing.B) { benchmarkBasic(b, []string{long(language)}) })
	}
	b.Run("real", func(b *testing.B) { benchmarkBasic(b, published(b, "normalizer_basic.jsonl")) })
}

func benchmarkBasic(b *testing.B, texts []string) {
	setBytes(b, texts)
	for b.Loop() {
		for _, s := range texts {
			Basic(s)
		}
	}
}

// published returns the outputs of systems among the golden inputs.
func published(b *testing.B, name string) (texts []string) {
	for _, line := range readGolden(b, name) {
		if line.Src != "adv" && line.Src != "uni" {
			texts = append(texts, line.In)
		}
	}
	return texts
}

func setBytes(b *testing.B, texts []string) {
	b.SetBytes(int64(len(strings.Join(texts, ""))))
	b.ReportAllocs()
}
