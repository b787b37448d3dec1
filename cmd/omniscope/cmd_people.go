package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/people"
	"omniscope/people/agreement"
	"omniscope/results/report"
)

func newPeople() *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "people",
		Short: "Annotate, review, rate and vote with people in a browser",
		Long: `Make projects of people's work and run them. A project has items, such as clips, and stages, which people do in a
browser at the address that 'omniscope people serve' prints. Everything that they do is an event in a log to which events are
only added: it is on the disk before the page says so, and every result leads back to its author. 'omniscope demo --people' makes a
project to try.`,
		Example: `  omniscope people new captions review --captions captions.jsonl --people 3
  omniscope people serve review
  omniscope people status review
  omniscope people export review`,
		Args: checkedArgs(cobra.NoArgs),
	}, newPeopleNew(), newPeopleServe(), newPeopleInvite(), newPeopleAssign(), newPeopleStatus(), newPeopleImport(), newPeopleExport(), newPeopleAgreement(), newPeopleSample())
}

func newPeopleInvite() *cobra.Command {
	var l peoplePlace
	var role, name string
	cmd := &cobra.Command{
		Use:   "invite PROJECT ID...",
		Short: "Invite people to a role: print links that sign them in once",
		Long: `Invite people to a role: print for each a link that signs them in, once, within 14 days. A person who is there already gets
a new link and keeps their work, and their role and name unless others are given. While 'omniscope people serve' runs, invite people on its page "Overview".`,
		Example: `  omniscope people invite votes ann --role voter --name "Ann Lee"
  omniscope people invite votes ann ben cem`,
		Args: func(_ *cobra.Command, args []string) error {
			return checkRules([]rule{
				{len(args) < 2, "name the project and the people: omniscope people invite PROJECT ID..."},
				{len(args) > 2 && name != "", "--name is the name of one person: invite each with a command of their own"},
			})
		},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			w, err := l.open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, w.Close()) }()
			if !cmd.Flags().Changed("role") {
				role = "" // who is there already keeps theirs
			}
			for _, id := range args[1:] {
				link, err := w.Invite(cmd.Context(), id, name, people.ProjectRole(role))
				if err != nil {
					return err
				}
				text := signInLink(link)
				if len(args) > 2 {
					text = id + "  " + text
				}
				fmt.Fprintln(cmd.OutOrStdout(), text)
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), otherAddress)
			return err
		},
	}
	cmd.Flags().StringVar(&role, "role", string(people.Annotator), "owner, lead, senior, annotator or voter")
	cmd.Flags().StringVar(&name, "name", "", "the person's name, as pages show it")
	l.addFlags(cmd)
	return cmd
}

func newPeopleAssign() *cobra.Command {
	var l peoplePlace
	cmd := &cobra.Command{
		Use:   "assign PROJECT STAGE PERSON ITEM...",
		Short: "Assign items at a stage to a person",
		Long: `Assign items at a stage to a person: no other person gets them then, unless they are assigned, too. A number instead of
items means so many of the first free items. Items without an assigned person go to the person who asks for the next.`,
		Example: `  omniscope people assign capricorn keypoints ann 20
  omniscope people assign capricorn keypoints ben video-7 video-8`,
		Args: checkedArgs(cobra.MinimumNArgs(4)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			w, err := l.open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, w.Close()) }()
			return assign(cmd, w, args[1], args[2], args[3:])
		},
	}
	l.addFlags(cmd)
	return cmd
}

// assign gives items to a person, and prints their names.
func assign(cmd *cobra.Command, w *people.Workplace, stage, person string, items []string) error {
	var stages []string
	for _, s := range w.Project().Stages {
		stages = append(stages, s.Name)
	}
	if !slices.Contains(stages, stage) {
		return omniscope.Usagef("there is no stage %q: the stages are %s", stage, strings.Join(stages, ", "))
	}
	before := w.Seq()
	if err := w.Assign(cmd.Context(), stage, person, items); err != nil {
		return err
	}
	var given []string
	for e, err := range w.Events(cmd.Context(), before) {
		if err != nil {
			return err
		}
		given = append(given, printable(e.Task.Item))
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %d assigned to %s: %s\n", stage, len(given), person, strings.Join(given, ", "))
	return err
}

func newPeopleStatus() *cobra.Command {
	var l peoplePlace
	var o tablesOut
	cmd := &cobra.Command{
		Use:   "status PROJECT",
		Short: "Show how far each stage is, who does what, and which clips cannot be shown",
		Long: `Show how far each stage is, who works on what, and how long people work on an item; which clips cannot be shown, as the
last 'omniscope people serve' found, and why; and which submitted work does not count. It works while 'omniscope people serve' runs.`,
		Example: `  omniscope people status votes`,
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return l.showTables(cmd, args[0], &o, "Status", func(w *people.Workplace) ([]omniscope.Table, error) {
				return append([]omniscope.Table{people.StageTable(w), people.PersonTable(w)}, clipTables(w)...), nil
			})
		},
	}
	o.addFlags(cmd.Flags(), "status.md", "status.json")
	l.addFlags(cmd)
	return cmd
}

func newPeopleAgreement() *cobra.Command {
	var l peoplePlace
	var o tablesOut
	cmd := &cobra.Command{
		Use:   "agreement PROJECT",
		Short: "Show results, how far people agree, and how carefully they work",
		Long: `Show the results of people's work, how far people agree who did the same item, with intervals by resampling clips, and
signs of how carefully each person works: time, planted items, copies. It works while 'omniscope people serve' runs.`,
		Example: `  omniscope people agreement votes --out agreement`,
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return l.showTables(cmd, args[0], &o, "Agreement", func(w *people.Workplace) ([]omniscope.Table, error) {
				return peopleTables(cmd, w)
			})
		},
	}
	o.addFlags(cmd.Flags(), "agreement.md", "agreement.json")
	l.addFlags(cmd)
	return cmd
}

