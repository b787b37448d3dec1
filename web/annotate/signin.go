package annotate

import (
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"omniscope/internal/sha256hex"
	"omniscope/people"
	"omniscope/web"
)

// cookieName is that of the cookie with the secret of a session. Browsers send cookies to all ports of
// a machine, so that each project has its own. A name with __Host- cannot be set by other hosts of
// the same domain.
func (s *Site) cookieName() string {
	name := "omniscope_people_" + sha256hex.Of(s.Workplace.Project().ID)[:8]
	if s.TLS {
		return "__Host-" + name
	}
	return name
}

// who is the person who sent a request; nil = nobody who is signed in.
func (s *Site) who(r *http.Request) *people.Person {
	c, err := r.Cookie(s.cookieName())
	if err != nil {
		return nil
	}
	return s.Workplace.Who(c.Value)
}

// joinPage asks before it uses up a link: programs that look at links in messages must not.
func (s *Site) joinPage(w http.ResponseWriter, r *http.Request) {
	web.Write(w, http.StatusOK, joinPage(s.frame(r, nil, word("join"))))
}

func (s *Site) join(w http.ResponseWriter, r *http.Request) {
	if !s.attempts.allow(s.addressOf(r)) {
		w.Header().Set("Retry-After", "60")
		s.refuse(w, r, http.StatusTooManyRequests, denied("%s", word("too many")))
		return
	}
	session, until, err := s.Workplace.SignIn(r.Context(), r.PathValue("link"))
	if err != nil {
		s.attempts.failed(s.addressOf(r))
		s.refuse(w, r, statusOf(err), err)
		return
	}
	http.SetCookie(w, s.cookie(session, until))           // the link is used up, whatever comes
	if old, err := r.Cookie(s.cookieName()); err == nil { // nobody else may have given the browser its session
		if err := s.Workplace.SignOut(r.Context(), old.Value); err != nil {
			s.refuse(w, r, statusOf(err), err)
			return
		}
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *Site) cookie(value string, until time.Time) *http.Cookie {
	return &http.Cookie{Name: s.cookieName(), Value: value, Path: "/", Expires: until, HttpOnly: true, Secure: s.TLS, SameSite: http.SameSiteLaxMode}
}

func (s *Site) leave(w http.ResponseWriter, r *http.Request, _ *people.Person) error {
	c, err := r.Cookie(s.cookieName())
	if err != nil {
		return err
	}
	if err := s.Workplace.SignOut(r.Context(), c.Value); err != nil {
		return err
	}
	http.SetCookie(w, s.cookie("", time.Unix(1, 0)))
	return redirect(w, r, "/")
}

// Failed sign-ins from one address in a while, and from all.
const (
	mostOfOne = 10
	mostOfAll = 1000
	aWhile    = time.Minute
)

// attempts counts failed sign-ins. A link has 128 random bits: this keeps guessing out of the
// logs and off the processor rather than out of the project.
type attempts struct {
	mu    sync.Mutex
	since time.Time
	all   int
	by    map[string]int
}

// addressOf is where a request comes from. A proxy adds that at the end of what browsers may have
// written there.
func (s *Site) addressOf(r *http.Request) string {
	if list := r.Header.Values("X-Forwarded-For"); s.Proxy && len(list) > 0 {
		last := list[len(list)-1]
		return strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

func (a *attempts) allow(address string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if time.Since(a.since) > aWhile {
		a.since, a.all, a.by = time.Now(), 0, make(map[string]int)
	}
	return a.by[address] < mostOfOne && a.all < mostOfAll
}

func (a *attempts) failed(address string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all++
	a.by[address]++
}
