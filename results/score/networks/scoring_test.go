package networks_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/workdir"
	"omniscope/internal/tools/neuralgen"
	"omniscope/metric/neural/installed"
	"omniscope/results/score"
	"omniscope/results/score/networks"
)

const textFiles = `
-- src.txt --
The lake froze in March.
Nobody skated on it.
It thawed within a week.
Then the boats came out.
-- ref.txt --
Im März fror der See zu.
Niemand lief darauf.
Nach einer Woche taute er.
Dann kamen die Boote heraus.
-- ours.txt --
Der See fror im März.
Niemand ist darauf gelaufen.
Er taute in einer Woche.
Dann kamen die Boote.
-- theirs.txt --
See im März.
Keiner.
Woche.
Boote heraus.
-- gap.txt --
Der See fror im März.

Er taute in einer Woche.
Dann kamen die Boote.
-- special.txt --
[SEP]
Niemand ist darauf gelaufen.
Er taute in einer Woche.
Dann kamen die Boote.
-- short.txt --
The lake froze in March.
-- talks.txt --
a
a
b
b
`

// A scoring is files, the networks that score them, and how the scores are printed.
type scoring struct {
	files      score.Files
	measure    *networks.Measure
	options    installed.Options
	format     string
	perSegment bool
}

// run scores the files with the networks of the folder models, and prints the scores in their
// format, or else each cell of the tables in a row, warnings and segments.
func (s scoring) run(t *testing.T) (string, error) {
	t.Helper()
	s.options.Root = "models"
	if s.options.CacheDir == "" {
		s.options.NoCache = true
	}
	err := s.options.Check()
	if err == nil {
		err = s.files.Check(1)
	}
	if err == nil {
		err = s.files.CheckFormat(s.format, s.perSegment, &s.measure.Measure)
	}
	if err != nil {
		return "", err
	}
	in, err := s.files.Read(t.Context(), &s.measure.Measure)
	if err != nil {
		return "", err
	}
	n, err := installed.Open(s.options)
	if err != nil {
		return "", err
	}
	defer n.Close()
	if err := s.measure.Open(n); err != nil {
		return "", err
	}
	scored, err := s.measure.Score(t.Context(), in, 0)
	if err != nil {
		return "", err
	}
	if s.format != "" {
		var b bytes.Buffer
		err := scored.Write(&b, s.format, s.perSegment)
		return b.String(), err
	}
	lines := []string{scored.Title()}
	for _, table := range scored.Tables() {
		for _, row := range table.Rows {
			lines = append(lines, strings.Join(row, " | "))
		}
		lines = append(lines, table.Note)
	}
	lines = slices.Concat(lines, scored.Warnings, s.measure.Warnings)
	if s.perSegment {
		_, rows := scored.Segments()
		for _, row := range rows {
			lines = append(lines, strings.Join(row, " | "))
		}
	}
	return strings.Join(append(lines, scored.SegmentSignature), "\n"), nil
}

// german is BERTScore of German texts.
func german(o networks.BERTScoreOptions) *networks.Measure {
	o.Lang = "de"
	if o.Scoring == "" {
		o.Scoring = "official"
	}
	return networks.BERTScore(o)
}

func enterWithModels(t *testing.T) {
	t.Helper()
	workdir.Enter(t, textFiles)
	fixture.OK(t, neuralgen.WriteRoot("models", neuralgen.Options{Seed: 1}))
}

func texts(hyps ...string) score.Files {
	return score.Files{Hyps: hyps, Refs: []string{"ref.txt"}}
}

func translations(hyps ...string) score.Files {
	f := texts(hyps...)
	f.Src = "src.txt"
	return f
}

