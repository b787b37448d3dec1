package people

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// How long a person stays signed in.
const signedIn = 30 * 24 * time.Hour

// secret makes 128 random bits, and what is kept of them.
func secret() (text string, kept []byte) {
	b := make([]byte, 16)
	rand.Read(b) // never fails
	text = base64.RawURLEncoding.EncodeToString(b)
	return text, digest(text)
}

func digest(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// Invite gives a person a role, and returns the secret of a link that signs them in, once. A
// person who is there already gets a new link, and keeps their work.
func (w *Workplace) Invite(ctx context.Context, id, name string, role Role) (link string, err error) {
	if !slices.Contains(Roles, role) {
		return "", usage("there is no role %q: %s", role, names(Roles))
	}
	if id == "" || strings.ContainsAny(id, "/ \t\n") || len(id) > 64 {
		return "", usage("a person's id is one word of at most 64 bytes, not %q", id)
	}
	link, kept := secret()
	_, err = w.Tell(ctx, NewEvent(PersonSet, "", &Person{ID: id, Name: name, Role: role, Invite: kept}))
	return link, err
}

func names(roles []Role) string {
	var out []string
	for _, r := range roles {
		out = append(out, string(r))
	}
	return strings.Join(out, ", ")
}

// errLink is the same for a link that never was and one that is used up.
var errLink = errors.New("this link is not valid, or was used: ask whoever runs the project for a new one")

// SignIn uses up the secret of a link, and returns that of a session.
func (w *Workplace) SignIn(ctx context.Context, link string) (session string, until time.Time, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	kept := digest(link)
	for _, p := range w.people {
		if p.Invite == nil || string(p.Invite) != string(kept) { // both are digests: their time tells nothing
			continue
		}
		used := *p
		used.Invite = nil
		session, kept := secret()
		until := w.now().Add(signedIn).UTC()
		events := []*Event{NewEvent(PersonSet, "", &used), NewEvent(SessionNew, p.ID, &Session{Person: p.ID, Secret: kept, Until: until})}
		if err := w.log.Append(ctx, events); err != nil {
			return "", time.Time{}, err
		}
		for _, e := range events {
			if err := w.apply(e); err != nil {
				return "", time.Time{}, err
			}
		}
		return session, until, nil
	}
	return "", time.Time{}, denied("%w", errLink)
}

// Who is the person of a session; nil = nobody, or it has ended.
func (w *Workplace) Who(session string) *Person {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.sessions[string(digest(session))]
	if s == nil || w.now().After(s.Until) || w.people[s.Person] == nil {
		return nil
	}
	p := *w.people[s.Person]
	return &p
}

// Can reports whether a role may work at a stage.
func (s *Stage) Can(r Role) bool { return slices.Contains(s.By, r) }

// String names the stage for messages.
func (s *Stage) String() string { return fmt.Sprintf("%s (%s)", s.Name, s.Title) }
