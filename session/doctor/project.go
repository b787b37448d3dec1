package doctor

import (
	"context"
	"strings"

	"omniscope/internal/settings"
	"omniscope/session/config"
)

// A project is what omniscope.yaml defines.
type project struct {
	Path     string   `json:"path"`
	Models   []string `json:"models"`  // as NAME = PROVIDER/NAME
	Systems  []string `json:"systems"` // names
	Defaults []string `json:"defaults"`
	Settings []string `json:"settings"`
	Problem  string   `json:"problem"` // why it cannot be read; "" = it can

	atAddress []string // names of models that have an address
}

// examineProject reads the nearest omniscope.yaml; nil = no folder has one.
func examineProject(ctx context.Context) *project {
	f, err := config.Nearest(ctx)
	switch {
	case err != nil:
		return &project{Path: config.Name, Problem: err.Error()}
	case f == nil:
		return nil
	}
	p := &project{Path: f.Path, Defaults: named(f.Defaults), Settings: named(f.Settings)}
	for _, m := range f.Models {
		p.Models = append(p.Models, m.Name+" = "+m.Ref.Shown())
		if _, given := m.Ref.Get("base-url"); given {
			p.atAddress = append(p.atAddress, m.Name)
		}
	}
	for _, s := range f.Systems {
		p.Systems = append(p.Systems, s.Name)
	}
	return p
}

func named(all settings.Settings) (texts []string) {
	for _, s := range all {
		texts = append(texts, s.Name+" "+strings.Join(s.Values, ","))
	}
	return texts
}

// addressed are the models that can be asked without a provider's key or address.
func (p *project) addressed() (names []string) {
	if p == nil {
		return nil
	}
	for _, name := range p.atAddress {
		names = append(names, name+" (omniscope.yaml)")
	}
	return names
}

// say prints the file and what it defines.
func (p *project) say(say func(what, format string, args ...any)) {
	if p.Problem != "" {
		say("project", "cannot be read: %s", p.Problem)
		return
	}
	say("project", "%s", p.Path)
	for _, part := range []struct {
		what  string
		texts []string
	}{{"models", p.Models}, {"systems", p.Systems}, {"defaults", p.Defaults}, {"settings", p.Settings}} {
		if len(part.texts) > 0 {
			say("", "%s: %s", part.what, strings.Join(part.texts, "; "))
		}
	}
}
