package questions

import (
	"embed"
	"io/fs"

	"omniscope/judge"
)

//go:embed prompts
var promptFiles embed.FS

// Prompts are the prompt files of this package. A user's folder may replace any of them.
var Prompts = []string{abstractPrompt, talkPrompt, repairPrompt, answerPrompt, gradePrompt}

const (
	abstractPrompt = "abstract.txt"
	talkPrompt     = "talk.txt"
	repairPrompt   = "repair.txt"
	answerPrompt   = "answer.txt"
	gradePrompt    = "grade.txt"
)

// A wanted prompt is one to load: where to, and the placeholders that it must have.
type wantedPrompt struct {
	to   **judge.Prompt
	name string
	has  []string
}

// loadPrompts reads prompts from folder where that is given and has them, else the built-in ones.
func loadPrompts(folder fs.FS, folderName string, wanted ...wantedPrompt) error {
	if err := judge.OnlyPrompts(folder, folderName, Prompts...); err != nil {
		return err
	}
	builtin, err := fs.Sub(promptFiles, "prompts")
	if err != nil {
		return err
	}
	for _, w := range wanted {
		if *w.to, err = judge.LoadPrompt(builtin, folder, folderName, w.name); err != nil {
			return err
		}
		if err := (*w.to).Require(w.has...); err != nil {
			return err
		}
	}
	return nil
}
