package rows_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"omniscope"
	"omniscope/internal/rows"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
)

func openRows(t *testing.T, text string) *rows.File {
	t.Helper()
	l, err := rows.Open(t.Context(), fixture.File(t, "x.jsonl", text))
	fixture.OK(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

func TestLinesByNumber(t *testing.T) {
	long := strings.Repeat("x", 3<<20) // more than is read at a time
	for _, c := range []struct {
		name, text string
		want       []string
		numbers    []int
	}{
		{"none", "", nil, nil},
		{"blank ones", "\n \t\n\r\n", nil, nil},
		{"two", "a\nb\n", []string{"a", "b"}, []int{1, 2}},
		{"no last line end", "a\nb", []string{"a", "b"}, []int{1, 2}},
		{"blank ones between", "\n\na\n  \nb", []string{"a", "b"}, []int{3, 5}},
		{"CRLF", "a\r\n\r\nb\r\n", []string{"a", "b"}, []int{1, 3}},
		{"byte order mark", "\ufeffa\nb", []string{"a", "b"}, []int{1, 2}},
		{"mark alone", "\ufeff\na", []string{"a"}, []int{2}},
		{"long ones", long + "\n" + long + "b", []string{long, long + "b"}, []int{1, 2}},
		{"a long blank one", strings.Repeat(" ", 3<<20) + "\na", []string{"a"}, []int{2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := openRows(t, c.text)
			if l.Len() != len(c.want) {
				t.Fatalf("%d lines, want %d", l.Len(), len(c.want))
			}
			for i, want := range c.want {
				text, err := l.At(i)
				if got := strings.TrimRight(string(text), "\r\n"); err != nil || got != want || l.Number(i) != c.numbers[i] {
					t.Errorf("line %d is %.40q at %d (%v), want %.40q at %d", i, got, l.Number(i), err, want, c.numbers[i])
				}
			}
			if l.Digest != sha256hex.Of(c.text) {
				t.Errorf("digest %s", l.Digest)
			}
		})
	}
}

func TestLinesConcurrently(t *testing.T) {
	l := openRows(t, "a\nbb\nccc\n")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			var buf []byte
			for i := range 300 {
				var err error
				if buf, err = l.AppendTo(buf[:0], i%3); err != nil || len(buf) != i%3+2 {
					t.Errorf("line %d is %q, %v", i%3, buf, err)
				}
			}
		})
	}
	group.Wait()
}

func TestBadLine(t *testing.T) {
	l := openRows(t, "a\n\nbroken\n")
	err := l.Bad(1, []byte("broken"), errors.New("not good"))
	if want := l.Path + ":3: not good: broken"; err.Error() != want || omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("got %v of kind %v, want %s", err, omniscope.KindOf(err), want)
	}
	if got := rows.Quote([]byte(strings.Repeat("é", 100))); len(got) > 125 || !strings.HasSuffix(got, "é…") {
		t.Errorf("quoted as %q", got)
	}
}

func TestInvalidJSONPosition(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 1}`:    "",
		" [1, 2] ":    "",
		`{"a": 1,}`:   "not JSON at character 9",
		`{"a": NaN}`:  "not JSON at character 7",
		`{"a": 1} {}`: "not JSON at character 10",
		"":            "not JSON at character 0",
		"\x00":        "not JSON at character 1",
	} {
		err := rows.CheckJSON([]byte(text))
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestInOrder(t *testing.T) {
	path := fixture.File(t, "a.jsonl", "{\"n\": 1}\n\n{\"n\": 2}\n")
	var got []string
	digest, err := rows.InOrder(t.Context(), path, func(f *rows.File, i int, text []byte) error {
		got = append(got, f.LineName(i)+": "+strings.TrimSpace(string(text)))
		return nil
	})
	if want := []string{`line 1: {"n": 1}`, `line 3: {"n": 2}`}; err != nil || len(digest) != 64 || !slices.Equal(got, want) {
		t.Errorf("digest %q, rows %q, %v, want %q", digest, got, err, want)
	}
	_, err = rows.InOrder(t.Context(), path, func(_ *rows.File, i int, _ []byte) error {
		if i == 1 {
			return errors.New("it is odd")
		}
		return nil
	})
	fixture.WantError(t, err, omniscope.Invalid, "a.jsonl:3: it is odd", `{"n": 2}`)
}
