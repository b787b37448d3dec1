package main

import (
	"encoding/binary"
	"testing"
)

const curateMcifFiles = `
-- languages.yaml --
spoken:
  code: en
  not_answerable: No answer.
  transcribe: [Write it down.]
  summarize: [Sum it up.]
  answer: ["Answer:"]
others:
  - code: fr
    table: french
    not_answerable: Pas de réponse.
    translate: [Traduis.]
    summarize: [Résume.]
    answer: ["Réponds :"]
-- answers.xml --
<testset name="mine" type="output"><task track="long" text_lang="en"><sample id="0">Hello there.</sample><sample id="1">Hello there.</sample><sample id="2">Hello there.</sample><sample id="3">Hello there.</sample></task></testset>
-- set/[IWSLT 2025] Test Set - ASR, ST, SQA (also cross-lingual), SSUM final .tsv --
Video ID	ID	Video Link	Revised Transcript	Abstract_en	Question ID	Question Origin	Question Type	Question_en	Question_fr	Answer_en	Answer_fr	Answer Start	Answer End
1	1	https://aclanthology.org/one.mp4	Hello there.	About one.	1	General Q	A	Who?	Qui ?	Ann.	Anne.	00:00:00	00:00:02
-- set/[IWSLT 2025] Test Set - SSUM (only abstract in English).tsv --
ID	Video Link	Abstract_en
1	https://aclanthology.org/one.mp4	About one.
-- set/[IWSLT 2025] Test Set - Test set with revised transcript.tsv --
Video Link	Revised Transcript
https://aclanthology.org/one.mp4	Hello there.
-- set/[IWSLT 2025] Test Set - TRANSCRIPT_french - REVISED.tsv --
Video ID	link	c0	c1
1	x	Hello there.	Bonjour vous.
-- set/[IWSLT 2025] Test Set - SSUM_french - REVISED.tsv --
Video ID	link	c0	c1
1	x	About one.	Sur un.
-- set/SEGMENTED_AUDIO/shas_segmentation.yaml --
- {wav: one.wav, offset: 0.0, duration: 1.0}
- {wav: one.wav, offset: 1.0, duration: 2.0}
`

// A test set of one talk in English and French is built, and can be scored with.
func TestCurateMCIFBuild(t *testing.T) {
	d := newDesk(t, curateMcifFiles)
	d.write("set/AUDIO/one.wav", silenceWAV(3))
	d.write("set/SEGMENTED_AUDIO/shas_segments/one_0.wav", silenceWAV(1))
	d.write("set/SEGMENTED_AUDIO/shas_segments/one_1.wav", silenceWAV(2))
	d.run(0, "curate mcif build -s set -o out --include-text --languages languages.yaml --name TALKS1 --quiet")
	d.prints(`^short fr +3 samples`, `^17 files in out`)
	d.holds(`out/TALKS1.IF.long.fr.ref.xml`, `<reference>Bonjour vous.</reference>`)
	d.holds(`out/TALKS1.IF.short.en.src.fixedprompts.xml`, `<instruction>Answer: Who\?</instruction>`)
	d.run(0, "curate mcif stats -r out/TALKS1.IF.short.en.ref.xml -d out/SHORT_AUDIOS")
	d.prints(`^QA_A_General +1 +3.00 +3.00 +1.00 +1.00 $`)

	d.run(0, "eval mcif -s answers.xml -r out/TALKS1.IF.long.en.ref.xml -t long -l en --out scored")
	d.prints(`ASR-WER`)

	// A question that is too long for the short track is left out, with a warning.
	d.run(0, "curate mcif build -s set -o tight --threshold-short-audio 2.5 --languages languages.yaml --quiet")
	d.says(`warning: question 1_1 is left out of the set: its segments last 3.00 s, more than --threshold-short-audio 2.5`)

	// No file is written over, and errors name the place.
	d.refuse(2, "curate mcif build -s set -o out --languages languages.yaml", `is there already: name another folder with --out, or replace it with --force`)
	d.refuse(2, "curate mcif build -s set", `--out`)
	d.refuse(1, "curate mcif build -s set -o other", `has no column "Question_de"`)
	d.refuse(1, "curate mcif stats -r out/TALKS1.IF.long.en.ref.xml -d out/SHORT_AUDIOS", `ref.xml:\d+: sample \d+: `)

	// The languages of MCIF are the start of a user's own file.
	d.run(0, "curate mcif build --example-languages")
	d.prints(`code: zh`)
}

