package baseline

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestFindOddInput(t *testing.T) {
	tests := []struct{ name, caption, event string }{
		{"empty caption", "", "<sbj_1> opens the door"},
		{"empty event", "A man opens the door.", ""},
		{"markers alone", "A man opens the door.", "<sbj_1> <sbj_2>"},
		{"function words alone", "A man opens the door.", "he is in it"},
		{"marks alone", "...!?", "--- \xff"},
		{"a placeholder in the caption", "[BLANK_1] [BLANK_1].", "<sbj_1> opens the door"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := NewCaption(tt.caption).Find(tt.event, 2)
			if want := (found{Subjects: []string{"", ""}}); !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestFindStatus(t *testing.T) {
	tests := []struct {
		name, caption, event string
		want                 status
	}{
		{"other inflections", "Doors were opened. A man poured tea into two cups.", "<sbj_1> pours tea into 2 cups", Fully},
		{"a missing word of three", "A man pours tea.", "<sbj_1> pours green tea", Fully},
		{"half of the words", "A man pours tea.", "<sbj_1> pours green tea slowly", Partly},
		{"one word of three", "A man pours milk.", "<sbj_1> pours green tea", notMentioned},
		{"another number", "A man pours tea into two cups.", "<sbj_1> pours tea into three cups", Partly},
		{"denied in the caption", "The man does not open the door.", "<sbj_1> opens the door", Partly},
		{"denied on both sides", "The man does not open the door.", "<sbj_1> does not open the door", Fully},
		{"something else is denied shortly before", "He did not wait, but opened the door.", "<sbj_1> opens the door", Partly},
		{"something else is denied long before", "He did not wait for the old nurse, but opened the door.", "<sbj_1> opens the door", Fully},
		{"two neighbouring sentences", "A man pours tea. He drinks it slowly.", "<sbj_1> pours tea and drinks it slowly", Fully},
		{"two sentences apart", "A man pours tea. It rains. He drinks it slowly.", "<sbj_1> pours tea and drinks it slowly", Partly},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := NewCaption(tt.caption).Find(tt.event, 0); got.Status != tt.want {
				t.Errorf("got %+v, want %d", got, tt.want)
			}
		})
	}
}

func TestFindSubjects(t *testing.T) {
	tests := []struct {
		name, caption, event string
		want                 []string
	}{
		{"in order", "The chef hands the waiter a plate.", "<sbj_1> hands <sbj_2> a plate", []string{"The chef", "the waiter"}},
		{"more subjects than phrases", "The chef hands the waiter a plate.", "<sbj_1> hands <sbj_2> a plate", []string{"The chef", "the waiter", ""}},
		{"pronouns", "An old woman and a tall boy. She gives him an apple.", "<sbj_1> gives <sbj_2> an apple", []string{"An old woman", "a tall boy"}},
		{"pronouns in two sentences", "A nurse. She is here. She gives him an apple.", "<sbj_1> gives <sbj_2> an apple", []string{"", ""}},
		{"a name", "Slowly Tomas opens the gate.", "<sbj_1> slowly opens the gate", []string{"Tomas"}},
		{"an owner", "The nurse's bag falls.", "<sbj_1>'s bag falls", []string{"The nurse"}},
		{"up to the end of a sentence", "She pours the tea for Anna. Tomas opens the gate.", "<sbj_1> pours the tea, <sbj_2> opens the gate", []string{"Anna", "Tomas"}},
		{"up to a mark", "The nurse, tired, opens the gate.", "<sbj_1> opens the gate", []string{"The nurse"}},
		{"words written as one", "The nurse can't open the gate of 5kg.", "<sbj_1> cannot open the gate of 5 kg", []string{"The nurse"}},
		{"no subject in the caption", "They open the gate in the wind.", "<sbj_1> opens the gate in the wind", []string{""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := NewCaption(tt.caption).Find(tt.event, len(tt.want))
			if m.Status == notMentioned || !reflect.DeepEqual(m.Subjects, tt.want) {
				t.Errorf("got %+v, want %q", m, tt.want)
			}
		})
	}
}

func TestFindConcurrently(t *testing.T) {
	clip := heldOut[0]
	c := NewCaption(clip.caption)
	var want []found
	for _, e := range clip.events {
		want = append(want, NewCaption(clip.caption).Find(e.event, len(markers(e.event))))
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, e := range clip.events {
				if got := c.Find(e.event, len(markers(e.event))); !reflect.DeepEqual(got, want[i]) {
					t.Errorf("%q: got %+v, want %+v", e.event, got, want[i])
				}
			}
		})
	}
	wg.Wait()
}

