package measures

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/metric/ngram"
	"omniscope/results/score"
)

func bleu(t *testing.T, language string) *score.Measure {
	t.Helper()
	b, err := ngram.NewBLEU(ngram.BLEUOptions{})
	fixture.OK(t, err)
	return BLEU(b, language, 1)
}

func chrF(t *testing.T, o ngram.ChrFOptions) *score.Measure {
	t.Helper()
	o.CharOrder, o.Beta = 6, 2
	c, err := ngram.NewChrF(o)
	fixture.OK(t, err)
	return ChrF(c, 1)
}

// scored scores one file of hypotheses against one of references.
func scored(t *testing.T, m *score.Measure, hyp, ref string) (*score.Scored, error) {
	t.Helper()
	files := score.Files{Hyps: []string{hyp}, Refs: []string{ref}}
	in, err := files.Read(t.Context(), m)
	if err != nil {
		return nil, err
	}
	return m.Score(t.Context(), in, 0)
}

// printed is what scores look like in a format.
func printed(t *testing.T, s *score.Scored, format string, perSegment bool) string {
	t.Helper()
	var out bytes.Buffer
	fixture.OK(t, s.Write(&out, format, perSegment))
	return out.String()
}

// Lines of files are cut as the published programs cut them.
func TestLinesOfFiles(t *testing.T) {
	for _, test := range []struct {
		name, text string
		measure    *score.Measure
		want       string // of the title and the scores, or of the error
	}{
		{"a carriage return is white space for sacrebleu", "a b\rc\n", bleu(t, ""), "hyp.txt 1: they must belong together"},
		{"a carriage return ends a line for others", "a b\rc\r\nd", WER("", "", ""), "WER: 3 segments"},
		{"NUL is a character", "a\x00\nb\nc", chrF(t, ngram.ChrFOptions{}), "chrF2: 3 segments"},
		{"a byte order mark is skipped", "\ufeffa\nb\nc\n", chrF(t, ngram.ChrFOptions{}), "chrf:100"},
		{"blanks at the end of a line are left out", "a \nb\t\nc\u3000\n", chrF(t, ngram.ChrFOptions{Spaces: true}), "chrf:100"},
		{"what is not UTF-8 is refused", "a\nb\xffc\nc\n", bleu(t, ""), "hyp.txt:2: byte 2 of the line, 0xff, is not UTF-8: b\ufffdc"},
		{"UTF-16 is read by its byte order mark", "\xff\xfea\x00\n\x00b\x00\n\x00c\x00", chrF(t, ngram.ChrFOptions{}), "chrf:100"},
		{"a last line may be empty", "a\nb\n\n", chrF(t, ngram.ChrFOptions{}), "1 of 3 hypotheses are empty, the first in line 3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if s, err := scored(t, test.measure, fixture.File(t, "hyp.txt", test.text), fixture.File(t, "three.txt", "a\nb\nc\n")); err != nil {
				got = err.Error()
			} else {
				value, _ := s.Measure.Scores[0].Value(s.Systems[0].Sum)
				got = fmt.Sprint(s.Title(), " ", s.Measure.Name, ":", value, " ", s.Warnings)
			}
			if !strings.Contains(got, test.want) {
				t.Errorf("got %s\nwant %s", got, test.want)
			}
		})
	}
}

// Counting at the same time changes no number and no order.
func TestScoresIndependentOfProcessors(t *testing.T) {
	var hyps, refs strings.Builder
	for i := range 500 {
		fmt.Fprintf(&hyps, "Row %d has %d birds, and one isn't new.\n", i, i%7)
		fmt.Fprintf(&refs, "Row %d had %d birds; one of them is new.\n", i, i%5)
	}
	hyp, ref := fixture.File(t, "hyp.txt", hyps.String()), fixture.File(t, "ref.txt", refs.String())
	for _, m := range []*score.Measure{bleu(t, ""), chrF(t, ngram.ChrFOptions{WordOrder: 2}), WER("whisper-en", "en", "")} {
		var want string
		for _, processors := range []int{1, 4} {
			before := runtime.GOMAXPROCS(processors)
			s, err := scored(t, m, hyp, ref)
			runtime.GOMAXPROCS(before)
			fixture.OK(t, err)
			got := printed(t, s, score.FormatJSON, true)
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s: another result on %d processors", m.Name, processors)
			}
		}
	}
}

// wordErrors counts the word errors of a file of text against another.
func wordErrors(ctx context.Context, ref, hyp, scheme string) (sum metric.Edits, err error) {
	m := WER(scheme, "", "")
	in, err := (&score.Files{Refs: []string{ref}, Hyps: []string{hyp}}).Read(ctx, m)
	if err != nil {
		return sum, err
	}
	rows, err := m.Count(ctx, in, in.Systems[0])
	for _, counts := range rows {
		sum = sum.Add(editsOf(counts))
	}
	return sum, err
}

