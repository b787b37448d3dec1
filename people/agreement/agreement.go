// Package agreement says how far people agree who answered the same, for every kind of work: it
// looks at the fields of forms in which one of several choices is made. What is particular to a
// kind, such as the F1 of keypoints that were noted freely, is in its own package.
package agreement

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/metric/stats"
	"omniscope/people"
)

// mostChoices is how many choices a field may have. More of them are names that differ from item
// to item, and no categories.
const mostChoices = 30

// Tables are the agreement at each stage that several people do: a table of figures, and one of
// pairs of people. Intervals are made by resampling clips.
func Tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	var out []omniscope.Table
	project := w.Project()
	for i := range project.Stages {
		s := &project.Stages[i]
		read, err := readStage(ctx, w, s)
		if err != nil {
			return nil, err
		}
		if s.People < 2 && !read.several {
			continue
		}
		out = append(out, read.figures())
		if pairs := read.pairs(); len(pairs.Rows) > 0 {
			out = append(out, pairs)
		}
	}
	return out, nil
}

// A stage is what people chose at a stage, field by field.
type stage struct {
	*people.Stage
	several bool // some item was done by two people
	people  map[string]bool
	fields  []*field
	byName  map[string]*field
	apart   int // items that are there to see how carefully people work
}

// A field is one of the form's, with what was chosen in it in all items.
type field struct {
	title   string
	own     bool // the kind's own tables have its alpha
	ordered bool
	choices []people.Choice
	number  map[string]int // of a choice, by its value
	answers []answers
}

// answers are what people chose of one thing: numbers of choices by person.
type answers struct {
	clip string
	of   map[string]int
}

// values are the choices alone, in the order of people.
func (a *answers) values() []int {
	var out []int
	for _, person := range slices.Sorted(maps.Keys(a.of)) {
		out = append(out, a.of[person])
	}
	return out
}

func readStage(ctx context.Context, w *people.Workplace, s *people.Stage) (*stage, error) {
	out := &stage{Stage: s, people: make(map[string]bool), byName: make(map[string]*field)}
	own := w.Kind()
	for _, id := range w.Items() {
		done, err := w.Done(ctx, id, s.Name)
		if err != nil {
			return nil, err
		}
		for _, d := range done {
			out.people[d.Person] = true
		}
		if len(done) < 2 {
			continue
		}
		out.several = true
		c, err := w.WorkItem(ctx, id, s.Name)
		if err != nil {
			return nil, err
		}
		if c.Item.Control != nil && c.Item.Control.Stage == s.Name || own.Apart != nil && own.Apart(c.Item) {
			out.apart++
			continue
		}
		form, err := w.Kind().Form(c)
		if err != nil {
			return nil, err
		}
		for i := range form.Sections {
			out.addSection(&form.Sections[i], cmp.Or(c.Item.Clip, id), done)
		}
	}
	for name, f := range out.byName {
		f.own = own.HasAlpha != nil && own.HasAlpha(s.Name, name)
	}
	return out, nil
}

// addSection adds what people chose in the cards that all of them were given.
func (s *stage) addSection(section *people.Section, clip string, done []people.Done) {
	for i := range section.Fields {
		if f := &section.Fields[i]; f.Type == people.Choose {
			s.addField(section, f, clip, done, func(v people.Value) string { return v.Text(f.Name) })
		}
	}
	if section.Strike {
		kept := &people.Field{Name: people.ValueStruck, Label: "kept or struck", Choices: []people.Choice{{Value: "kept"}, {Value: "struck"}}}
		s.addField(section, kept, clip, done, func(v people.Value) string {
			if v.Struck() {
				return "struck"
			}
			return "kept"
		})
	}
}

func (s *stage) addField(section *people.Section, f *people.Field, clip string, done []people.Done, chosen func(people.Value) string) {
	to := s.field(section, f)
	for _, card := range section.Cards {
		a := answers{clip: clip, of: make(map[string]int)}
		for _, d := range done {
			value, given := d.Answers[section.Key(card.ID)]
			if !given {
				continue
			}
			if n, known := to.number[chosen(value)]; known {
				a.of[d.Person] = n
			}
		}
		if len(a.of) > 1 {
			to.answers = append(to.answers, a)
		}
	}
}

// field is that of a name, with the choices of this form added to those of others.
func (s *stage) field(section *people.Section, f *people.Field) *field {
	name := section.Name + "." + f.Name
	out := s.byName[name]
	if out == nil {
		out = &field{title: cmp.Or(section.Title, section.Name), ordered: f.Ordered, number: make(map[string]int)}
		if label := cmp.Or(f.Label, f.Name); label != out.title {
			out.title += ": " + label
		}
		s.byName[name], s.fields = out, append(s.fields, out)
	}
	for _, c := range f.Choices {
		if _, known := out.number[c.Value]; !known {
			out.number[c.Value], out.choices = len(out.choices), append(out.choices, c)
		}
	}
	return out
}

