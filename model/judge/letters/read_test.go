package letters

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// usual are the options of replies in phrasings.jsonl that have no others.
var usual = []string{"a barking dog", "a passing train", "a church bell", "rain on a roof"}

// TestPhrasings reads replies in the words in which models answer. Each line has the letter
// that is meant, or null and why there is none.
func TestPhrasings(t *testing.T) {
	f, err := os.Open("testdata/phrasings.jsonl")
	fixture.OK(t, err)
	defer f.Close()
	n, lines := 0, bufio.NewScanner(f)
	for lines.Scan() {
		n++
		var p struct {
			Reply   string
			Options []string
			Letter  *string
			Why     Why
		}
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		if p.Options == nil {
			p.Options = usual
		}
		want := -1
		if p.Letter != nil {
			want = Index(*p.Letter, len(p.Options))
		}
		switch got, why := Read(p.Reply, p.Options); {
		case got != want && got >= 0:
			t.Errorf("line %d: WRONG: %q is read as %s, want %d", n, p.Reply, Letter(got), want)
		case got != want || why != p.Why:
			t.Errorf("line %d: %q is read as %d, %q; want %d, %q", n, p.Reply, got, why, want, p.Why)
		}
	}
	if err := lines.Err(); err != nil || n < 300 {
		t.Errorf("%d phrasings, %v", n, err)
	}
}

// TestLongReplies reads replies of a hundred kilobytes, in time that grows with their length.
func TestLongReplies(t *testing.T) {
	for _, part := range []string{"The answer is ", "A or B ", "(A) ", "<answer>", `\boxed{`, "\n", "A. x\n", "a barking dog ", "</think>", `"answer": "`, "I choose ", "not "} {
		reply := strings.Repeat(part, 100_000/len(part))
		if got, why := Read(reply, usual); got >= 0 && got != 0 || got < 0 && why == "" {
			t.Errorf("%q again and again is read as %d, %q", part, got, why)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, reply := range []string{"B", "The answer is not A but B", "<answer>B</answer>", `\boxed{C}`, "答案是C", "Ａ", "I choose D."} {
		f.Add(reply)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		got, why := Read(reply, usual)
		if (got >= 0) != (why == "") || got >= len(usual) {
			t.Errorf("%q is read as %d, %q", reply, got, why)
		}
	})
}
