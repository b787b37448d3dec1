package mcif

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/pyrepr"
)

// compat returns the line that the published mcif_eval prints for these files,
// without the line break: the same keys in the same order, and on trouble with
// the inputs the same reason. A score whose scorer is not available makes the
// state ERROR; the reason says which, and the others stand in the line. Trouble
// with the inputs that the published program does not know is reported in our
// words. Files are never mended, whatever b says.
//
// The error is of kind Usage or Internal, or ctx's.
func compat(ctx context.Context, b Benchmark, in bench.Inputs) (string, error) {
	b.Lenient, in = false, asPython(in)
	ev, err := b.Open(ctx, bench.Inputs{Predictions: in.Predictions, Parts: in.Parts, Data: pythonPath(in.Data), Allow: true})
	if err != nil {
		return failureLine(ctx, cmp.Or(b.refusedOutputs(ctx, in), err))
	}
	defer ev.Close()
	e := ev.(*evaluation)
	if e.stop != nil {
		return compatLine("ERROR", &e.stop.Reason, nil), nil
	}
	for _, task := range macroTasks {
		if !e.officially(task) {
			continue
		}
		if err := e.ask(ctx, e.groups[task], bench.Official); err != nil {
			return failureLine(ctx, err)
		}
	}
	scores, lacks := e.published()
	if len(lacks) > 0 {
		reason := lacksReason(lacks)
		return compatLine("ERROR", &reason, scores), nil
	}
	return compatLine("OK", nil, scores), nil
}

// compatFailure is the line of compat where there are no references, for the reason
// why, which comes after whatever is wrong with the outputs.
func compatFailure(ctx context.Context, b Benchmark, in bench.Inputs, why error) string {
	b.Lenient = false
	return errorLine(cmp.Or(b.refusedOutputs(ctx, asPython(in)), why))
}

var _ bench.Printer = Benchmark{}

// Print implements bench.Printer: it returns the line of compat.
func (b Benchmark) Print(ctx context.Context, in bench.Inputs) (text string, asked bool, err error) {
	if !b.Compat {
		return "", false, nil
	}
	if b.Scorers, err = b.openScorers(ctx, in.Networks); err != nil {
		return "", true, err
	}
	if searched(in) { // what is wrong with the outputs can be said without a network
		_, err = b.ReadOutputs(ctx, outputFiles(in))
	}
	if err == nil {
		in.Data, _, err = b.references(ctx, in)
	}
	switch {
	case err == nil:
		text, err = compat(ctx, b, in)
	case ctx.Err() == nil:
		text, err = compatFailure(ctx, b, in, err), nil
	}
	return text, true, err
}

// asPython names the outputs as the published program does.
func asPython(in bench.Inputs) bench.Inputs {
	in.Predictions, in.Parts = pythonPath(in.Predictions), slices.Clone(in.Parts)
	for i, path := range in.Parts {
		in.Parts[i] = pythonPath(path)
	}
	return in
}

// refusedOutputs is why the published program does not read the outputs.
func (b Benchmark) refusedOutputs(ctx context.Context, in bench.Inputs) error {
	out, err := b.ReadOutputs(ctx, outputFiles(in))
	if err != nil {
		return err
	}
	return out.Refused
}

func failureLine(ctx context.Context, err error) (string, error) {
	_, published := publishedReason(err)
	kind := omniscope.KindOf(err)
	if ctx.Err() != nil || !published && (kind == omniscope.Internal || kind == omniscope.Usage) {
		return "", err
	}
	return errorLine(err), nil
}

func errorLine(err error) string {
	reason, ok := publishedReason(err)
	if !ok {
		reason = err.Error()
	}
	return compatLine("ERROR", &reason, nil)
}

// lacksReason names the scores by their keys, each reason once.
func lacksReason(lacks []lack) string {
	var order []string
	keys := make(map[string][]string)
	for _, l := range lacks {
		if keys[l.why] == nil {
			order = append(order, l.why)
		}
		keys[l.why] = append(keys[l.why], l.key)
	}
	for i, why := range order {
		order[i] = strings.Join(keys[why], ", ") + ": not available: " + why
	}
	return strings.Join(order, "; ")
}

// publishedReason is what the published program gives as its reason when the
// files cannot be read.
func publishedReason(err error) (string, bool) {
	var syntax *mcifxml.SyntaxError
	var task *mcifxml.TaskError
	var attribute *mcifxml.AttributeError
	var file *fs.PathError
	switch {
	case errors.As(err, &syntax):
		return syntax.Message, true
	case errors.As(err, &task):
		return task.Message(), true
	case errors.As(err, &attribute):
		return attribute.Message(), true
	case errors.Is(err, errNothingToScore):
		return "", true // an assertion
	case errors.As(err, &file):
		return osReason(file)
	}
	return "", false
}

// osReason is what Python says of a file that the system does not give. The C
// library's words for it begin with a capital, Go's do not.
func osReason(err *fs.PathError) (string, bool) {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return "", false
	}
	words := number.Error()
	return fmt.Sprintf("[Errno %d] %s: %s", int(number), strings.ToUpper(words[:1])+words[1:], textRepr(err.Path)), true
}

// pythonPath writes a path as Python's pathlib.PurePosixPath does: without "."
// and slashes that say nothing. Two slashes at the start, no more and no less,
// mean something to POSIX and stay.
func pythonPath(path string) string {
	root := ""
	if strings.HasPrefix(path, "/") {
		root = "/"
		if strings.HasPrefix(path, "//") && !strings.HasPrefix(path, "///") {
			root = "//"
		}
	}
	var parts []string
	for part := range strings.SplitSeq(path, "/") {
		if part != "" && part != "." {
			parts = append(parts, part)
		}
	}
	return cmp.Or(root+strings.Join(parts, "/"), ".")
}

func compatLine(state string, reason *string, scores []namedScore) string {
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
