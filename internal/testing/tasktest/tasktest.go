// Package tasktest holds the suite that every kind of run passes. Its units are done in any order, again, by several
// processes and after interruptions, and the run then writes the bytes of an undisturbed one and asks no question twice.
package tasktest

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/run/journal"
	"omniscope/session"
	"omniscope/session/journals"
)

// A Kind is a run of a kind, small: a few units and a few questions.
type Kind struct {
	Kinds session.Kinds // that read the run back from a journal
	Reply fake.Responder

	// Open makes a new Task of the run and opens it, as its command does. Roles are given the endpoint by m.Address.
	Open func(ctx context.Context, m *session.Machine) (session.Units, error)

	File  string               // of the results; "" = they are a folder
	Calls func(*session.Calls) // changes how models are called; nil = nothing to change

	// Normal leaves out of a file of results what differs from command to command: times, durations, what
	// the command itself took. The folder of the run is left out already. nil = nothing differs.
	Normal func(name, text string) string

	// Bound is the most requests that a forecast allows. Unbounded is the reason for having no forecast.
	Bound     func(ctx context.Context, m *session.Machine) (int, error)
	Unbounded string

	Alone string // why no worker opens the run; "" = any does
	// Program describes the run with a program that the user brings. NoPrograms is the reason for having no program.
	Program    func(command string) session.Task
	NoPrograms string
}

// concurrency is how many calls are on their way at a time.
const concurrency = 2

// Suite runs all checks on a kind.
func Suite(t *testing.T, k Kind) {
	s := &suite{Kind: k, base: t.TempDir()}
	s.endpoint = &endpoint{reply: k.Reply}
	s.url = fake.Start(t, fake.Config{Reply: s.endpoint.answer}).URL()
	s.undisturbed(t)
	if t.Failed() {
		return
	}
	t.Run("any order", s.anyOrder)
	t.Run("every unit twice", s.twice)
	t.Run("one shared journal", s.sharedJournal)
	t.Run("one folder", s.oneFolder)
	t.Run("cut at requests", s.cutAtRequests)
	t.Run("cut after every unit", s.cutAfterUnits)
	t.Run("bound of the forecast", s.bound)
	t.Run("description", s.description)
	t.Run("programs of others", s.programs)
}

// A suite is what the checks of a kind share: one endpoint, because its address is part of what runs are known by.
type suite struct {
	Kind
	*endpoint
	url   string
	base  string // folder of all sites
	sites int

	files    map[string]string // of an undisturbed run
	requests asked             // likewise
	units    int
	parts    bool // of the run can be done by themselves
}

// A site is where one run is done: its working folder, its journal and its results.
type site struct {
	*suite
	dir   string
	calls session.Calls
}

// site makes a new site and resets the counts of requests.
func (s *suite) site() *site {
	s.forget()
	s.sites++
	dir := filepath.Join(s.base, strconv.Itoa(s.sites), "first")
	one := &site{suite: s, dir: dir, calls: session.Calls{WorkDir: filepath.Join(dir, "work"), MaxConcurrency: concurrency, Timeout: time.Minute, StopUnusable: 20, Journals: journals.All}}
	if s.Kind.Calls != nil {
		s.Kind.Calls(&one.calls)
	}
	return one
}

// beside returns a site with another working folder and other results on the same journal.
func (s *site) beside(name string) *site {
	other := *s
	other.dir = filepath.Join(filepath.Dir(s.dir), name) // as deep, so that relative paths are the same
	other.calls.Journal, other.calls.WorkDir = s.calls.JournalAt(), filepath.Join(other.dir, "work")
	return &other
}

// machine is one that writes results to the site.
func (s *site) machine() *session.Machine {
	out := filepath.Join(s.dir, "out")
	calls := s.calls // of this process
	return &session.Machine{Calls: &calls, Warnings: io.Discard, Out: filepath.Join(out, s.File), Address: func(r *session.Role) { r.BaseURL = s.url }}
}

// open opens the run.
func (s *site) open(t *testing.T, m *session.Machine) session.Units {
	t.Helper()
	fixture.OK(t, os.MkdirAll(filepath.Dir(m.Out), 0o755))
	u, err := s.Open(t.Context(), m)
	fixture.OK(t, err)
	return u
}

