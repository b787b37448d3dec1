package main

import (
	"fmt"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
)

// staff do all tasks of a people's project in a folder: at each stage those who may. say changes an answer before it is given;
// it may add cards.
type staff struct {
	roles map[people.ProjectRole][]string
	say   func(stage string, c *people.WorkItem, answers map[string]people.Value)
}

// do has the staff work until nothing is left, and returns how many tasks they did.
func (s *staff) do(t *testing.T, dir string) (tasks int) {
	t.Helper()
	var l peoplePlace
	w, err := l.open(t.Context(), dir)
	fixture.OK(t, err)
	defer w.Close()
	for role, ids := range s.roles {
		peopletest.Invite(t, w, role, ids...)
	}
	for more := true; more; {
		more = false
		for _, stage := range w.Project().Stages {
			for _, role := range stage.By {
				n := peopletest.DoAll(t, w, stage.Name, s.roles[role], func(_ string, c *people.WorkItem, f *people.Form) map[string]people.Value {
					answers := answerForm(f)
					if s.say != nil {
						s.say(stage.Name, c, answers)
					}
					return answers
				})
				tasks, more = tasks+n, more || n > 0
			}
		}
	}
	return tasks
}

// answerForm accepts what is proposed, takes the first choice, and writes a text where one is needed.
func answerForm(f *people.Form) map[string]people.Value {
	answers := make(map[string]people.Value)
	for i := range f.Sections {
		s := &f.Sections[i]
		for _, card := range s.Cards {
			v := people.Value{}
			for name, value := range card.Draft {
				v[name] = value
			}
			for k := range s.Fields {
				field := &s.Fields[k]
				if _, there := v[field.Name]; !there && !field.Optional {
					v[field.Name] = answerField(field, len(answers))
				}
			}
			answers[s.Key(card.ID)] = v
		}
	}
	return answers
}

func answerField(f *people.Field, n int) any {
	switch f.Type {
	case people.Choose:
		return f.Choices[0].Value
	case people.Check:
		return []any{f.Choices[0].Value}
	case people.When:
		return []any{0.0, 0.5}
	}
	return fmt.Sprintf("Text %d.", n)
}
