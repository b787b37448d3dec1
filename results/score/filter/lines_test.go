package filter

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"omniscope/internal/testing/fixture"
)

// upper is a Work that takes long for some lines.
func upper(dst []byte, line string) ([]byte, error) {
	if line == "bad" {
		return append(dst, "lost"...), errors.New("bad")
	}
	if strings.HasSuffix(line, "0") {
		time.Sleep(time.Millisecond)
	}
	return append(append(dst, strings.ToUpper(line)...), '\n'), nil
}

func TestLineOrder(t *testing.T) {
	var in, want strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&in, "line %d%s\n", i, strings.Repeat("x", i%7*100))
		fmt.Fprintf(&want, "LINE %d%s\n", i, strings.Repeat("X", i%7*100))
	}
	for name, r := range map[string]io.Reader{
		"at once": strings.NewReader(in.String()), "by halves": iotest.HalfReader(strings.NewReader(in.String())), "by bytes": iotest.OneByteReader(strings.NewReader(in.String())),
	} {
		var out strings.Builder
		if err := Lines(t.Context(), "x", r, &out, upper); err != nil || out.String() != want.String() {
			t.Errorf("%s: %d bytes, want %d; %v", name, out.Len(), want.Len(), err)
		}
	}
}

func TestFilterError(t *testing.T) {
	broken := errors.New("broken pipe")
	for _, c := range []struct {
		name      string
		in        io.Reader
		out, want string
	}{
		{"a bad line", strings.NewReader("a\nb\nbad\nc\n"), "A\nB\n", "x:3: bad"},
		{"the first of two", strings.NewReader("bad\n\nbad\n"), "", "x:1: bad"},
		{"a broken input", io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), "A\n", "read x: broken pipe"},
		{"a long line", io.MultiReader(strings.NewReader("a\n"), endless{}), "A\n", "x:2: the row is longer than 16 MiB: if that is right, raise --max-row-size"},
	} {
		var out strings.Builder
		err := Lines(t.Context(), "x", c.in, &out, upper)
		if err == nil || err.Error() != c.want || out.String() != c.out {
			t.Errorf("%s: wrote %q, then %v", c.name, out.String(), err)
		}
	}
	err := Lines(t.Context(), "x", strings.NewReader("a\n"), failing{broken}, upper)
	if !errors.Is(err, broken) {
		t.Errorf("a broken output: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// endless is a line without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// A line is answered though more may come: the filter follows a log, and ends
// when it is told to, however long its input is silent.
func TestFilterFollowsInput(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, feed := io.Pipe()
	answers, out := io.Pipe()
	defer feed.Close()
	ended := make(chan error)
	go func() { ended <- Lines(ctx, "x", in, out, upper) }()
	lines := bufio.NewReader(answers)
	for _, said := range []string{"a\n", "b\nhal", "f\n"} {
		if _, err := io.WriteString(feed, said); err != nil {
			t.Fatal(err)
		}
		if said == "b\nhal" {
			continue
		}
		for _, want := range map[string][]string{"a\n": {"A\n"}, "f\n": {"B\n", "HALF\n"}}[said] {
			if got, err := lines.ReadString('\n'); err != nil || got != want {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		}
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}

// However long the input, the lines in memory are few.
func TestBoundedLinesInFlight(t *testing.T) {
	places := max(roomPlaces, 2*runtime.GOMAXPROCS(0))
	in, taken := &counting{left: 8 * places}, 0
	out := writerFunc(func(p []byte) (int, error) {
		taken += len(p)
		if ahead := int(in.given.Load()) - taken; ahead > (places+4)*batchSize {
			return 0, fmt.Errorf("%d bytes read ahead", ahead)
		}
		return len(p), nil
	})
	fixture.OK(t, Lines(t.Context(), "x", in, out, upper))
	if given := int(in.given.Load()); taken != given {
		t.Errorf("%d bytes came of %d", taken, given)
	}
}

// counting gives lines of 64 KiB.
type counting struct {
	left  int
	given atomic.Int64
}

func (c *counting) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	c.left--
	n := copy(p, strings.Repeat("x", batchSize-1)+"\n")
	c.given.Add(int64(n))
	return n, nil
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
