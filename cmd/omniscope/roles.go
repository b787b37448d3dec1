package main

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/spf13/pflag"

	"omniscope/bench"
	"omniscope/internal/environ"
	"omniscope/perceive/mllm"
	"omniscope/session"
)

// roleFlags are the flags that a role's model is given by. They are the same for
// every role: ROLE-base-url, ROLE-temperature, ROLE-max-tokens, ROLE-extra, and
// ROLE-attempts where a question may be asked again.
type roleFlags struct {
	role        session.Role // of each model that has the role, but for its name
	temperature float64      // negative = the model's own
	set         *pflag.FlagSet

	fallback string       // where the address comes from without the flag; "" = the environment
	defaults session.Role // as of("") was before flags were read
}

// newRoleFlags are the flags of a role as they are without any being set.
func newRoleFlags(name string) roleFlags {
	return flagsOf(session.DefaultRole(name))
}

// flagsOf are the flags of a role, which has their defaults.
func flagsOf(role session.Role) roleFlags {
	r := roleFlags{role: role, temperature: -1}
	if r.role.Temperature != nil {
		r.temperature, r.role.Temperature = *r.role.Temperature, nil
	}
	return r
}

// add adds the flags. The values that are there are the defaults.
func (r *roleFlags) add(f *pflag.FlagSet, name string) {
	r.set, r.role.Name = f, name
	r.defaults = *r.of("")
	address := "from the environment"
	if r.fallback != "" {
		address = r.fallback
	}
	flag := func(what string) string { return name + "-" + what }
	f.StringVar(&r.role.BaseURL, flag("base-url"), "", fmt.Sprintf("address of the %s, such as http://localhost:8000/v1 (default: %s)", name, address))
	f.Float64Var(&r.temperature, flag("temperature"), r.temperature, fmt.Sprintf("sampling temperature of the %s; negative = the model's own", name))
	f.IntVar(&r.role.MaxTokens, flag("max-tokens"), r.role.MaxTokens, fmt.Sprintf("longest answer of the %s in tokens; 0 = %s", name, r.noLimit()))
	f.StringVar(&r.role.Extra, flag("extra"), "", fmt.Sprintf("further fields of the %s's requests, as a JSON object; kept with the results, so no place for secrets", name))
	addGatewayFlags(f, &r.role, name, name)
}

// addGatewayFlags adds the flags of what a gateway wants with every request.
func addGatewayFlags(f *pflag.FlagSet, role *session.Role, name, called string) {
	f.StringArrayVar(&role.Headers, name+"-header", nil, fmt.Sprintf("further header of the %s's requests, as 'NAME: env:VARIABLE': its value is in that\nenvironment variable and is kept nowhere; repeatable. Where it chooses who answers, mark it as 'NAME!: env:VARIABLE':\nother values are then asked again", called))
	f.StringArrayVar(&role.Query, name+"-query", nil, fmt.Sprintf("further value of the query of the %s's requests, as NAME=env:VARIABLE; repeatable", called))
}

func (r *roleFlags) noLimit() string {
	if r.role.Name == session.Observer {
		return strconv.Itoa(mllm.DefaultTokens)
	}
	return "the model's own limit"
}

// addAttempts adds the flag for roles whose questions may be asked again.
func (r *roleFlags) addAttempts(help string) {
	r.set.IntVar(&r.role.Attempts, r.role.Name+"-attempts", r.role.Attempts, help)
}

// chainFlags are the flags of a further role of a benchmark: see bench.RoleInfo.
type chainFlags struct {
	roleFlags
	model string // PROVIDER/NAME; "" = the role is left out
}

func addChainFlags(f *pflag.FlagSet, r bench.RoleInfo) *chainFlags {
	c := &chainFlags{roleFlags: roleFlags{role: session.Role{Attempts: max(1, r.Attempts), MaxTokens: r.MaxTokens}}}
	f.StringVar(&c.model, r.Name, "", r.Help)
	c.add(f, r.Name)
	c.addAttempts(fmt.Sprintf("askings of one question of the %s, the first included", r.Name))
	return c
}

// of returns the role with a model.
func (r *roleFlags) of(model string) *session.Role {
	role := r.role
	role.Model = model
	if role.BaseURL != "" {
		role.BaseURLFrom = flagSource(r.set, role.Name+"-base-url")
	}
	if t := r.temperature; t >= 0 {
		role.Temperature = &t
	}
	role.SetRoute()
	return &role
}

// changed is the role as far as the flags shape its answers; nil if they are as
// they would be without them.
func (r *roleFlags) changed() *session.Role {
	role := r.of("")
	role.BaseURL, role.BaseURLFrom, role.Headers, role.Query = "", environ.Source{}, nil, nil
	if reflect.DeepEqual(*role, r.defaults) {
		return nil
	}
	return role
}

// changedRoles are the roles whose flags were changed, by name.
func changedRoles(roles ...*roleFlags) map[string]*session.Role {
	changed := make(map[string]*session.Role)
	for _, r := range roles {
		if role := r.changed(); role != nil {
			changed[role.Name] = role
		}
	}
	return changed
}

// check checks the flags.
func (r *roleFlags) check() error {
	name := "--" + r.role.Name
	if err := checkRules([]rule{
		{r.set.Lookup(r.role.Name+"-attempts") != nil && r.role.Attempts < 1, name + "-attempts must be at least 1"},
		{!(r.temperature >= -100 && r.temperature <= 100), name + "-temperature must be a number, such as 0 or 0.7"},
	}); err != nil {
		return err
	}
	return r.of("").Check()
}
