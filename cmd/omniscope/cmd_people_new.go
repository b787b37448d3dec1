package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/version"
	"omniscope/people"
	"omniscope/people/sample"
)

func newPeopleNew() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new KIND PROJECT",
		Short: "Make a project of a kind of work from files",
		Long: `Make a project of a kind of work from files, in a new folder PROJECT, and print the link with which its owner signs in.
'omniscope people new KIND --help' shows the options of a kind.`,
		Example: `  omniscope people new captions review --captions captions.jsonl --people 3
  omniscope people new arena votes --captions ours.jsonl --captions theirs.jsonl`,
		Args: checkedArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, kind := range peopleKinds {
		if kind != sample.Kind { // see newPeopleSample
			cmd.AddCommand(newPeopleNewKind(kind))
		}
	}
	return cmd
}

// peopleMaker is the options of a kind, as flags.
func peopleMaker(cmd *cobra.Command, kind *people.Kind) (people.Maker, []*optionFlag) {
	maker := kind.Maker()
	var options []*optionFlag
	for _, o := range maker.Options() {
		options = append(options, addOption(cmd.Flags(), o))
	}
	return maker, options
}

func makePlan(cmd *cobra.Command, maker people.Maker, options []*optionFlag) (*people.Plan, error) {
	for _, o := range options {
		if o.wrong != "" {
			return nil, omniscope.Usagef("--%s: %q is none of %v", o.Name, o.wrong, o.Choices)
		}
	}
	p, err := maker.Make(cmd.Context())
	if err != nil {
		return nil, err
	}
	warn(cmd, printables(p.Warnings)...)
	if p.Close == nil {
		p.Close = func() error { return nil }
	}
	return p, nil
}

// A newProject is what is said of a project of any kind.
type newProject struct {
	peoplePlace
	Title, Guideline, Owner string
}

func newPeopleNewKind(kind *people.Kind) *cobra.Command {
	o := &newProject{}
	info := kind.Info
	cmd := &cobra.Command{
		Use:     info.Name + " PROJECT",
		Short:   info.About,
		Long:    info.Long,
		Example: info.Examples,
		Args:    exactArgs(1),
	}
	maker, options := peopleMaker(cmd, kind)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		link, media, err := o.make(cmd, args[0], maker, options)
		if err != nil {
			return err
		}
		serve := args[0]
		if media == "" {
			serve += " --media FOLDER"
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "made %s. Serve it with\n  omniscope people serve %s\nand sign in as %s, once, at\n  %s\n%s\n", printable(args[0]), printable(serve), o.Owner, signInLink(link), otherAddress)
		return err
	}
	f := cmd.Flags()
	f.StringVar(&o.Title, "title", "", "title of the project, as pages show it (default: the kind's)")
	f.StringVar(&o.Guideline, "guideline", "", "text file that is shown beside the work (default: the kind's)")
	f.StringVar(&o.Owner, "owner", "owner", "id of the person who runs the project")
	o.addFlags(cmd)
	return cmd
}

// signInLink is the link of an invitation at the usual address of the server.
func signInLink(secret string) string { return "http://" + usualServeAddress + "/join/" + secret }

// otherAddress follows a link.
const otherAddress = "(If `omniscope people serve` prints another address, put that in front of /join.)"

// make makes a project, and returns the secret of its owner's link and the folder of its media; "" = not known.
func (o *newProject) make(cmd *cobra.Command, project string, maker people.Maker, options []*optionFlag) (link, media string, err error) {
	if !people.IsPersonID(o.Owner) {
		return "", "", omniscope.Usagef("--owner %q: an id is one word of at most 64 bytes, letters, digits and any of . _ @ + -", o.Owner)
	}
	p, err := makePlan(cmd, maker, options)
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	p.Project.MediaFolder = p.MediaFolder
	p.Project.Name = filepath.Base(filepath.Clean(project))
	p.Project.Title = cmp.Or(o.Title, p.Project.Title, p.Project.Name)
	p.Project.MadeBy = version.Program()
	if o.Guideline != "" {
		text, err := os.ReadFile(o.Guideline)
		if err != nil {
			return "", "", omniscope.Usagef("--guideline: %v", err)
		}
		p.Project.Guideline = string(text)
	}
	link, err = o.begin(cmd.Context(), project, p, o.Owner)
	return link, p.MediaFolder, err
}

