// Package all lists the tools that work on this machine without a model: scene,
// ocr, sound and asr. Package perceive only defines what a tool is; package
// session/catalog lists what needs providers or databases.
package all

import (
	"omniscope/perceive"
	"omniscope/perceive/asr"
	"omniscope/perceive/ocr"
	"omniscope/perceive/scene"
	"omniscope/perceive/sound"
	"omniscope/perceive/speech"
)

// A Tool is an entry of Tools. Open makes it; transcribing is for the tool that
// turns speech into text. Making one may look for programs, so that the name is
// here, too.
type Tool struct {
	Name string // the Info().Name of what Open makes
	Open func(transcribing asr.Options) perceive.Tool
}

// Tools lists the tools of this machine, in the order in which a fixed plan uses
// them. One more is one more line.
var Tools = []Tool{
	{"scene", func(asr.Options) perceive.Tool { return scene.New() }},
	{"ocr", func(asr.Options) perceive.Tool { return ocr.New(ocr.Options{}) }},
	{"sound", func(asr.Options) perceive.Tool { return sound.New() }},
	{"asr", func(transcribing asr.Options) perceive.Tool { return asr.New(transcribing) }},
}

// Open makes every tool. Without engines in its options, asr uses the installed ones.
func Open(transcribing asr.Options) []perceive.Tool {
	if transcribing.Engines == nil {
		transcribing.Engines = []asr.Engine{speech.NewEngine(""), asr.Pocketsphinx{}}
	}
	var tools []perceive.Tool
	for _, t := range Tools {
		tools = append(tools, t.Open(transcribing))
	}
	return tools
}

// Names returns the names of all tools, in their order.
func Names() []string {
	var names []string
	for _, t := range Tools {
		names = append(names, t.Name)
	}
	return names
}
