package annotate

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/people"
	"omniscope/web"
)

// A personRow is a person as those who run the project see them.
type personRow struct {
	people.Person
	Submitted, Open int
	Active          time.Duration
	Last            time.Time
}

// An overviewData is what the overview shows.
type overviewData struct {
	Stages  []people.Progress
	People  []personRow
	Invited string // the address of a new link
	Exports []people.Export
	Tables  []omniscope.Table // clips that cannot be shown, and work that does not count
	Retry   bool              // a clip failed, and can be tried again
}

func (s *Site) overviewData() *overviewData {
	d := &overviewData{Stages: s.Workplace.Progress(), Exports: s.exports()}
	rows := make(map[string]*personRow)
	for _, p := range s.Workplace.People() {
		d.People = append(d.People, personRow{Person: p})
	}
	for i := range d.People {
		rows[d.People[i].ID] = &d.People[i]
	}
	for _, t := range s.Workplace.Tasks() {
		row := rows[t.Person]
		if row == nil {
			continue // work that was done elsewhere
		}
		row.Active += t.Active
		if t.Last.After(row.Last) {
			row.Last = t.Last
		}
		switch t.State {
		case people.Submitted:
			row.Submitted++
		case people.Started:
			row.Open++
		}
	}
	if t, any := people.ClipTable(s.Workplace); any {
		d.Tables, d.Retry = append(d.Tables, t), s.Media != nil
	}
	if t, any := people.LeftOutTable(s.Workplace); any {
		d.Tables = append(d.Tables, t)
	}
	return d
}

// retryClips tries clips again that could not be shown.
func (s *Site) retryClips(w http.ResponseWriter, r *http.Request, _ *people.Person) error {
	if s.Media != nil {
		s.Media.Retry()
	}
	return redirect(w, r, "/overview")
}

func (s *Site) overview(w http.ResponseWriter, r *http.Request, p *people.Person) error {
	web.Write(w, http.StatusOK, overviewPage(s.frame(r, p, word("overview")), s.overviewData()))
	return nil
}

// exports are the files of the project's kind, and the log.
func (s *Site) exports() []people.Export {
	return append(s.Workplace.Kind().Exports, people.EventsExport)
}

// between is how often the overview is told of changes at most.
const between = time.Second

// live tells the overview that something changed, as server-sent events.
func (s *Site) live(w http.ResponseWriter, r *http.Request, _ *people.Person) error {
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		changed := s.Workplace.Changed()
		if _, err := fmt.Fprintf(w, "data: %d\n\n", s.Workplace.Seq()); err != nil {
			return nil //nolint: the page was closed
		}
		if err := out.Flush(); err != nil {
			return nil
		}
		select {
		case <-r.Context().Done():
			return nil
		case <-changed:
		}
		select {
		case <-r.Context().Done():
			return nil
		case <-time.After(between):
		}
	}
}

func (s *Site) invite(w http.ResponseWriter, r *http.Request, p *people.Person) error {
	id := strings.TrimSpace(r.FormValue("id"))
	role := people.ProjectRole(r.FormValue("role"))
	name := strings.TrimSpace(r.FormValue("name"))
	if len(name) > 200 {
		return omniscope.Usagef("the name is too long: 200 bytes at most")
	}
	link, err := s.Workplace.Invite(r.Context(), id, name, role)
	if err != nil {
		return err
	}
	d := s.overviewData()
	scheme := "http"
	if s.TLS {
		scheme = "https"
	}
	d.Invited = scheme + "://" + r.Host + "/join/" + link
	web.Write(w, http.StatusOK, overviewPage(s.frame(r, p, word("overview")), d))
	return nil
}

func (s *Site) closeAccount(w http.ResponseWriter, r *http.Request, p *people.Person) error {
	id := r.FormValue("id")
	if id == p.ID {
		return omniscope.Usagef("this is your own account: another owner can close it")
	}
	if err := s.Workplace.CloseAccount(r.Context(), id); err != nil {
		return err
	}
	return redirect(w, r, "/overview")
}

// assign gives items to a person: some by name, or the next so many that nobody has.
func (s *Site) assign(w http.ResponseWriter, r *http.Request, _ *people.Person) error {
	items := strings.Fields(r.FormValue("items"))
	if err := s.Workplace.Assign(r.Context(), r.FormValue("stage"), r.FormValue("person"), items); err != nil {
		return err
	}
	return redirect(w, r, "/overview")
}

// tables are the results of the project.
func (s *Site) tables(ctx context.Context) (tables []omniscope.Table, err error) {
	if of := s.Workplace.Kind().Tables; of != nil {
		if tables, err = of(ctx, s.Workplace); err != nil && omniscope.KindOf(err) != omniscope.Usage {
			return nil, err // Usage: there is nothing to compute from yet
		}
	}
	if s.Tables == nil {
		return tables, nil
	}
	more, err := s.Tables(ctx, s.Workplace)
	return append(tables, more...), err
}

func (s *Site) results(w http.ResponseWriter, r *http.Request, p *people.Person) error {
	tables, err := s.tables(r.Context())
	if err != nil {
		return err
	}
	web.Write(w, http.StatusOK, resultsPage(s.frame(r, p, word("results")), tables))
	return nil
}

func (s *Site) export(w http.ResponseWriter, r *http.Request, _ *people.Person) error {
	exports := s.exports()
	i := slices.IndexFunc(exports, func(e people.Export) bool { return e.Name == r.PathValue("name") })
	if i < 0 {
		return omniscope.NotFoundf("there is no file %q", r.PathValue("name"))
	}
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": exports[i].File}))
	w.Header().Set("Content-Type", "application/octet-stream")
	began := &noted{to: w}
	err := exports[i].Write(r.Context(), s.Workplace, began)
	if err != nil && began.any {
		panic(http.ErrAbortHandler) // half a file must not look like a whole one
	}
	if err != nil {
		w.Header().Del("Content-Disposition")
	}
	return err
}

// noted knows whether anything was written.
type noted struct {
	to  io.Writer
	any bool
}

func (n *noted) Write(b []byte) (int, error) {
	n.any = true
	return n.to.Write(b)
}
