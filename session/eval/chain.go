package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/model/judge"
	"omniscope/session"
	"omniscope/session/tools"
)

// A chain is the models of a benchmark's roles beside its judge, in the order in
// which the benchmark lists them: see bench.Info. A role that no model was named
// for is not there.
type chain []*session.Model

// openChain opens the models of the Spec's roles that the benchmark has.
func openChain(ctx context.Context, s *Spec, info bench.Info, open func(*session.Role) (*session.Model, error)) (c chain, err error) {
	for _, r := range info.Roles {
		role := s.Roles[r.Name]
		if role == nil || role.Model == "" {
			continue
		}
		m, err := open(role)
		if err != nil {
			return nil, err
		}
		if m.Judge == nil {
			return nil, omniscope.Usagef("--%s %s: the %s of %s is a model, or is left out", r.Name, role.Model, r.Name, info.Name)
		}
		c = append(c, m)
	}
	return c, ctx.Err()
}

// judges are the models by role, as a benchmark asks them.
func (c chain) judges() map[string]*judge.Judge {
	judges := make(map[string]*judge.Judge, len(c))
	for _, m := range c {
		judges[m.Role.Name] = m.Judge
	}
	return judges
}

// name writes what shapes the models' answers, for the run's name.
func (c chain) name(to io.Writer, anyEndpoint bool) {
	for _, m := range c {
		role := *m.Role
		if anyEndpoint && !m.ByStep {
			role.Source = ""
		}
		text, _ := json.Marshal(role) // its numbers were checked to be finite
		fmt.Fprintf(to, "%s %s\n", role.Name, text)
	}
}

// signature names the models, and what is asked of them.
func (c chain) signature() (parts []string) {
	for _, m := range c {
		of := m.Role.Name + "-"
		parts = append(parts, m.Role.Name+":"+m.Role.Model, of+strings.ReplaceAll(settings(m.Role, m.Meter, ""), "|", "|"+of))
	}
	return parts
}

// warnings say which names the models answered under, and what their endpoints did.
func (c chain) warnings() (warnings []string) {
	for _, m := range c {
		if names := m.Meter.Models(); len(names) > 1 {
			warnings = append(warnings, fmt.Sprintf("the %s answered under %d names: %s", m.Role.Name, len(names), session.JoinCounts(session.Counts(names))))
		}
		for _, w := range session.EndpointWarnings(m.Meter) {
			warnings = append(warnings, m.Role.Name+": "+w)
		}
	}
	return warnings
}

// without is the chain without models that a forecast counts.
func (c chain) without(counted []*session.ForecastModel) chain {
	return slices.DeleteFunc(slices.Clone(c), func(m *session.Model) bool {
		return slices.ContainsFunc(counted, func(a *session.ForecastModel) bool { return a.Model == m })
	})
}

// further says which calls a forecast does not count, beside those that the
// benchmark names.
func (c chain) further(named string) string {
	for _, m := range c {
		if named != "" {
			named += "; "
		}
		named += "those of the " + m.Role.Name
	}
	return named
}

// unknownRoles are the roles of a Spec that the benchmark does not have.
func (s *Spec) unknownRoles(info bench.Info) []string {
	known := map[string]bool{session.Judge: true, session.Observer: info.Observes, session.ASR: info.Observes}
	for _, r := range info.Roles {
		known[r.Name] = true
	}
	for i := range s.Observers {
		known[tools.ObserverRole(i)] = info.Observes
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.Roles)), func(name string) bool { return known[name] })
}
