package cloze

import (
	"embed"

	"omniscope/model/judge"
)

//go:embed prompts
var promptFiles embed.FS

// prompts are the built-in prompts.
var prompts = judge.PromptFiles{Files: promptFiles, Names: []string{describePrompt, draftPrompt, repairPrompt, guessPrompt, givenPrompt}}

const (
	describePrompt = "describe.txt"
	draftPrompt    = "draft.txt"
	repairPrompt   = "repair.txt"
	guessPrompt    = "guess.txt"
	givenPrompt    = "given.txt"
)
