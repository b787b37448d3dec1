package rows

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"omniscope"
	"omniscope/internal/input"
)

func TestReader(t *testing.T) {
	long := strings.Repeat("x", 40) // more than the reader's memory, which is 16 bytes
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"no text", "", nil},
		{"one empty line", "\n", []string{""}},
		{"a last line without an end", "a\r\nb", []string{"a", "b"}},
		{"a carriage return within a line", "a\rb\n", []string{"a\rb"}},
		{"long lines", long + "\n\n" + long + "y", []string{long, "", long + "y"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := NewReader(iotest.OneByteReader(strings.NewReader(c.text)), 16, "x", input.Limits{Row: 100})
			var got []string
			var err error
			for err == nil {
				var line []byte
				if line, err = lines.Next(); line != nil {
					got = append(got, string(line))
				}
			}
			if !errors.Is(err, io.EOF) || !slices.Equal(got, c.want) {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestUnreadableLines(t *testing.T) {
	broken := errors.New("broken")
	lines := NewReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 16, "x", input.Limits{Row: 100})
	if line, err := lines.Next(); string(line) != "a" || err != nil {
		t.Errorf("got %q, %v", line, err)
	}
	if line, err := lines.Next(); line != nil || !errors.Is(err, broken) {
		t.Errorf("got %q, %v, want nothing of a line that was not read whole", line, err)
	}
	lines = NewReader(strings.NewReader("a\n"+strings.Repeat("x", 101)), 16, "x", input.Limits{Row: 100})
	lines.Next()
	if _, err := lines.Next(); omniscope.KindOf(err) != omniscope.Invalid || !strings.HasPrefix(err.Error(), "x:2: the row is longer than 100 bytes") {
		t.Errorf("got %v", err)
	}
}

func TestReadyLines(t *testing.T) {
	lines := NewReader(iotest.HalfReader(strings.NewReader("a\nb\nccccccccccccccccc\n")), 16, "x", input.Limits{Row: 100})
	lines.Next()
	if !lines.Ready() {
		t.Error("the second line was read with the first, and is not ready")
	}
	lines.Next()
	if lines.Ready() {
		t.Error("the third line is ready, and was not read whole")
	}
}

func TestStoredLines(t *testing.T) {
	r := NewReader(strings.NewReader("a\r\n\n"+strings.Repeat("x", 20)+"\ncut off"), 16, "x", input.Limits{})
	var got []string
	err := r.Each(func(line int, text []byte) error {
		at, size := r.Stored()
		got = append(got, fmt.Sprintf("%d at %d: %d of %d, ended %t", line, at, len(text), size, r.Ended()))
		return nil
	})
	want := []string{"1 at 0: 1 of 3, ended true", "2 at 3: 0 of 1, ended true", "3 at 4: 20 of 21, ended true", "4 at 25: 7 of 7, ended false"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
