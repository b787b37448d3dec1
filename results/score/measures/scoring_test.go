package measures

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/metric/ngram"
	"omniscope/results/score"
)

const manyReferences = 1000

// A scoring is files and how they are scored and printed.
type scoring struct {
	files      score.Files
	measure    *score.Measure
	most       int // references; 0 = many
	format     string
	perSegment bool
	seed       uint64
}

// run scores the files and prints the scores in their format, or else each cell of the tables
// in a row, warnings and segments.
func (s scoring) run(t *testing.T) (string, error) {
	t.Helper()
	if s.most == 0 {
		s.most = manyReferences
	}
	if err := s.files.Check(s.most); err != nil {
		return "", err
	}
	if err := s.files.CheckFormat(s.format, s.perSegment, s.measure); err != nil {
		return "", err
	}
	in, err := s.files.Read(t.Context(), s.measure)
	if err != nil {
		return "", err
	}
	scored, err := s.measure.Score(t.Context(), in, s.seed)
	if err != nil {
		return "", err
	}
	if s.format != "" {
		return printed(t, scored, s.format, s.perSegment), nil
	}
	lines := []string{scored.Title()}
	for _, table := range scored.Tables() {
		for _, row := range table.Rows {
			lines = append(lines, strings.Join(row, " | "))
		}
		lines = append(lines, table.Note)
	}
	lines = append(lines, scored.Warnings...)
	if s.perSegment {
		columns, rows := scored.Segments()
		for _, row := range append([][]string{columns}, rows...) {
			lines = append(lines, strings.Join(row, " | "))
		}
	}
	return strings.Join(lines, "\n"), nil
}

// prints checks that a scoring has lines that match the patterns.
func (s scoring) prints(t *testing.T, patterns ...string) {
	t.Helper()
	text, err := s.run(t)
	if err != nil {
		t.Error(err)
		return
	}
	for _, pattern := range patterns {
		if !regexp.MustCompile("(?m)" + pattern).MatchString(text) {
			t.Errorf("it does not match %q:\n%s", pattern, text)
		}
	}
}

// fails checks that a scoring ends with an error of this kind.
func (s scoring) fails(t *testing.T, kind omniscope.Kind, pattern string) {
	t.Helper()
	text, err := s.run(t)
	if err == nil {
		t.Errorf("it prints %s; want the error %s", text, pattern)
		return
	}
	if omniscope.KindOf(err) != kind || !regexp.MustCompile(pattern).MatchString(err.Error()) {
		t.Errorf("%v is %v; want %v: %s", err, omniscope.KindOf(err), kind, pattern)
	}
}

// texts are hypotheses of one system and their references.
func texts(hyp string, refs ...string) score.Files {
	return score.Files{Hyps: []string{hyp}, Refs: refs}
}

func bleuWith(t *testing.T, o ngram.BLEUOptions) *score.Measure {
	t.Helper()
	b, err := ngram.NewBLEU(o)
	fixture.OK(t, err)
	return BLEU(b, "", 1)
}

const bleuFiles = `
-- ours.txt --
The dog bit the man.
It wasn't surprising.
The man had just bitten him.
-- ours2.txt --
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
-- gaps.txt --
The dog bit the man.

  
-- zh.txt --
今天3.5度。
-- talks.txt --
one
one
two
-- sacrebleu.json --
{
 "name": "BLEU",
 "score": 48.5,
 "signature": "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:omniscope-1(sacrebleu-2.4.3)",
 "verbose_score": "82.4/50.0/45.5/37.5 (BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)",
 "nrefs": "2",
 "case": "mixed",
 "eff": "no",
 "tok": "13a",
 "smooth": "exp",
 "version": "omniscope-1(sacrebleu-2.4.3)"
}
-- one.tsv --
talk	hyp	ref
a	so it goes	so it goes
a	and on	and on
`

