package mcif

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"omniscope/bench"
	"omniscope/internal/mcifxml"
	"omniscope/internal/pyrepr"
)

// Compat returns the line that the published mcif_eval prints for these files,
// without the line break: the same keys in the same order, and on trouble with
// the inputs the same reason. A score whose scorer is not available makes the
// state ERROR; the reason says which, and the others stand in the line.
//
// The error is trouble that the published program does not know of.
func Compat(ctx context.Context, b Benchmark, outputs, references string) (string, error) {
	ev, err := b.Open(ctx, bench.Inputs{Predictions: outputs, Data: references})
	if err != nil {
		if reason, ok := publishedReason(err); ok {
			return compatLine("ERROR", &reason, nil), nil
		}
		return "", err
	}
	defer ev.Close()
	e := ev.(*evaluation)
	if err := e.prepare(ctx); err != nil {
		return "", err
	}
	if e.stop != nil {
		return compatLine("ERROR", &e.stop.Reason, nil), nil
	}
	if len(e.lacks) > 0 {
		var reasons []string
		for _, name := range e.lacks {
			reasons = append(reasons, name+" is not available: "+e.scorers.Missing[name])
		}
		reason := strings.Join(reasons, "; ")
		return compatLine("ERROR", &reason, e.official), nil
	}
	return compatLine("OK", nil, e.official), nil
}

// publishedReason is what the published program gives as its reason when the
// files cannot be read.
func publishedReason(err error) (string, bool) {
	var syntax *mcifxml.SyntaxError
	var task *mcifxml.TaskError
	var file *fs.PathError
	switch {
	case errors.As(err, &syntax):
		return syntax.Message, true
	case errors.As(err, &task):
		return task.Message(), true
	case errors.Is(err, errNothingToScore):
		return "", true // an assertion
	case errors.As(err, &file) && errors.Is(err, fs.ErrNotExist):
		return "[Errno 2] No such file or directory: " + textRepr(file.Path), true
	}
	return "", false
}

func compatLine(state string, reason *string, scores []NamedScore) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"state": "%s"`, state)
	if reason != nil {
		b.WriteString(`, "reason": ` + pyrepr.JSONString(*reason))
	}
	b.WriteString(`, "scores": {`)
	for i, s := range scores {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(pyrepr.JSONString(s.Key) + ": " + pyrepr.JSONFloat(s.Value))
	}
	b.WriteString("}}")
	return b.String()
}
