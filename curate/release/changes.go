package release

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
)

// changesFile lists what differs from the release before.
const changesFile = "CHANGES.md"

// changes are the differences of two versions, by id.
type changes struct {
	From, To                string
	Added, Removed, Changed []string
	What                    map[string][]string // parts of changed items: row, source, media, split
}

// Any reports whether an item differs.
func (c *changes) Any() bool { return len(c.Added)+len(c.Removed)+len(c.Changed) > 0 }

func compareVersions(before, now *releaseVersion) *changes {
	c := &changes{From: before.Version, To: now.Version, What: make(map[string][]string)}
	old := make(map[string]entry)
	for _, e := range before.Items {
		old[e.ID] = e
	}
	for _, e := range now.Items {
		o, ok := old[e.ID]
		delete(old, e.ID)
		if !ok {
			c.Added = append(c.Added, e.ID)
		} else if what := differing(o, e); len(what) > 0 {
			c.Changed, c.What[e.ID] = append(c.Changed, e.ID), what
		}
	}
	c.Removed = sortedKeys(old)
	return c
}

func differing(a, b entry) (what []string) {
	for _, part := range []struct{ name, a, b string }{
		{"row", a.Row, b.Row}, {"source", a.Source, b.Source}, {"media", a.Media, b.Media}, {"split", a.Split, b.Split},
	} {
		if part.a != part.b {
			what = append(what, part.name)
		}
	}
	return what
}

// next is the version that the differences ask for, by the section "Version" of Croissant 1.0: MAJOR where existing data
// changed, MINOR where some were added.
func (c *changes) next() string {
	v, _ := parseVersion(c.From) // checked when it was read
	switch {
	case len(c.Changed)+len(c.Removed) > 0:
		v = [3]int{v[0] + 1, 0, 0}
	case len(c.Added) > 0:
		v = [3]int{v[0], v[1] + 1, 0}
	}
	return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2])
}

// checkVersion refuses a release whose items differ from the previous one's under the same or a lower version.
func (s *set) checkVersion() error {
	if s.previous == nil {
		return nil
	}
	if s.previous.Name != s.version.Name {
		return omniscope.Invalidf("%s holds a release of %q, and the settings are of %q", s.o.Previous, s.previous.Name, s.version.Name)
	}
	s.changes = compareVersions(s.previous, s.version)
	before, _ := parseVersion(s.previous.Version)
	now, err := parseVersion(s.version.Version)
	if err != nil {
		return err
	}
	c, order := s.changes, slices.Compare(now[:], before[:])
	counts := fmt.Sprintf("%d items changed, %d are new and %d are gone", len(c.Changed), len(c.Added), len(c.Removed))
	switch wanted, _ := parseVersion(c.next()); {
	case order < 0:
		return omniscope.Invalidf("version %s is lower than %s of the previous release", c.To, c.From)
	case c.Any() && order == 0:
		return omniscope.Invalidf("%s since version %s, and the version is still %s: set version to %s (%s)", counts, c.From, c.To, c.next(),
			list(slices.Concat(c.Changed, c.Added, c.Removed)))
	case slices.Compare(now[:], wanted[:]) < 0:
		s.warn("%s since version %s: Croissant 1.0 asks for version %s then, not %s", counts, c.From, c.next(), c.To)
	}
	return nil
}

// write writes the changes, and below them those of earlier releases.
func (c *changes) write(w io.Writer, previous string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Changes\n\n## %s, after %s\n\n", c.To, c.From)
	if !c.Any() {
		b.WriteString("The items are the same.\n")
	}
	for _, part := range []struct {
		title string
		ids   []string
	}{{"Changed", c.Changed}, {"Added", c.Added}, {"Removed", c.Removed}} {
		if len(part.ids) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s: %d\n\n", part.title, len(part.ids))
		for _, id := range part.ids {
			b.WriteString("- " + escape(id))
			if what := c.What[id]; what != nil {
				b.WriteString(": " + strings.Join(what, ", "))
			}
			b.WriteByte('\n')
		}
		b.WriteByte('\n')
	}
	if text, err := readSmall(filepath.Join(previous, changesFile)); err == nil {
		b.WriteString(strings.TrimPrefix(string(text), "# Changes\n\n"))
	} else if !os.IsNotExist(err) && !isNotFound(err) {
		return err
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}
