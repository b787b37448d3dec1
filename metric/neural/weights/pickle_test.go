package weights

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"math/big"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// pythonPickles are those of testdata, of one sort, by protocol.
func pythonPickles(t testing.TB, sort string) map[string][]byte {
	t.Helper()
	file, err := os.Open("testdata/pickles.txt")
	fixture.OK(t, err)
	defer file.Close()
	out := make(map[string][]byte)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if word := strings.Fields(lines.Text()); len(word) == 3 && word[1] == sort {
			if out[word[0]], err = base64.StdEncoding.DecodeString(word[2]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

func read(data []byte) (any, error) {
	return unpickle(newTape(bytes.NewReader(data)), make(storages).resolver(5))
}

func TestPickleValues(t *testing.T) {
	large := new(big.Int).Lsh(big.NewInt(1), 80)
	pickles := pythonPickles(t, "plain")
	for protocol := range 6 {
		v, err := read(pickles[fmt.Sprint(protocol)])
		if err != nil {
			t.Errorf("protocol %d: %v", protocol, err)
			continue
		}
		got := v.(*list).items
		want := []any{
			nil, true, false, int64(0), int64(-1), int64(255), int64(65535), int64(math.MinInt32), int64(1 << 31), int64(-1 << 40),
			int64(math.MaxInt64), large, new(big.Int).Neg(large), 1.5, math.Inf(-1), "", `a\nb`, "äöü€😀",
			tuple{}, tuple{int64(1)}, tuple{int64(1), int64(2)}, tuple{int64(1), int64(2), int64(3)}, tuple{int64(1), int64(2), int64(3), int64(4)},
		}
		for i := range want {
			if same := reflect.DeepEqual(got[i], want[i]); !same && fmt.Sprint(got[i]) != fmt.Sprint(want[i]) {
				t.Errorf("protocol %d: value %d is %#v, want %#v", protocol, i, got[i], want[i])
			}
		}
		containers, _, err := (&plainer{left: 100}).plain(tuple(got[len(want):]), 0)
		wantPlain := []any{
			[]any{}, []any{int64(1), "x"}, map[string]any{}, map[string]any{"k": []any{int64(1)}, "2": nil},
			[]any{"s"}, []any{"s"}, map[string]any{"b": int64(1), "a": int64(2)},
		}
		if err != nil || !reflect.DeepEqual(containers, wantPlain) {
			t.Errorf("protocol %d: containers %v, want %v (error %v)", protocol, containers, wantPlain, err)
		}
		if one, two := got[len(want)+4], got[len(want)+5]; one != two {
			t.Errorf("protocol %d: a list that was shared is two", protocol)
		}
	}
}

func TestPickleTensors(t *testing.T) {
	for protocol, text := range pythonPickles(t, "tensors") {
		f := opened(t, saved(t, archived(t, entryOf{"x/data.pkl", string(text)},
			entryOf{"x/data/0", f32(1, 2, 3, 4, 5, 6)}, entryOf{"x/data/1", f32(7, 8)}, entryOf{"x/data/2", i64(9)})))
		got := make(map[string][]float64)
		for _, name := range f.Names() {
			tensor, _ := f.Tensor(name)
			got[name] = numbers(t, tensor)
		}
		want := map[string][]float64{"w": {1, 2, 3, 4, 5, 6}, "t": {1, 4, 2, 5, 3, 6}, "p": {8}, "n": {9}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("protocol %s: %v, want %v", protocol, got, want)
		}
	}
}

func TestRareOperations(t *testing.T) {
	for _, c := range []struct {
		name, ops string
		want      any
	}{
		{"FLOAT", "F-2.5\n.", -2.5},
		{"FLOAT that is not a number", "Fnan\n.", math.NaN()},
		{"INT that is true", "I01\n.", true},
		{"LONG1 of no bytes", "\x8a\x00.", int64(0)},
		{"LONG1 of two bytes below zero", "\x8a\x02\x00\xff.", int64(-256)},
		{"LONG4", "\x8b\x01\x00\x00\x00\x07.", int64(7)},
		{"STRING", "S'ab'\n.", "ab"},
		{"SHORT_BINSTRING", "U\x02ab.", "ab"},
		{"BINSTRING", "T\x02\x00\x00\x00ab.", "ab"},
		{"BINUNICODE8", "\x8d\x02\x00\x00\x00\x00\x00\x00\x00ab.", "ab"},
		{"SHORT_BINBYTES", "C\x01\xff.", []byte{0xff}},
		{"BINBYTES", "B\x01\x00\x00\x00\xff.", []byte{0xff}},
		{"BINBYTES8", "\x8e\x01\x00\x00\x00\x00\x00\x00\x00\xff.", []byte{0xff}},
		{"a set", "\x8f(K\x01K\x02\x90.", &list{[]any{int64(1), int64(2)}}},
		{"a frozenset", "(K\x01\x91.", tuple{int64(1)}},
		{"LIST", "(K\x01l.", &list{[]any{int64(1)}}},
		{"DICT", "(K\x01Nd.", &dict{keys: []any{int64(1)}, values: []any{nil}, index: map[any]int{int64(1): 0}}},
		{"POP", "NK\x010.", nil},
		{"POP of a mark", "N(0.", nil},
		{"POP_MARK", "N(K\x011.", nil},
		{"DUP", "K\x012\x86.", tuple{int64(1), int64(1)}},
		{"PUT and GET", "K\x01p7\n0g7\n.", int64(1)},
		{"LONG_BINPUT and LONG_BINGET", "K\x01r\xff\xff\xff\xff0j\xff\xff\xff\xff.", int64(1)},
		{"a key twice", "}(K\x01K\x02K\x01K\x03u.", &dict{keys: []any{int64(1)}, values: []any{int64(3)}, index: map[any]int{int64(1): 0}}},
		{"OrderedDict of pairs, as Python 2 writes it", "ccollections\nOrderedDict\n(](](K\x01NeetR.",
			&dict{keys: []any{int64(1)}, values: []any{nil}, index: map[any]int{int64(1): 0}, ordered: true}},
	} {
		got, err := read([]byte(c.ops))
		if err != nil || !reflect.DeepEqual(got, c.want) && fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %#v, want %#v (error %v)", c.name, got, c.want, err)
		}
	}
}

func TestBrokenPickles(t *testing.T) {
	for _, c := range []struct{ name, ops, says string }{
		{"nothing", "", "cut off"},
		{"no STOP", "N", "cut off"},
		{"STOP on nothing", ".", "not well-formed"},
		{"two values", "NN.", "not well-formed"},
		{"a mark that stays", "N(.", "not well-formed"},
		{"an operation that there is not", "\xff.", "no operation 0xff"},
		{"protocol 6", "\x80\x06N.", "protocol 6"},
		{"a tuple of one from nothing", "\x85.", "not well-formed"},
		{"a tuple over a mark", "N(N\x86.", "not well-formed"},
		{"TUPLE without a mark", "Nt.", "not well-formed"},
		{"APPEND to nothing", "Na.", "not well-formed"},
		{"APPEND to a dict", "}Na.", "not well-formed"},
		{"SETITEM of a list", "]NNs.", "not well-formed"},
		{"SETITEMS of three", "}(NNNu.", "not well-formed"},
		{"a key that is a list", "}(]Nu.", "a key of a dict is a list"},
		{"a key that is a tuple", "})Ns.", "a key of a dict is a tuple"},
		{"GET of what was not put", "h\x01.", "not well-formed"},
		{"GET of no number", "gx\n.", "not well-formed"},
		{"PUT of nothing", "q\x01N.", "not well-formed"},
		{"DUP of nothing", "2.", "not well-formed"},
		{"POP of nothing", "0.", "not well-formed"},
		{"REDUCE of nothing", "R.", "not well-formed"},
		{"REDUCE with a list", "ccollections\nOrderedDict\n]R.", "not well-formed"},
		{"OrderedDict of numbers", "ccollections\nOrderedDict\n(](K\x01etR.", "not well-formed"},
		{"STACK_GLOBAL of numbers", "K\x01K\x02\x93.", "not well-formed"},
		{"INT of no number", "Ix\n.", "not well-formed"},
		{"FLOAT of no number", "Fx\n.", "not well-formed"},
		{"STRING without quotes", "Sx\n.", "not well-formed"},
		{"STRING with an escape", "S'\\x00'\n.", "not well-formed"},
		{"UNICODE with half an escape", "V\\u00\n.", "not well-formed"},
		{"a string that is not UTF-8", "U\x01\xff.", "not UTF-8"},
	} {
		if v, err := read([]byte(c.ops)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, error %v, want %q", c.name, v, err, c.says)
		}
	}
}

func TestPickleLimits(t *testing.T) {
	many := func(op string) string { return strings.Repeat(op, maxSteps+1) }
	laughs := "]q\x00" // a list; then, 60 times over, a list of ten of the one before
	for range 60 {
		laughs += "0](" + strings.Repeat("h\x00", 10) + "eq\x00"
	}
	pairs := "(" + strings.Repeat("K\x01N\x86", 1000) + "lq\x000" // copied a thousand times
	for _, c := range []struct{ name, ops, says string }{
		{"a string of 4 GB", "X\xff\xff\xff\xff", "more than 1048576 bytes in one string"},
		{"a string of 2^64 bytes", "\x8d\xff\xff\xff\xff\xff\xff\xff\xff", "more than 1048576 bytes in one string"},
		{"bytes of 2^63 bytes", "\x8e\x00\x00\x00\x00\x00\x00\x00\x80", "more than 1048576 bytes in one string"},
		{"a number of 4 GB", "\x8b\xff\xff\xff\xff", "more than 1048576 bytes"},
		{"a number of 256 bytes", "\x8b\x00\x01\x00\x00" + strings.Repeat("x", 256), "more than 255 bytes in one number"},
		{"a line without end", "I" + strings.Repeat("1", 1<<20), "more than 4096 bytes in one line"},
		{"empty lists", many("]"), "more than 1048576 operations"},
		{"empty dicts", many("}"), "more than 1048576 operations"},
		{"marks", many("("), "more than 1048576 operations"},
		{"tuples within tuples", ")" + many("\x85"), "more than 1048576 operations"},
		{"tuples that double", ")" + many("2\x86"), "more than 1048576 operations"},
		{"memos", "N" + many("\x94"), "more than 1048576 operations"},
		{"OrderedDicts of long lists", pairs + strings.Repeat("ccollections\nOrderedDict\nh\x00\x85R0", 1100), "more than 1048576 operations"},
		{"strings of 64 MB", strings.Repeat("X\x00\x00\x10\x00"+strings.Repeat("x", 1<<20), 65), "more than 67108864 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			v, err := read([]byte(c.ops))
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%.100v, error %v, want %q", v, err, c.says)
			}
			if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 400 {
				t.Errorf("took %d MB", took)
			}
		})
	}
	for _, c := range []struct{ name, ops string }{
		{"lists of ten lists, 60 times over", laughs},
		{"a list within itself", "]q\x00h\x00a"},
		{"lists nested deep", strings.Repeat("]", 100_000) + strings.Repeat("a", 99_999)},
		{"long strings again and again", "X\x00\x00\x10\x00" + strings.Repeat("x", 1<<20) + "q\x000](" + strings.Repeat("h\x00", 10_000) + "e"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := read([]byte(c.ops + ".")); err != nil {
				t.Fatal(err)
			}
			one := tensorOf(pyStored{"FloatStorage", "0", 2, false}, 0, pyTuple{2}, pyTuple{1})
			mustRefuse(t, model(t, pyDict{"state_dict", pyDict{"w", one}, "hyper_parameters", pyDict{"x", pyRaw(c.ops)}}),
				"hyper_parameters", "too many, or nested too deep")
		})
	}
}
