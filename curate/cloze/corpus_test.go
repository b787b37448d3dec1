package cloze

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// variants is how many drafts one scene is good for: in variant k its alternatives and
// options are turned so that the k-th is what happens.
const variants = 4

// sceneNames are the scenes of testdata/scenes.
var sceneNames = []string{"market", "bicycle", "ferry", "rehearsal", "pancakes"}

var (
	inlineBlank = regexp.MustCompile(`\[(visual|audio|audio-visual): ([^\]]+)\]`)
	alternative = regexp.MustCompile(`\{([^}]+)\}`)
)

// scene reads variant k, from 1, of a scene.
func scene(t *testing.T, name string, k int) *Draft {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "scenes", name+".txt"))
	fixture.OK(t, err)
	var lines []string
	for _, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	passage := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
	passage = alternative.ReplaceAllStringFunc(passage, func(m string) string { return strings.Split(m[1:len(m)-1], "|")[k-1] })
	d := &Draft{UUID: fmt.Sprintf("%s-%d", name, k), Video: fmt.Sprintf("./videos/%s-%d.mp4", name, k)}
	d.Passage = inlineBlank.ReplaceAllStringFunc(passage, func(m string) string {
		parts := inlineBlank.FindStringSubmatch(m)
		options := strings.Split(parts[2], " / ")
		options = append(options[k-1:len(options):len(options)], options[:k-1]...)
		b := draftBlank{Number: len(d.Blanks) + 1, Answer: options[0], Distractors: options[1:], Modality: omniscope.Modality(parts[1])}
		d.Blanks = append(d.Blanks, b)
		return mark(b.Number)
	})
	return d
}

func TestSoundDraftsHaveNoFindings(t *testing.T) {
	drafts := 0
	for _, name := range sceneNames {
		for k := 1; k <= variants; k++ {
			drafts++
			for _, f := range check(scene(t, name, k), Paper()) {
				t.Errorf("%s, variant %d: %s", name, k, f)
			}
		}
	}
	if drafts != 20 {
		t.Errorf("%d drafts, want 20", drafts)
	}
}

// A fault is one line of testdata/faults.txt.
type fault struct {
	line    int
	scene   string
	variant int
	changes []string
	want    []string // "check blank"
}

func readFaults(t *testing.T) (out []fault) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "faults.txt"))
	fixture.OK(t, err)
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, " | ")
		if len(cells) != 3 {
			t.Fatalf("faults.txt:%d: want three cells: %s", i+1, line)
		}
		f := fault{line: i + 1, want: strings.Split(strings.TrimSpace(cells[2]), ", ")}
		if _, err := fmt.Sscan(cells[0], &f.scene, &f.variant); err != nil {
			t.Fatalf("faults.txt:%d: %v", i+1, err)
		}
		for _, c := range strings.Split(cells[1], " ; ") {
			f.changes = append(f.changes, strings.TrimSpace(c))
		}
		out = append(out, f)
	}
	return out
}

// change makes one change: "WHAT [WHERE]: VALUE".
func (d *Draft) change(t *testing.T, change string) {
	t.Helper()
	head, value, _ := strings.Cut(change, ":")
	what, where, _ := strings.Cut(head, " ")
	value = strings.TrimSpace(value)
	number, place := 0, 0
	fmt.Sscanf(where, "%d.%d", &number, &place)
	b := d.find(number)
	switch what {
	case "answer":
		b.Answer = value
	case "distractor":
		b.Distractors[place-1] = value
	case "distractors":
		if b.Distractors = nil; value != "" {
			b.Distractors = strings.Split(value, " / ")
		}
	case "sense":
		b.Modality = omniscope.Modality(value)
	case "senses":
		for i := range d.Blanks {
			if d.Blanks[i].Modality == omniscope.Modality(where) {
				d.Blanks[i].Modality = omniscope.Modality(value)
			}
		}
	case "number":
		fmt.Sscan(value, &b.Number)
	case "drop": // the blank's answer becomes visible, and those after it move up
		d.drop(number)
	case "keep":
		for len(d.Blanks) > number {
			d.drop(len(d.Blanks))
		}
	case "append":
		_, where, _ = strings.Cut(change, "append ")
		sense, options, _ := strings.Cut(where, ": ")
		all := strings.Split(options, " / ")
		n := len(d.Blanks) + 1
		d.Blanks = append(d.Blanks, draftBlank{n, all[0], all[1:], omniscope.Modality(sense)})
		d.Passage += " Nearby there is " + mark(n) + "."
	case "passage":
		old, now, _ := strings.Cut(value, " => ")
		if strings.Count(d.Passage, old) != 1 {
			t.Fatalf("the passage has %q %d times", old, strings.Count(d.Passage, old))
		}
		d.Passage = strings.Replace(d.Passage, old, now, 1)
	default:
		t.Fatalf("no change %q", what)
	}
}

func (d *Draft) drop(number int) {
	d.Passage = strings.Replace(d.Passage, mark(number), d.find(number).Answer, 1)
	d.Blanks = append(d.Blanks[:number-1], d.Blanks[number:]...)
	for i := number - 1; i < len(d.Blanks); i++ {
		d.Passage = strings.Replace(d.Passage, mark(i+2), mark(i+1), 1)
		d.Blanks[i].Number = i + 1
	}
}

func TestFaultsAreFoundAndNothingElse(t *testing.T) {
	faults := readFaults(t)
	for _, f := range faults {
		d := scene(t, f.scene, f.variant)
		for _, c := range f.changes {
			d.change(t, c)
		}
		findings := check(d, Paper())
		var got []string
		for _, x := range findings {
			got = append(got, fmt.Sprint(x.Check, " ", x.Blank))
		}
		slices.Sort(got)
		slices.Sort(f.want)
		if !slices.Equal(got, f.want) {
			t.Errorf("faults.txt:%d: %s\n found %v\n  want %v", f.line, f.changes, findings, f.want)
		}
	}
	if len(faults) < 60 {
		t.Errorf("%d faults, want 60", len(faults))
	}
}

// Every check that looks at one draft has at least two faults.
func TestEveryCheckHasFaults(t *testing.T) {
	times := make(map[string]int)
	for _, f := range readFaults(t) {
		for _, w := range f.want {
			name, _, _ := strings.Cut(w, " ")
			times[name]++
		}
	}
	for _, c := range checks {
		if c.find != nil && times[c.Name] < 2 {
			t.Errorf("check %s has %d faults, want at least 2", c.Name, times[c.Name])
		}
	}
}
