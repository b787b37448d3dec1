package compare

import (
	"context"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/quantity"
	"omniscope/metric/stats"
)

// categories are the verdicts that agreement is measured over. Unjudged is
// none: nothing was decided.
var categories = []omniscope.Verdict{omniscope.Correct, omniscope.Partial, omniscope.NotGiven, omniscope.Wrong}

// A confusion is how the verdicts of two runs on the same items go together.
type confusion struct {
	rows              stats.Clusters // a table for each cluster that has an item, as stats.Kappa takes it
	total             []float64      // their sum
	unjudged          int            // items of both, that one or both did not judge
	onlyBase, onlyRun int            // items
}

// agreement compares verdicts, where there are any.
func (s *session) agreement(ctx context.Context, pairs []*pair) ([]omniscope.Table, error) {
	if !slices.ContainsFunc(s.runs, (*Run).hasVerdicts) {
		return nil, nil
	}
	if own := ofOneSystem(pairs); len(own) > 0 { // how judges agree; two systems' verdicts differ for other reasons
		pairs = own
	}
	found := make([]*confusion, len(pairs))
	for i, p := range pairs {
		found[i] = p.confusion()
	}
	whole, each, err := s.agreementTables(ctx, pairs, found)
	if err != nil {
		return nil, err
	}
	return []omniscope.Table{whole, each, confusionTable(pairs, found)}, nil
}

// ofOneSystem are the pairs in which two judges judged the same system.
func ofOneSystem(pairs []*pair) []*pair {
	var out []*pair
	for _, p := range pairs {
		if p.base.Results.System == p.run.Results.System {
			out = append(out, p)
		}
	}
	return out
}

func (r *Run) hasVerdicts() bool {
	for _, u := range r.units {
		if len(u.Verdicts) > 0 {
			return true
		}
	}
	return false
}

// confusion counts the pair's items by what either run decided of them.
func (p *pair) confusion() *confusion {
	c := &confusion{}
	k := len(categories)
	all := p.byCluster(k*k, func(name string, row []float64) { c.add(p.base.units[name].Verdicts, p.run.units[name].Verdicts, row) })
	c.onlyBase += itemsBeside(p.base, p.run)
	c.onlyRun += itemsBeside(p.run, p.base)
	c.rows.Width, c.total = all.Width, all.Total()
	for at := 0; at < len(all.Rows); at += all.Width {
		if row := all.Rows[at : at+all.Width]; slices.Max(row) > 0 {
			c.rows.Rows = append(c.rows.Rows, row...)
		}
	}
	return c
}

// add counts the items of a unit; both lists are sorted.
func (c *confusion) add(a, b []bench.ItemVerdict, row []float64) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Item < b[0].Item:
			c.onlyBase++
			a = a[1:]
			continue
		case a[0].Item > b[0].Item:
			c.onlyRun++
			b = b[1:]
			continue
		}
		i, j := slices.Index(categories, a[0].Verdict), slices.Index(categories, b[0].Verdict)
		if i < 0 || j < 0 {
			c.unjudged++
		} else {
			row[i*len(categories)+j]++
		}
		a, b = a[1:], b[1:]
	}
	c.onlyBase += len(a)
	c.onlyRun += len(b)
}

// itemsBeside counts the items of those units of a run that another lacks.
func itemsBeside(r, other *Run) int {
	n := 0
	for name, u := range r.units {
		if !other.has(name) {
			n += len(u.Verdicts)
		}
	}
	return n
}

// items is how many items both runs judged.
func (c *confusion) items() int {
	n := 0.0
	for _, v := range c.total {
		n += v
	}
	return int(n)
}

// says counts the items of which a run decided i: the base's, or else the
// other's.
func (c *confusion) says(i int, base bool) int {
	n, k := 0.0, len(categories)
	for j := range k {
		if base {
			n += c.total[i*k+j]
		} else {
			n += c.total[j*k+i]
		}
	}
	return int(n)
}

