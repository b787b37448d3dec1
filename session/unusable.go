package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"omniscope"
	"omniscope/internal/filename"
	"omniscope/internal/outfile"
	"omniscope/model"
)

// A stopNote counts the first answers of a model in a run, all of no use. The
// next command goes on counting; where they stopped the run it asks nothing, as
// it would be given the same answers. A file under the journal's folder holds it.
type stopNote struct {
	Model   string       `json:"model"`
	Reason  model.Reason `json:"reason"`
	Answers int          `json:"answers"`
	Step    string       `json:"step"` // of one of them
}

// A watch is over the first answers of a model in a run.
type watch struct {
	limit     int
	workDir   string
	run       string
	role      string // of the model in the run
	model     string
	fresh     bool   // the command is one of a fresh run
	begun     bool   // which begins with it
	maxTokens string // the flag that bounds answers, with its value; "" = there is none
	streak    *model.Streak
}

// start begins the streak, or refuses a run that was stopped before.
func (w *watch) start(streak *model.Streak) error {
	w.streak, streak.Limit, streak.Stop = streak, w.limit, w.stop
	note, ok := w.read()
	if !ok || w.limit == 0 || w.begun || note.Model != w.model {
		return nil
	}
	if note.Answers >= w.limit {
		if w.fresh { // the note is not of this run: it would have ended
			return nil
		}
		return w.error(note, "nothing was asked: when this run was stopped, ")
	}
	w.streak.Before(note.Reason, note.Answers, note.Step)
	return nil
}

// end notes the answers of no use for the next command, and forgets the note
// once there are answers of use.
func (w *watch) end() error {
	if w.streak.HasUsable() {
		if err := os.Remove(w.path()); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	reason, answers, step := w.streak.Most()
	if answers == 0 {
		return nil
	}
	return w.write(stopNote{Model: w.model, Reason: reason, Answers: answers, Step: step})
}

func (w *watch) path() string {
	return filepath.Join(JournalDir(w.workDir), "stopped", w.run, filename.Safe(w.role+" "+w.model)+".json")
}

func (w *watch) read() (note stopNote, ok bool) {
	text, err := os.ReadFile(w.path())
	return note, err == nil && json.Unmarshal(text, &note) == nil
}

// stop ends the run, and notes that it did.
func (w *watch) stop(reason model.Reason, answers int, step string) error {
	note := stopNote{Model: w.model, Reason: reason, Answers: answers, Step: step}
	return errors.Join(w.error(note, ""), w.write(note))
}

func (w *watch) write(note stopNote) error {
	dir, name := filepath.Split(w.path())
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return outfile.WriteIn(dir, name, func(out io.Writer) error { return json.NewEncoder(out).Encode(note) })
}

func (w *watch) error(n stopNote, before string) error {
	show := fmt.Sprintf("omniscope journal show %s --step %q", w.run, n.Step)
	if w.workDir != "omniscope-work" {
		show += " --work-dir " + w.workDir
	}
	return &omniscope.Error{Kind: omniscope.Unusable, Op: "stopped", Err: fmt.Errorf(
		"%sthe first %d answers of %s that could not be used are all %s, and none could be used: %s, then run the command again; `%s` shows one in full; "+
			"if the model itself was mended, --fresh asks anew; --stop-after-unusable 0 goes on as it is",
		before, n.Answers, n.Model, n.Reason, w.advice(n.Reason), show)}
}

// advice says what to do about answers of no use.
func (w *watch) advice(reason model.Reason) string {
	switch {
	case reason == model.CutOff && w.maxTokens != "":
		return "raise " + w.maxTokens
	case reason == model.CutOff:
		return "let the server give longer answers"
	case reason == model.Repetitions:
		return "have the model repeat itself less (temperature, repetition penalty), or take another one"
	case reason == model.ToolCalls:
		return "have the server answer in text (no tools, no forced tool choice), or take another model"
	case reason == model.ReasoningOnly:
		return "let the model answer after its reasoning (a longer limit, or less reasoning), or take another one"
	case reason == model.Refusals:
		return "take a model, or settings of its filter, that do not refuse this"
	}
	return "look at the model, its chat template and its address"
}
