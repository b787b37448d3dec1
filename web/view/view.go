// Package view shows the runs below a folder to a browser, while they are made and
// after: a list of all, and of each its scores, its samples, what was asked and what came
// back. It changes nothing.
package view

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/ondisk"
	"omniscope/metric"
	"omniscope/results/report"
	"omniscope/run/journal"
	"omniscope/run/journal/sqlite"
	"omniscope/web"
)

// Options say what is viewed.
type Options struct {
	Folder   string
	Media    []string                             // folders to look for the samples' files in, beside those that runs name
	MetricOf func(string) (*metric.Metric, error) // of a benchmark by its name
	Journal  journal.Store                        // of runs without a journal below Folder; may be nil. It stays open
}

// A Viewer answers requests for pages. It is safe for concurrent use.
type Viewer struct {
	options Options
	index   *index

	opening  sync.Mutex
	journals map[string]*sqlite.Store // open, by folder

	drawing sync.Mutex // one at a time: each takes a process
	drawn   map[string][]byte

	reading sync.Mutex
	units   []*units // read, the last used first; files of those left out are closed with them
}

// Style is what the pages look like, beside that of all pages.
var Style = report.Style + detective.Style

// New looks at a folder. Close the viewer in the end.
func New(o Options) (*Viewer, error) {
	folder, err := filepath.Abs(o.Folder)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(folder); err == nil { // links below it are not followed
		folder = real
	}
	for _, dir := range append([]string{folder}, o.Media...) {
		if !ondisk.IsFolder(dir) {
			return nil, omniscope.NotFoundf("%s: no such folder", dir)
		}
	}
	o.Folder = folder
	return &Viewer{options: o, index: &index{root: folder, metricOf: o.MetricOf}, journals: make(map[string]*sqlite.Store), drawn: make(map[string][]byte)}, nil
}

// Close closes what is open.
func (v *Viewer) Close() error {
	v.opening.Lock()
	defer v.opening.Unlock()
	v.reading.Lock()
	defer v.reading.Unlock()
	var errs []error
	for _, s := range v.journals {
		errs = append(errs, s.Close())
	}
	for _, u := range v.units {
		errs = append(errs, u.lines.Close())
	}
	return errors.Join(errs...)
}

// Handler serves the pages.
func (v *Viewer) Handler() http.Handler {
	mux := http.NewServeMux()
	page := func(pattern string, show func(w http.ResponseWriter, r *http.Request) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := show(w, r); err != nil && r.Context().Err() == nil {
				web.Fail(w, err)
			}
		})
	}
	page("GET /{$}", v.list)
	page("GET /runs", v.list) // where another site has a first page of its own
	page("GET /run/{path...}", v.onRun(v.run))
	page("GET /case/{path...}", v.onRun(v.oneCase))
	page("GET /calls/{path...}", v.onRun(v.calls))
	page("GET /media/{path...}", v.onRun(v.media))
	page("GET /picture/{path...}", v.onRun(v.picture))
	page("GET /wave/{path...}", v.onRun(v.wave))
	page("GET /compare", v.compare)
	page("GET /diff", v.diff)
	page("/", func(w http.ResponseWriter, r *http.Request) error {
		return omniscope.NotFoundf("there is no page at %s", r.URL.Path)
	})
	return mux
}

// onRun is a page of the run that the address names.
func (v *Viewer) onRun(show func(http.ResponseWriter, *http.Request, *runEntry) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		one, err := v.find(r.Context(), r.PathValue("path"))
		if err != nil {
			return err
		}
		return show(w, r, one)
	}
}

func (v *Viewer) find(ctx context.Context, path string) (*runEntry, error) {
	path = cmp.Or(strings.TrimSuffix(path, "/"), ".")
	runs, more := v.index.list(ctx)
	for _, r := range runs {
		if r.Path == path {
			return r, nil
		}
	}
	if more {
		return nil, omniscope.NotFoundf("no run %s was found yet: the folder is being looked through, try again in a moment", path)
	}
	return nil, omniscope.NotFoundf("there is no run at %s; it may have been moved", path)
}

// file is a run's place on the disk.
func (v *Viewer) file(r *runEntry) string {
	return filepath.Join(v.options.Folder, filepath.FromSlash(r.Path))
}

// address is that of a page of a run.
func (r *runEntry) address(page string, query ...string) string {
	u := url.URL{Path: "/" + page + "/" + strings.TrimPrefix(r.Path, ".")}
	values := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		if query[i+1] != "" {
			values.Set(query[i], query[i+1])
		}
	}
	u.RawQuery = values.Encode()
	return u.String()
}

// perPage is how many lines a list shows at a time.
const perPage = 100

func queryOf(r *http.Request) query {
	f := r.URL.Query()
	from, _ := strconv.Atoi(f.Get("from")) // anything else is the start
	return query{Words: f.Get("q"), Kind: f.Get("kind"), State: f.Get("state"), Order: f.Get("order"), From: max(0, from)}
}

// with is the address of the list from another place on.
func (q query) with(from int) string {
	values := url.Values{}
	for name, value := range map[string]string{"q": q.Words, "kind": q.Kind, "state": q.State, "order": q.Order} {
		if value != "" {
			values.Set(name, value)
		}
	}
	if from > 0 {
		values.Set("from", strconv.Itoa(from))
	}
	if len(values) == 0 {
		return "/runs"
	}
	return "/runs?" + values.Encode()
}

// A listing is a page of the list.
type listing struct {
	Folder string
	Query  query
	Runs   []*runEntry
	Fit    int  // runs that fit the query
	All    int  // runs there are
	More   bool // the folder is still being looked through
	Live   bool // something may change soon
}

// every is how often the page asks again, in the words of htmx.
func (l *listing) every() string {
	if l.More {
		return "every 500ms"
	}
	return "every 3s"
}

func (v *Viewer) list(w http.ResponseWriter, r *http.Request) error {
	runs, more := v.index.list(r.Context())
	q := queryOf(r)
	fit := filter(runs, q)
	l := &listing{Folder: v.options.Folder, Query: q, Fit: len(fit), All: len(runs), More: more}
	from := min(q.From, len(fit))
	l.Runs = fit[from:min(from+perPage, len(fit))]
	l.Live = more || slices.ContainsFunc(runs, func(r *runEntry) bool { return r.State == running })
	return show(w, listPage(l))
}