func TestWordErrorsOfFiles(t *testing.T) {
	for _, test := range []struct {
		name, ref, hyp, scheme string
		want                   metric.Edits
		fault                  string
	}{
		{"as they are", "one two\nthree four\n", "One two\nthree five\n", "", metric.Edits{Hits: 2, Substitutions: 2}, ""},
		{"in normal form", "one two\nthree four\n", "One two\nthree five\n", "whisper-basic", metric.Edits{Hits: 3, Substitutions: 1}, ""},
		{"a carriage return ends a line", "a\rb\r\nc\n", "a b\nc d\n", "", metric.Edits{}, "ref.txt has 3 lines and hyp.txt 2: they must belong together line by line"},
		{"a file that is shorter", "a\nb\n", "a\n", "", metric.Edits{}, "ref.txt has 2 lines and hyp.txt 1: they must belong together line by line"},
		{"a reference without words", "a\n(b)\n", "a\nb\n", "whisper-en", metric.Edits{}, "ref.txt:2: the reference has no words, and so no word error rate (--empty-ref skip leaves such lines out, --empty-ref count takes what was said there for insertions): (b)"},
		{"an empty file", "", "a\n", "", metric.Edits{}, "ref.txt has no lines"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, text := range map[string]string{"ref.txt": test.ref, "hyp.txt": test.hyp} {
				fixture.OK(t, os.WriteFile(name, []byte(text), 0o644))
			}
			got, err := wordErrors(t.Context(), "ref.txt", "hyp.txt", test.scheme)
			switch {
			case test.fault != "":
				if err == nil || err.Error() != test.fault || omniscope.KindOf(err) != omniscope.Invalid {
					t.Errorf("got %v, want %s", err, test.fault)
				}
			case err != nil || got != test.want:
				t.Errorf("got %+v, %v, want %+v", got, err, test.want)
			}
		})
	}
}

// The lines are those that sacrebleu and jiwer print, but for the version.
func TestPublishedForms(t *testing.T) {
	hyp := fixture.File(t, "hyp.txt", "The dog bit the man.\nIt wasn't surprising.\n")
	ref := fixture.File(t, "ref.txt", "The dog bit the man.\nIt was not unexpected.\n")
	for _, test := range []struct {
		measure    *score.Measure
		format     string
		perSegment bool
		want       string
	}{
		{WER("", "", ""), score.FormatPython, false, "0.3333333333333333\n"},
		{bleu(t, ""), score.FormatPythonText, true, "BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:omniscope-1(sacrebleu-2.4.3) = 100.0 100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)\n"},
		{chrF(t, ngram.ChrFOptions{}), score.FormatPython, false, "{\n \"name\": \"chrF2\",\n \"score\": "},
		{chrF(t, ngram.ChrFOptions{}), score.FormatPythonText, false, "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:omniscope-1(sacrebleu-2.4.3) = "},
	} {
		s, err := scored(t, test.measure, hyp, ref)
		fixture.OK(t, err)
		if got := printed(t, s, test.format, test.perSegment); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s of %s: got %s, want %s", test.format, test.measure.Name, got, test.want)
		}
	}
}

func TestOddTextsAndLanguages(t *testing.T) {
	tokenized := strings.Repeat("It works .\n", 100)
	for _, test := range []struct {
		measure *score.Measure
		text    string
		want    string
	}{
		{bleu(t, "zho"), "a\n", "--lang zho is not known, and texts are cut by 13a, the tokenizer of all languages but Chinese: write zh"},
		{bleu(t, "klingonisch"), "a\n", ": write a code of two letters, such as en"},
		{bleu(t, "de-AT"), "a\n", ""},
		{bleu(t, ""), tokenized, "100 lines end with a blank and a full stop"},
		{bleu(t, ""), strings.TrimSuffix(tokenized, ".\n") + "\n", ""},
		{WER("whisper-basic", "eng", ""), "a\n", "--lang eng is not known, and texts are normalised by whisper-basic, the normaliser of all languages but English: write en"},
		{WER("whisper-basic", "de", ""), "a\n", ""},
		{WER("", "eng", ""), "a\n", ""},
	} {
		path := fixture.File(t, "a.txt", test.text)
		s, err := scored(t, test.measure, path, path)
		fixture.OK(t, err)
		if got := strings.Join(s.Warnings, "\n"); !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", test.measure.Name, got, test.want)
		}
	}
}
