package rows

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"

	"omniscope/internal/outfile"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/pgtest"
	"omniscope/internal/testing/tasktest"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/session"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// sort asks about three captions, one after the other, and writes the answers.
func sort(ctx context.Context, j *judge.Judge, out string) error {
	var answers []string
	for _, caption := range []string{"A dog barks.", "Rain falls.", "A door closes."} {
		q := judge.Question[string]{Step: caption, Messages: []model.Message{model.Text(model.User, "Animal or weather? "+caption)}, Read: func(reply string) (string, error) { return reply, nil }}
		a, err := judge.Ask(ctx, j, q)
		if err != nil {
			return err
		}
		if a.Value == "" {
			return errors.New("no answer about " + caption)
		}
		answers = append(answers, a.Value)
	}
	return outfile.Write(out, func(to io.Writer) error { return outfile.JSON(to, answers) })
}

func TestQuestionsAboutRowsAreTasks(t *testing.T) {
	tasktest.Suite(t, tasktest.Kind{
		Kinds: session.Kinds{Kind}, Reply: fake.FixedReply("animal"), File: "sorted.json",
		Open: func(ctx context.Context, m *session.Machine) (session.Units, error) {
			role := &session.Role{Name: "sorter", Model: "openai/mock"}
			m.Address(role)
			r := &Run{Command: "sort", Role: role, Calls: m.Calls, Shared: m.Shared, Warnings: m.Warnings}
			return r.open(ctx, func(j *judge.Judge) error { return sort(ctx, j, m.Out) })
		},
		Unbounded:  "the answers decide what is asked next",
		Alone:      "its own command repeats it, and asks nothing twice",
		NoPrograms: "a Run names no program",
	})
}
