package main

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"omniscope/perceive/all"
	"omniscope/session"
	"omniscope/session/eval"
)

// observerFlags are the flags that say who looks at clips: tools, and models that observe or
// transcribe.
type observerFlags struct {
	Tools     []string // by name; nil = all that work here
	Observers []string // models
	ASR       string   // model

	observer, asr roleFlags
}

// add adds the flags. fallback is where addresses come from without their flags; "" = the
// environment.
func (l *observerFlags) add(f *pflag.FlagSet, fallback string) {
	l.observer, l.asr = newRoleFlags(session.Observer), newRoleFlags(session.ASR)
	l.observer.fallback = fallback
	f.StringSliceVar(&l.Tools, "tools", nil, "tools to use, with commas between: "+strings.Join(all.Names(), ", ")+" (default: all that work here)")
	f.StringArrayVar(&l.Observers, "observer", nil, "PROVIDER/NAME of a model that looks at the media itself; several times for several observers")
	l.observer.add(f, session.Observer)
	f.StringVar(&l.ASR, "asr", "", "PROVIDER/NAME of a transcription model; without it, what is installed here")
	l.asr.set = f
	f.StringVar(&l.asr.role.BaseURL, "asr-base-url", "", "address of the transcription model (default: "+cmp.Or(fallback, "from the environment")+")")
	f.Float64Var(&l.asr.role.LeastLogProb, "asr-least", 0, "mean log-probability under which words of the transcription model are not believed, such as -0.5; 0 = -1, as Whisper\nhas it. Less certain words are reported as \"perhaps\"")
	addGatewayFlags(f, &l.asr.role, session.ASR, "transcription model")
}

func (l *observerFlags) check() error {
	return errors.Join(checkModels(append(l.Observers, l.ASR)...), l.observer.check(), l.asr.check())
}

// setIn writes to a Spec who looks at clips.
func (l *observerFlags) setIn(s *eval.Spec) {
	s.Tools, s.Observers, s.ASR = l.Tools, l.Observers, l.ASR
	if len(l.Observers) > 0 {
		s.Roles[session.Observer] = l.observer.of("")
	}
	if l.ASR != "" {
		s.Roles[session.ASR] = l.asr.of("")
	}
}
