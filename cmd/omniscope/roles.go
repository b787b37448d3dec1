package main

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/environ"
	"omniscope/model/ref"
	"omniscope/session"
)

// A modelFlag is the one flag of a role. Its value is a model reference; a role of several models takes it several times.
type modelFlag struct {
	name     string
	many     bool
	words    []string     // that name no model and are taken as they are, such as detective
	systems  bool         // a system of omniscope.yaml may be named instead of a model
	programs string       // prefix of commands of this machine that may be named instead of a model; "" = commands are refused
	defaults session.Role // without a model, as it is without settings
	refs     []ref.Ref
	roles    []*session.Role
	files    []environ.Source // file with the address of each; zero = the command line
	written  []string         // the values as they were given
	given    bool
	set      *pflag.FlagSet
}

// add adds the flag. model is the default; "" = no model.
func (m *modelFlag) add(f *pflag.FlagSet, name, model, usage string) {
	m.name, m.set = name, f
	if m.defaults.Name == "" {
		m.defaults = session.DefaultRole(name)
	}
	if model != "" {
		role := m.defaults
		role.Model = model
		m.refs, m.roles, m.files = []ref.Ref{{Model: model}}, []*session.Role{&role}, []environ.Source{{}}
	}
	f.Var(m, name, usage)
}

// Set implements pflag.Value.
func (m *modelFlag) Set(text string) error {
	var r ref.Ref
	var file environ.Source
	var err error
	if m.programs != "" && strings.HasPrefix(text, m.programs) || m.systems && isSystem(text) {
		r.Model, m.words = text, append(m.words, text)
	} else if r, file, err = resolve(text); err != nil {
		return err
	}
	role, err := m.role(r, file)
	if err != nil {
		return err
	}
	if !m.given {
		m.refs, m.roles, m.files = nil, nil, nil
	}
	if m.given && !m.many {
		return omniscope.Usagef("--%s is given twice, %s and %s: give it once", m.name, m.roles[0].Model, role.Model)
	}
	m.given, m.written = true, append(m.written, text)
	m.refs, m.roles, m.files = append(m.refs, r), append(m.roles, role), append(m.files, file)
	return nil
}

// role is the role with a model.
func (m *modelFlag) role(r ref.Ref, file environ.Source) (*session.Role, error) {
	role := m.defaults
	if slices.Contains(m.words, r.Model) {
		role.Model = r.Model
		return &role, nil
	}
	return &role, role.Use(r, file)
}

// with gives all models a further setting.
func (m *modelFlag) with(s ref.Setting) error {
	for i, r := range m.refs {
		role, err := m.role(r.With(s), m.files[i])
		if err != nil {
			return err
		}
		m.refs[i], m.roles[i] = r.With(s), role
	}
	return nil
}

func (m *modelFlag) String() string { return strings.Join(m.models(), ",") }

// Type implements pflag.Value.
func (m *modelFlag) Type() string { return "MODEL" }

// models are the models as they are written without settings.
func (m *modelFlag) models() (names []string) {
	for _, r := range m.roles {
		names = append(names, r.Model)
	}
	return names
}

// model is the one model; "" = no model was given.
func (m *modelFlag) model() string {
	if len(m.roles) == 0 {
		return ""
	}
	return m.roles[0].Model
}

// all are copies of the roles, with the source of their addresses.
func (m *modelFlag) all() (roles []*session.Role) {
	for i, r := range m.roles {
		role := *r
		if role.BaseURL != "" && m.files[i].Name == "" {
			role.BaseURLFrom = flagSource(m.set, m.name)
		}
		role.SetRoute()
		roles = append(roles, &role)
	}
	return roles
}

// one is a copy of the only role; nil = no model was given.
func (m *modelFlag) one() *session.Role {
	if len(m.roles) == 0 {
		return nil
	}
	return m.all()[0]
}

// check checks what can only be checked once the environment is read.
func (m *modelFlag) check() error {
	for _, r := range m.all() {
		if err := r.Check(); err != nil {
			return err
		}
	}
	return nil
}

// shape is what of a role shapes its answers, without the model.
func shape(r *session.Role) string {
	own := *r
	own.Model, own.Source = "", ""
	text, _ := json.Marshal(own) // its numbers were checked to be finite
	return string(text)
}

// addShaping adds to roles those whose settings shape other answers than the defaults do. Several models of a role that differ stand
// under the keys of key.
func (m *modelFlag) addShaping(roles map[string]*session.Role, key func(i int) string) {
	all := m.all()
	equal := true
	for _, r := range all {
		equal = equal && shape(r) == shape(all[0])
	}
	for i, r := range all {
		if shape(r) == shape(&m.defaults) {
			continue
		}
		at := m.name
		if !equal {
			at = key(i)
		}
		own := *r
		own.Model, own.BaseURL, own.BaseURLFrom, own.Replicas, own.Headers, own.Query, own.Transport = "", "", environ.Source{}, nil, nil, nil, session.Transport{}
		roles[at] = &own
	}
}

// setTransport gives a role how it is reached, if it is one of the flag's.
func (m *modelFlag) setTransport(role *session.Role) bool {
	var found *session.Role
	for _, r := range m.all() {
		if m.name == role.Name && r.Model == role.Model && (found == nil || shape(r) == shape(role)) {
			found = r
		}
	}
	if found == nil {
		return false
	}
	role.BaseURL, role.BaseURLFrom, role.Replicas = found.BaseURL, found.BaseURLFrom, found.Replicas
	role.Headers, role.Query, role.Transport = found.Headers, found.Query, found.Transport
	role.SetRoute()
	return true
}

// chainFlags are the flag of a further role of a benchmark: see bench.RoleInfo.
type chainFlags struct{ modelFlag }

func addChainFlags(f *pflag.FlagSet, r bench.RoleInfo) *chainFlags {
	c := &chainFlags{modelFlag{defaults: session.Role{Name: r.Name, Temperature: new(float64), Attempts: max(1, r.Attempts), MaxTokens: r.MaxTokens}}}
	c.add(f, r.Name, "", r.Help)
	return c
}
