package main

import (
	"errors"

	"github.com/spf13/pflag"

	"omniscope/catalog"
	"omniscope/perceive/mllm"
	"omniscope/session"
)

// toolFlags are the flags that say who looks at clips, and how the models among
// them are called.
type toolFlags struct {
	Tools     []string // by name; nil = all that work here
	Observers []string // models
	ASR       string   // model

	observer, asr roleFlags
	address       string // of all roles that have none of their own
	set           *pflag.FlagSet
}

func (t *toolFlags) add(f *pflag.FlagSet) {
	t.set = f
	f.StringSliceVar(&t.Tools, "tools", nil, "tools to use, with commas between: scene, ocr, sound, asr (default: all that work here)")
	f.StringArrayVar(&t.Observers, "observer", nil, "PROVIDER/NAME of a model that looks at the media itself; several times for several observers")
	t.observer.temperature, t.observer.otherwise = -1, "--"+modelAddress
	t.observer.role.MaxTokens = mllm.DefaultTokens
	t.observer.add(f, session.Observer)
	f.StringVar(&t.ASR, "asr", "", "PROVIDER/NAME of a transcription model; without it, what is installed here")
	t.asr.role.Name, t.asr.set = session.ASR, f
	f.StringVar(&t.asr.role.BaseURL, "asr-base-url", "", "address of the transcription model (default: --model-base-url)")
	f.StringVar(&t.address, modelAddress, "", "address of all models that have none of their own, such as http://localhost:8000/v1 (default:\nfrom the environment)")
}

// role returns a role with a model, at the address for all models if it has none
// of its own.
func (t *toolFlags) role(r *roleFlags, model string) *session.Role {
	return addressOf(r.of(model), t.address, flagSource(t.set, modelAddress))
}

// check checks the flags of roles.
func (t *toolFlags) check() error { return errors.Join(t.observer.check(), t.asr.check()) }

// look is who looks at clips, by the flags.
func (t *toolFlags) look() session.Look {
	look := session.Look{Tools: t.Tools}
	for _, model := range t.Observers {
		look.Observers = append(look.Observers, t.role(&t.observer, model))
	}
	if t.ASR != "" {
		look.ASR = t.role(&t.asr, t.ASR)
	}
	return look
}

// checkModels checks how models are written before anything is opened for them.
func checkModels(specs ...string) error {
	for _, spec := range specs {
		if spec == "" {
			continue
		}
		if _, _, err := catalog.SplitModel(spec); err != nil {
			return err
		}
	}
	return nil
}
