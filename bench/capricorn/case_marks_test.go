package capricorn

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFindDescriptions(t *testing.T) {
	for _, c := range []struct {
		name, caption string
		descriptions  []string
		want          string // marked places, by place of the description
	}{
		{"as they stand", "A man sees a dog.", []string{"a dog"}, "0:a dog"},
		{"at every place", "the man, the man", []string{"the man"}, "0:the man 0:the man"},
		{"in other case, and over a line break", "Then THE  old\n man ran", []string{"the old man"}, "0:THE  old\n man"},
		{"after white space that begins the caption", " \n the man ", []string{"The man"}, "0:the man"},
		{"with other quotation marks", "the guard’s “boy”", []string{`the guard's "boy"`}, "0:the guard’s “boy”"},
		{"as whole words", "the mantis and the man's hat", []string{"the man"}, "0:the man"},
		{"at the next place if a word goes on at the first", "aman a man", []string{"a man", "man"}, "0:a man"},
		{"in scripts without spaces", "他看见老人走路", []string{"老人"}, "0:老人"},
		{"beyond letters that grow when folded", "ȺȺ İ the man", []string{"the man"}, "0:the man"},
		{"beyond bytes that are no text", "\xff\xfe the man", []string{"the man"}, "0:the man"},
		{"the longer before the shorter within it", "the old man and the old", []string{"the old", "the old man"}, "1:the old man 0:the old"},
		{"the longer before the shorter that begins earlier", "big old man here", []string{"big old", "old man here"}, "1:old man here"},
		{"the first of equal ones", "a b c", []string{"a b", "b c"}, "0:a b"},
		{"not at all", "nobody", []string{"a man", "", "  "}, ""},
		{"in no caption", "", []string{"a man"}, ""},
	} {
		var got []string
		for _, m := range findMarks(c.caption, c.descriptions) {
			got = append(got, fmt.Sprintf("%d:%s", m.of, c.caption[m.start:m.end]))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %q, want %q", c.name, strings.Join(got, " "), c.want)
		}
	}
}

// tagsFor makes a tag for each description, named by its place.
func tagsFor(descriptions []string) [][]tag {
	tags := make([][]tag, len(descriptions))
	for i := range tags {
		tags[i] = []tag{{name: fmt.Sprint(i)}}
	}
	return tags
}

func TestShownOverlongCaption(t *testing.T) {
	filler := strings.Repeat("word ", 40_000)
	caption := "It begins. " + filler + "A tall man walks. " + filler + strings.Repeat("The old man. "+filler, 3) + strings.Repeat("The old man. ", 20_000) + filler + "It ends."
	descriptions := []string{"a tall man", "the old man", "missing"}
	pieces := piecesOf(caption, findMarks(caption, descriptions), tagsFor(descriptions))
	shown, gaps, length := "", 0, 0
	var marked []string
	for _, p := range pieces {
		length += p.length()
		shown += p.text
		if p.gap > 0 {
			gaps++
		}
		for _, tag := range p.tags {
			marked = append(marked, tag.name+p.text)
		}
	}
	if want := utf8.RuneCountInString(caption); length != want {
		t.Errorf("the pieces have %d characters in all, want %d", length, want)
	}
	if n := utf8.RuneCountInString(shown); n > mostShown+1000 || n < mostShown/2 {
		t.Errorf("%d characters are shown", n)
	}
	if !strings.HasPrefix(shown, "It begins.") || !strings.HasSuffix(shown, "It ends.") || gaps < 3 {
		t.Errorf("the edges are missing, or there are only %d gaps", gaps)
	}
	if !slices.Contains(marked, "0A tall man") || !slices.Contains(marked, "1The old man") {
		t.Errorf("marked are only %d places: %.100q", len(marked), marked)
	}
	if !strings.Contains(shown, "word A tall man walks. word") {
		t.Error("a mark stands without what is around it")
	}
}

func TestShownShortCaption(t *testing.T) {
	caption := strings.Repeat("é", mostShown)
	if got := piecesOf(caption, nil, nil); len(got) != 1 || got[0].text != caption {
		t.Errorf("%d characters are cut into %d pieces", mostShown, len(got))
	}
	if got := piecesOf(caption+"é", nil, nil); len(got) != 3 || got[1].gap != mostShown+1-2*edgeShown {
		t.Errorf("%d characters are shown in %d pieces", mostShown+1, len(got))
	}
}

func FuzzPieces(f *testing.F) {
	f.Add("The man sees\nthe  MAN.", "the man", "man sees the", 1)
	f.Add("\xff İ ‘a’ a", "'a'", "a", 30_000)
	f.Fuzz(func(t *testing.T, caption, first, second string, times int) {
		caption = strings.Repeat(caption, max(1, min(times, 60_000/(len(caption)+1))))
		descriptions := []string{first, second}
		at := 0
		for _, p := range piecesOf(caption, findMarks(caption, descriptions), tagsFor(descriptions)) {
			if p.gap > 0 {
				at = ahead(caption, at, p.gap)
				continue
			}
			if !strings.HasPrefix(caption[at:], p.text) {
				t.Fatalf("the piece %q does not stand at %d", p.text, at)
			}
			if len(p.tags) > 0 && fold(p.text) != fold(first) && fold(p.text) != fold(second) {
				t.Fatalf("%q is marked as %q or %q", p.text, first, second)
			}
			at += len(p.text)
		}
		if at != len(caption) {
			t.Fatalf("the pieces end at %d of %d", at, len(caption))
		}
	})
}
