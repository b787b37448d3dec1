package view

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"omniscope/internal/quantity"
	"omniscope/model/wrap"
	"omniscope/run/journal"
	"omniscope/run/journal/sqlite"
)

func isJournal(dir string) bool { return sqlite.Exists(dir) }

// addJournal adds the runs of a journal that wrote nothing else, and those that a process
// works on.
func (x *index) addJournal(f *found, dir string) {
	list, err := listIn(dir)
	if err != nil {
		r := &runEntry{Path: x.below(dir), Kind: calls, State: unreadable, Why: err.Error()}
		r.find()
		f.add(r)
	}
	for _, known := range list {
		working := sqlite.InWork(dir, known.Name)
		if (f.written[known.Name] || f.investigated(known)) && !working {
			continue
		}
		r := &runEntry{Path: x.below(dir) + "/" + known.Name, Kind: calls, State: stopped, Name: known.Name, When: known.Created}
		at, written := sqlite.WrittenTo(dir, known.Name)
		switch {
		case working:
			r.State = running
		case written:
			r.State, r.Note = done, "results in "+cmp.Or(at, "another folder")
		}
		r.ofManifest(known.Manifest)
		r.find()
		f.runs = append(f.runs, r)
	}
}

func listIn(dir string) ([]journal.Run, error) {
	s, err := sqlite.OpenToLook(dir)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.List(context.Background())
}

// investigated gives investigations of the clips of a run its name, the newest of several,
// and reports whether each clip has one.
func (f *found) investigated(known journal.Run) bool {
	clips := gjson.Get(known.Manifest, "clips").Array()
	if known.Kind != "caption" || len(clips) == 0 {
		return false
	}
	all := true
	for _, clip := range clips {
		for _, r := range f.ofClip[clip.Str] {
			r.Name = known.Name
		}
		all = all && len(f.ofClip[clip.Str]) > 0
	}
	return all
}

// ofManifest reads what a run was asked to do.
func (r *runEntry) ofManifest(manifest string) {
	first := func(names ...string) string {
		for _, v := range gjson.GetMany(manifest, names...) {
			if v.Str != "" {
				return v.Str
			}
		}
		return ""
	}
	r.What = first("benchmark", "dataset", "command", "clips.0", "clip")
	r.Judge = first("roles.judge.model")
	r.System = first("model.model", "detective", "splitter", "predictions")
}

// journal returns the journal that has a run's calls, nil where there is none.
func (v *Viewer) journal(ctx context.Context, r *runEntry) (journal.Store, error) {
	if r.Name == "" {
		return nil, nil
	}
	for _, dir := range v.index.journalsNear(v.file(r)) {
		s, err := v.open(dir)
		if err != nil {
			continue // the list says what is wrong with it
		}
		if has, err := s.HasRun(ctx, r.Name); err != nil || has {
			return s, err
		}
	}
	if shared := v.options.Journal; shared != nil {
		if has, err := shared.HasRun(ctx, r.Name); err != nil || has {
			return shared, err
		}
	}
	return nil, nil
}

// journalsNear are the journals, those first that share most of a path.
func (x *index) journalsNear(path string) []string {
	x.mu.Lock()
	dirs := slices.Clone(x.journals)
	x.mu.Unlock()
	shared := func(dir string) (n int) {
		for n < len(dir) && n < len(path) && dir[n] == path[n] {
			n++
		}
		return n
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return cmp.Compare(shared(b), shared(a)) })
	return dirs
}

func (v *Viewer) open(dir string) (*sqlite.Store, error) {
	v.opening.Lock()
	defer v.opening.Unlock()
	if s, ok := v.journals[dir]; ok {
		return s, nil
	}
	s, err := sqlite.OpenToLook(dir)
	if err == nil {
		v.journals[dir] = s
	}
	return s, err
}

// A callList is a page of a run's calls.
type callList struct {
	Run    *runEntry
	Calls  []call
	Failed bool  // only calls without a usable answer
	Next   int64 // where the next page goes on; 0 = there is none
	Usage  journal.Usage
	None   bool // no journal below the folder has the run
}

func (v *Viewer) calls(w http.ResponseWriter, r *http.Request, of *runEntry) error {
	l, err := v.callList(r, of)
	if err != nil {
		return err
	}
	return show(w, callsPage(l))
}

func (v *Viewer) callList(r *http.Request, of *runEntry) (*callList, error) {
	l := &callList{Run: of, Failed: r.URL.Query().Get("failed") != ""}
	s, err := v.journal(r.Context(), of)
	if err != nil || s == nil {
		l.None = true
		return l, err
	}
	before, _ := strconv.ParseInt(r.URL.Query().Get("before"), 10, 64) // anything else is the newest
	calls, err := s.Latest(r.Context(), of.Name, before, perPage, l.Failed)
	if err != nil {
		return nil, err
	}
	if len(calls) == perPage {
		l.Next = calls[perPage-1].ID
	}
	for _, c := range calls {
		l.Calls = append(l.Calls, callOf(c))
	}
	l.Usage, err = s.Usage(r.Context(), of.Name, wrap.CostOf)
	return l, err
}

// about returns the calls of a run about one unit.
func (v *Viewer) about(ctx context.Context, r *runEntry, unit string) (calls []call, err error) {
	s, err := v.journal(ctx, r)
	if err != nil || s == nil {
		return nil, err
	}
	found, err := s.About(ctx, r.Name, unit)
	for _, c := range found {
		calls = append(calls, callOf(c))
	}
	return calls, err
}

func failedValue(failed bool) string {
	if failed {
		return "1"
	}
	return ""
}

// spent is the known usage of the calls of a run; "" without calls.
func spent(u journal.Usage) string {
	if u.Calls == 0 {
		return ""
	}
	tokens, price := "tokens unknown", "price unknown"
	if u.TokensIn+u.TokensOut > 0 {
		tokens = fmt.Sprintf("%d tokens in, %d out", u.TokensIn, u.TokensOut)
	}
	switch usd, known := u.Cost(); {
	case known:
		price = quantity.Dollars(usd)
	case usd > 0:
		price = quantity.Dollars(usd) + " and answers of unknown price"
	}
	return "· " + tokens + " · " + price
}
