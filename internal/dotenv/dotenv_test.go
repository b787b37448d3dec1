package dotenv

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []setting
		problems   []problem
	}{
		{"plain", "A=1\nB = two words \n", []setting{{"A", "1", 1}, {"B", "two words", 2}}, nil},
		{"byte order mark and CRLF", "\ufeffA=1\r\nB=2\r\n", []setting{{"A", "1", 1}, {"B", "2", 2}}, nil},
		{"export, colon, empty", "export A=1\nB: 2\nC=\n", []setting{{"A", "1", 1}, {"B", "2", 2}, {"C", "", 3}}, nil},
		{"comments", "# A=1\n\n  # x\nB=2 # two\nC=a#b\nD=#\n", []setting{{"B", "2", 4}, {"C", "a#b", 5}, {"D", "", 6}}, nil},
		{"quotes", `A="x \"y\" # z" # c` + "\nB='$A \\n'\n", []setting{{"A", `x "y" # z`, 1}, {"B", `$A \n`, 2}}, nil},
		{"several lines in quotes", "A=\"one\r\ntwo\"\nB='x\ny'\nC=3", []setting{{"A", "one\ntwo", 1}, {"B", "x\ny", 3}, {"C", "3", 5}}, nil},
		{"values of earlier lines", "A=1\nB=${A}2$A\nC=\"\\$A\"\nD=$HOME$a\n", []setting{{"A", "1", 1}, {"B", "121", 2}, {"C", "$A", 3}, {"D", "$a", 4}}, nil},
		{
			"lines that cannot be read", "A=1\nsk-secret 5\n=x\nC=\"x\" y\nD=\xff\nE=5\n",
			[]setting{{"A", "1", 1}, {"E", "5", 6}},
			[]problem{{2, "the line is not of the form NAME=value"}, {3, "the line is not of the form NAME=value"},
				{4, "something stands after the closing quotation mark"}, {5, "the value is not UTF-8"}},
		},
		{"a mark that is never closed", "A='x\nB=2\n", []setting{{"B", "2", 2}}, []problem{{1, "the quotation mark is not closed"}}},
		{"Latin-1 in a comment", "# caf\xe9\nA=1\n", []setting{{"A", "1", 2}}, nil},
		{"UTF-16", "\xff\xfeA\x00=\x001\x00", nil, []problem{{0, "it is in UTF-16: save it as UTF-8"}}},
	} {
		settings, problems := parse(c.text)
		if !reflect.DeepEqual(settings, c.want) || !reflect.DeepEqual(problems, c.problems) {
			t.Errorf("%s: got %+v and %+v", c.name, settings, problems)
		}
	}
}

// TestParseBounds makes sure that no file within the limit takes long or grows.
func TestParseBounds(t *testing.T) {
	for _, unit := range []string{"\n", "A=\"\n", "A='\n", "A=\"x\"\n", "x\n", "A=x$A$A\n", "\\\n"} {
		for _, start := range []string{"", "A=\"", "A='"} {
			started := time.Now()
			settings, _ := parse(start + strings.Repeat(unit, (mostBytes-3)/len(unit)))
			size := 0
			for _, setting := range settings {
				size += len(setting.Value)
			}
			if size > 4*mostBytes {
				t.Errorf("%q after %q makes %d bytes of values", unit, start, size)
			}
			if took := time.Since(started); took > 20*time.Second {
				t.Errorf("%q after %q took %s", unit, start, took)
			}
		}
	}
}

func TestNearest(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(filepath.Join(deep, ".env"), 0o755); err != nil { // a folder of that name is skipped
		t.Fatal(err)
	}
	fixture.OK(t, os.WriteFile(filepath.Join(root, ".env"), []byte("A=1"), 0o600))
	f := Nearest(deep, ".env")
	if f == nil || f.Path != filepath.Join(root, ".env") || len(f.Settings) != 1 {
		t.Fatalf("got %+v", f)
	}
	large := filepath.Join(deep, "large")
	fixture.OK(t, os.WriteFile(large, nil, 0o600))
	fixture.OK(t, os.Truncate(large, 1<<30))
	if f := Nearest(deep, "large"); f == nil || len(f.Problems) != 1 || f.Problems[0].Line != 0 {
		t.Errorf("a file of 1 GiB: got %+v", f)
	}
}
