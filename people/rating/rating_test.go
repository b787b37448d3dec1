package rating

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
	"omniscope/results/correlate"
)

// pairsOf writes a file with the reconstructions of clips by systems.
func pairsOf(t *testing.T, clips int, systems ...string) string {
	t.Helper()
	var b strings.Builder
	for c := range clips {
		for i, s := range systems {
			fmt.Fprintf(&b, `{"clip": "c%d", "original": "c%d.mp4", "reconstruction": "made/%d-%d.mp4", "system": %q}`+"\n", c, c, c, i, s)
		}
	}
	return fixture.File(t, "pairs.jsonl", b.String())
}

var raterIDs = []string{"ann", "ben", "cas"}

// project makes a project, and has three people rate all of it.
func project(t *testing.T, m *maker, rate func(person string, p *pair, scale string) int) *people.Workplace {
	t.Helper()
	w := peopletest.Open(t, Kind, peopletest.Make(t, m))
	peopletest.Invite(t, w, people.Annotator, raterIDs...)
	peopletest.DoAll(t, w, stage, raterIDs, func(person string, c *people.WorkItem, f *people.Form) map[string]people.Value {
		pair, err := pairOf(c.Item)
		fixture.OK(t, err)
		v := people.Value{}
		for _, field := range f.Sections[0].Fields {
			v[field.Name] = strconv.Itoa(rate(person, pair, field.Name))
		}
		return map[string]people.Value{ratingKey: v}
	})
	return w
}

// rateByQuality gives good reconstructions more than poor ones. Cas is strict, and the clip c3 was
// hard for all.
func rateByQuality(person string, p *pair, scale string) int {
	if p.Control == HiddenOriginal {
		return 5
	}
	v := map[string]int{"good": 5, "fair": 4, "poor": 2}[p.System]
	if person == "cas" {
		v--
	}
	if p.Clip == "c3" && scale == "similarity" {
		v--
	}
	return max(1, v)
}

func TestPlantedDifferences(t *testing.T) {
	w := project(t, &maker{Pairs: pairsOf(t, 6, "fair", "good", "poor"), People: 3, Controls: 3, Seed: 5}, rateByQuality)
	ratings, err := Ratings(t.Context(), w)
	if err != nil || len(ratings) != (18+3+3)*3*2 {
		t.Fatalf("%d ratings (%v)", len(ratings), err)
	}
	tables, err := Kind.Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, tables)
	fixture.OK(t, err)
	// By hand: a system of q has q, q and q-1 on each of 6 clips, and 1 less on c3 for similarity (never below 1).
	want := [][]string{
		{"similarity", "good", "4.50"}, {"similarity", "fair", "3.50"}, {"similarity", "poor", "1.56"},
		{"subject-consistency", "good", "4.67"}, {"subject-consistency", "fair", "3.67"}, {"subject-consistency", "poor", "1.67"},
	}
	for i, row := range tables[0].Rows {
		if !slices.Equal(row[:3], want[i]) || row[4] != "18" || row[5] != "6" {
			t.Errorf("%q, want %q of 18 ratings on 6 clips", row, want[i])
		}
	}
	for _, row := range tables[2].Rows {
		mean := map[string]string{"ann": "3.58", "ben": "3.58", "cas": "2.61"}[row[0]]
		if row[1] != "36" || row[2] != mean || row[3] != "6 of 6" || row[4] != "6 of 6" || row[5] != "6 of 6" {
			t.Errorf("rater %q, want the mean %s", row, mean)
		}
	}
	checkAgreement(t, tables[1].Rows, ratings)
}

// checkAgreement computes figures of the scale similarity in another way than the package does.
func checkAgreement(t *testing.T, rows [][]string, ratings []Rating) {
	t.Helper()
	matrix := make(map[string][]float64)
	for _, r := range ratings {
		if r.Control == None && r.Scale == "similarity" {
			if matrix[r.Item] == nil {
				matrix[r.Item] = make([]float64, 3)
			}
			matrix[r.Item][slices.Index(raterIDs, r.Person)] = float64(r.Value)
		}
	}
	same, all, total := 0., 0., 0.
	var columns [3]float64
	for _, x := range matrix {
		for i := range 3 {
			total += x[i]
			columns[i] += x[i]
			for k := range i {
				all++
				if x[i] == x[k] {
					same++
				}
			}
		}
	}
	n := float64(len(matrix))
	mean := total / (3 * n)
	var between, rating, rest float64
	for _, c := range columns {
		rating += n * (c/n - mean) * (c/n - mean) / 2
	}
	for _, x := range matrix {
		m := (x[0] + x[1] + x[2]) / 3
		between += 3 * (m - mean) * (m - mean) / (n - 1)
		for i := range 3 {
			e := x[i] - m - columns[i]/n + mean
			rest += e * e / (2 * (n - 1))
		}
	}
	for i, want := range map[int]float64{
		0: same / all,
		2: (between - rest) / (between + 2*rest + 3*(rating-rest)/n),
		3: (between - rest) / (between + (rating-rest)/n),
	} {
		if got, _ := strconv.ParseFloat(rows[i][2], 64); math.Abs(got-want) > 0.0006 || rows[i][0] != "similarity" || rows[i][3] == "" {
			t.Errorf("%q, by hand %.3f", rows[i], want)
		}
	}
	if alpha, err := strconv.ParseFloat(rows[1][2], 64); err != nil || alpha < 0.5 || alpha >= 1 {
		t.Errorf("alpha %q", rows[1])
	}
}

