package main

import (
	"testing"
)

const textFiles = `
-- said.jsonl --
{"id": 1, "in": "It's twenty-five DOLLARS."}

{"id": 2, "in": "Colour — café"}
-- normal.jsonl --
{"id": 1, "in": "It's twenty-five DOLLARS.", "out": "it is $25"}
{"id": 2, "in": "Colour — café", "out": "color cafe"}
-- said.txt --
Grüße, Anna!

Tschüss
-- normal.txt --
grüße anna 

tschüss
-- words.jsonl --
{"n": 1, "refs": ["a b"], "hyps": ["a c d"]}
{"n": 2, "refs": [""], "hyps": ["a"]}
-- errors.jsonl --
{"n": 1, "refs": ["a b"], "hyps": ["a c d"], "wer": 1.0, "subs": 1, "dels": 0, "ins": 1, "hits": 1}
{"n": 2, "refs": [""], "hyps": ["a"], "error": "ValueError", "message": "one or more references are empty strings"}
-- ref.txt --
one two
three four
-- hyp.txt --
One two
three five
-- gap.txt --
one two

-- whole.txt --
one two three five
-- cut.txt --
one two
three five
-- strict.txt --
one two three five

-- ref.zh.txt --
甲乙
丙丁
-- whole.zh.txt --
甲乙丙
-- cut.zh.txt --
甲乙
丙
-- whole.jsonl --
{"hyp": "one two three", "ref_lines": ["one too", "three"]}
-- both.jsonl --
{"in": "A", "refs": ["a"], "hyps": ["a"]}
-- spoken.jsonl --
{"lang": "en", "refs": ["my colour"], "hyps": ["My color"]}
{"lang": "de", "refs": ["my colour"], "hyps": ["My color"]}
-- bad.jsonl --
{"in": "Good."}
{"in": 5}
`

// Texts are normalised, compared and cut line by line.
func TestTextFilters(t *testing.T) {
	d := newDesk(t, textFiles)
	d.runWith(`said.jsonl`, 0, "score normalize --scheme whisper-en")
	d.printsFile(`normal.jsonl`)
	d.runWith(`said.txt`, 0, "score normalize --scheme whisper-basic --plain")
	d.printsFile(`normal.txt`)

	// Word errors, of JSON Lines and of files.
	d.runWith(`words.jsonl`, 0, "score wer --each-line --normalizer none")
	d.printsFile(`errors.jsonl`)
	d.run(0, "score wer --normalizer whisper-basic --ref ref.txt --hyp hyp.txt")
	d.prints(`0\.2500 .*4: subs 1 dels 0 ins 0`, `norm:whisper-basic`)
	t.Setenv(`OMNISCOPE_NORMALIZER`, `none`)
	d.run(0, "score wer --ref ref.txt --hyp hyp.txt")
	d.prints(`0\.5000 .*4: subs 2 dels 0 ins 0`)
	t.Setenv(`OMNISCOPE_NORMALIZER`, ``)
	d.runWith(`spoken.jsonl`, 0, "score wer --each-line")
	d.prints(`"lang": "en", .*"wer": 0.0,`, `"lang": "de", .*"wer": 0.5,`)
	d.runWith(`spoken.jsonl`, 0, "score wer --each-line --lang en")
	d.prints(`"lang": "de", .*"wer": 0.0,`)

	// A text is cut by its reference.
	d.runWith(`whole.jsonl`, 0, "score resegment")
	d.prints(`"segments": \["one two", "three"\], "as_wer": 33.3333`)
	d.runWith(`whole.txt`, 0, "score resegment --plain ref.txt")
	d.printsFile(`cut.txt`)
	d.runWith(`whole.zh.txt`, 0, "score resegment --plain ref.zh.txt --characters")
	d.printsFile(`cut.zh.txt`)

	// The filters may follow each other.
	d.runWith(`both.jsonl`, 0, "score normalize --scheme whisper-basic")
	d.write("normalized.jsonl", d.out)
	d.runWith(`normalized.jsonl`, 0, "score wer --each-line --normalizer none")
	d.prints(`"out": "a", "wer": 0.0`)
}

