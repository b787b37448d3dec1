package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/syntax"

	"omniscope/internal/commandline"
	"omniscope/internal/testing/fixture"
)

// documentedProject defines the models and systems that pages and examples name.
const documentedProject = `models:
  qwen: {model: vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct, base-url: "http://node7:8000/v1"}
  judge: {model: openai/gpt-4o-2024-11-20}
systems:
  det: {detective: judge, observers: [qwen]}
`

// A shellLine is a command line of a page.
type shellLine struct {
	where string // PAGE:LINE
	text  string
	form  bool // in a sentence: arguments may be missing
}

// documents are the pages that users read. docs/commands.md is printed from the help, which TestHelpExamples checks.
func documents(t *testing.T) []string {
	t.Helper()
	var pages []string
	for _, pattern := range []string{"README.md", "docs/*.md", "bench/demo/*.md", "python/README.md"} {
		found, err := filepath.Glob(filepath.Join("../..", pattern))
		fixture.OK(t, err)
		pages = append(pages, found...)
	}
	return slices.DeleteFunc(pages, func(p string) bool { return filepath.Base(p) == "commands.md" })
}

var (
	startsProgram = regexp.MustCompile(`^(\$ |! )?([A-Z_]+=\S* )*(bin/|\./)?omniscope `)
	codeSpan      = regexp.MustCompile("`([^`\n]+)`")
)

