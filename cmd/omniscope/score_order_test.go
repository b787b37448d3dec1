package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Counting at the same time changes no number and no order.
func TestScoresDoNotDependOnProcessors(t *testing.T) {
	var hyps, refs strings.Builder
	for i := range 500 {
		fmt.Fprintf(&hyps, "Row %d has %d birds, and one isn't new.\n", i, i%7)
		fmt.Fprintf(&refs, "Row %d had %d birds; one of them is new.\n", i, i%5)
	}
	dir := t.TempDir()
	hyp, ref := filepath.Join(dir, "hyp.txt"), filepath.Join(dir, "ref.txt")
	for path, text := range map[string]string{hyp: hyps.String(), ref: refs.String()} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, metric := range [][]string{{"bleu"}, {"chrf", "--word-order", "2"}, {"wer", "--lang", "en"}} {
		var want string
		for _, processors := range []int{1, 4} {
			before := runtime.GOMAXPROCS(processors)
			var out, errOut bytes.Buffer
			code := execute(t.Context(), append([]string{"score", "--hyp", hyp, "--ref", ref, "--json", "--per-segment"}, metric...), &out, &errOut)
			runtime.GOMAXPROCS(before)
			if code != exitDone {
				t.Fatalf("%s: exit code %d: %s", metric[0], code, &errOut)
			}
			if want == "" {
				want = out.String()
			}
			if out.String() != want {
				t.Errorf("%s: another result on %d processors", metric[0], processors)
			}
		}
	}
}

// What an interrupted command says of its work is true of it.
func TestInterruptedCommandsSayWhatIsLeft(t *testing.T) {
	const calls = "ending once the calls on the wire are answered"
	for _, test := range []struct{ args, ending, left string }{
		{"eval capricorn", calls, "; run the same command again to go on from here"},
		{"investigate", calls, "; run the same command again to go on from here"},
		{"audit a b", calls, "; run the same command again to go on from here"},
		{"text wer", "ending", "; what was written so far is whole lines"},
		{"score bleu", "ending", ""},
		{"score chrf", "ending", ""},
		{"score wer", "ending", ""},
		{"score bertscore", "ending", "; run the same command again, it takes what was computed from the cache"},
		{"score comet", "ending", "; run the same command again, it takes what was computed from the cache"},
		{"score comet --no-cache", "ending", ""},
		{"models get bert_score/de", "ending", "; run the same command again, it keeps what was received"},
		{"models import x", "ending", ""},
		{"list", "ending", ""},
	} {
		args := strings.Fields(test.args)
		cmd, rest, err := newRoot(&bytes.Buffer{}, &bytes.Buffer{}).Find(args)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.ParseFlags(rest); err != nil {
			t.Fatal(err)
		}
		if got := ending(args); got != test.ending {
			t.Errorf("%s: at first it says %q, want %q", test.args, got, test.ending)
		}
		if got := goOn(cmd); got != test.left {
			t.Errorf("%s: at last it says %q, want %q", test.args, got, test.left)
		}
	}
}