func checkFound(t *testing.T, caption string, subjects int, m found) {
	t.Helper()
	if len(m.Subjects) != subjects || m.Status > Fully {
		t.Fatalf("got %+v", m)
	}
	if (m.Quote == "") != (m.Status == notMentioned) || !strings.Contains(caption, m.Quote) {
		t.Errorf("quote %q, status %d", m.Quote, m.Status)
	}
	for _, s := range m.Subjects {
		if !strings.Contains(caption, s) || s != "" && m.Status == notMentioned {
			t.Errorf("subject %q, status %d", s, m.Status)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, clip := range heldOut {
		f.Add(clip.caption, clip.events[0].event)
	}
	f.Add("\xff man's, he and Mr. Anna’s her 2nd [BLANK_0] door", "<sbj_1> opens <<the man's> [BLANK_3] 'door' <> <")
	f.Add("He hands her a letter. One of 2. Of one of the women", "<he> hands <her> a letter")
	f.Fuzz(func(t *testing.T, caption, event string) {
		subjects := len(markers(event)) + 2
		m := NewCaption(caption).Find(event, subjects)
		checkFound(t, caption, subjects, m)
		if again := NewCaption(caption).Find(event, subjects); !reflect.DeepEqual(again, m) {
			t.Errorf("got %+v, then %+v", m, again)
		}
		checkPartition(t, Group(m.Subjects), len(m.Subjects))
	})
}

// longCaption repeats the captions of the cases, with a number in each round
// so that rounds differ, up to size bytes.
func longCaption(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		clip := heldOut[i%len(heldOut)]
		fmt.Fprintf(&b, "Part %d of word%d. %s\n", i, i%5003, clip.caption)
	}
	return b.String()[:size]
}

// events36 are as many events as a video of CapRiCorn-1K has.
func events36() []string {
	var list []string
	for _, clip := range heldOut {
		for _, e := range clip.events {
			if len(list) < 36 {
				list = append(list, e.event)
			}
		}
	}
	return list
}

// TestFindLongCaption guards against work that grows faster than the caption.
func TestFindLongCaption(t *testing.T) {
	const size = 1 << 19
	for name, caption := range map[string]string{
		"prose":        longCaption(size),
		"one word":     strings.Repeat("door ", size/5),
		"no sentences": strings.Repeat("the man opens, ", size/15),
		"all points":   strings.Repeat("man.", size/4),
		"names":        strings.Repeat("Anna Mark ", size/10),
	} {
		start := time.Now()
		c := NewCaption(caption)
		read := time.Since(start)
		for _, e := range events36() {
			subjects := len(markers(e))
			checkFound(t, caption, subjects, c.Find(e, subjects))
		}
		took := time.Since(start)
		t.Logf("%s: read in %v, 36 events in %v", name, read, took-read)
		if took > time.Minute {
			t.Errorf("%s: took %v, want seconds", name, took)
		}
	}
}

func BenchmarkNewCaption(b *testing.B) {
	caption := longCaption(3 << 10)
	b.ReportAllocs()
	for b.Loop() {
		NewCaption(caption)
	}
}

// BenchmarkKeypoints is one video: a caption of 3 KB and 36 events.
func BenchmarkKeypoints(b *testing.B) {
	caption, events := longCaption(3<<10), events36()
	b.ReportAllocs()
	for b.Loop() {
		c := NewCaption(caption)
		for _, e := range events {
			c.Find(e, len(markers(e)))
		}
	}
}

func BenchmarkKeypointsLong(b *testing.B) {
	caption, events := longCaption(10<<20), events36()
	b.ReportAllocs()
	for b.Loop() {
		c := NewCaption(caption)
		for _, e := range events {
			c.Find(e, len(markers(e)))
		}
	}
}

func BenchmarkGroup(b *testing.B) {
	descriptions := []string{"a tall man in a grey coat", "the man", "Tomas", "the man in the coat", "a bald man", "the fisherman",
		"an old fisherman named Tomas", "a man in black", "the tall man", "him", "a man with glasses", "the man in the grey coat"}
	b.ReportAllocs()
	for b.Loop() {
		Group(descriptions)
	}
}
