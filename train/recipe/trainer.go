package recipe

import (
	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/train"
)

// A Trainer is a program that trains, by the name that the command takes.
type Trainer string

// The trainers.
const (
	MSSwift      Trainer = "ms-swift"
	LLaMAFactory Trainer = "llama-factory"
	VeOmni       Trainer = "veomni"
	Automodel    Trainer = "automodel"
)

// trainers are all of them, the one to use first.
func trainers() []Trainer { return []Trainer{MSSwift, LLaMAFactory, VeOmni, Automodel} }

// versions are those whose sources were read for the names and defaults of settings. None was run.
var versions = map[Trainer]string{
	MSSwift:      "main of 2026-08-22, release 4.5.2",
	LLaMAFactory: "main of 2026-08-18",
	VeOmni:       "main of 2026-08-21",
	Automodel:    "main of 2026-08-22",
}

// checkTrainer refuses what is no trainer, and a stage that a trainer cannot do.
func checkTrainer(t Trainer, stage train.Stage) error {
	var names []string
	for _, known := range trainers() {
		names = append(names, string(known))
	}
	switch {
	case versions[t] == "":
		return omniscope.Usagef("there is no trainer %q%s: %v", t, spelling.Among(string(t), names), names)
	case !stage.Valid():
		return omniscope.Usagef("name the stage: 1 (sound alone, visual encoder frozen) or 2 (videos with sound, nothing frozen)")
	case t == LLaMAFactory && stage == train.AudioCaptioner:
		return omniscope.Usagef("llama-factory cannot do stage 1: its freeze_vision_tower freezes the visual and the sound encoder together, and stage 1 trains the sound encoder; use ms-swift, veomni or automodel")
	case t == Automodel && stage == train.OmniCaptioner:
		return omniscope.Usagef("automodel cannot do stage 2: its use_audio_in_video does not reach the processor, so that videos are trained without their sound; use ms-swift, llama-factory or veomni")
	}
	return nil
}
