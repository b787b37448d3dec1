package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpAll is the flag that shows the help with all flags and all that is said of them.
const helpAll = "help-all"

// A flagGroup is a heading of help with the flags below it, in order.
type flagGroup struct {
	title string
	names []string
}

// flagGroups sort the flags that many commands have. A flag that is in no group belongs to its command alone, and comes first.
var flagGroups = []flagGroup{
	{"Input", []string{"data", "predictions", "captions", "media", "media-root", "list", "reference", "limit", "sample", "modality", "language", "caption-field", "id-field", "seed"}},
	{"Models", []string{"model", "judge", "answerer", "embedder", "detective", "splitter", "drafter", "validator", "tester", "generator", "observer", "asr", "tools", "tool", "prompt", "prompts", "protocol", "inquiries", "no-score", "repeat"}},
	{"Scoring", []string{"scoring", "max-failures"}},
	{"Spending", []string{"dry-run", "max-cost", "max-calls", "max-total-tokens", "concurrency"}},
	{"Output", []string{"out", "system", "as", "pages", "json", "fresh", "ask-failed", "force", "work-dir", "shard", "quiet", "verbose"}},
}

// seldom are flags of many commands that help leaves to --help-all.
var seldom = []string{
	"any-endpoint", "ask-failed", "engine", "journal", "judge-exam", "prices", "max-total-tokens", "sweep", "repeat", "work-dir", "set",
}

// wide is how wide help is printed.
const wide = 80

// setHelp has all commands print help in groups.
func setHelp(root *cobra.Command) {
	root.PersistentFlags().Bool(helpAll, false, "show all flags, and all that is said of them")
	root.PersistentFlags().Lookup(helpAll).Hidden = true
	root.PersistentFlags().StringArray("set", nil, "NAME=VALUE of a setting that is listed below the flags; several times for several")
	hideSettings(root)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		all, _ := cmd.Flags().GetBool(helpAll)
		writeHelp(cmd.OutOrStdout(), cmd, all)
	})
}

// wantsHelpAll reports whether --help-all is among the arguments of a command. It is looked for before a command checks them.
func wantsHelpAll(args []string) bool {
	end := slices.Index(args, "--")
	if end < 0 {
		end = len(args)
	}
	return slices.Contains(args[:end], "--"+helpAll)
}

// writeHelp prints what a command is for and its flags: the usual ones in few words, or all.
func writeHelp(w io.Writer, cmd *cobra.Command, all bool) {
	about := cmd.Short + "."
	if cmd.Long != "" && (all || cmd == cmd.Root()) {
		about = cmd.Long
	}
	fmt.Fprintln(w, about)
	if cmd != cmd.Root() {
		fmt.Fprintf(w, "\nUsage:\n  %s\n", usageLine(cmd))
	}
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", strings.TrimRight(examples(cmd, all), "\n"))
	}
	writeCommands(w, cmd)
	hidden := writeFlags(w, cmd, all)
	if all {
		writeSettings(w, cmd)
	} else {
		hidden += len(settingsOf(cmd))
	}
	if hidden > 0 {
		fmt.Fprintf(w, "\n%d more: --help-all\n", hidden)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nHelp of a command: %s COMMAND --help\n", cmd.CommandPath())
	}
	if cmd == cmd.Root() {
		fmt.Fprint(w, aboutAll)
	}
}

// aboutAll is what holds for all commands.
const aboutAll = `
Flags are set by variables (OMNISCOPE_MAX_COST), a .env and omniscope.yaml, too.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 too many failures, 4 stopped by a
budget, 5 worse (compare --fail-if-worse), 130 interrupted. 4 and 130 go on.
`

func usageLine(cmd *cobra.Command) string {
	line := strings.TrimSuffix(cmd.UseLine(), " [flags]")
	if cmd.HasAvailableSubCommands() && len(strings.Fields(cmd.Use)) == 1 { // else Use has a word for them
		return line + " COMMAND [flags]"
	}
	return line + " [flags]"
}

// examples are the first two, or all.
func examples(cmd *cobra.Command, all bool) string {
	const most = 2
	var kept []string
	n := 0
	for _, line := range strings.Split(cmd.Example, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "omniscope ") {
			n++
		}
		if n > most && !all {
			break
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}

// writeCommands lists the commands below a command, in their groups.
func writeCommands(w io.Writer, cmd *cobra.Command) {
	groups := slices.Clone(cmd.Groups())
	groups = append(groups, &cobra.Group{Title: "Commands:"})
	longest := 0
	for _, sub := range cmd.Commands() {
		longest = max(longest, len(sub.Name()))
	}
	for _, g := range groups {
		header := "\n" + g.Title + "\n"
		for _, sub := range cmd.Commands() {
			if sub.GroupID != g.ID || !sub.IsAvailableCommand() || sub.Name() == "help" || sub.Name() == "completion" {
				continue
			}
			fmt.Fprintf(w, "%s  %-*s  %s\n", header, longest, sub.Name(), sub.Short)
			header = ""
		}
	}
}

// writeFlags prints the flags in their groups, and returns how many it left out.
func writeFlags(w io.Writer, cmd *cobra.Command, all bool) (hidden int) {
	left := make(map[string]*pflag.Flag)
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "version" {
			return
		}
		if !all && isSeldom(cmd, f.Name) {
			hidden++
			return
		}
		left[f.Name] = f
		names = append(names, f.Name)
	})
	if !all && cmd.Example == "" && cmd.Long != "" {
		hidden = max(hidden, 1)
	}
	groups := []flagGroup{{title: "Flags"}}
	for _, g := range flagGroups {
		var here []string
		for _, name := range g.names {
			if left[name] != nil {
				here = append(here, name)
			}
		}
		groups = append(groups, flagGroup{g.title, here})
		names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(here, name) })
	}
	groups[0].names = names
	for _, g := range groups {
		if len(g.names) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s:\n", g.title)
		for _, name := range g.names {
			writeFlag(w, left[name], all)
		}
	}
	return hidden
}

