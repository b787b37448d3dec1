package main

import (
	"bytes"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// What an interrupted command says of its work is true of it.
func TestInterruptedCommandMessage(t *testing.T) {
	const calls = "ending once the calls on the wire are answered"
	for _, test := range []struct{ args, ending, left string }{
		{"eval capricorn", calls, "; run the same command again to go on from here"},
		{"caption", calls, "; run the same command again to go on from here"},
		{"audit a b", calls, "; run the same command again to go on from here"},
		{"probe", calls, "; run the same command again to go on from here"},
		{"score wer --each-line", "ending", "; the lines that were written are complete"},
		{"score normalize", "ending", "; the lines that were written are complete"},
		{"score bleu", "ending", ""},
		{"score chrf", "ending", ""},
		{"score wer", "ending", ""},
		{"score bertscore", "ending", "; run the same command again, it takes what was computed from the cache"},
		{"score comet", "ending", "; run the same command again, it takes what was computed from the cache"},
		{"score comet --no-cache", "ending", ""},
		{"data get bert_score/de", "ending", "; run the same command again, it keeps what was received"},
		{"data import x", "ending", ""},
		{"docs models", "ending", ""},
	} {
		args := strings.Fields(test.args)
		cmd, rest, err := newRoot(&bytes.Buffer{}, &bytes.Buffer{}).Find(args)
		fixture.OK(t, err)
		fixture.OK(t, cmd.ParseFlags(rest))
		if got := ending(args); got != test.ending {
			t.Errorf("%s: at first it says %q, want %q", test.args, got, test.ending)
		}
		if got := resumeHint(cmd); got != test.left {
			t.Errorf("%s: at last it says %q, want %q", test.args, got, test.left)
		}
	}
}