func newPeopleImport() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import KIND PROJECT",
		Short: "Import further items into a project, and work that was done elsewhere",
		Long: `Import the items of further files into a project of the same kind. Items that are there already are left as they are. The
options are the same as of 'omniscope people new'. Arenas, ratings, claims and samples number their items across all files: more of
them are a project of their own.`,
		Example: `  omniscope people import capricorn keypoints --clips more.jsonl`,
		Args:    checkedArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, kind := range peopleKinds {
		if !kind.Info.Fixed {
			cmd.AddCommand(newPeopleImportKind(kind))
		}
	}
	return cmd
}

// importExamples are the examples of a kind that import, or what would be those.
func importExamples(info people.Info) string {
	const made, added = "omniscope people new ", "omniscope people import "
	var says []string
	for line := range strings.SplitSeq(info.Examples, "\n") {
		if strings.Contains(line, added) {
			return line
		}
		if strings.Contains(line, made) {
			says = append(says, strings.Replace(line, made, added, 1))
		}
	}
	return strings.Join(says, "\n")
}

func newPeopleImportKind(kind *people.Kind) *cobra.Command {
	var l peoplePlace
	info := kind.Info
	cmd := &cobra.Command{
		Use:     info.Name + " PROJECT",
		Short:   "Import into a project: " + info.About,
		Long:    info.Long,
		Example: importExamples(info),
		Args:    exactArgs(1),
	}
	maker, options := peopleMaker(cmd, kind)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		p, err := makePlan(cmd, maker, options)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, p.Close()) }()
		w, err := l.open(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, w.Close()) }()
		if have := w.Project().Kind; have != info.Name {
			return omniscope.Usagef("%s is a project of the kind %s, not %s", args[0], have, info.Name)
		}
		if names := settingFlags(cmd, options); len(names) > 0 && !sameWork(p.Project, w.Project()) {
			return omniscope.Usagef("%s stays as it was made, and an import only adds items: leave out %s", args[0], strings.Join(names, ", "))
		}
		added, there, err := w.Add(cmd.Context(), p)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d items added, %d were there already\n", added, there)
		return err
	}
	l.addFlags(cmd)
	return cmd
}

// settingFlags are the given flags that say how a project is, not which files it is of.
func settingFlags(cmd *cobra.Command, options []*optionFlag) (names []string) {
	for _, o := range options {
		if kind := o.Type(); cmd.Flags().Changed(o.Name) && (kind == "int" || kind == "bool") {
			names = append(names, "--"+o.Name)
		}
	}
	return names
}

// sameWork reports whether people do the same in two projects.
func sameWork(a, b people.Project) bool {
	return reflect.DeepEqual(a.Stages, b.Stages) && maps.Equal(a.Settings, b.Settings)
}

// newPeopleSample makes projects of the kind check.
func newPeopleSample() *cobra.Command {
	cmd := newPeopleNewKind(sample.Kind)
	cmd.Use = "sample RUN PROJECT"
	cmd.Short = "Sample a run's judgements for people to make again, to measure its judge"
	cmd.Example = "  omniscope people sample omniscope-work/runs/omni-cloze-ours-1a2b checks --n 200 --stratify verdict"
	cmd.Args = exactArgs(2)
	cmd.Flags().Lookup("run").Hidden = true
	makeCheck := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := cmd.Flags().Set("run", args[0]); err != nil {
			return err
		}
		return makeCheck(cmd, args[1:])
	}
	return cmd
}
