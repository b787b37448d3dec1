package baseline

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestReadOddInput(t *testing.T) {
	red := []string{"red", "blue"}
	tests := []struct {
		name             string
		passage, caption string
		blank            Blank
	}{
		{"no placeholder", "A red hat.", "A red hat.", Blank{1, red}},
		{"no options", "A [BLANK_1] hat.", "A red hat.", Blank{1, nil}},
		{"empty options", "A [BLANK_1] hat.", "A red hat.", Blank{1, []string{"", " ", "...", "the"}}},
		{"empty caption", "A [BLANK_1] hat.", "", Blank{1, red}},
		{"empty passage", "", "A red hat.", Blank{1, red}},
		{"nothing but the placeholder", "[BLANK_1]", "red", Blank{1, red}},
		{"invalid UTF-8", "A \xff[BLANK_1]\xc3 hat", "\xf0\x28\x8c", Blank{1, []string{"\xff", "\xc3\x28"}}},
		{"unfinished placeholder", "A [BLANK_1 hat [BLANK_] [BLANK_x]", "A red hat.", Blank{1, red}},
		{"fifth option", "A [BLANK_1] hat.", "A red hat.", Blank{1, []string{"a", "b", "c", "d", "red"}}},
		{"same option twice", "A [BLANK_1] hat.", "A red hat.", Blank{1, []string{"red", "red"}}},
		{"number out of range", "A [BLANK_99999999999999999999] hat.", "A red hat.", Blank{1, red}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Read(tt.passage, []Blank{tt.blank}, tt.caption)
			if len(got) != 1 || got[0].Letter != "E" || got[0].Quote != "" {
				t.Errorf("got %+v, want one choice of E", got)
			}
		})
	}
	if got := Read("A [BLANK_1] hat.", nil, "A red hat."); len(got) != 0 {
		t.Errorf("without blanks: got %+v", got)
	}
}

func TestReadOrder(t *testing.T) {
	passage := "A man in a [BLANK_1] hat pets a [BLANK_2]."
	blanks := []Blank{{2, []string{"cat", "dog"}}, {1, []string{"red", "blue"}}}
	got := Read(passage, blanks, "A man in a blue hat pets a dog.")
	if got[0].Letter != "B" || got[1].Letter != "B" {
		t.Errorf("got %+v", got)
	}
}

func TestReadConcurrently(t *testing.T) {
	passage, blanks, caption := longInput(1000)
	want := Read(passage, blanks, caption)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got := Read(passage, blanks, caption); !reflect.DeepEqual(got, want) {
				t.Error("a concurrent call gave other choices")
			}
		})
	}
	wg.Wait()
}

// TestReadLongCaption guards against work that grows with the square of the
// caption, which would take minutes here.
func TestReadLongCaption(t *testing.T) {
	passage, blanks, caption := longInput(100_000)
	for name, text := range map[string]string{
		"varied":   caption,
		"repeated": strings.Repeat("red ", 100_000),
	} {
		start := time.Now()
		Read(passage, blanks, text)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: 100,000 words took %v", name, took)
		} else {
			t.Logf("%s: 100,000 words took %v", name, took)
		}
	}
}

// longInput makes a passage of 450 words with 30 blanks and a caption of the
// given number of words that fills half of them.
func longInput(words int) (passage string, blanks []Blank, caption string) {
	var p, c strings.Builder
	for i := 1; i <= 30; i++ {
		fmt.Fprintf(&p, "In part %d the performer number%d lifts a [BLANK_%d] box near the thing%d and then walks off. ", i, i*7, i, i)
		blanks = append(blanks, Blank{i, []string{"red", "blue", "large wooden", fmt.Sprintf("%d kg", i)}})
		if i%2 == 0 {
			fmt.Fprintf(&c, "A red box near thing%d is lifted by performer number%d. ", i, i*7)
		}
	}
	for n := len(strings.Fields(c.String())); n < words; n += 10 {
		fmt.Fprintf(&c, "Later a blue word%d stands near part %d of set%d. ", n%997, n%31, n%89)
	}
	return p.String(), blanks, c.String()
}

func BenchmarkRead(b *testing.B) {
	passage, blanks, caption := longInput(1000)
	b.ReportAllocs()
	for b.Loop() {
		Read(passage, blanks, caption)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("A [BLANK_1] hat and a [BLANK_2].", "red", "twenty-one point five", "A red hat isn't 21.5 m.p.h.")
	f.Add("No [BLANK_2] “sounds” [BLANK_1], [BLANK_1]!", "U.S. OPEN", "a quiet laugh", "no u.s. open—1–0 ½ ŉ ʼ")
	f.Add("[BLANK_1][BLANK_2]", "one hundred and", "takeout box", "\xff take out box, 1,000's 8th 3/4 don't")
	f.Fuzz(func(t *testing.T, passage, a, b, caption string) {
		blanks := []Blank{{1, []string{a, b}}, {2, []string{b, a, caption, "red", passage}}, {3, nil}}
		got := Read(passage, blanks, caption)
		if len(got) != len(blanks) {
			t.Fatalf("%d choices for %d blanks", len(got), len(blanks))
		}
		for i, c := range got {
			option := strings.Index("ABCD", c.Letter)
			if c.Letter != "E" && (option < 0 || option >= len(blanks[i].Options)) {
				t.Errorf("letter %q for %d options", c.Letter, len(blanks[i].Options))
			}
			if (c.Quote == "") != (c.Letter == "E") || !strings.Contains(caption, c.Quote) {
				t.Errorf("letter %s with quote %q", c.Letter, c.Quote)
			}
			if option >= 0 && len(readText(caption).runs(stemsOf(blanks[i].Options[option]), 1)) == 0 {
				t.Errorf("letter %s of %q, which the caption does not have", c.Letter, blanks[i].Options[option])
			}
		}
		if again := Read(passage, blanks, caption); !reflect.DeepEqual(again, got) {
			t.Errorf("got %+v, then %+v", got, again)
		}
	})
}