func TestInvalidTexts(t *testing.T) {
	d := newDesk(t, textFiles)
	// Bad input is named, after the lines before it.
	d.runWith(`bad.jsonl`, 1, "score normalize --scheme whisper-en")
	d.prints(`"out": "good"`)
	d.says(`stdin:2: "in" is a number, not a string: 5`)
	d.refuse(1, "score wer --normalizer none --ref ref.txt --hyp whole.txt", `ref.txt has 2 lines and whole.txt 1: they must belong together line by line`)
	d.refuse(1, "score wer --normalizer none --ref gap.txt --hyp hyp.txt", `gap.txt:2: the reference has no words`)
	d.run(0, "score wer --normalizer none --empty-ref count --ref gap.txt --hyp hyp.txt")
	d.prints(`empty-ref:count\(1\)`)
	d.refuse(2, "score wer --each-line --empty-ref none", `skip`)
	d.refuse(1, "score wer --normalizer none --ref absent.txt --hyp hyp.txt", `absent.txt: no such file or directory`)
	d.runWith(`whole.txt`, 1, "score resegment --plain gap.txt")
	d.says(`gap.txt: `)
	d.runWith(`whole.txt`, 0, "score resegment --plain gap.txt --scoring strict")
	d.printsFile(`strict.txt`)

	// Wrong usage.
	d.refuse(2, "score normalise", `no measure "normalise"`)
	d.refuse(2, "score normalize", `give --scheme: whisper-en or whisper-basic`)
	d.refuse(2, "score normalize --scheme whisper-en said.jsonl", `reads JSON Lines on standard input and takes no argument, got "said.jsonl"`)
	d.refuse(2, "score normalize --scheme whisper-en --plain said.txt", `--plain takes no argument, got 1`)
	d.refuse(2, "score resegment --plain", `--plain takes 1 argument\(s\), REF, got 0`)
	d.refuse(2, "score wer --each-line --normalizer lower", `--normalizer is whisper, none, whisper-en or whisper-basic, not "lower"`)
	d.refuse(2, "score wer --each-line --ref ref.txt", `leave out --ref`)
	d.runWith(`words.jsonl`, 1, "score wer --each-line")
	d.says(`stdin:1: the line has no field "lang"`)
	d.refuse(2, "score resegment --characters", `--characters needs --plain`)
	d.refuse(2, "score resegment --scoring lenient", `--scoring is official or strict, not "lenient"`)

	d.run(0, "score")
	d.prints(`^Measures:`, `^Filters:`)
	d.run(0, "score --help")
	d.prints(`jiwer 3.0.5`)
	d.run(0, "score normalize --help")
	d.prints(`EnglishTextNormalizer`)
}

// Letters are read out of replies, and false claims are planted for audits to find.
func TestTextChoiceAndPlant(t *testing.T) {
	d := newDesk(t, `
-- plain.jsonl --
{"clip": "a", "caption": "He sits down after the bell. It is dark."}
{"clip": "b", "caption": "It is dark."}
-- planted.jsonl --
{"clip": "a", "caption": "He sits down before the bell. It is dark.", "planted": [{"kind":"order","from":"after","to":"before","was":"He sits down after the bell.","sentence":"He sits down before the bell.","reason":"one event that comes after another does not come before it"}]}
{"clip": "b", "caption": "It is dark.", "planted": []}
-- replies.jsonl --
{"reply": "The answer is not A but B.", "options": ["a dog", "a train"]}
{"reply": "N/A", "options": ["a dog", "a train"]}
-- read.jsonl --
{"reply": "The answer is not A but B.", "options": ["a dog", "a train"], "letter": "B", "why": ""}
{"reply": "N/A", "options": ["a dog", "a train"], "letter": null, "why": "abstains"}
`)
	d.runWith(`replies.jsonl`, 0, "score choice")
	d.printsFile(`read.jsonl`)
	d.runWith(`replies.jsonl`, 0, "score choice --reader video-mme")
	d.prints(`"letter": "A"`)
	d.refuse(2, "score choice --reader vidoe-mme", `video-mme`)
	d.runWith(`replies.jsonl`, 0, "score choice --reader lmms-eval-mmau")
	d.prints(`"letter": "B"`)
	d.prints(`"letter": null, "why": "drawn at random"`)
	d.refuse(2, "score choice --reader lmms-eval", `lmms-eval-mcq`)

	d.runWith(`plain.jsonl`, 0, "score plant --kinds order,count")
	d.printsFile(`planted.jsonl`)
	d.refuse(2, "score plant --kinds colours", `did you mean colour`)
}
