package questions

import (
	"embed"

	"omniscope/model/judge"
)

//go:embed prompts
var promptFiles embed.FS

// prompts are the built-in prompts.
var prompts = judge.PromptFiles{Files: promptFiles, Names: []string{abstractPrompt, talkPrompt, repairPrompt, answerPrompt, gradePrompt}}

const (
	abstractPrompt = "abstract.txt"
	talkPrompt     = "talk.txt"
	repairPrompt   = "repair.txt"
	answerPrompt   = "answer.txt"
	gradePrompt    = "grade.txt"
)