// figures is the table of a stage.
func (s *stage) figures() omniscope.Table {
	t := omniscope.Table{Name: "agreement-" + s.Name, Title: "Agreement at the stage " + cmp.Or(s.Title, s.Name), Columns: []string{"of", "figure", "value", "95% interval", "answers"}, Numbers: []int{2, 4},
		Note: "How far people agree who answered the same. Beside kappa and alpha stand the raw agreement and Gwet's AC1, since skewed answers mislead the former. Intervals by resampling clips."}
	if s.apart > 0 {
		t.Note += fmt.Sprintf(" Without %d items that were planted or shown again.", s.apart)
	}
	if why := s.unknown(); why != "" {
		t.Rows = append(t.Rows, []string{"", "", "not known", "", why})
		return t
	}
	for _, f := range s.fields {
		if why := f.unknown(); why != "" {
			t.Rows = append(t.Rows, []string{f.title, "", "not known", "", why})
			continue
		}
		for _, fig := range f.figures() {
			if f.own && strings.HasPrefix(fig[0], alpha) {
				continue // a question has one alpha
			}
			t.Rows = append(t.Rows, append([]string{f.title}, fig...))
		}
	}
	return t
}

// unknown says why there is no agreement at the stage; "" = there is.
func (s *stage) unknown() string {
	switch {
	case len(s.people) < 2:
		return fmt.Sprintf("%d people have submitted work here; at least 2 are needed", len(s.people))
	case !s.several:
		return "no item was done by two people yet"
	case len(s.fields) == 0 && s.apart > 0:
		return "two people did only items that were planted or shown again"
	case len(s.fields) == 0:
		return "the form has no choices: see the tables of this kind of work"
	}
	return ""
}

func (f *field) unknown() string {
	switch {
	case len(f.choices) > mostChoices:
		return fmt.Sprintf("%d choices, which differ from item to item", len(f.choices))
	case len(f.answers) < people.Fewest:
		return fmt.Sprintf("%d answers of two people; at least %d are needed", len(f.answers), people.Fewest)
	}
	return ""
}

// A figure is a statistic over a part of the row that clips have.
type figure struct {
	name string
	stat stats.Statistic
	of   int // answers that it rests on
}

// alpha is the figure that a kind's own tables may have.
const alpha = "Krippendorff's alpha"

// figures are the rows of a field.
func (f *field) figures() (out [][]string) {
	k := len(f.choices)
	sums := newSums(len(f.answers))
	scale, called := stats.Nominal, "nominal"
	if f.ordered {
		scale, called = stats.Ordinal, "ordinal"
	}
	raters := f.raters()
	raw := sums.part(func(i int) []float64 { return stats.FleissRow(f.counts(i)) })
	coincidences := sums.part(func(i int) []float64 { return stats.AlphaRow(k, f.answers[i].values()) })
	gwet := sums.part(func(i int) []float64 { return stats.GwetRow(f.counts(i)) })
	n := len(f.answers)
	figures := []figure{{"raw agreement", raw(rawAgreement(k)), n}, {alpha + " (" + called + ")", coincidences(stats.Alpha(make([]float64, k), scale)), n}, {"Gwet's AC1", gwet(stats.Gwet(k)), n}}
	if raters > 2 {
		figures = append(figures, figure{fmt.Sprintf("Fleiss' kappa (%d people each)", raters), raw(stats.Fleiss(k)), n})
	}
	if names := f.persons(); len(names) == 2 {
		figures = append(figures, figure{"Cohen's kappa", sums.part(func(i int) []float64 { return f.confusion(i, names[0], names[1]) })(stats.Kappa(k)), n})
	}
	for j, c := range f.choices {
		if chosen := f.chosen(j); chosen > 0 {
			figures = append(figures, figure{"agreement on " + cmp.Or(c.Label, c.Value), coincidences(ofCategory(k, j)), chosen})
		}
	}
	clusters := sums.byClip(func(i int) string { return f.answers[i].clip })
	return printed(figures, clusters)
}

// rawAgreement is the mean share of pairs of people that agree, of summed FleissRow.
func rawAgreement(k int) stats.Statistic {
	return func(sum []float64) (float64, bool) { return sum[k] / sum[k+1], sum[k+1] > 0 }
}

