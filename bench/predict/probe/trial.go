package probe

import (
	"context"
	"math/rand/v2"

	"omniscope"
	"omniscope/bench/predict"
)

// A Perception is whether a model perceived what a trial planted.
type Perception string

// The perceptions.
const (
	Perceived    Perception = "perceived"
	Partly       Perception = "partly"
	NotPerceived Perception = "not perceived"
	NoAnswer     Perception = "no answer" // the call failed, was refused, or its answer cannot be read
	NotSent      Perception = "not sent"  // the profile sends nothing that the trial could find out about: no fault of the endpoint
)

// A Trial is one made clip and one question about it.
type Trial struct {
	Name     string
	Tests    string // what it finds out
	Question string
	Unsent   string // why the model is not asked; "" = it is

	clip clip
	read func(answer string, sent *predict.Sent) finding
}

// A finding is what an answer says about what was perceived.
type finding struct {
	Perception Perception
	Expected   string // answer of a model that perceives all that was sent
	Perceived  string // for people
}

// How the model under test is asked decides what trials can find out.
type How struct {
	Modality omniscope.Modality
	Send     predict.Form
	Seed     uint64 // of the planted marks

	// Voice finds a voice for a language, by its code of ISO 639-1. Its error says what
	// to install. Trials in a language without a voice are left out; nil leaves out all
	// trials with speech.
	Voice func(language string) (Voice, error)
}

// A Voice speaks words: it returns 16-bit samples of one channel, soundRate a second.
type Voice interface {
	Say(ctx context.Context, words string) ([]byte, error)
}

// film reports whether the model is sent files with picture and sound.
func (h How) film() bool {
	return h.Send == predict.AsVideo && h.Modality == omniscope.AudioVisual
}

// Trials are the trials of the senses of a modality.
func Trials(h How) []Trial {
	both := h.Modality == omniscope.AudioVisual
	var all []Trial
	if both || h.Modality == omniscope.Visual {
		all = append(all, length(h.marks(1)), order(h.marks(2)), detail(h.marks(3)))
	}
	if both || h.Modality == omniscope.Audio {
		all = append(all, beeps(h.marks(4), h.film()), channels(h.marks(5), h.film()))
		for i, l := range languages {
			all = append(all, h.spoken(l, h.marks(uint64(7+i))))
		}
	}
	if both {
		all = append(all, alignment(h.marks(6)), unspoken("no sound track", "what it says of a clip without sound", true, 0))
	}
	if both || h.Modality == omniscope.Audio {
		all = append(all, unspoken("silence", "what it says of digital silence", both, 1))
	}
	return all
}

// marks are the random numbers of a trial.
func (h How) marks(trial uint64) *rand.Rand { return rand.New(rand.NewPCG(h.Seed, trial)) }

// Names are the names of all trials. They are written down, since making the trials draws
// pictures, and every command lists the names in its help.
func Names() []string {
	return []string{"length", "order", "detail", "beeps", "channels", "speech", "german", "italian", "chinese", "alignment", "no sound track", "silence"}
}

// Sample makes the clip of a trial in a folder, and returns the sample by which a
// model is asked about it.
func (t *Trial) Sample(ctx context.Context, folder string) (omniscope.Sample, error) {
	path, err := t.clip.write(ctx, folder)
	return omniscope.Sample{ID: omniscope.SampleID(t.Name), Prompt: t.Question, Media: omniscope.Media{Video: path, Audio: path}}, err
}