func TestScoresOfNgrams(t *testing.T) {
	fixture.Enter(t, bleuFiles)
	chrf, chrfPlus := chrF(t, ngram.ChrFOptions{}), chrF(t, ngram.ChrFOptions{WordOrder: 2})
	ours := texts("ours.txt", "a.txt")
	both := score.Files{Hyps: []string{"ours.txt", "theirs.txt"}, Refs: []string{"a.txt"}}
	twice := score.Files{Hyps: []string{"ours.txt", "ours2.txt"}, Refs: []string{"a.txt"}}
	clustered, bothClustered := ours, both
	clustered.ClusterFile, bothClustered.ClusterFile = "talks.txt", "talks.txt"
	chinese, err := ngram.TokenizerFor("zh")
	fixture.OK(t, err)
	plain, err := ngram.ParseTokenizer("none")
	fixture.OK(t, err)
	for _, c := range []struct {
		scoring
		want []string
	}{
		{scoring{files: texts("ours.txt", "a.txt", "b.txt"), measure: chrf}, []string{`^chrF2: 3 segments`, `^ours \| 3 \| 59.73 `}},
		{scoring{files: ours, measure: chrfPlus}, []string{`^chrF2\+\+: 3 segments`, `nc:6\|nw:2\|space:no`}},
		{scoring{files: texts("zh.txt", "zh.txt"), measure: bleuWith(t, ngram.BLEUOptions{Tokenizer: chinese})},
			[]string{`tok:zh`, `^zh \| 1 \| 100.00 \| –`, `interval: fewer than 2 clusters`}},
		{scoring{files: ours, measure: bleuWith(t, ngram.BLEUOptions{Tokenizer: plain, Smoothing: "floor", SmoothValue: 0.5, Lowercase: true})},
			[]string{`nrefs:1\|case:lc\|eff:no\|tok:none\|smooth:floor\[0.50\]`}},
		{scoring{files: both, measure: bleu(t, ""), seed: 1}, []string{`^ours \| theirs \| -?[0-9]`, `system less base; no interval: too few clusters`}},
		{scoring{files: twice, measure: bleu(t, "")}, []string{`^ours \| ours2 \| 0.00 \| \[0.00, 0.00\]$`}},
		{scoring{files: clustered, measure: bleu(t, "")}, []string{`^BLEU: 3 segments in 2 clusters$`}},
		{scoring{files: score.Files{Data: "one.tsv", Cluster: "talk"}, measure: bleu(t, "")}, []string{`^BLEU: 2 segments in 1 cluster$`}},
		{scoring{files: bothClustered, measure: chrf, perSegment: true}, []string{`segment \| cluster \| ours chrf \| theirs chrf`, `^1 \| one \| 100.00 \| `}},
		{scoring{files: ours, measure: chrf, perSegment: true, format: score.FormatTSV}, []string{`^segment	chrf$`, `^1	100.0$`}},
		{scoring{files: ours, measure: chrf, format: score.FormatTSV}, []string{`^system	chrf	chrf_low	chrf_high	segments	signature$`}},
		{scoring{files: ours, measure: chrf, perSegment: true, format: score.FormatLines}, []string{`^{"segment":1,"scores":{"ours":{"chrf":100}}}$`}},
		{scoring{files: ours, measure: chrf, perSegment: true, format: score.FormatJSON}, []string{`"schema": "omniscope.score/1"`, `"per_segment": \[`}},
		{scoring{files: texts("gaps.txt", "a.txt"), measure: bleu(t, "")},
			[]string{`gaps.txt: 2 of 3 hypotheses are empty, the first in line 2; they are scored like any other`}},
	} {
		c.scoring.prints(t, c.want...)
	}
	scoring{files: both, measure: bleu(t, ""), format: score.FormatPython}.fails(t, omniscope.Usage, `--format python is for one system`)
}