// finish does the run as its command does. change changes its units; nil = nothing.
func (s *site) finish(t *testing.T, ctx context.Context, change func(*changed)) error {
	t.Helper()
	m := s.machine()
	c := &changed{Units: s.open(t, m)}
	if change != nil {
		change(c)
	}
	return session.Finish(ctx, c, m)
}

// same does the run, and checks that no question was asked that an undisturbed run does not ask, nor one more often, and
// that the results are the same.
func (s *site) same(t *testing.T) {
	t.Helper()
	fixture.OK(t, s.finish(t, t.Context(), nil))
	if more := s.soFar().without(s.requests); more > 0 {
		t.Errorf("%d requests more than the %d of an undisturbed run", more, s.requests.sum())
	}
	s.wrote(t)
}

// quiet does the run, and checks that nothing is asked and that the results are the same.
func (s *site) quiet(t *testing.T) {
	t.Helper()
	before := s.soFar().sum()
	fixture.OK(t, s.finish(t, t.Context(), nil))
	if n := s.soFar().sum() - before; n > 0 {
		t.Errorf("%d requests, although all was done before", n)
	}
	s.wrote(t)
}

// wrote checks that the results are equal to the results of an undisturbed run.
func (s *site) wrote(t *testing.T) {
	t.Helper()
	if diff := cmp.Diff(s.files, s.written(t)); diff != "" {
		t.Errorf("the results differ from an undisturbed run: %.4000s", diff)
	}
}

// written are the files of the results by name, without locks.
func (s *site) written(t *testing.T) map[string]string {
	t.Helper()
	files, out := make(map[string]string), filepath.Join(s.dir, "out")
	err := filepath.WalkDir(out, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		name, err := filepath.Rel(out, path)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(fixture.Read(t, path), s.dir, "SITE")
		if s.Normal != nil {
			text = s.Normal(filepath.ToSlash(name), text)
		}
		files[name] = text
		return nil
	})
	fixture.OK(t, err)
	return files
}

// part opens the run to do parts of it.
func (s *site) part(t *testing.T) *session.Work {
	t.Helper()
	m := s.machine()
	w, err := session.Part(t.Context(), s.open(t, m), m, session.Shard{})
	fixture.OK(t, err)
	return w
}

// do does units of the run in this order. A run without parts is done completely, with its units in this order.
func (s *site) do(t *testing.T, order []int) {
	t.Helper()
	if !s.parts {
		fixture.OK(t, s.finish(t, t.Context(), func(c *changed) { c.order = order }))
		return
	}
	w := s.part(t)
	for _, unit := range order {
		fixture.OK(t, w.Do(t.Context(), unit))
	}
	fixture.OK(t, w.Close())
}

// upTo are the units of the run, in order.
func (s *suite) upTo() (all []int) {
	for unit := range s.units {
		all = append(all, unit)
	}
	return all
}

// undisturbed does the run once, again, and once more with results elsewhere.
func (s *suite) undisturbed(t *testing.T) {
	one := s.site()
	fixture.OK(t, one.finish(t, t.Context(), func(c *changed) {
		s.units, s.parts = c.Plan().Units, c.Plan().Here == nil
	}))
	s.files, s.requests = one.written(t), s.soFar()
	if len(s.files) == 0 || s.units == 0 || (s.Reply != nil) != (s.requests.sum() > 0) {
		t.Fatalf("%d units, %d requests, %d files", s.units, s.requests.sum(), len(s.files))
	}
	if !s.parts && s.Alone == "" {
		t.Error("the run has no parts: say why in Kind.Alone")
	}
	t.Logf("%d units, %d requests, %d files", s.units, s.requests.sum(), len(s.files))
	one.quiet(t)
	one.beside("elsewhere").quiet(t)
}

// describe has the journal describe the run, and returns its description and the order for workers.
func (s *site) describe(t *testing.T) (journal.Description, session.Order) {
	t.Helper()
	m := s.machine()
	u := s.open(t, m)
	d := u.Plan().Description
	w, err := session.Part(t.Context(), u, m, session.Shard{})
	fixture.OK(t, err)
	fixture.OK(t, w.Close())
	return d, w.Order
}

// refused checks that an error is a sentence for the user.
func refused(t *testing.T, err error) {
	t.Helper()
	if kind := omniscope.KindOf(err); err == nil || !slices.Contains([]omniscope.Kind{omniscope.Usage, omniscope.Invalid, omniscope.NotFound}, kind) {
		t.Errorf("%v, want an error that says what to do", err)
	}
}