// isSeldom reports whether help leaves a flag of a command to --help-all.
func isSeldom(cmd *cobra.Command, name string) bool {
	if own := usualFlags[strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")]; own != nil {
		return !slices.Contains(own, name)
	}
	if of := cmd.Parent(); of != nil {
		if own := usualFlags[strings.TrimPrefix(of.CommandPath(), cmd.Root().Name()+" ")+" *"]; own != nil {
			return !slices.Contains(own, name)
		}
	}
	return slices.Contains(seldom, name)
}

// usualFlags are the flags that the help of the largest commands shows. "eval *" are all commands below eval.
var usualFlags = map[string][]string{
	"run *": {"data", "media", "modality", "limit", "sample", "seed", "model", "judge", "prompt", "circular", "no-score", "dry-run", "max-cost", "max-calls", "concurrency",
		"scoring", "max-failures", "out", "system", "json", "fresh", "force", "shard", "quiet", "reference"},
	"eval *": {"data", "predictions", "captions", "caption-field", "id-field", "modality", "limit", "sample", "judge", "circular", "prompts", "scoring", "max-failures", "dry-run", "max-cost", "max-calls",
		"concurrency", "out", "system", "json", "fresh", "ask-failed", "force", "quiet", "reference"},
	"audit": {"captions", "media", "text", "caption-field", "id-field", "modality", "limit", "recall", "splitter", "observer", "asr", "tools", "dry-run", "max-cost", "max-calls", "concurrency",
		"out", "system", "json", "fresh", "force", "quiet"},
	"caption": {"list", "media", "modality", "limit", "pilot", "model", "detective", "observer", "asr", "tools", "tools-only", "prompt", "prompts", "inquiries", "dry-run", "max-cost", "max-calls",
		"concurrency", "out", "pages", "json", "fresh", "force", "shard", "quiet"},
	"train export": {"for", "modality", "media", "media-root", "with-media", "unreviewed", "rule", "language", "validation", "per-category", "without", "without-unlicensed", "as", "shard-size", "card",
		"seed", "limit", "max-failures", "dry-run", "concurrency", "out", "json", "force", "quiet"},
}

// writeFlag prints a flag and what it is for: in a few words, or all that is said of it.
func writeFlag(w io.Writer, f *pflag.Flag, all bool) {
	name := "    --" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", --" + f.Name
	}
	if f.Value.Type() != "bool" {
		name += " " + valueOf(f)
	}
	usage := strings.ReplaceAll(f.Usage, "\n", " ")
	if !all {
		usage = inFewWords(usage)
	}
	usage = withDefault(usage, f.DefValue)
	writeRow(w, name, usage)
}

// valueOf names the value of a flag, such as FILE.
func valueOf(f *pflag.Flag) string {
	switch f.Name {
	case "data", "predictions", "captions", "list", "reference", "ratings", "scores", "blanks", "descriptions", "talks", "annotations", "hyp", "ref", "src", "prices", "html":
		return "FILE"
	case "media", "media-root", "work-dir", "prompts", "audio-dir", "source-dir":
		return "FOLDER"
	case "out", "journal", "originals":
		return "PATH"
	}
	switch kind := f.Value.Type(); kind {
	case "int", "int64", "uint64", "uint", "intSlice":
		return "N"
	case "float64":
		return "NUMBER"
	case "duration":
		return "TIME"
	case "string", "stringArray", "stringSlice", "strings", "list":
		return "TEXT"
	default:
		return strings.ToUpper(kind)
	}
}

// withDefault adds a default to what is said of a flag.
func withDefault(usage, value string) string {
	if value == "" || value == "0" || value == "false" || value == "[]" || value == "0s" || strings.Contains(usage, "default") {
		return usage
	}
	return usage + " (default: " + value + ")"
}

// writeRow prints a name and its description.
func writeRow(w io.Writer, name, usage string) {
	const column = 24
	if utf8.RuneCountInString(name) > column {
		fmt.Fprintf(w, "  %s\n", name)
		name = ""
	}
	for _, line := range strings.Split(text.WrapSoft(usage, wide-column-4), "\n") {
		fmt.Fprintf(w, "  %-*s  %s\n", column, name, strings.TrimRight(line, " "))
		name = ""
	}
}

// inFewWords is the first part of the description of a flag.
func inFewWords(usage string) string {
	for _, mark := range []string{". ", "; ", " (default", ": "} {
		if before, _, found := strings.Cut(usage, mark); found && len(before) > 12 {
			usage = before
		}
	}
	const most = 104 // two lines
	if before, _, found := strings.Cut(usage, ", "); found && len(usage) > most && len(before) > 12 {
		usage = before
	}
	return usage
}