// agreementTables are kappa over all verdicts and for each against the rest.
func (s *session) agreementTables(ctx context.Context, pairs []*pair, found []*confusion) (whole, each omniscope.Table, err error) {
	whole = omniscope.Table{Name: "agreement", Title: "Agreement", Numbers: []int{2, 3, 4, 6, 7, 8},
		Columns: []string{"base", "run", "items", "agree, %", "kappa", "95 % interval", "unjudged", "only in base", "only in run"}}
	each = omniscope.Table{Name: "verdicts", Title: "Agreement by verdict", Numbers: []int{3, 4, 5},
		Columns: []string{"base", "run", "verdict", "base says", "run says", "kappa", "95 % interval"}}
	var made, madeEach methods
	systems := false
	for i, p := range pairs {
		if err := ctx.Err(); err != nil {
			return whole, each, err
		}
		systems = systems || p.base.Results.System != p.run.Results.System
		k := kappasOf(found[i], s.options.Seed)
		whole.Rows = append(whole.Rows, slices.Concat([]string{p.base.label, p.run.label, quantity.Grouped(found[i].items()), k.agree},
			k.whole.cells(&made), []string{quantity.Grouped(found[i].unjudged), quantity.Grouped(found[i].onlyBase), quantity.Grouped(found[i].onlyRun)}))
		for c, verdict := range categories {
			if a, b := found[i].says(c, true), found[i].says(c, false); a+b > 0 {
				each.Rows = append(each.Rows, slices.Concat([]string{p.base.label, p.run.label, verdict.String(), quantity.Grouped(a), quantity.Grouped(b)}, k.each[c].cells(&madeEach)))
			}
		}
	}
	note := "Cohen's kappa over the verdicts of scoring strict: 1 is agreement throughout, 0 what chance gives; items that either run left unjudged, or lacks, are counted apart"
	if systems {
		note += "; of different systems it says how alike they are right and wrong, not how far judges can be relied on"
	}
	whole.Note = made.note(note)
	each.Note = madeEach.note("each verdict against all others together")
	return whole, each, nil
}

// A kappa is one number of agreement.
type kappa struct {
	value    float64
	ok       bool
	interval stats.Interval
}

func (k kappa) cells(made *methods) []string {
	if !k.ok {
		return []string{notAvailable, notAvailable}
	}
	made.add(k.interval)
	show := func(v float64) string { return fixed(v, 3) }
	return []string{show(k.value), within(k.interval, show)}
}

type kappas struct {
	agree string
	whole kappa
	each  []kappa
}

func kappasOf(c *confusion, seed uint64) kappas {
	k := len(categories)
	statistics := []stats.Statistic{stats.Kappa(k)}
	for i := range categories {
		statistics = append(statistics, stats.KappaOfOne(k, i))
	}
	all := make([]kappa, len(statistics))
	for i, iv := range stats.Clustered(c.rows, statistics, stats.Options{Seed: seed}) {
		all[i].interval = iv
		all[i].value, all[i].ok = statistics[i](c.total)
	}
	agree := notAvailable
	if share, ok := stats.Agreement(k)(c.total); ok {
		agree = fixed(share*100, 1)
	}
	return kappas{agree: agree, whole: all[0], each: all[1:]}
}

// confusionTable has a row for each verdict of each pair's base, and a column
// for each of the other run. Verdicts that neither run gave are left out.
func confusionTable(pairs []*pair, found []*confusion) omniscope.Table {
	t := omniscope.Table{Name: "confusion", Title: "Confusion", Columns: []string{"base", "run", "base says"},
		Note: "items by what the base says, a row each, and the run, a column each"}
	var given []int
	for i, verdict := range categories {
		if slices.ContainsFunc(found, func(c *confusion) bool { return c.says(i, true)+c.says(i, false) > 0 }) {
			given = append(given, i)
			t.Numbers = append(t.Numbers, len(t.Columns))
			t.Columns = append(t.Columns, verdict.String())
		}
	}
	for n, p := range pairs {
		for _, i := range given {
			row := []string{p.base.label, p.run.label, categories[i].String()}
			for _, j := range given {
				row = append(row, quantity.Grouped(int(found[n].total[i*len(categories)+j])))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
