package textnorm

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"
)

func TestZZDiff(t *testing.T) {
	f, err := os.Open(os.Getenv("ZZDIFF"))
	if err != nil {
		t.Skip()
	}
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<22)
	n, bad := 0, 0
	for sc.Scan() {
		var l struct {
			In string
			En struct {
				Out            string
				Error, Message string
			}
			Basic, Lower string
			Words, Split []string
			Strip        string
		}
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		n++
		got, err := English(l.In)
		exc := ""
		var e *TooLongError
		if errors.As(err, &e) {
			exc = e.Exception
			if e.Message != l.En.Message {
				t.Errorf("message %q %q", e.Message, l.En.Message)
			}
		}
		if exc != l.En.Error || err == nil && got != l.En.Out {
			bad++
			t.Errorf("EN %q\ngot  %q %v\nwant %q %s", l.In, got, err, l.En.Out, l.En.Error)
		}
		if g := Basic(l.In); g != l.Basic {
			bad++
			t.Errorf("BA %q\ngot  %+q\nwant %+q", l.In, g, l.Basic)
		}
		if g := Lower(l.In); g != l.Lower {
			bad++
			t.Errorf("LO %q\ngot  %+q\nwant %+q", l.In, g, l.Lower)
		}
		if g := Words(l.In); !slices.Equal(g, l.Words) {
			bad++
			t.Errorf("WO %q\ngot  %+q\nwant %+q", l.In, g, l.Words)
		}
		if g := Fields(l.In); !slices.Equal(g, l.Split) {
			bad++
			t.Errorf("FI %q\ngot  %+q\nwant %+q", l.In, g, l.Split)
		}
		if g := Strip(l.In); g != l.Strip {
			t.Errorf("ST %q\ngot  %+q\nwant %+q", l.In, g, l.Strip)
		}
		if bad > 15 {
			break
		}
	}
	t.Log(n, "inputs", bad, "bad")
}
