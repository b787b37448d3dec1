package tools

import (
	"fmt"

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
	return c.roleBy(name, name, model, address)
}

// roleBy is a role with the settings that stand in Roles under a key.
func (c *Roles) roleBy(key, name, model string, address func(*session.Role)) *session.Role {
	r := session.DefaultRole(name)
	if own := c.Roles[key]; own != nil {
		r = *own
	}
	r.Name, r.Model = name, model
	if address != nil {
		address(&r)
	}
	return &r
}

// ObserverRole is the key in Roles of the i-th observer, from 0, where it has settings of its own.
func ObserverRole(i int) string { return fmt.Sprintf("%s %d", session.Observer, i+1) }

// Look returns the tools and models that look at clips.
func (c *Roles) Look(address func(*session.Role)) Selection {
	l := Selection{Tools: c.Tools, Senses: c.Senses}
	for i, model := range c.Observers {
		key := ObserverRole(i)
		if c.Roles[key] == nil {
			key = session.Observer
		}
		l.Observers = append(l.Observers, c.roleBy(key, session.Observer, model, address))
	}
	if c.ASR != "" {
		l.ASR = c.Role(session.ASR, c.ASR, address)
	}
	return l
}