func TestTooFewToSay(t *testing.T) {
	w := project(t, &maker{Pairs: pairsOf(t, 3, "good", "poor"), People: 1}, rateByQuality)
	tables, err := Kind.Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, tables)
	fixture.OK(t, err)
	for _, row := range tables[1].Rows {
		if row[2] != "not known" || !strings.HasSuffix(row[4], "at least 10 are needed") {
			t.Errorf("%q", row)
		}
	}
	empty := peopletest.Open(t, Kind, peopletest.Make(t, &maker{Pairs: pairsOf(t, 1, "a", "b"), People: 1}))
	if tables, err := Kind.Tables(t.Context(), empty); err != nil || tables[0].Note != "There are no ratings yet." {
		t.Errorf("%v %v", tables, err)
	}
}

func TestSystemsAndControlsAreHidden(t *testing.T) {
	w := peopletest.Open(t, Kind, peopletest.Make(t, &maker{Pairs: pairsOf(t, 6, "gpt", "sora"), People: 2, Controls: 4, Seed: 2}))
	forms, controls, again := make(map[string]bool), 0, 0
	for i, id := range w.Items() {
		c, err := w.WorkItem(t.Context(), id, stage)
		fixture.OK(t, err)
		form, err := w.Kind().Form(c)
		fixture.OK(t, err)
		page, _ := json.Marshal([]any{form, c.Item.Media, c.Project.Settings, c.Project.Guideline})
		if strings.Contains(string(page), "gpt") || strings.Contains(string(page), "sora") || id != idOf(i) {
			t.Errorf("%s: %s", id, page)
		}
		text, _ := json.Marshal(form)
		forms[string(text)] = true
		if c.Item.Control != nil {
			controls++
			if c.Item.Control.Answers[ratingKey].Text("similarity") != "5" || c.Item.Media[0].File != c.Item.Media[1].File {
				t.Errorf("control %+v of %+v", c.Item.Control, c.Item.Media)
			}
		}
		if p, _ := pairOf(c.Item); p.Again != "" {
			again++
			if first, err := w.Item(t.Context(), p.Again); err != nil || slices.Index(w.Items(), p.Again) >= i || first.Media[1] != c.Item.Media[1] {
				t.Errorf("%s repeats %s (%v)", id, p.Again, err)
			}
		}
	}
	if len(forms) != 1 || controls != 4 || again != 4 {
		t.Errorf("%d forms, %d hidden originals, %d repeats", len(forms), controls, again)
	}
}

func TestOrderIsDrawnBySeed(t *testing.T) {
	path := pairsOf(t, 10, "a", "b")
	order := func(seed int) (clips []string) {
		for item, err := range peopletest.Make(t, &maker{Pairs: path, People: 1, Seed: seed}).Items {
			fixture.OK(t, err)
			clips = append(clips, item.Clip)
		}
		return clips
	}
	if !slices.Equal(order(1), order(1)) || slices.Equal(order(1), order(2)) || slices.IsSorted(order(1)) {
		t.Errorf("orders %q and %q", order(1), order(2))
	}
}

func TestExports(t *testing.T) {
	w := project(t, &maker{Pairs: pairsOf(t, 6, "good", "poor"), People: 3, Controls: 2}, rateByQuality)
	files := make(map[string]string)
	for _, e := range w.Kind().Exports {
		files[e.File] = export(t, w, e.Write)
	}
	lines := strings.Split(files["ratings.csv"], "\n")
	if lines[0] != "system,clip,person,scale,value,seq,at,control" || len(lines) != 1+(12+2+2)*3*2+1 {
		t.Errorf("%d lines after %q", len(lines), lines[0])
	}
	if want := "system,similarity,subject-consistency\ngood,4.5000,4.6667\npoor,1.5556,1.6667\n"; files["systems.csv"] != want {
		t.Errorf("systems %s, want %s", files["systems.csv"], want)
	}
	ratings, table := &correlate.Values{}, &correlate.Values{}
	fixture.OK(t, ratings.AddRatings(t.Context(), fixture.File(t, "correlate.csv", files["correlate.csv"]), 1))
	fixture.OK(t, table.AddTable(t.Context(), fixture.File(t, "systems.csv", files["systems.csv"])))
	for _, v := range []*correlate.Values{ratings, table} {
		if v.Columns[0].Name != "similarity" || v.Columns[0].Of["good"].Value != 4.5 || len(v.Columns) != 2 {
			t.Errorf("correlate reads %+v", v)
		}
	}
}