// Of more than four systems, each is compared with the first.
func TestManySystemsComparedWithFirst(t *testing.T) {
	fixture.Enter(t, bleuFiles)
	five := score.Files{Hyps: []string{"ours.txt", "theirs.txt", "ours2.txt", "b.txt", "gaps.txt"}, Refs: []string{"a.txt"}}
	text, err := scoring{files: five, measure: bleu(t, ""), format: score.FormatJSON}.run(t)
	if n := strings.Count(text, `"base": "ours"`); err != nil || n != 4 || strings.Contains(text, `"base": "theirs"`) {
		t.Errorf("%d comparisons with ours, %v:\n%s", n, err, text)
	}
}

// The forms are sacrebleu's, but for the version: its JSON, its line, its lines.
func TestFormsOfSacrebleu(t *testing.T) {
	fixture.Enter(t, bleuFiles)
	refs := texts("ours.txt", "a.txt", "b.txt")
	got, err := scoring{files: refs, measure: bleu(t, ""), format: score.FormatPython}.run(t)
	if want := fixture.Read(t, "sacrebleu.json"); err != nil || got != want {
		t.Errorf("it prints %s, %v; want %s", got, err, want)
	}
	twoDigits, err := ngram.NewBLEU(ngram.BLEUOptions{})
	fixture.OK(t, err)
	scoring{files: refs, measure: BLEU(twoDigits, "", 2), format: score.FormatPythonText}.prints(t,
		`^BLEU\|nrefs:2\|case:mixed\|eff:no\|tok:13a\|smooth:exp\|version:omniscope-1\(sacrebleu-2.4.3\) = 48.53 82.4/50.0/45.5/37.5 \(BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18\)$`)
	got, err = scoring{files: texts("ours.txt", "a.txt"), measure: bleu(t, ""), format: score.FormatPython, perSegment: true}.run(t)
	if n := strings.Count(got, "BLEU|nrefs:1|case:mixed|eff:yes|"); err != nil || n != 3 {
		t.Errorf("%d segments, %v: %s", n, err, got)
	}
	got, err = scoring{files: texts("ours.txt", "a.txt"), measure: chrF(t, ngram.ChrFOptions{}), format: score.FormatPython}.run(t)
	if err != nil || !strings.Contains(got, "\n \"name\": \"chrF2\",\n") || strings.Contains(got, "verbose_score") {
		t.Errorf("it prints %s, %v", got, err)
	}
}

const fileFiles = `
-- rows.jsonl --
{"talk": 7, "mt": "The lake froze in March.", "base": "Lake froze March.", "ref": "The lake froze in March."}

{"talk": 7, "mt": "Nobody skated on it.", "base": "No skating.", "ref": "Nobody skated on it."}
{"talk": "b", "mt": "It thawed within a week.", "base": "It melted.", "ref": "It thawed within a week."}
-- rows.tsv --
hypothesis	reference	target
The lake froze in March.	The lake froze in March.	Im März fror der See zu.
Nobody skated on it.	Nobody skated on it.	Niemand lief darauf.
It thawed within a week.	It thawed within a week.	Nach einer Woche taute er.
-- lines.txt --
The lake froze in March.
Nobody skated on it.
It thawed within a week.
-- short.txt --
one
two
-- gap.txt --
a

b
-- empty.txt --
-- other.jsonl --

{"hyp": "a", "mt": "b", "target": "c"}
{"hyp": "a", "target": "c"}
-- null.jsonl --
{"hyp": null, "ref": "a"}
-- broken.jsonl --
{"hyp": "a", "ref": 
-- ragged.tsv --
hyp	ref
a	b
a	b	c
-- twice.tsv --
ref	ref
a	b
-- texts.json --
[{"hyp": "one two three four", "ref": "one two three four"},
 {"hyp": "five six seven eight", "ref": "five six seven eight"}]
-- riff.txt --
RIFF is a word for a riff in a song.
`

