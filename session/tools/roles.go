package tools

import (
	"omniscope"
	"omniscope/session"
)

// Roles are the models and tools that work on clips, as a Spec names them.
type Roles struct {
	Asker     string // detective or splitter: a role's name
	Model     string // of that role; Offline = none
	Tools     []string
	Observers []string
	Programs  []string
	ASR       string
	Prompts   string
	Roles     map[string]*session.Role
	Senses    []omniscope.Modality
}

// Role is a role with a model.
func (c *Roles) Role(name, model string, address func(*session.Role)) *session.Role {
	r := session.DefaultRole(name)
	if own := c.Roles[name]; own != nil {
		r = *own
	}
	r.Name, r.Model = name, model
	if address != nil {
		address(&r)
	}
	return &r
}

// Look returns the tools and models that look at clips.
func (c *Roles) Look(address func(*session.Role)) Selection {
	l := Selection{Tools: c.Tools, Senses: c.Senses}
	for _, model := range c.Observers {
		l.Observers = append(l.Observers, c.Role(session.Observer, model, address))
	}
	if c.ASR != "" {
		l.ASR = c.Role(session.ASR, c.ASR, address)
	}
	return l
}
