package main

import "testing"

const scoreFiles = `
-- ours.txt --
The dog bit the man.
It wasn't surprising.
The man had just bitten him.
-- theirs.txt --
A dog was biting.
Nobody was surprised.
Then he bit the dog.
-- a.txt --
The dog bit the man.
It was not unexpected.
The man bit him first.
-- b.txt --
The dog had bit the man.
No one was surprised.
The man had bitten the dog.
-- talks.txt --
one
one
two
-- zh.txt --
今天3.5度。
-- bleu.txt --
BLEU: 3 segments

Scores
system  n   BLEU  95 % interval  precisions
─────────────────────────────────────────────────────────────────
ours    3  48.53  –              82.4/50.0/45.5/37.5 (BP = 0.943)
n: segments; signature: nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:omniscope-1(sacrebleu-2.4.3); no
interval: too few clusters
-- ref.txt --
Mr. Park paid twenty-five dollars.
It's a long way home.
-- asr.txt --
mister park paid $25
It is a way home
`

// Scores are printed as a table for people, with segments on request.
func TestScoreTables(t *testing.T) {
	d := newDesk(t, scoreFiles)
	d.run(0, "score bleu --hyp ours.txt --ref a.txt --ref b.txt")
	d.printsFile("bleu.txt")
	d.saysNothing()
	d.run(0, "score chrf --hyp ours.txt --hyp theirs.txt --ref a.txt --per-segment --cluster-file talks.txt")
	d.prints(`^segment  cluster +ours chrf  theirs chrf$`, `^1 +one +100.00 +[0-9.]+$`)
	d.run(0, "score --help")
	d.prints(`sacrebleu`)
}

// A language chooses the tokenizer of BLEU and the normaliser of WER.
func TestLanguageOfScore(t *testing.T) {
	d := newDesk(t, scoreFiles)
	d.run(0, "score bleu --hyp zh.txt --ref zh.txt --lang zh")
	d.prints(`tok:zh`)
	d.refuse(2, "score bleu --hyp ours.txt --ref a.txt --lang ja", `--lang ja: the tokenizer ja-mecab needs MeCab`)
	d.run(0, "score bleu --hyp ours.txt --ref a.txt --lang ja --tokenize char")
	// A language that is not known may have been meant for one that is cut otherwise.
	d.run(0, "score bleu --hyp zh.txt --ref zh.txt --lang zho")
	d.prints(`--lang zho is not known, and texts are cut by 13a, the tokenizer of all languages but Chinese: write zh`)
	d.run(0, "score bleu --hyp ours.txt --ref a.txt --lang Klingonisch --format tsv")
	d.says(`--lang Klingonisch is not known, .*: write a code of two letters, such as en`)
	d.run(0, "score bleu --hyp ours.txt --ref a.txt --lang zho --tokenize zh")
	d.lacks(`not known`)
	d.run(0, "score bleu --hyp ours.txt --ref a.txt --lang de-AT")
	d.lacks(`not known`)

	d.run(0, "score wer --hyp asr.txt --ref ref.txt --lang eng")
	d.prints(`--lang eng is not known, and texts are normalised by whisper-basic, the normaliser of all languages but`, `English: write en$`)
	d.run(0, "score wer --hyp asr.txt --ref ref.txt --lang xx")
	d.prints(`--lang xx is not known, and texts are normalised by whisper-basic`, `write a code of two letters, such as en$`)
	d.run(0, "score wer --hyp asr.txt --ref ref.txt --lang en-US")
	d.prints(`norm:whisper-en`)
	d.lacks(`not known`)
	d.run(0, "score wer --hyp asr.txt --ref ref.txt --lang xx --normalizer none")
	d.lacks(`not known`)
	d.run(0, "score wer --hyp asr.txt --ref ref.txt --lang de")
	d.prints(`norm:whisper-basic`)
}

func TestFlagsOfScore(t *testing.T) {
	d := newDesk(t, scoreFiles)
	bleu, texts := "score bleu --hyp ours.txt --ref a.txt ", " --hyp ours.txt --ref a.txt "
	d.refuse(2, bleu+"--tokenize moses", `^omniscope: --tokenize: no tokenizer "moses": there are 13a, zh, intl, char and none`)
	d.refuse(2, bleu+"--smooth-value 1", `^omniscope: --smooth-value: smoothing exp takes no value`)
	d.refuse(2, bleu+"--smooth laplace", `^omniscope: --smooth: no smoothing "laplace"`)
	d.refuse(2, bleu+"--max-order 0", `^omniscope: --max-order is from 1 to 10`)
	d.refuse(2, "score chrf"+texts+"--beta 0", `--beta is from 1 to 100`)
	d.run(0, bleu+"--tokenize none --smooth floor --smooth-value 0.5 --lowercase")
	d.prints(`nrefs:1\|case:lc\|eff:no\|tok:none\|smooth:floor\[0.50\]`)
	d.refuse(2, bleu+"--format xml", `--format is table, json, jsonl, tsv, python or python-text, not "xml"`)
	d.refuse(2, bleu+"--json --format tsv", `--json and --format tsv are two formats`)
	d.refuse(2, "score meteor", `no measure "meteor"`)
	d.refuse(2, "score bleu ours.txt a.txt", `takes no argument, got "ours.txt": name the files with --hyp FILE and --ref FILE; see`)
	d.refuse(2, "score comet ours.txt", `name the files with --src FILE, --hyp FILE and --ref FILE; see`)
	d.refuse(2, "score chrf"+texts+"--lang en", `unknown flag: --lang`)
	d.refuse(2, "score wer"+texts, `texts are normalised by their language: give --lang, such as en, or --normalizer none`)
	d.refuse(2, "score wer"+texts+"--ref b.txt --lang en", `the metric takes one reference, and there are 2`)

	d.refuse(2, "score bertscore"+texts, `give --lang, the language of the texts: BERTScore has models for .*de`)
	d.refuse(2, "score bertscore"+texts+"--lang xx", `BERTScore has models for the languages .*de.*: give one with --lang, not "xx"`)
	d.refuse(2, "score bertscore"+texts+"--lang de --scoring lenient", `--scoring is official or strict, not "lenient"`)
	d.refuse(2, "score comet"+texts, `COMET reads the source as well: give it with --src FILE or --data FILE`)
	// Without their models BERTScore and COMET report how to get them.
	d.refuse(1, "score bertscore"+texts+"--lang de --models-dir none --no-cache", "`omniscope data get bert_score/de --models-dir none`")
	d.refuse(1, "score comet --src a.txt"+texts+"--models-dir none --no-cache", "`omniscope data get comet/wmt22-comet-da --models-dir none`")
}
