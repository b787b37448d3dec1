package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/internal/spelling"
	"omniscope/people/demo"
	"omniscope/people/sqlite"
)

func newPeopleDemo() *cobra.Command {
	o := &serveOptions{}
	var folder, kind string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Make a small project about made clips, and serve it",
		Long: `Make four clips of 12 seconds and a project about them, and serve it: open the address that is printed. The clips, the systems
and their captions are imaginary. Run again, it goes on with the project that is there, and prints a new link.`,
		Example: `  omniscope people demo
  omniscope people demo --kind capricorn`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := spelling.CheckChoice("kind", kind, demo.Kinds); err != nil {
				return err
			}
			project := filepath.Join(folder, kind)
			if !sqlite.Exists(project) {
				if err := makeDemo(cmd, project, folder, kind); err != nil {
					return err
				}
			}
			o.Media, o.invite = []string{filepath.Join(folder, "clips")}, true
			return o.run(cmd, project)
		},
	}
	f := cmd.Flags()
	f.StringVar(&kind, "kind", demo.Kinds[0], "kind of work: "+strings.Join(demo.Kinds, ", "))
	f.StringVar(&folder, "folder", "people-demo", "folder to make it in")
	f.StringVar(&o.Listen, "listen", usualServeAddress, "HOST:PORT to serve the pages at; if the port of the default is taken, another one")
	return cmd
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
	_, err = n.make(made, project, maker, options)
	return err
}
