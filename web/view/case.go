package view

import (
	"context"
	"net/http"
	"slices"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/results"
)

// A casePage is a unit with all that is known of it.
type casePage struct {
	Run        *runEntry
	Case       *document.Case
	Sent       *document.Case // what the system was sent, where the run scored its answers; nil = not known
	Player     string         // address of the file; "" = it is not here
	PlayerKind string         // video, audio or image
	Name       string         // of the unit
	Calls      []call
	Back       string // addresses: the list, the unit before and the next
	Before     string
	Next       string
}

func (v *Viewer) oneCase(w http.ResponseWriter, r *http.Request, of *runEntry) error {
	p, err := v.casePage(r, of)
	if err != nil {
		return err
	}
	if p.Calls, err = v.about(r.Context(), of, p.Name); err != nil {
		return err
	}
	return show(w, caseHTML(p))
}

// casePage is the page of a unit but for its calls, which are in the journal: a player
// that asks for its film part by part needs none of them.
func (v *Viewer) casePage(r *http.Request, of *runEntry) (*casePage, error) {
	name, q := r.URL.Query().Get("unit"), unitQueryOf(r)
	u, err := v.unitsOf(r.Context(), of)
	if err != nil {
		return nil, err
	}
	if u == nil {
		return nil, omniscope.NotFoundf("the run at %s has no samples to look at", of.Path)
	}
	one, ok := u.named(name)
	if !ok {
		return nil, omniscope.NotFoundf("the run at %s has no sample %q", of.Path, name)
	}
	p := &casePage{Run: of, Name: name}
	if p.Case, err = u.caseOf(one); err != nil {
		return nil, err
	}
	p.neighbours(u.fit(q), one, q)
	if of.Kind == scores {
		if p.Sent, err = v.sent(r.Context(), of, name); err != nil {
			return nil, err
		}
	}
	if path := v.mediaFile(of, p); path != "" {
		p.Player, p.PlayerKind = of.address("media", "unit", name), mediaKind(path)
	}
	return p, nil
}

// neighbours are the units before and after one in the list that led to it.
func (p *casePage) neighbours(list []unit, one unit, q unitQuery) {
	at := slices.IndexFunc(list, func(u unit) bool { return u.line == one.line })
	address := func(i int) string {
		return p.Run.address("case", append(q.values(), "unit", list[i].Name)...)
	}
	from := 0
	if at > 0 {
		p.Before = address(at - 1)
		from = at / perPage * perPage
	}
	if at >= 0 && at+1 < len(list) {
		p.Next = address(at + 1)
	}
	p.Back = p.Run.address("run", q.from(from)...) + "#cases"
}

// sent is what the system was sent for a unit of a run that scored its answers.
func (v *Viewer) sent(ctx context.Context, of *runEntry, unit string) (*document.Case, error) {
	run, err := results.Open(ctx, v.file(of))
	if err != nil {
		return nil, err
	}
	path, _, err := run.DetailsFile()
	if err != nil || path == "" {
		return nil, err
	}
	u, err := v.unitsIn(ctx, path, answers)
	if err != nil || u == nil {
		return nil, err
	}
	one, ok := u.named(unit)
	if !ok {
		return nil, nil
	}
	return u.caseOf(one)
}
