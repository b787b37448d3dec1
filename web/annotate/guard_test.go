package annotate_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
	"omniscope/web"
	"omniscope/web/annotate"
)

// TestWhoRunsTheProjectLooksAtWork has a lead follow the overview to work of a stage that is not for
// leads, and withdraw it.
func TestWhoRunsTheProjectLooksAtWork(t *testing.T) {
	s := serve(t)
	ann, lea, olga := s.signIn("ann"), s.signIn("lea"), s.signIn("olga")
	ann.post("/next/say", "", nil)
	status, page := lea.get("/task/say/i0?person=ann")
	wants(t, "the lead looks", status, 200, page, `"mine":false`, "/withdraw/say/i0/ann")
	olga.post("/take/say/i0", "", nil)
	status, page = olga.get("/task/say/i0?person=ann")
	wants(t, "who has the item open", status, 403, page, "submit it or give it back first")
	lea.post("/withdraw/say/i0/ann", "", nil)
	status, page = ann.get("/task/say/i0")
	wants(t, "withdrawn", status, 200, page, "This work was withdrawn")
}

func TestNamesOfClipsAreHidden(t *testing.T) {
	s := serve(t, &people.Item{ID: "i0", Media: []people.Media{{File: "secretsystem/a.mp4"}}})
	if warnings, err := s.media.Check(t.Context(), s.w); err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "1 clips are not below the folders of --media and cannot be shown, such as secretsystem/a.mp4") {
		t.Errorf("warnings %q (%v)", warnings, err)
	}
	ann, olga := s.signIn("ann"), s.signIn("olga")
	ann.post("/next/say", "", nil)
	for _, path := range []string{"/task/say/i0", "/clip/say/i0/0/ready"} {
		if _, page := ann.get(path); strings.Contains(page, "secretsystem") || !strings.Contains(page, "cannot be shown") {
			t.Errorf("%s: %.2000s", path, page)
		}
	}
	status, page := olga.get("/clip/say/i0/0/ready")
	wants(t, "the owner", status, 404, page, "secretsystem/a.mp4")
}

// TestTwoProjectsOnOneMachine signs in to two servers whose cookies browsers do not tell apart by port.
func TestTwoProjectsOnOneMachine(t *testing.T) {
	s := serve(t)
	ann := s.signIn("ann")
	w := peopletest.Open(t, kind, &people.Plan{Project: people.Project{Name: "q", Kind: "test", Stages: s.w.Project().Stages}, Items: peopletest.Items(&people.Item{ID: "i0"})})
	other := httptest.NewServer(web.Handler(annotate.New(annotate.Options{Workplace: w}).Handler(), "", nil))
	defer other.Close()
	link, err := w.Invite(t.Context(), "ann", "", "")
	fixture.OK(t, err)
	answer, err := ann.http.Post(other.URL+"/join/"+link, "", nil)
	if err != nil || answer.StatusCode != 200 {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
	status, page := ann.get("/")
	wants(t, "the first project", status, 200, page, "Your work")
}

// TestBehindAProxy has one of many browsers behind a proxy guess links, and write another address
// into what the proxy passes on.
func TestBehindAProxy(t *testing.T) {
	s := serve(t)
	pages := annotate.New(annotate.Options{Workplace: s.w, TLS: true, Proxy: true}).Handler()
	join := func(link, from string) *http.Response {
		r := httptest.NewRequest("POST", "/join/"+link, nil)
		r.Header.Set("X-Forwarded-For", from)
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		return w.Result()
	}
	for range 10 {
		join("guess", "10.0.0.9, 192.0.2.1")
	}
	if got := join("guess", "10.0.0.8, 192.0.2.1"); got.StatusCode != http.StatusTooManyRequests {
		t.Errorf("guessing goes on: %d", got.StatusCode)
	}
	got := join(s.links["ann"], "192.0.2.2")
	if got.StatusCode != http.StatusSeeOther {
		t.Fatalf("others cannot sign in meanwhile: %d", got.StatusCode)
	}
	if c := got.Cookies()[0]; !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" || c.SameSite != http.SameSiteLaxMode {
		t.Errorf("the cookie is %+v", c)
	}
}

func TestAnotherLinkKeepsRoleAndName(t *testing.T) {
	s := serve(t)
	olga := s.signIn("olga")
	status, page := olga.post("/invite", "application/x-www-form-urlencoded", strings.NewReader(url.Values{"id": {"lea"}, "role": {""}}.Encode()))
	wants(t, "invited again", status, 200, page, "/join/", `<option value="">`)
	for _, p := range s.w.People() {
		if p.ID == "lea" && (p.Role != people.Lead || !strings.HasPrefix(p.Name, "Name")) {
			t.Errorf("%+v", p)
		}
	}
}

// TestABodyThatNeverComes keeps no connection for long. The deadline itself is a minute: what is
// tested is that one is set.
func TestABodyThatNeverComes(t *testing.T) {
	s := serve(t)
	set := make(chan bool, 10)
	server := httptest.NewUnstartedServer(annotate.New(annotate.Options{Workplace: s.w}).Handler())
	server.Listener = noting{server.Listener, set}
	server.Start()
	defer server.Close()
	r, w := io.Pipe()
	defer w.Close()
	go http.Post(server.URL+"/save/say/i0", "application/json", r)
	select {
	case <-set:
	case <-time.After(10 * time.Second):
		t.Error("a connection is kept for ever")
	}
}

// noting listens, and says when a connection is given a time until which it must be read.
type noting struct {
	net.Listener
	set chan bool
}

func (l noting) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return notingConn{c, l.set}, err
}

type notingConn struct {
	net.Conn
	set chan bool
}

func (c notingConn) SetReadDeadline(at time.Time) error {
	if time.Until(at) > 0 {
		select {
		case c.set <- true:
		default:
		}
	}
	return c.Conn.SetReadDeadline(at)
}