// The models have random weights, and the scores say so.
func TestScoresByNetworks(t *testing.T) {
	enterWithModels(t)
	strict := networks.BERTScoreOptions{Scoring: "strict", NoRescale: true}
	clustered := translations("ours.txt", "theirs.txt")
	clustered.ClusterFile = "talks.txt"
	for _, c := range []struct {
		scoring
		want []string
	}{
		{scoring{files: texts("ours.txt"), measure: german(networks.BERTScoreOptions{})}, []string{`^BERTScore: 4 segments$`, `^ours \| 4 \| -?[0-9.]+ \| .* -?[0-9.]+ \| .* -?[0-9.]+`,
			`signature:`, `bertscore:0.3.13\|model:bert-base-multilingual-cased`, `rescaled:de`, `compare with no`}},
		// A text compared with itself has 1, rescaled or not; an empty one is far below 0.
		{scoring{files: texts("ref.txt"), measure: german(networks.BERTScoreOptions{}), perSegment: true, format: score.FormatTSV}, []string{`^1	1.0	1.0	1.0$`}},
		{scoring{files: texts("gap.txt"), measure: german(networks.BERTScoreOptions{}), perSegment: true}, []string{`^2 \| -1.59`, `gap.txt: 1 of 4 hypotheses are empty, the first in line 2`}},
		{scoring{files: texts("gap.txt"), measure: german(strict), perSegment: true}, []string{`^2 \| 0.0000`, `rescaled:no`, `\|strict`}},
		// A text of special tokens only has no precision, and so the system has no score.
		{scoring{files: texts("special.txt"), measure: german(networks.BERTScoreOptions{}), perSegment: true, format: score.FormatJSON}, []string{`"p": null`}},
		{scoring{files: texts("special.txt"), measure: german(networks.BERTScoreOptions{})}, []string{`no score`}},
		{scoring{files: texts("special.txt"), measure: german(networks.BERTScoreOptions{}), format: score.FormatPython}, []string{` P: nan R: `}},
		{scoring{files: texts("ours.txt"), measure: german(networks.BERTScoreOptions{}), format: score.FormatPython, perSegment: true}, []string{
			`^bertscore:0.3.13\|model:bert-base-multilingual-cased_L9\|.* P: -?[0-9]\.[0-9]+ R: -?[0-9]\.[0-9]+ F1: -?[0-9]\.[0-9]+$`,
			`\A.*\n(-?[0-9]\.[0-9]{6}	-?[0-9]\.[0-9]{6}	-?[0-9]\.[0-9]{6}\n){4}\z`}},
		{scoring{files: clustered, measure: networks.COMET("")}, []string{`^COMET: 4 segments in 2 clusters$`, `^ours \| theirs \| [-+]?[0-9.]+ `}},
		{scoring{files: translations("ours.txt", "theirs.txt"), measure: networks.COMET(""), format: score.FormatPython, perSegment: true}, []string{
			`(^ours.txt	Segment [0-3]	score: -?[0-9]+\.[0-9]{4}\ntheirs.txt	Segment .*\n){4}`, `^theirs.txt	score: -?[0-9]+\.[0-9]{4}$`}},
		// A model may be named, by its name or by its folder.
		{scoring{files: texts("ours.txt"), measure: networks.BERTScore(networks.BERTScoreOptions{Model: "bert_score/it", Lang: "it", Scoring: "official"})}, []string{`rescaled:it`}},
		{scoring{files: translations("ours.txt"), measure: networks.COMET("models/comet/wmt22-comet-da")}, []string{`^COMET: 4 segments$`}},
	} {
		text, err := c.run(t)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, pattern := range c.want {
			if !regexp.MustCompile("(?m)" + pattern).MatchString(text) {
				t.Errorf("it does not match %q:\n%s", pattern, text)
			}
		}
	}
}

// Remembered results change no number.
func TestCacheChangesNoScore(t *testing.T) {
	enterWithModels(t)
	var printed []string
	for _, o := range []installed.Options{{CacheDir: "kept"}, {CacheDir: "kept"}, {Threads: 1}} {
		text, err := scoring{files: texts("ours.txt"), measure: german(networks.BERTScoreOptions{}), options: o, format: score.FormatJSON}.run(t)
		fixture.OK(t, err)
		if printed = append(printed, text); text != printed[0] {
			t.Errorf("%+v: it prints\n%s\nwant\n%s", o, text, printed[0])
		}
	}
}

func TestInvalidScoringByNetworks(t *testing.T) {
	enterWithModels(t)
	short := translations("ours.txt")
	short.Src = "short.txt"
	for _, c := range []struct {
		scoring
		kind omniscope.Kind
		want string
	}{
		{scoring{files: translations("ours.txt"), measure: networks.COMET("comet-22")}, omniscope.Usage,
			`--model comet-22 is neither a folder nor a model; did you mean comet/wmt22-comet-da\? There are: bert_score/en, .*comet/wmt22-comet-da`},
		{scoring{files: texts("ours.txt", "theirs.txt"), measure: german(networks.BERTScoreOptions{}), format: score.FormatPython}, omniscope.Usage, `--format python is for one system`},
		{scoring{files: texts("ours.txt"), measure: german(networks.BERTScoreOptions{}), format: score.FormatPythonText}, omniscope.Usage, `python-text is for BLEU and chrF`},
		{scoring{files: texts("ours.txt"), measure: german(networks.BERTScoreOptions{}), options: installed.Options{Threads: -1}}, omniscope.Usage, `--threads must not be negative`},
		{scoring{files: texts("ours.txt"), measure: german(networks.BERTScoreOptions{}), options: installed.Options{CacheDir: "kept", NoCache: true}}, omniscope.Usage, `give --cache-dir or --no-cache, not both`},
		{scoring{files: short, measure: networks.COMET("")}, omniscope.Invalid, `ref.txt has 4 lines and short.txt 1`},
	} {
		text, err := c.run(t)
		if err == nil || omniscope.KindOf(err) != c.kind || !regexp.MustCompile(c.want).MatchString(err.Error()) {
			t.Errorf("it prints %q and ends with %v, %v; want %v, %s", text, omniscope.KindOf(err), err, c.kind, c.want)
		}
	}
}
