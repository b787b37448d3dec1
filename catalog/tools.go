package catalog

import (
	"omniscope/perceive"
	"omniscope/perceive/asr"
	"omniscope/perceive/ocr"
	"omniscope/perceive/scene"
	"omniscope/perceive/sound"
	"omniscope/perceive/speech"
)

// Tools lists the tools of this machine, in the order in which a fixed plan uses
// them. One more is one more entry. Without engines asr has those that may be
// installed.
func Tools(transcribing asr.Options) []perceive.Tool {
	if transcribing.Engines == nil {
		transcribing.Engines = []asr.Engine{speech.NewEngine(""), asr.Pocketsphinx{}}
	}
	return []perceive.Tool{scene.New(), ocr.New(ocr.Options{}), sound.New(), asr.New(transcribing)}
}
