package people

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"omniscope"
)

// How long a person stays signed in, and how long a link may be used.
const (
	signedIn  = 30 * 24 * time.Hour
	linkValid = 14 * 24 * time.Hour
)

// newSecret makes 128 random bits, and what is kept of them.
func newSecret() (text string, kept []byte) {
	b := make([]byte, 16)
	rand.Read(b) // never fails
	text = base64.RawURLEncoding.EncodeToString(b)
	return text, digest(text)
}

func digest(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// Invite gives a person a name and a role, and returns the secret of a link that signs them in,
// once. A person who is there already gets a new link and keeps their work; "" leaves their name and
// role as they are. Somebody new without a role is an annotator.
func (w *Workplace) Invite(ctx context.Context, id, name string, role ProjectRole) (link string, err error) {
	w.accounts.Lock()
	defer w.accounts.Unlock()
	if p := w.person(id); p != nil {
		name, role = cmp.Or(name, p.Name), cmp.Or(role, p.Role)
	}
	if role = cmp.Or(role, Annotator); !slices.Contains(ProjectRoles, role) {
		return "", omniscope.Usagef("there is no role %q: the roles are %s", role, roleNames())
	}
	if !IsPersonID(id) {
		return "", omniscope.Usagef("a person's id is one word of at most 64 bytes, letters, digits and any of . _ @ + -, such as ann or ann@example.org, not %q", id)
	}
	link, kept := newSecret()
	p := &Person{ID: id, Name: name, Role: role, Invite: kept, InviteUntil: w.now().Add(linkValid).UTC()}
	return link, w.saveAll(ctx, NewEvent(PersonSet, "", p))
}

// IsPersonID reports whether a text can stand for a person in addresses and files.
func IsPersonID(id string) bool {
	other := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._@+-", r)
	}
	return id != "" && len(id) <= 64 && strings.Trim(id, ".") != "" && !strings.ContainsFunc(id, other)
}

// person is a copy of a person; nil = there is nobody of that id.
func (w *Workplace) person(id string) *Person {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.state.people[id]
	if p == nil {
		return nil
	}
	return new(*p)
}

func roleNames() string {
	var out []string
	for _, r := range ProjectRoles {
		out = append(out, string(r))
	}
	return strings.Join(out, ", ")
}

// CloseAccount keeps a person from signing in and from working. Their work stays.
func (w *Workplace) CloseAccount(ctx context.Context, id string) error {
	w.accounts.Lock()
	defer w.accounts.Unlock()
	p := w.person(id)
	if p == nil {
		return omniscope.NotFoundf("there is nobody called %q", id)
	}
	p.Closed, p.Invite = true, nil
	return w.saveAll(ctx, NewEvent(PersonSet, "", p))
}

// errLink is the same for a link that never was, one that is used up and one that has ended.
var errLink = errors.New("this link is not valid, or was used before: ask whoever runs the project for a new one")

// SignIn uses up the secret of a link, and returns that of a session.
func (w *Workplace) SignIn(ctx context.Context, link string) (session string, until time.Time, err error) {
	w.accounts.Lock() // of two who use a link at the same time one is first
	defer w.accounts.Unlock()
	p := w.invited(link)
	if p == nil {
		return "", time.Time{}, denied("%w", errLink)
	}
	p.Invite = nil
	session, kept := newSecret()
	until = w.now().Add(signedIn).UTC()
	// Saved together: a link is never used up without a session.
	got, err := w.Save(ctx, NewEvent(PersonSet, "", p), NewEvent(SessionNew, "", &loginSession{Person: p.ID, Secret: kept, Until: until}))
	if err != nil {
		return "", time.Time{}, err
	}
	return session, until, cmp.Or(got[0].Err, got[1].Err)
}

// invited is the person of a link that may be used; nil = there is none.
func (w *Workplace) invited(link string) *Person {
	w.mu.Lock()
	defer w.mu.Unlock()
	kept := string(digest(link))
	for _, p := range w.state.people {
		if p.Invite != nil && string(p.Invite) == kept && !p.Closed && w.now().Before(p.InviteUntil) { // digests: how long the comparison takes says nothing of the secret
			return new(*p)
		}
	}
	return nil
}

// SignOut ends a session.
func (w *Workplace) SignOut(ctx context.Context, session string) error {
	return w.saveAll(ctx, NewEvent(SessionEnd, "", &loginSession{Secret: digest(session)}))
}

// Who is the person of a session; nil = nobody, or it has ended.
func (w *Workplace) Who(session string) *Person {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.state.sessions[string(digest(session))]
	if s == nil || w.now().After(s.Until) {
		return nil
	}
	p := w.state.people[s.Person]
	if p == nil || p.Closed {
		return nil
	}
	return new(*p)
}