// silenceWAV is a sound of so many seconds, 16 bits a sample.
func silenceWAV(seconds int) string {
	const rate = 8000
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt ")
	b = binary.LittleEndian.AppendUint32(b, 16)
	for _, v := range []uint16{1, 1, rate, 0, 2 * rate, 0, 2, 16} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	b = binary.LittleEndian.AppendUint32(append(b, "data"...), uint32(2*rate*seconds))
	b = append(b, make([]byte, 2*rate*seconds)...)
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	return string(b)
}

const curateMcifSegmentFiles = `
-- frames.jsonl --
{"id": 1, "probs": [0.1, 0.9, 0.8, 0.3, 0.7, 0.9], "max": 0.1, "min": 0}
{"yaml": 0, "probs": [0, 0], "wav": "yes", "note":  "silence"}
-- segments.jsonl --
{"id": 1, "probs": [0.1, 0.9, 0.8, 0.3, 0.7, 0.9], "max": 0.1, "min": 0, "segments": [{"start": 1, "end": 3, "duration": 0.04, "offset": 0.02}, {"start": 4, "end": 6, "duration": 0.04, "offset": 0.0801}], "yaml": "[{duration: 0.04, offset: 0.02, rW: 0, speaker_id: NA, uW: 0, wav: talk.wav}, {duration: 0.04,\n    offset: 0.0801, rW: 0, speaker_id: NA, uW: 0, wav: talk.wav}]\n"}
{"yaml": "[{duration: 0.0, offset: 0.0, rW: 0, speaker_id: NA, uW: 0, wav: 'yes'}]\n", "probs": [0, 0], "wav": "yes", "note":  "silence", "segments": [{"start": 0, "end": 0, "duration": 0.0, "offset": 0.0}]}
-- bad.jsonl --
{"id": 1, "probs": [0.9]}
{"id": 2, "probs": [0.9, "0.1"]}
`

// Frames are divided line by line; other fields do not change.
func TestCurateMCIFSegment(t *testing.T) {
	d := newDesk(t, curateMcifSegmentFiles)
	d.runWith(`frames.jsonl`, 0, "curate mcif segment --pdac")
	d.printsFile(`segments.jsonl`)

	// Bad frames are named, after the lines before them.
	d.runWith(`bad.jsonl`, 1, "curate mcif segment --pdac")
	d.prints(`"id": 1`)
	d.says(`stdin:2: item 2 of "probs" is a string, not a number`)

	// Talks are looked for in AUDIO.
	d.refuse(1, "curate mcif segment talks --detector energy", `AUDIO has no .wav files`)
	d.gone(`talks`)
	d.copy(`frames.jsonl`, `talks/AUDIO/talk.wav`)
	d.refuse(1, "curate mcif segment talks --detector energy", `talk.wav: it is not a WAV file`)
	d.gone(`talks/SEGMENTED_AUDIO`)
	d.refuse(1, "curate mcif segment talks --probs bad.jsonl", `bad.jsonl:1: the line has no field "wav"`)

	// Wrong usage.
	d.refuse(2, "curate mcif segment talks", `say where probabilities of speech come from: --probs FILE, --detector speech-pack or --detector energy`)
	d.refuse(2, "curate mcif segment talks --detector energy --probs frames.jsonl", `give --probs or --detector, not both`)
	d.refuse(2, "curate mcif segment talks --detector enrgy", `--detector is speech-pack or energy, not "enrgy"`)
	d.refuse(2, "curate mcif segment --pdac talks", `reads JSON Lines on standard input and takes no argument, got "talks"`)
	d.refuse(2, "curate mcif segment --pdac --max 16", `each line has its own options, such as "max": 16; leave out --max`)
	d.refuse(2, "curate mcif segment --detector energy", `segment`)
	d.refuse(2, "curate mcif cut", `cut`)
}