// One file may hold all texts. What has a file of its own is not taken from it.
func TestFilesOfTexts(t *testing.T) {
	fixture.Enter(t, fileFiles)
	fixture.FileIn(t, "", "crlf.txt", "\ufeff"+strings.ReplaceAll(fixture.Read(t, "lines.txt"), "\n", "\r\n"))
	fixture.FileIn(t, "", "lines.txt.gz", fixture.Gzip(fixture.Read(t, "lines.txt")))
	for _, c := range []struct {
		files score.Files
		want  []string
	}{
		{score.Files{Data: "rows.jsonl", Cluster: "talk"}, []string{`^BLEU: 3 segments in 2 clusters$`, `^rows \| 3 \| 100.00 `}},
		{score.Files{Data: "rows.tsv"}, []string{`^rows \| 3 \| 100.00 `}},
		{score.Files{Data: "rows.tsv", RefFields: []string{"target"}}, []string{`^rows \| 3 \| `}},
		{score.Files{Data: "rows.jsonl", Hyps: []string{"lines.txt"}}, []string{`^lines \| 3 \| 100.00 `}},
		{texts("crlf.txt", "lines.txt"), []string{`100.00`}},
		{texts("riff.txt", "riff.txt"), []string{`100.00`}}, // letters that other files begin with
		{score.Files{Data: "texts.json"}, []string{`100.00`}},
		{texts("lines.txt.gz", "lines.txt"), []string{`100.00`}},
	} {
		scoring{files: c.files, measure: bleu(t, "")}.prints(t, c.want...)
	}
	scoring{files: score.Files{Data: "rows.jsonl", HypFields: []string{"mt", "base"}}, measure: chrF(t, ngram.ChrFOptions{})}.prints(t, `^mt \| base \| -[0-9]`)
	s, err := scored(t, bleu(t, ""), "crlf.txt", "lines.txt")
	if err != nil || len(s.Warnings) > 0 {
		t.Errorf("%v, %q", err, s.Warnings)
	}
}

