package cloze

import (
	"embed"
	"io/fs"

	"omniscope/judge"
)

//go:embed prompts
var promptFiles embed.FS

// Prompts are the prompt files of this package. A user's folder may replace any of them.
var Prompts = []string{describePrompt, draftPrompt, repairPrompt, guessPrompt, givenPrompt}

const (
	describePrompt = "describe.txt"
	draftPrompt    = "draft.txt"
	repairPrompt   = "repair.txt"
	guessPrompt    = "guess.txt"
	givenPrompt    = "given.txt"
)

// loadPrompt reads a prompt from folder where that is given and has it, else the built-in one. It must have the placeholders
// that are named.
func loadPrompt(folder fs.FS, folderName, name string, placeholders ...string) (*judge.Prompt, error) {
	if err := judge.OnlyPrompts(folder, folderName, Prompts...); err != nil {
		return nil, err
	}
	builtin, err := fs.Sub(promptFiles, "prompts")
	if err != nil {
		return nil, err
	}
	p, err := judge.LoadPrompt(builtin, folder, folderName, name)
	if err != nil {
		return nil, err
	}
	return p, p.Require(placeholders...)
}