func export(t *testing.T, w *people.Workplace, write func(context.Context, *people.Workplace, io.Writer) error) string {
	t.Helper()
	var out bytes.Buffer
	fixture.OK(t, write(t.Context(), w, &out))
	return out.String()
}

const ownScales = `- name: sound
  label: How alike does it sound?
  anchors: [not at all, a little, half, nearly, the same]
`

func TestOwnScales(t *testing.T) {
	json := `[{"name": "sound", "label": "How alike does it sound?", "anchors": ["not at all", "a little", "half", "nearly", "the same"]}]`
	for name, text := range map[string]string{"scales.yaml": ownScales, "scales.json": json} {
		p := peopletest.Make(t, &maker{Pairs: pairsOf(t, 2, "a", "b"), Scales: fixture.File(t, name, text), People: 1})
		scales, err := scalesOf(&p.Project)
		if err != nil || len(scales) != 1 || scales[0].Name != "sound" || scales[0].Anchors[4] != "the same" {
			t.Errorf("%s: %+v (%v)", name, scales, err)
		}
	}
}

func TestBadInput(t *testing.T) {
	const good = `{"clip": "a", "original": "a.mp4", "reconstruction": "x/a.mp4", "system": "x"}` + "\n"
	pairs := func(text string) *maker { return &maker{Pairs: fixture.File(t, "pairs.jsonl", text), People: 1} }
	scales := func(text string) *maker {
		return &maker{Pairs: fixture.File(t, "pairs.jsonl", good), Scales: fixture.File(t, "scales.yaml", text), People: 1}
	}
	for says, m := range map[string]*maker{
		"with --pairs":          newMaker(),
		"no such file":          {Pairs: "none.jsonl", People: 1},
		"--people 0":            {Pairs: "none.jsonl"},
		"pairs.jsonl:2: not":    pairs(good + `{"clip": "a"`),
		"no field \"system\"":   pairs(`{"clip": "a", "original": "a.mp4", "reconstruction": "b.mp4", "sytem": "x"}`),
		":1: \"clip\" is not a": pairs(`{"clip": "", "original": "a.mp4", "reconstruction": "b.mp4", "system": "x"}`),
		"pairs.jsonl:2: the reconstruction of a by x is there already, on line 1": pairs(good + good),
		"pairs.jsonl:2: the original of a is b.mp4 here, and a.mp4":               pairs(good + strings.ReplaceAll(strings.ReplaceAll(good, `"a.mp4"`, `"b.mp4"`), `"x"`, `"y"`)),
		":1: original and reconstruction are the same file":                       pairs(strings.ReplaceAll(good, "x/a.mp4", "a.mp4")),
		"has no pairs": pairs("\n"),
		"scales.yaml:4: the scale taste wants 5 anchors":          scales(ownScales + "- name: taste\n  label: How good is it?\n"),
		"scales.yaml:1: the scale sound wants 5 anchors":          scales(strings.Replace(ownScales, "half, ", "", 1)),
		"scales.yaml:4: two scales are called \"sound\"":          scales(ownScales + ownScales),
		"scales.yaml:1: the scale sound has no label":             scales(strings.Replace(ownScales, "How alike does it sound?", "''", 1)),
		"letters, digits, - and _ only":                           scales(strings.Replace(ownScales, "name: sound", "name: two words", 1)),
		"anchor":                                                  scales(strings.Replace(ownScales, "anchors:", "ancors:", 1)),
		"has no scales":                                           scales("[]"),
		"--controls 1: with 1 pairs of 1 clips there can be 0 at": {Pairs: fixture.File(t, "pairs.jsonl", good), People: 1, Controls: 1},
	} {
		if _, err := m.Make(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	if p := peopletest.Make(t, pairs(good)); len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "all reconstructions are of x") {
		t.Errorf("one system alone: %q", p.Warnings)
	}
}

func TestCSV(t *testing.T) {
	p := peopletest.Make(t, &maker{Pairs: fixture.File(t, "pairs.csv", "clip,original,reconstruction,system\nc,c.mp4,r.mp4,x\nc,c.mp4,s.mp4,y\n"), People: 2})
	n := 0
	for item, err := range p.Items {
		if n++; err != nil || item.Clip != "c" || item.Media[0].File != "c.mp4" {
			t.Errorf("%+v (%v)", item, err)
		}
	}
	if n != 2 || p.Project.Stages[0].People != 2 {
		t.Errorf("%d items for %+v", n, p.Project.Stages)
	}
}
