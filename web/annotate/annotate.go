// Package annotate serves a project of people's work to browsers: sign-in by links, tasks with
// their player and form, and for those who run the project its progress, people, results and
// files. What is asked and what counts is decided in package people and the packages below it.
package annotate

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"time"

	"omniscope"
	"omniscope/media/proxy"
	"omniscope/people"
	"omniscope/web"
)

//go:embed static/*.js
var scripts embed.FS

//go:embed static/annotate.css
var Style string

// Options say what is served.
type Options struct {
	Workplace *people.Workplace
	Tables    func(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) // beside those of the kind
	Media     *media                                                                    // nil = no media
	Runs      http.Handler                                                              // the viewer of runs, for owners and leads; nil = none
	TLS       bool                                                                      // browsers come by https: cookies are for that alone
	Proxy     bool                                                                      // requests come from a proxy, which says where from
}

// A Site answers requests. It is safe for concurrent use.
type Site struct {
	Options
	attempts attempts
}

// New makes the pages of a project.
func New(o Options) *Site { return &Site{Options: o} }

// A page answers a request of a person who is signed in.
type page func(w http.ResponseWriter, r *http.Request, p *people.Person) error

// Handler serves the pages.
func (s *Site) Handler() http.Handler {
	mux := http.NewServeMux()
	files, err := fs.Sub(scripts, "static")
	if err != nil {
		panic(err) // the name is a constant
	}
	mux.Handle("GET /annotate/", http.StripPrefix("/annotate/", http.FileServerFS(files)))
	mux.HandleFunc("GET /annotate/player.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		_, _ = io.WriteString(w, proxy.PlayerJS)
	})
	mux.HandleFunc("GET /join/{link}", s.joinPage)
	mux.HandleFunc("POST /join/{link}", s.join)
	handle := func(pattern string, show page, roles ...people.ProjectRole) {
		mux.HandleFunc(pattern, s.signedIn(show, roles))
	}
	handle("GET /{$}", s.home)
	handle("POST /leave", s.leave)
	handle("POST /next/{stage}", s.next)
	handle("GET /task/{stage}/{item}", s.task)
	handle("POST /take/{stage}/{item}", s.take)
	handle("POST /save/{stage}/{item}", s.save)
	handle("POST /beat/{stage}/{item}", s.beat)
	handle("GET /clip/{stage}/{item}/{n}/ready", s.clipReady)
	handle("GET /clip/{stage}/{item}/{n}/{clip}/{file}", s.clipFile)
	handle("GET /overview", s.overview, running...)
	handle("GET /live", s.live, running...)
	handle("GET /results", s.results, running...)
	handle("POST /retry", s.retryClips, running...)
	handle("POST /withdraw/{stage}/{item}/{person}", s.withdraw, running...)
	handle("POST /invite", s.invite, people.Owner)
	handle("POST /close", s.closeAccount, people.Owner)
	handle("POST /assign", s.assign, people.Owner)
	handle("GET /export/{name}", s.export, people.Owner)
	if s.Runs != nil {
		runs := func(w http.ResponseWriter, r *http.Request, _ *people.Person) error {
			s.Runs.ServeHTTP(w, r)
			return nil
		}
		for _, at := range []string{"/runs", "/run/", "/case/", "/calls/", "/media/", "/picture/", "/wave/", "/compare", "/diff"} {
			handle("GET "+at, runs, running...)
		}
	}
	handle("/", func(_ http.ResponseWriter, r *http.Request, _ *people.Person) error {
		return omniscope.NotFoundf("there is no page at %s", r.URL.Path)
	})
	// Pages of other sites can send forms here, with the cookies of who is signed in.
	return limited(http.NewCrossOriginProtection().Handler(mux))
}

// Limits of a request: bytes, and how long they may take.
const (
	maxBody = 1 << 20
	slowest = time.Minute
)

func limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		if r.ContentLength != 0 {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(slowest)) // servers of tests cannot
		}
		next.ServeHTTP(w, r)
	})
}

// signedIn asks who is there before a page is shown; roles are those who may see it, none = all.
func (s *Site) signedIn(show page, roles []people.ProjectRole) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p := s.who(r)
		if p == nil {
			s.refuse(w, r, http.StatusUnauthorized, errSignIn)
			return
		}
		var err error
		if len(roles) > 0 && !slices.Contains(roles, p.Role) {
			err = denied("this page is for %s", roleList(roles))
		} else {
			err = show(w, r, p)
		}
		if err != nil && r.Context().Err() == nil {
			s.refuse(w, r, statusOf(err), err)
		}
	}
}

// redirect leads to another page after something was changed.
func redirect(w http.ResponseWriter, r *http.Request, to string) error {
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

var errSignIn = errors.New(word("sign in"))

func roleList(roles []people.ProjectRole) string {
	text := string(roles[0]) + "s"
	for _, r := range roles[1:] {
		text += " and " + string(r) + "s"
	}
	return text
}

// statusOf is the HTTP status of an error.
func statusOf(err error) int {
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return http.StatusRequestEntityTooLarge
	}
	switch omniscope.KindOf(err) {
	case omniscope.NotFound:
		return http.StatusNotFound
	case omniscope.Usage, omniscope.Invalid:
		return http.StatusBadRequest
	case omniscope.Denied:
		return http.StatusForbidden
	case omniscope.Transient:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// refuse answers with an error: a line of text to scripts, a page to people.
func (s *Site) refuse(w http.ResponseWriter, r *http.Request, status int, err error) {
	if r.Header.Get("Accept") == "application/json" {
		http.Error(w, err.Error(), status)
		return
	}
	web.Write(w, status, refusedPage(s.frame(r, nil, word("refused")), err))
}

// A frame is what is around every page.
type frame struct {
	Title   string
	Project people.Project
	Person  *people.Person
	Runs    bool
}

func (s *Site) frame(_ *http.Request, p *people.Person, title string) *frame {
	return &frame{Title: title, Project: s.Workplace.Project(), Person: p, Runs: s.Runs != nil}
}

// MayRun reports whether the person sees progress, people and results.
func (f *frame) MayRun() bool { return f.Person != nil && mayRun(f.Person) }

func mayRun(p *people.Person) bool { return slices.Contains(running, p.Role) }

// running are the roles that see progress, people and results.
var running = []people.ProjectRole{people.Owner, people.Lead}

func denied(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Denied, Err: fmt.Errorf(format, args...)}
}
