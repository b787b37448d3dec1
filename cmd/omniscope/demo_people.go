package main

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"omniscope/internal/spelling"
	"omniscope/people/demo"
	"omniscope/people/sqlite"
)

// A peopleDemo is demo --people.
type peopleDemo struct {
	kind string // of the project
	serveOptions
}

// usualDemoFolder is where demo --people makes its projects.
const usualDemoFolder = "people-demo"

// run makes the project, unless it is there, and serves it.
func (o *peopleDemo) run(cmd *cobra.Command, folder string) error {
	if err := spelling.CheckChoice("people", o.kind, demo.Kinds); err != nil {
		return err
	}
	folder = cmp.Or(folder, usualDemoFolder)
	project := filepath.Join(folder, o.kind)
	if !sqlite.Exists(project) {
		if err := makeDemo(cmd, project, folder, o.kind); err != nil {
			return err
		}
	}
	o.Media, o.invite = []string{filepath.Join(folder, "clips")}, true
	return o.serveOptions.run(cmd, project)
}

func makeDemo(cmd *cobra.Command, project, folder, kind string) error {
	fmt.Fprintln(cmd.ErrOrStderr(), "making four clips")
	values, err := demo.Write(cmd.Context(), folder, kind)
	if err != nil {
		return err
	}
	work, err := peopleKindOf(kind)
	if err != nil {
		return err
	}
	made := &cobra.Command{}
	made.SetContext(cmd.Context())
	made.SetErr(cmd.ErrOrStderr())
	maker, options := peopleMaker(made, work)
	for name, texts := range values {
		for _, text := range texts {
			if err := made.Flags().Set(name, text); err != nil {
				return err
			}
		}
	}
	n := &newProject{Owner: "owner"}
	_, _, err = n.make(made, project, maker, options)
	return err
}