func TestInvalidFilesOfTexts(t *testing.T) {
	fixture.Enter(t, fileFiles)
	fixture.FileIn(t, "", "text.gz", fixture.Gzip(fixture.Gzip(fixture.Read(t, "lines.txt"))))
	fixture.FileIn(t, "", "clip.mp4", "\000\000\000\040ftypisom")
	lines := texts("lines.txt", "lines.txt")
	with := func(f score.Files, change func(*score.Files)) score.Files {
		change(&f)
		return f
	}
	rows := func(hyp, ref string) score.Files {
		f := score.Files{Data: "other.jsonl", RefFields: []string{ref}}
		if hyp != "" {
			f.HypFields = []string{hyp}
		}
		return f
	}
	for _, c := range []struct {
		files score.Files
		kind  omniscope.Kind
		want  string
	}{
		{texts("lines.txt", "short.txt"), omniscope.Invalid, `short.txt has 2 lines and lines.txt 3: they must belong together line by line`},
		{with(lines, func(f *score.Files) { f.ClusterFile = "short.txt" }), omniscope.Invalid, `lines.txt has 3 lines and short.txt 2`},
		{texts("empty.txt", "lines.txt"), omniscope.Invalid, `empty.txt has no lines`},
		{texts("absent.txt", "lines.txt"), omniscope.NotFound, `absent.txt: no such file or directory`},
		{texts(".", "lines.txt"), omniscope.Invalid, `^\. is a folder: name a file$`},
		{texts("clip.mp4", "lines.txt"), omniscope.Invalid, `clip.mp4 is an MP4 or QuickTime file: name a text file`},
		{texts("text.gz", "lines.txt"), omniscope.Invalid, `text.gz is packed twice`},
		{score.Files{Data: "rows.jsonl", HypFields: []string{"answer"}}, omniscope.Invalid, `rows.jsonl:1: no field "answer": there are "talk", "mt", "base", "ref"`},
		{score.Files{Data: "other.jsonl"}, omniscope.Invalid, `other.jsonl:2: no field reference, ref, text: there are "hyp", "mt", "target"; name one with --ref-field`},
		{rows("", "target"), omniscope.Invalid, `other.jsonl:2: the fields hyp and mt could both be meant: name one with --hyp-field`},
		{rows("mt", "target"), omniscope.Invalid, `other.jsonl:3: the line has no field "mt"`},
		{score.Files{Data: "null.jsonl"}, omniscope.Invalid, `null.jsonl:1: "hyp" is null, not a string`},
		{score.Files{Data: "broken.jsonl"}, omniscope.Invalid, `broken.jsonl:1: `},
		{score.Files{Data: "ragged.tsv"}, omniscope.Invalid, `ragged.tsv:3: the line has 3 fields and the header 2: a	b	c`},
		{score.Files{Data: "twice.tsv"}, omniscope.Invalid, `twice.tsv:1: the header has the field "ref" twice`},
		{score.Files{Data: "rows.jsonl", Cluster: "film"}, omniscope.Invalid, `no file has a field "film"`},
		{score.Files{Data: "rows.jsonl", ClusterFile: "gap.txt"}, omniscope.Invalid, `gap.txt:2: the segment belongs to no cluster`},

		{score.Files{Refs: []string{"lines.txt"}}, omniscope.Usage, `give the hypotheses with --hyp FILE or --data FILE`},
		{score.Files{Hyps: []string{"lines.txt"}}, omniscope.Usage, `give the references with --ref FILE or --data FILE`},
		{score.Files{Hyps: []string{"lines.txt", "lines.txt"}, Refs: []string{"lines.txt"}}, omniscope.Usage, `lines.txt is named twice`},
		{with(lines, func(f *score.Files) { f.HypFields = []string{"mt"} }), omniscope.Usage, `--hyp-field mt: lines.txt is read as text, which has no fields`},
		{texts("-", "-"), omniscope.Usage, `standard input can be one file, and it is named 2 times: --hyp, --ref`},
		{score.Files{Data: "rows.jsonl", As: score.AsText}, omniscope.Usage, `--data has several fields`},
		{score.Files{Data: "rows.jsonl", Cluster: "talk", ClusterFile: "gap.txt"}, omniscope.Usage, `give --cluster or --cluster-file, not both`},
	} {
		scoring{files: c.files, measure: bleu(t, "")}.fails(t, c.kind, c.want)
	}
}

const werFiles = `
-- ref.txt --
Mr. Park paid twenty-five dollars.
It's a long way home.
-- asr.txt --
mister park paid $25
It is a way home
-- silence.txt --


-- laughs.txt --
So it goes.
(laughs)
-- rows.tsv --
talk	first	second	ref
a	so geht das	so geht das	So geht das!
b	nein	nein danke	Nein, danke.
-- wer.json --
{
  "schema": "omniscope.score/1",
  "metric": "wer",
  "signature": "norm:whisper-basic|version:omniscope-1(jiwer-3.0.5)",
  "segments": 2,
  "clusters": 2,
  "fields": [
    "hits",
    "substitutions",
    "deletions",
    "insertions"
  ],
  "systems": [
    {
      "name": "first",
      "file": "rows.tsv",
      "scores": {
        "wer": {
          "value": 0.2,
          "interval": null,
          "no_interval": "too few clusters"
        }
      },
      "counts": [
        4,
        0,
        1,
        0
      ]
    },
    {
      "name": "second",
      "file": "rows.tsv",
      "scores": {
        "wer": {
          "value": 0,
          "interval": null,
          "no_interval": "no variation between clusters"
        }
      },
      "counts": [
        5,
        0,
        0,
        0
      ]
    }
  ],
  "differences": [
    {
      "base": "first",
      "system": "second",
      "scores": {
        "wer": {
          "value": -0.2,
          "interval": null,
          "no_interval": "too few clusters"
        }
      }
    }
  ],
  "warnings": [],
  "per_segment": [
    {
      "segment": 1,
      "cluster": "a",
      "scores": {
        "first": {
          "wer": 0
        },
        "second": {
          "wer": 0
        }
      }
    },
    {
      "segment": 2,
      "cluster": "b",
      "scores": {
        "first": {
          "wer": 0.5
        },
        "second": {
          "wer": 0
        }
      }
    }
  ]
}
`

