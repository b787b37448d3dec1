package metric

import (
	"slices"
	"strings"
	"testing"
)

func TestOperations(t *testing.T) {
	for _, c := range []struct{ name, ref, hyp, want string }{
		{"nothing against nothing", "", "", ""},
		{"equal words", "the red fox", "the red fox", "EEE"},
		{"one word replaced", "the red fox", "the dead fox", "ESE"},
		{"one word lost", "the red fox", "the fox", "EDE"},
		{"one word added", "the red fox", "the red sly fox", "EEIE"},
		{"no hypothesis", "the red fox", "", "DDD"},
		{"no reference", "", "the red fox", "III"},
		{"nothing in common, the rest is inserted first", "a", "x y z", "IIS"},
		{"nothing in common, the rest is deleted last", "a b c", "x", "SDD"},
		{"a repeated word matches at the front", "a b c", "a b c a b c", "EEEIII"},
		{"two words swapped", "a b", "b a", "IED"},
		{"letter case counts", "A b", "a b", "SE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Operations(strings.Fields(c.ref), strings.Fields(c.hyp))
			if string(got) != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestEditsAddUp(t *testing.T) {
	a := Align([]string{"a", "b", "c"}, []string{"a", "x"})
	b := Align([]string{"d"}, []string{"d", "e", "f"})
	sum := a.Add(b)
	if want := (Edits{Hits: 2, Substitutions: 1, Deletions: 1, Insertions: 2}); sum != want {
		t.Errorf("got %+v, want %+v", sum, want)
	}
	if rate, ok := sum.Rate(); !ok || rate != 1 || sum.Words() != 4 || sum.Errors() != 4 {
		t.Errorf("rate %v, %v of %+v", rate, ok, sum)
	}
	if _, ok := (Edits{Insertions: 3}).Rate(); ok {
		t.Error("there is a rate without reference words")
	}
}

func TestWEROverAllSentences(t *testing.T) {
	got, err := WER([]string{"one  two three", "four"}, []string{"one two tree ", ""})
	if want := (Edits{Hits: 2, Substitutions: 1, Deletions: 1}); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestWERRefuses(t *testing.T) {
	const (
		empty   = "one or more references are empty strings"
		without = "After applying the transformation, each reference should be a non-empty list of strings, with each string being a single word."
		lengths = "After applying the transforms on the reference and hypothesis sentences, their lengths must match. Instead got "
	)
	for _, c := range []struct {
		name       string
		refs, hyps []string
		message    string
		advice     string
	}{
		{"an empty reference", []string{"a", ""}, []string{"a", "b"}, empty, "reference 2 is empty"},
		{"a blank reference", []string{"a", " \n"}, []string{"a", "b"}, without, "reference 2 has no words"},
		{"no references", nil, []string{"a"}, without, "there are no references"},
		{"nothing", nil, nil, without, "there are no references"},
		{"a hypothesis too many", []string{"a"}, []string{"a", "b"}, lengths + "1 reference and 2 hypothesis sentences.", "1 references and 2 hypotheses"},
		{"no hypotheses for two", []string{"a", "b"}, nil, lengths + "2 reference and 1 hypothesis sentences.", "2 references and 1 hypotheses"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := WER(c.refs, c.hyps)
			if said := saidByFault(t, err); said != c.message || !strings.HasPrefix(err.Error(), c.advice) {
				t.Errorf("got %q, which is said as %q", said, err)
			}
		})
	}
}

// letters makes a word of each byte, of few different ones so that ties
// abound.
func letters(text string, different int) []int32 {
	ids := make([]int32, len(text))
	for i := range text {
		ids[i] = int32(text[i]) % int32(different)
	}
	return ids
}

// plainTable is D by the textbook.
func plainTable(ref, hyp []int32) [][]int {
	d := make([][]int, len(ref)+1)
	for i := range d {
		d[i] = make([]int, len(hyp)+1)
		for j := range d[i] {
			switch {
			case i == 0:
				d[i][j] = j
			case j == 0:
				d[i][j] = i
			case ref[i-1] == hyp[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j], d[i][j-1], d[i-1][j-1])
			}
		}
	}
	return d
}

// plainSteps follows RapidFuzz's rules on whole tables.
func plainSteps(ref, hyp []int32, tooLarge func(m, n, distance int) bool) []byte {
	head, tail := commonEnds(ref, hyp)
	ref, hyp = ref[head:len(ref)-tail], hyp[head:len(hyp)-tail]
	d := plainTable(ref, hyp)
	var steps []byte
	if len(ref) > 0 && len(hyp) > 0 && tooLarge(len(ref), len(hyp), d[len(ref)][len(hyp)]) {
		mid, best, cut := len(hyp)/2, len(ref)+len(hyp)+1, 0
		right := plainTable(reversed(ref), reversed(hyp[mid:]))
		for k := range d {
			if sum := d[k][mid] + right[len(ref)-k][len(hyp)-mid]; sum < best {
				best, cut = sum, k
			}
		}
		steps = append(plainSteps(ref[:cut], hyp[:mid], tooLarge), plainSteps(ref[cut:], hyp[mid:], tooLarge)...)
	} else {
		steps = plainTrace(d, ref, hyp)
	}
	return slices.Concat(slices.Repeat([]byte{'E'}, head), steps, slices.Repeat([]byte{'E'}, tail))
}

func plainTrace(d [][]int, ref, hyp []int32) (steps []byte) {
	i, j := len(ref), len(hyp)
	for i > 0 || j > 0 {
		switch {
		case j == 0 || i > 0 && d[i][j] == d[i-1][j]+1:
			i--
			steps = append(steps, 'D')
		case i == 0 || j > 1 && d[i-1][j-1] == d[i][j-1]+1:
			j--
			steps = append(steps, 'I')
		default:
			i, j = i-1, j-1
			step := byte('E')
			if ref[i] != hyp[j] {
				step = 'S'
			}
			steps = append(steps, step)
		}
	}
	slices.Reverse(steps)
	return steps
}

// FuzzAlign compares bands and blocks of bits with whole tables, with little
// room so that tables are divided.
func FuzzAlign(f *testing.F) {
	long := strings.Repeat("the quick brown fox jumps over a lazy dog. ", 12)
	f.Add("kitten", "sitting", uint8(5), uint16(0))
	f.Add(long, strings.ReplaceAll(long, "brown fox", "hare"), uint8(26), uint16(100))
	f.Add(long, long[200:]+long[:130], uint8(3), uint16(2000))
	f.Add(strings.Repeat("ab", 150), strings.Repeat("aab", 120), uint8(2), uint16(1))
	f.Add("a", strings.Repeat("b", 300), uint8(9), uint16(1))
	f.Fuzz(func(t *testing.T, refText, hypText string, different uint8, room uint16) {
		const most = 500 // whole tables are slow
		words := 1 + int(different%32)
		ref, hyp := letters(refText[:min(most, len(refText))], words), letters(hypText[:min(most, len(hypText))], words)
		a := newAligner(words)
		a.room = 1 + int(room)
		for range 2 { // the second time with used room
			got, want := a.align(ref, hyp), plainSteps(ref, hyp, a.tooLarge)
			if string(got) != string(want) {
				t.Fatalf("got  %s\nwant %s", got, want)
			}
		}
	})
}
