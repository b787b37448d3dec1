package hub

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"omniscope"
)

// A failure is what went wrong and what the user can do about it.
type failure struct {
	kind  omniscope.Kind
	what  string
	mend  string
	again bool          // another try may succeed
	after time.Duration // how long the server asked to wait before
}

func (f *failure) Error() string { return f.what + ": " + f.mend }

// explain makes an error of File out of one of a task.
func (t *task) explain(ctx context.Context, err error) error {
	f, ok := errors.AsType[*failure](err)
	if ctx.Err() != nil || !ok {
		return cmp.Or(ctx.Err(), err)
	}
	op := "download " + t.name()
	if t.lists {
		op = "list the files of " + t.repo.Kind + " " + t.repo.Name
	}
	if t.pushes {
		op = "push to " + t.repo.Kind + " " + t.repo.Name
	}
	return &omniscope.Error{Kind: f.kind, Op: op, Err: errors.New(t.redact(f.Error())), RetryAfter: f.after}
}

// leastSecret is the length in bytes from which a secret is taken out of texts.
const leastSecret = 8

// redact takes out what is secret: servers have been seen to repeat what they
// were sent.
func (t *task) redact(text string) string {
	password, _ := t.home.User.Password()
	for _, secret := range []string{t.Token.Reveal(), password} {
		if len(secret) >= leastSecret { // shorter ones are none
			text = strings.ReplaceAll(text, secret, t.Token.String())
		}
	}
	return text
}

// byHand says how to do without a connection.
func (t *task) byHand() string {
	if t.pushes {
		return "upload the files yourself at " + bare(t.at("/tree/"+url.PathEscape(t.repo.Revision)))
	}
	s := "download " + t.shown() + " yourself"
	if t.lists {
		s = "copy " + cmp.Or(t.Wanted, "its files") + " from " + bare(t.at("/tree/"+url.PathEscape(t.repo.Revision)))
	}
	if t.ByHand != "" {
		s += " and " + t.ByHand
	}
	return s
}

// noAnswer is the failure of a request that got none. That a name is not known
// or a certificate not trusted does not pass in seconds: no other try.
func (t *task) noAnswer(ctx context.Context, host string, err error) error {
	if context.Cause(ctx) == errSilence {
		err = errSilence
	}
	dns, _ := errors.AsType[*net.DNSError](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	return &failure{kind: omniscope.Transient, again: !untrusted && (dns == nil || !dns.IsNotFound),
		what: fmt.Sprintf("there is no connection to %s (%v)", host, err),
		mend: t.byHand() + ", or set HF_ENDPOINT to a mirror"}
}

// brokenOff is the failure of an answer that ended too early.
func (t *task) brokenOff(ctx context.Context, resp *http.Response, to *sink, err error) error {
	if context.Cause(ctx) == errSilence {
		err = errSilence
	}
	return &failure{kind: omniscope.Transient, again: true,
		what: fmt.Sprintf("%s sent %d of %d bytes, then the connection broke off (%v)", resp.Request.URL.Host, to.done, to.total, cmp.Or(err, io.ErrUnexpectedEOF)),
		mend: "run the same command again to go on from there, or " + t.byHand()}
}

func (t *task) garbled(resp *http.Response, does string) error {
	return &failure{kind: omniscope.Malformed, again: true, what: resp.Request.URL.Host + " " + does,
		mend: "run the same command again, or " + t.byHand()}
}

// refusal is what an answer outside 2xx says. The hub gives its reason in
// X-Error-Code. An address that it redirected to may have expired: the next try
// gets another.
func (t *task) refusal(resp *http.Response) error {
	status, here := resp.StatusCode, t.isHome(resp.Request.URL)
	f := &failure{what: fmt.Sprintf("%s answers %d %s", resp.Request.URL.Host, status, strings.ToLower(http.StatusText(status))),
		after: askedWait(resp, time.Now())}
	switch {
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500 || !here:
		later := "later"
		if f.after > 0 {
			later = "in " + f.after.Round(time.Second).String()
		}
		f.kind, f.again, f.mend = omniscope.Transient, true, "run the same command again "+later+", or "+t.byHand()
		if status == http.StatusTooManyRequests && !t.Token.IsSet() {
			f.mend = "set HF_TOKEN, as the hub allows more to those it knows; or " + f.mend
		}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		f.kind, f.mend = omniscope.Denied, t.access(resp)
	case status == http.StatusNotFound || status == http.StatusGone:
		f.kind, f.mend = omniscope.NotFound, t.missing(resp)
	default:
		f.mend = t.byHand()
	}
	return f
}

// access says how to get at a repository that the hub does not show.
func (t *task) access(resp *http.Response) string {
	page, token := bare(t.at("")), "set HF_TOKEN to an access token of yours (made at "+bare(t.home)+"/settings/tokens)"
	if t.Token.IsSet() {
		token = "see whether HF_TOKEN is valid and may read " + t.repo.Name
	}
	if t.pushes {
		return strings.Replace(token, "may read", "may write to", 1) + "; it needs the right to write there"
	}
	copied := ""
	if t.Wanted != "" {
		copied = "; or " + t.byHand()
	}
	if resp.Header.Get("X-Error-Code") == "GatedRepo" {
		return "accept the conditions at " + page + ", and " + token + copied
	}
	// The hub answers the same for what does not exist.
	return token + ", accept the conditions at " + page + " if it has any, and see whether the name is right" + copied
}

// missing says what is not there.
func (t *task) missing(resp *http.Response) string {
	switch resp.Header.Get("X-Error-Code") {
	case "RepoNotFound":
		if t.pushes {
			return fmt.Sprintf("there is no %s %s that this token may see: correct the name, make it (--create), or %s", t.repo.Kind, t.repo.Name, t.access(resp))
		}
		return fmt.Sprintf("there is no %s %s, or it is private: correct the name, or %s", t.repo.Kind, t.repo.Name, t.access(resp))
	case "RevisionNotFound":
		return fmt.Sprintf("%s %s has no revision %s: see which it has at %s", t.repo.Kind, t.repo.Name, t.repo.Revision, bare(t.at("/tree/main")))
	}
	return fmt.Sprintf("there is no file %s at revision %s: see which there are at %s", t.path, t.repo.Revision, bare(t.at("/tree/"+url.PathEscape(t.repo.Revision))))
}

// disk is the failure of a file operation, nil if err is.
func (t *task) disk(err error) error {
	if err == nil {
		return nil
	}
	f := &failure{kind: omniscope.Internal, what: err.Error(), mend: "set HF_HOME to a folder on another disk and run the same command again"}
	switch {
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		f.what = "the disk of " + t.Cache + " is full"
		f.mend = "make room, or set HF_HOME to a folder on another disk, and run the same command again; what was received is kept"
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		f.kind, f.mend = omniscope.Denied, "set HF_HOME to a folder that you may write to"
	}
	return f
}
