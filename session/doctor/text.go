package doctor

import (
	"fmt"
	"io"
	"strings"

	"omniscope/internal/quantity"
)

// Text writes what was found for people to read.
func (e *examination) Text(out io.Writer) {
	say := func(what, format string, args ...any) {
		fmt.Fprintf(out, "%-12s %s\n", what, fmt.Sprintf(format, args...))
	}
	say("omniscope", "%s", e.Version)
	for _, f := range e.Files {
		say("settings", "%s: %s", f.Path, strings.Join(f.Names, ", "))
	}
	if e.Project != nil {
		e.Project.say(say)
	}
	say("journal", "%s", e.Journal)
	for _, p := range e.Programs {
		say(strings.TrimSuffix(p.Name, "_continuous"), "%s", p)
	}
	for _, t := range e.Tools {
		if t.Works {
			say("tool "+t.Name, "works (%s)", t.Version)
		} else {
			say("tool "+t.Name, "does not work: %s", t.Problem)
		}
	}
	e.sayInstalled(say)
	for _, p := range e.Providers {
		key := "no key (" + strings.Join(p.KeyEnv, " or ") + " not set)"
		if p.KeyFrom != "" {
			key = "key from " + p.KeyFrom
		}
		say(p.Name, "%s (%s), %s", p.URL, p.URLFrom, key)
		if p.Problem != "" {
			say("", "%s", p.Problem)
		}
	}
	what := "judge"
	for _, line := range e.Judge.Says {
		say(what, "%s", line)
		what = ""
	}
	if len(e.Missing) > 0 {
		say("missing", "%s", strings.Join(e.Missing, ", "))
	}
	if e.Install != "" {
		say("to install", "%s", e.Install)
	}
	e.writeJobs(out)
}

// sayInstalled describes the speech pack and the networks.
func (e *examination) sayInstalled(say func(what, format string, args ...any)) {
	if e.Speech.There {
		say("speech pack", "%s", e.Speech.Folder)
	} else {
		say("speech pack", "%s", strings.TrimPrefix(e.Speech.Problem, "asr: "))
	}
	switch m := e.Models; {
	case m.Problem != "":
		say("models", "%s", m.Problem)
	default:
		if len(m.There) > 0 {
			say("models", "%s: %s", m.Folder, strings.Join(m.There, ", "))
		}
		if len(m.Missing) > 0 {
			say("models", "not in %s: %s; `omniscope data get NAME` downloads one", m.Folder, strings.Join(m.Missing, ", "))
		}
	}
}

// writeJobs writes the verdicts, which come last.
func (e *examination) writeJobs(out io.Writer) {
	if len(e.Jobs) > 0 {
		fmt.Fprintln(out)
	}
	for _, v := range e.Jobs {
		mark := "✗"
		if v.Works {
			mark = "✓"
		}
		fmt.Fprintf(out, "%s %-8s %s\n", mark, v.Job, v.Why)
		for _, fix := range v.Fixes {
			fmt.Fprintf(out, "%-10s %s\n", "", fix)
		}
	}
}

func (j journal) String() string {
	text := fmt.Sprintf("none yet; it will be made in %s", j.Folder)
	switch {
	case j.Problem != "":
		text = fmt.Sprintf("%s: %s", j.Folder, j.Problem)
	case j.There:
		text = fmt.Sprintf("%s: %s, %s", j.Folder, quantity.Of(j.Runs, "run", "runs"), quantity.Of(j.Answers, "answer", "answers"))
	}
	if j.Writable && j.Problem == "" {
		text += "; writable"
	}
	if j.FreeBytes != nil {
		text += fmt.Sprintf("; %.1f GB free", float64(*j.FreeBytes)/1e9)
	}
	return text
}

func (p program) String() string {
	switch {
	case p.Path == "":
		return p.Problem + "; for " + p.Use
	case p.Problem != "":
		return p.Path + ": " + p.Problem + "; for " + p.Use
	}
	text := p.Path
	if p.Version != "" {
		text += ": " + p.Version
	}
	if len(p.Languages) > 0 {
		text += "; languages " + strings.Join(p.Languages, ", ")
	}
	return text
}
