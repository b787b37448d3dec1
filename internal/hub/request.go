package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/endpoint"
)

// A remote is what the hub says of a file at a revision.
type remote struct {
	commit string
	etag   string // the SHA-256 of a large file, the git blob id (SHA-1) of a small one
	size   int64
}

// look asks the hub for a file's metadata. Redirects within the hub are
// followed, such as those of renamed repositories; one to another server ends
// the search, as the hub has said all by then.
func (t *task) look(ctx context.Context) (remote, error) {
	ctx, _, stop := t.watch(ctx)
	defer stop()
	answers, err := t.request(ctx, http.MethodHead, t.address(t.repo.Revision), 0)
	if err != nil {
		return remote{}, err
	}
	last := answers[len(answers)-1]
	last.Body.Close()
	if last.StatusCode >= 400 {
		return remote{}, t.refusal(last)
	}
	r := remote{commit: header(answers, "X-Repo-Commit"), etag: header(answers, "X-Linked-Etag"), size: last.ContentLength}
	if r.etag == "" {
		r.etag = last.Header.Get("ETag")
	}
	r.etag = strings.Trim(strings.TrimPrefix(r.etag, "W/"), `"`)
	if size := header(answers, "X-Linked-Size"); size != "" || last.StatusCode != http.StatusOK {
		if r.size, err = strconv.ParseInt(size, 10, 64); err != nil {
			r.size = -1
		}
	}
	if !isCommit(r.commit) || r.digest() == nil || r.size < 0 || isCommit(t.repo.Revision) && r.commit != t.repo.Revision {
		return remote{}, &failure{kind: omniscope.Malformed, what: t.home.Host + " does not answer as the hub does, with commit, digest and size in X-Repo-Commit, ETag and Content-Length",
			mend: "set HF_ENDPOINT to the hub or a true mirror, look whether a proxy answers in its place, or " + t.byHand()}
	}
	return r, nil
}

// header finds a header in the last answer that has it.
func header(answers []*http.Response, name string) string {
	for i := len(answers) - 1; i >= 0; i-- {
		if v := answers[i].Header.Get(name); v != "" {
			return v
		}
	}
	return ""
}

// request sends a request and follows redirects, a HEAD only as long as they
// stay at the endpoint's server. It returns all answers; the bodies of all but
// the last are closed. The token goes to the endpoint's server only, and
// neither it nor an address is in its errors.
func (t *task) request(ctx context.Context, method string, at *url.URL, from int64) (answers []*http.Response, err error) {
	const mostRedirects = 10
	transport := t.Transport // an http.Client would quote signed addresses in its errors
	if transport == nil {
		transport = http.DefaultTransport
	}
	for range mostRedirects {
		req, err := http.NewRequestWithContext(ctx, method, at.String(), nil)
		if err != nil {
			return nil, t.noAnswer(ctx, at.Host, err)
		}
		req.Header.Set("User-Agent", "omniscope")
		req.Header.Set("Accept-Encoding", "identity") // sizes, ranges and digests are of the bytes as they are
		if from > 0 {
			req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
		}
		if t.isHome(at) {
			t.authorize(req)
		}
		resp, err := transport.RoundTrip(req)
		if err != nil {
			return nil, t.noAnswer(ctx, at.Host, err)
		}
		answers = append(answers, resp)
		if resp.StatusCode < 300 || resp.StatusCode >= 400 {
			return answers, nil
		}
		resp.Body.Close()
		next, err := at.Parse(resp.Header.Get("Location"))
		if err != nil || next.Host == "" || next.Scheme != "https" && next.Scheme != at.Scheme {
			return nil, &failure{kind: omniscope.Malformed, what: at.Host + " redirects to what is no address, or is not encrypted", mend: t.byHand()}
		}
		if method == http.MethodHead && !t.isHome(next) {
			return answers, nil
		}
		at = next
	}
	return nil, &failure{kind: omniscope.Malformed, what: fmt.Sprintf("%s redirects more than %d times", t.home.Host, mostRedirects), mend: t.byHand()}
}

// authorize signs a request to the endpoint's server. The password of a mirror
// goes first.
func (t *task) authorize(req *http.Request) {
	if user := t.home.User; user != nil {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
	} else if t.Token.IsSet() {
		req.Header.Set("Authorization", "Bearer "+t.Token.Reveal())
	}
}

// isHome reports whether an address is at the endpoint's server.
func (t *task) isHome(u *url.URL) bool { return u.Scheme == t.home.Scheme && u.Host == t.home.Host }

var errSilence = errors.New("it fell silent")

// watch ends a request whose server has not been heard for too long.
func (t *task) watch(ctx context.Context) (watched context.Context, heard, stop func()) {
	most := t.Timeout
	if most <= 0 {
		most = 10 * time.Second
	}
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(most, func() { cancel(errSilence) })
	return ctx, func() { timer.Reset(most) }, func() { timer.Stop(); cancel(nil) }
}

// insist tries until try succeeds, fails for good, or has failed so many times
// in a row without progress.
func (t *task) insist(ctx context.Context, most int, try func() (progress bool, err error)) error {
	const longest = 5 * time.Minute // a user at a terminal waits no longer
	for failed := 0; ; {
		progress, err := try()
		f, ok := errors.AsType[*failure](err)
		if progress {
			failed = 0
		}
		failed++
		if err == nil || ctx.Err() != nil || !ok || !f.again || failed >= most || f.after > longest {
			return err
		}
		if err := t.pause(ctx, max(f.after, time.Second<<min(failed-1, 3))); err != nil {
			return err
		}
	}
}

func (t *task) pause(ctx context.Context, d time.Duration) error {
	if t.wait != nil {
		return t.wait(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// askedWait reads how long a server asks to wait; 0 = it does not say. The hub says it in the header RateLimit
// (huggingface.co/docs/hub/rate-limits).
func askedWait(resp *http.Response, now time.Time) time.Duration {
	wait := endpoint.RetryAfter(resp.Header, now)
	if wait == 0 && resp.StatusCode == http.StatusTooManyRequests {
		wait = endpoint.LimitReset(resp.Header, now)
	}
	return wait
}