// ofCategory is how often others chose a category, too, where somebody did (specific agreement;
// Fleiss, "Statistical Methods for Rates and Proportions"), of summed AlphaRow.
func ofCategory(k, category int) stats.Statistic {
	return func(sum []float64) (float64, bool) {
		all := 0.0
		for _, n := range sum[category*k : (category+1)*k] {
			all += n
		}
		return sum[category*k+category] / all, all > 0
	}
}

// printed are figures with their intervals.
func printed(figures []figure, c stats.Clusters) (out [][]string) {
	list := make([]stats.Statistic, len(figures))
	for i, f := range figures {
		list[i] = f.stat
	}
	for i, cells := range people.PrintedAll(c, list) {
		out = append(out, []string{figures[i].name, cells[0], cells[1], fmt.Sprint(figures[i].of)})
	}
	return out
}

// raters is how many people each thing has, where that is the same number everywhere; else 0.
func (f *field) raters() int {
	n := len(f.answers[0].of)
	for _, a := range f.answers {
		if len(a.of) != n {
			return 0
		}
	}
	return n
}

func (f *field) persons() []string {
	all := make(map[string]bool)
	for _, a := range f.answers {
		for person := range a.of {
			all[person] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// counts is how many people made each choice of thing i.
func (f *field) counts(i int) []int {
	out := make([]int, len(f.choices))
	for _, n := range f.answers[i].of {
		out[n]++
	}
	return out
}

// chosen is of how many things somebody made a choice.
func (f *field) chosen(choice int) (n int) {
	for i := range f.answers {
		if f.counts(i)[choice] > 0 {
			n++
		}
	}
	return n
}

// confusion is thing i as a table of what two people chose; all zero if they did not both.
func (f *field) confusion(i int, first, second string) []float64 {
	k := len(f.choices)
	row := make([]float64, k*k)
	a, ok1 := f.answers[i].of[first]
	b, ok2 := f.answers[i].of[second]
	if ok1 && ok2 {
		row[a*k+b] = 1
	}
	return row
}

// pairs is the table of pairs of people, where there are three people or more.
func (s *stage) pairs() omniscope.Table {
	t := omniscope.Table{Personal: true, Name: "pairs-" + s.Name, Title: "Pairs of people at the stage " + cmp.Or(s.Title, s.Name), Columns: []string{"of", "people", "figure", "value", "95% interval", "answers"}, Numbers: []int{3, 5},
		Note: fmt.Sprintf("Pairs who answered the same at least %d times.", people.Fewest)}
	for _, f := range s.fields {
		if len(f.choices) > mostChoices || len(f.answers) < people.Fewest {
			continue
		}
		names := f.persons()
		if len(names) < 3 {
			continue
		}
		for i, first := range names {
			for _, second := range names[i+1:] {
				for _, row := range f.pair(first, second) {
					t.Rows = append(t.Rows, append([]string{f.title, first + ", " + second}, row...))
				}
			}
		}
	}
	return t
}

// pair are the figures of two people; nil = they have too little in common.
func (f *field) pair(first, second string) [][]string {
	k := len(f.choices)
	var common []int
	for i, a := range f.answers {
		_, ok1 := a.of[first]
		_, ok2 := a.of[second]
		if ok1 && ok2 {
			common = append(common, i)
		}
	}
	if len(common) < people.Fewest {
		return nil
	}
	sums := newSums(len(common))
	part := sums.part(func(i int) []float64 { return f.confusion(common[i], first, second) })
	n := len(common)
	return printed([]figure{{"raw agreement", part(stats.Agreement(k)), n}, {"Cohen's kappa", part(stats.Kappa(k)), n}},
		sums.byClip(func(i int) string { return f.answers[common[i]].clip }))
}

// sums are rows of things, part beside part, so that one resampling serves all figures.
type sums struct {
	n     int
	width int
	parts []func(i int) []float64
}

func newSums(n int) *sums { return &sums{n: n} }

// part adds a part to the rows. What it returns makes a statistic of the part one of the row.
func (s *sums) part(row func(i int) []float64) func(stats.Statistic) stats.Statistic {
	from := s.width
	s.width += len(row(0))
	to := s.width
	s.parts = append(s.parts, row)
	return func(stat stats.Statistic) stats.Statistic {
		return func(sum []float64) (float64, bool) { return stat(sum[from:to]) }
	}
}

// byClip are the rows, those of a clip summed.
func (s *sums) byClip(clip func(i int) string) stats.Clusters {
	f := people.NewFigure(s.width)
	for i := range s.n {
		var row []float64
		for _, part := range s.parts {
			row = append(row, part(i)...)
		}
		f.Add(clip(i), 1, row...)
	}
	return f.Rows
}
