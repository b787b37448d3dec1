package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What stands in files is taken as the published programs take it.
func TestTextsOfScore(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	three := write("three.txt", "a\nb\nc\n")
	for _, test := range []struct {
		what, text string
		args       []string
		want       string // of the output, or of the error
	}{
		{"a carriage return is white space for sacrebleu", "a b\rc\n", []string{"bleu"}, "hyp.txt 1: they must belong together"},
		{"and a line's end for others", "a b\rc\r\nd", []string{"wer", "--normalizer", "none"}, "WER: 3 segments"},
		{"NUL is a character", "a\x00\nb\nc", []string{"chrf"}, "chrF2: 3 segments"},
		{"a byte order mark is skipped", "\ufeffa\nb\nc\n", []string{"chrf"}, "100.00"},
		{"blanks at the end of a line are nothing", "a \nb\t\nc\u3000\n", []string{"chrf", "--whitespace"}, "100.00"},
		{"what is not UTF-8 is refused", "a\nb\xffc\nc\n", []string{"bleu"}, "hyp.txt:2: byte 2 of the line, 0xff, is not UTF-8: b\ufffdc"},
		{"UTF-16 is read by its byte order mark", "\xff\xfea\x00\n\x00b\x00\n\x00c\x00", []string{"chrf"}, "100.00"},
		{"a last line may be empty", "a\nb\n\n", []string{"chrf"}, "1 of 3 hypotheses are empty, the first in line 3"},
	} {
		t.Run(test.what, func(t *testing.T) {
			var out bytes.Buffer
			args := append([]string{"score"}, append(test.args, "--hyp", write("hyp.txt", test.text), "--ref", three)...)
			execute(t.Context(), args, &out, &out)
			if text := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(text, test.want) {
				t.Errorf("got %s\nwant %s", &out, test.want)
			}
		})
	}
}