// commandLines are the command lines in the code blocks of a page, each with the lines that continue it, and in its sentences.
func commandLines(path, page string) (all []shellLine) {
	var joined string
	inBlock := false
	for i, line := range strings.Split(page, "\n") {
		where := fmt.Sprintf("%s:%d", filepath.Base(path), i+1)
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inBlock, joined = !inBlock, ""
			continue
		}
		if !inBlock {
			for _, m := range codeSpan.FindAllStringSubmatch(line, -1) {
				if startsProgram.MatchString(m[1]) {
					all = append(all, shellLine{where, m[1], true})
				}
			}
			continue
		}
		joined += strings.TrimSpace(line)
		if rest, continued := strings.CutSuffix(joined, `\`); continued {
			joined = rest
			continue
		}
		if startsProgram.MatchString(joined) {
			all = append(all, shellLine{where, strings.TrimPrefix(joined, "$ "), false})
		}
		joined = ""
	}
	return all
}

// programCalls are the arguments of all calls of the program in a command line, as a shell splits it.
func programCalls(line string) (calls [][]string, err error) {
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return nil, err
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		call, ok := node.(*syntax.CallExpr)
		if !ok {
			return true
		}
		var words []string
		for _, w := range call.Args {
			written := line[w.Pos().Offset():w.End().Offset()]
			split, splitErr := commandline.Split(written)
			if splitErr != nil || len(split) != 1 {
				split = []string{written}
			}
			words = append(words, split[0])
		}
		if len(words) > 0 && filepath.Base(words[0]) == "omniscope" {
			calls = append(calls, words[1:])
		}
		return true
	})
	return calls, nil
}

// parseCommand reads a command line as the program does, up to the command's own checks of files and of flags that do not go together.
func parseCommand(args []string) (*cobra.Command, error) {
	root := newRoot(io.Discard, io.Discard)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	args = splitMeasure(args)
	cmd, rest, err := root.Find(args)
	if err != nil {
		return nil, err
	}
	if err := checkCommandLine(cmd, rest); err != nil {
		return nil, err
	}
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	if err := cmd.ParseFlags(rest); err != nil {
		return nil, cmd.FlagErrorFunc()(cmd, err)
	}
	if err := applySettings(cmd); err != nil {
		return nil, err
	}
	if cmd.Flags().Changed("help") || cmd.Flags().Changed("version") || cmd.Flags().Changed(helpAll) {
		return cmd, nil
	}
	return cmd, cmd.ValidateArgs(cmd.Flags().Args())
}

// inDocumentedProject moves into a folder with the omniscope.yaml that the pages assume.
func inDocumentedProject(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	fixture.OK(t, os.WriteFile(filepath.Join(dir, "omniscope.yaml"), []byte(documentedProject), 0o600))
	t.Chdir(dir)
}

func TestDocumentedCommandLines(t *testing.T) {
	lines := make(map[string]shellLine) // each once
	for _, path := range documents(t) {
		page, err := os.ReadFile(path)
		fixture.OK(t, err)
		for _, l := range commandLines(path, string(page)) {
			lines[l.text] = l
		}
	}
	inDocumentedProject(t)
	for _, l := range lines {
		calls, err := programCalls(l.text)
		if err != nil {
			t.Errorf("%s: %s: %v", l.where, l.text, err)
		}
		for _, args := range calls {
			if l.form || slices.ContainsFunc(args, isPlaceholder) {
				err = checkForm(args)
			} else {
				_, err = parseCommand(args)
			}
			if err != nil {
				t.Errorf("%s: %s: %v", l.where, l.text, err)
			}
		}
	}
	if len(lines) < 300 {
		t.Errorf("%d command lines were found, want at least 300", len(lines))
	}
}

// isPlaceholder reports whether the user replaces a word.
func isPlaceholder(word string) bool {
	return strings.ContainsAny(word, "[]") || strings.Contains(word, "...") || namesAny(word)
}

// namesAny reports whether the user replaces a word by the name of a benchmark, a measure or a kind of work.
func namesAny(word string) bool {
	return slices.Contains([]string{"BENCHMARK", "BENCH", "NAME", "KIND", "METRIC"}, word)
}

// checkForm checks the commands and flags of a command line that lacks arguments or has placeholders instead.
func checkForm(args []string) error {
	cmd, rest := programTree(), args
	for len(rest) > 0 {
		// Benchmarks and kinds of work have the flags that a page names.
		at := slices.IndexFunc(cmd.Commands(), func(sub *cobra.Command) bool { return sub.Name() == rest[0] })
		if at < 0 && cmd.HasSubCommands() && namesAny(rest[0]) {
			at = 0
		}
		if at < 0 {
			break
		}
		cmd, rest = cmd.Commands()[at], rest[1:]
	}
	if len(rest) > 0 && cmd.HasSubCommands() && removedCommand(cmd.Root(), rest) != "" {
		return fmt.Errorf("there is no command %s", rest[0])
	}
	if cmd.HasSubCommands() && !cmd.Runnable() && len(rest) > 0 {
		return fmt.Errorf("%s has no command %s", cmd.CommandPath(), rest[0])
	}
	for _, word := range rest {
		name, found := strings.CutPrefix(strings.Trim(word, "[]"), "--")
		if name, _, _ = strings.Cut(name, "="); found && cmd.Flag(name) == nil && name != "help" && name != "version" {
			return fmt.Errorf("%s has no flag --%s", cmd.CommandPath(), name)
		}
	}
	return nil
}

// programTree is the program with all its commands, for looking at.
var programTree = sync.OnceValue(func() *cobra.Command {
	root := newRoot(io.Discard, io.Discard)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	return root
})

// otherPrograms are flags in pages that are of other programs: vLLM, docker, pip, and scripts of deploy/. Trainers' have underscores.
var otherPrograms = []string{
	"allowed-local-media-path", "build-arg", "checksums", "deepspeed", "enable-prefix-caching", "prefix", "sha256", "strict", "target",
	"trust-request-mm-kwargs", "update", "user",
}

// TestDocumentedFlags checks the flags and commands that sentences name without the program.
func TestDocumentedFlags(t *testing.T) {
	known := append(allFlags(programTree()), "help", "")
	known = append(known, otherPrograms...)
	for _, path := range documents(t) {
		page, err := os.ReadFile(path)
		fixture.OK(t, err)
		for _, span := range codeSpan.FindAllStringSubmatch(string(page), -1) {
			words := strings.Fields(span[1])
			if len(words) == 0 || startsProgram.MatchString(span[1]) {
				continue
			}
			if was := removedCommand(programTree(), words); was != "" && len(words) > 1 {
				t.Errorf("%s: `%s`: %s", filepath.Base(path), span[1], was)
			}
			if strings.HasPrefix(words[0], "--") && !strings.Contains(words[0], "_") {
				name, _, _ := strings.Cut(strings.TrimPrefix(words[0], "--"), "=")
				if !slices.Contains(known, name) {
					t.Errorf("%s: `%s`: there is no flag --%s", filepath.Base(path), span[1], name)
				}
			}
		}
	}
}
