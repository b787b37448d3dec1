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
// them. One more is one more line.
var Tools = []func(asr.Options) perceive.Tool{
	func(asr.Options) perceive.Tool { return scene.New() },
	func(asr.Options) perceive.Tool { return ocr.New(ocr.Options{}) },
	func(asr.Options) perceive.Tool { return sound.New() },
	func(transcribing asr.Options) perceive.Tool { return asr.New(transcribing) },
}

// OpenTools makes every tool. Without engines asr has those that may be installed.
func OpenTools(transcribing asr.Options) []perceive.Tool {
	if transcribing.Engines == nil {
		transcribing.Engines = []asr.Engine{speech.NewEngine(""), asr.Pocketsphinx{}}
	}
	var tools []perceive.Tool
	for _, open := range Tools {
		tools = append(tools, open(transcribing))
	}
	return tools
}
