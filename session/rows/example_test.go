package rows_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/session"
	"omniscope/session/journals"
	"omniscope/session/rows"
)

// Asks a model questions of your own. Every answer is in the journal before it counts: the same run again asks only what has
// no answer. In place of scripted/FILE name a model as PROVIDER/NAME.
func ExampleRun_Do() {
	work, script := answers()
	defer os.RemoveAll(work)
	calls := &session.Calls{WorkDir: work, Journals: journals.All}
	for range 2 {
		r := &rows.Run{Command: "sort captions", Role: &session.Role{Name: "sorter", Model: "scripted/" + script}, Calls: calls, Warnings: io.Discard}
		used, err := r.Do(context.Background(), func(j *judge.Judge) error {
			for step, caption := range map[string]string{"a": "A dog barks.", "b": "Rain falls."} {
				q := judge.Question[string]{Step: step, Messages: []model.Message{model.Text(model.User, "Animal or weather? "+caption)}, Read: func(reply string) (string, error) { return reply, nil }}
				if a, err := judge.Ask(context.Background(), j, q); err != nil || a.Value == "" {
					return errors.Join(err, errors.New("no answer about "+step))
				}
			}
			return nil
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(used.ThisCommand.Calls, "calls")
	}
	// Output:
	// 2 calls
	// 0 calls
}

// answers writes a script of answers.
func answers() (work, script string) {
	work, err := os.MkdirTemp("", "omniscope-")
	script = filepath.Join(work, "script.json")
	if err := errors.Join(err, os.WriteFile(script, []byte(`{"a": ["animal"], "b": ["weather"]}`), 0o644)); err != nil {
		log.Fatal(err)
	}
	return work, script
}