// peopleTables are the results of a project, and how far people agree.
func peopleTables(cmd *cobra.Command, w *people.Workplace) (tables []omniscope.Table, err error) {
	if of := w.Kind().Tables; of != nil {
		if tables, err = of(cmd.Context(), w); err != nil && omniscope.KindOf(err) != omniscope.Usage {
			return nil, err
		}
		if err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "no results yet: %v\n", err)
		}
	}
	more, err := agreementTables(cmd.Context(), w)
	return append(tables, more...), err
}

// agreementTables are those of any kind of work: how far people agree, and how carefully they work.
func agreementTables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	tables, err := agreement.Tables(ctx, w)
	if err != nil {
		return nil, err
	}
	quality, err := agreement.Quality(ctx, w)
	if err != nil {
		return nil, err
	}
	tables = append(tables, quality)
	if t, any := people.LeftOutTable(w); any {
		tables = append(tables, t)
	}
	return tables, nil
}

// clipTables are the clips that cannot be shown, and the work that does not count.
func clipTables(w *people.Workplace) (tables []omniscope.Table) {
	for _, table := range []func(*people.Workplace) (omniscope.Table, bool){people.ClipTable, people.LeftOutTable} {
		if t, any := table(w); any {
			tables = append(tables, t)
		}
	}
	return tables
}

// showTables prints tables of a project, and writes them where --out says.
func (l *peoplePlace) showTables(cmd *cobra.Command, project string, o *tablesOut, title string, tables func(*people.Workplace) ([]omniscope.Table, error)) (err error) {
	w, err := l.look(cmd.Context(), project)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	name := strings.ToLower(title)
	c := report.Comparison{Schema: "omniscope/people-" + name + "/1", Title: title + " of " + w.Project().Name, Warnings: []string{}}
	files := []tableFile{
		{name + ".md", func(to io.Writer) error { return c.Markdown(to) }},
		{name + ".json", func(to io.Writer) error { return outfile.JSON(to, c) }},
	}
	if err := o.check(files); err != nil {
		return err
	}
	if c.Tables, err = tables(w); err != nil {
		return err
	}
	return o.show(cmd, c, files)
}

func newPeopleExport() *cobra.Command {
	var l peoplePlace
	var out string
	var force bool
	cmd := &cobra.Command{
		Use:   "export PROJECT [FILE...]",
		Short: "Export the results of a project: official files, reviewed captions, votes, the log",
		Long: `Export the files of a project to a folder: all files, or the named ones (names without their ending). Each project has
"events" in addition to the files of its kind: the entire log, a line of JSON for each event. If no file is named, files
that nothing can be written to yet are left out, with a warning. It works while 'omniscope people serve' runs.`,
		Example: `  omniscope people export votes
  omniscope people export capricorn annotations --out release`,
		Args: checkedArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			w, err := l.look(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, w.Close()) }()
			exports, err := chosenExports(w, args[1:])
			if err != nil {
				return err
			}
			named := len(args) > 1
			return writeExports(cmd, w, exports, cmp.Or(out, filepath.Base(filepath.Clean(args[0]))+"-export"), force, named)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder to write to (default: PROJECT-export)")
	addForce(cmd.Flags(), &force)
	l.addFlags(cmd)
	return cmd
}

func chosenExports(w *people.Workplace, names []string) (chosen []people.Export, err error) {
	all := append(w.Kind().Exports, people.EventsExport)
	if len(names) == 0 {
		return all, nil
	}
	for _, name := range names {
		i := slices.IndexFunc(all, func(e people.Export) bool { return e.Name == name })
		if i < 0 {
			var there []string
			for _, e := range all {
				there = append(there, e.Name)
			}
			return nil, omniscope.Usagef("there is no file %q: there are %s", name, strings.Join(there, ", "))
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// writeExports writes files to a folder. One that cannot be written yet is left out, with a warning,
// unless it was named.
func writeExports(cmd *cobra.Command, w *people.Workplace, exports []people.Export, out string, force, named bool) error {
	for _, e := range exports {
		if ondisk.Exists(filepath.Join(out, e.File)) && !force {
			return omniscope.Usagef("%s is there already: %s", filepath.Join(out, e.File), outfile.OrForce)
		}
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return omniscope.Usagef("--out %s: a file is in the way, or the folder cannot be made: %v", out, err)
	}
	for _, e := range exports {
		err := outfile.WriteIn(out, e.File, func(to io.Writer) error { return e.Write(cmd.Context(), w, to) })
		if err != nil && omniscope.KindOf(err) == omniscope.Usage && !named {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s is left out: %v\n", e.File, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", e.File, err)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s  %s\n", printable(filepath.Join(out, e.File)), e.About)
		if e.LeftOut == nil {
			continue
		}
		what, err := e.LeftOut(cmd.Context(), w)
		if err != nil {
			return fmt.Errorf("%s: %w", e.File, err)
		}
		if what != "" {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s: %s\n", e.File, what)
		}
	}
	counts := w.LeftOut()
	for _, why := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %d submitted tasks are in no file but events.jsonl: %s\n", counts[why], why)
	}
	return nil
}