// Transcripts are scored by word error rate. A silent hypothesis is scored; a reference without
// words is an error, as for jiwer.
func TestScoresOfTranscripts(t *testing.T) {
	fixture.Enter(t, werFiles)
	english, basic := WER("whisper-en", "en", ""), WER("whisper-basic", "de", "")
	asr := texts("asr.txt", "ref.txt")
	for _, c := range []struct {
		scoring
		want []string
	}{
		{scoring{files: asr, measure: english}, []string{`^asr \| 2 \| 0.1000 `, `10: subs 0 dels 1 ins 0`, `norm:whisper-en\|version:omniscope-1\(jiwer-3.0.5\)`}},
		{scoring{files: asr, measure: basic}, []string{`norm:whisper-basic`}},
		{scoring{files: asr, measure: WER("", "", "")}, []string{`norm:none`}},
		{scoring{files: asr, measure: english, format: score.FormatPython}, []string{`\A0.1\n\z`}},
		{scoring{files: texts("silence.txt", "ref.txt"), measure: english}, []string{`^silence \| 2 \| 1.0000 `, `silence.txt: 2 of 2 hypotheses are empty`}},
	} {
		c.scoring.prints(t, c.want...)
	}
	rows := score.Files{Data: "rows.tsv", Cluster: "talk", HypFields: []string{"first", "second"}}
	got, err := scoring{files: rows, measure: basic, format: score.FormatJSON, perSegment: true}.run(t)
	if want := fixture.Read(t, "wer.json"); err != nil || got != want {
		t.Errorf("it prints %s, %v; want %s", got, err, want)
	}
	e, err := wordErrors(t.Context(), "ref.txt", "asr.txt", "whisper-en")
	if got := fmt.Sprint(e.Substitutions, e.Deletions, e.Insertions, e.Hits); err != nil || got != "0 1 0 9" {
		t.Errorf("it counts %s, %v", got, err)
	}

	scoring{files: asr, measure: english, format: score.FormatPython, perSegment: true}.fails(t, omniscope.Usage, `the published program prints no segments`)
	scoring{files: texts("asr.txt", "laughs.txt"), measure: english}.fails(t, omniscope.Invalid, `laughs.txt:2: the reference has no words, and so no word error rate \(--empty-ref skip .*\): \(laughs\)`)
	scoring{files: texts("asr.txt", "silence.txt"), measure: english}.fails(t, omniscope.Invalid, `silence.txt:1: the reference has no words, and so no word error rate \(--empty-ref skip .*\)$`)
	scoring{files: texts("asr.txt", "ref.txt", "asr.txt"), measure: english, most: 1}.fails(t, omniscope.Usage, `the metric takes one reference, and there are 2`)
}

// A name that a spreadsheet would take for a formula is marked as text.
func TestFormulasInScores(t *testing.T) {
	fixture.Enter(t, "-- =1+1.txt --\nso it goes\n-- hyp.txt --\nso it goes\n-- ref.txt --\nso it went\n")
	files := score.Files{Hyps: []string{"=1+1.txt", "hyp.txt"}, Refs: []string{"ref.txt"}}
	scoring{files: files, measure: WER("whisper-en", "en", ""), format: score.FormatTSV}.prints(t, `^'=1\+1\t`)
	scoring{files: files, measure: WER("whisper-en", "en", ""), format: score.FormatTSV, perSegment: true}.prints(t, `\t'=1\+1 wer`)
}
