package main

import (
	"errors"
	"reflect"
	"strings"

	"github.com/spf13/pflag"

	"omniscope/perceive/all"
	"omniscope/session"
	"omniscope/session/eval"
	"omniscope/session/tools"
)

// observerFlags are the flags that say who looks at clips: tools, and models that observe or
// transcribe.
type observerFlags struct {
	Tools []string // by name; nil = all that work here

	observer modelFlag
	asr      modelFlag
}

// add adds the flags.
func (l *observerFlags) add(f *pflag.FlagSet) {
	f.StringSliceVar(&l.Tools, "tools", nil, "tools to use, with commas between: "+strings.Join(all.Names(), ", ")+" (default: all that work here)")
	l.observer.many = true
	l.observer.add(f, session.Observer, "", "model that looks at the media itself; several times for several observers")
	l.asr.add(f, session.ASR, "", "transcription model (default: what is installed here)")
}

func (l *observerFlags) check() error { return errors.Join(l.observer.check(), l.asr.check()) }

// addRoles adds to roles the settings of observers and of the transcription model that shape other answers than the defaults.
func (l *observerFlags) addRoles(roles map[string]*session.Role) {
	l.observer.addShaping(roles, tools.ObserverRole)
	l.asr.addShaping(roles, tools.ObserverRole)
}

// setIn writes to a Spec who looks at clips. Observers that are set alike have one role, as they always had.
func (l *observerFlags) setIn(s *eval.Spec) {
	s.Tools, s.Observers, s.ASR = l.Tools, l.observer.models(), l.asr.model()
	for i, r := range l.observer.all() {
		r.Model = ""
		if s.Roles[session.Observer] == nil {
			s.Roles[session.Observer] = r
		} else if !reflect.DeepEqual(r, s.Roles[session.Observer]) {
			s.Roles[tools.ObserverRole(i)] = r
		}
	}
	if r := l.asr.one(); r != nil {
		r.Model = ""
		s.Roles[session.ASR] = r
	}
}

// setTransport gives a role how it is reached.
func (l *observerFlags) setTransport(role *session.Role) {
	if !l.observer.setTransport(role) {
		l.asr.setTransport(role)
	}
}
