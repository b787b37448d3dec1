// Package inspect reads logs of Inspect: .eval, a ZIP file with a member for each sample and epoch
// (src/inspect_ai/log/_recorders/eval.py), and .json, one object with all samples. What a sample
// is, is EvalSample in src/inspect_ai/log/_log.py; why an output ended, StopReason in
// src/inspect_ai/model/_model_output.py.
package inspect

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench/harness"
	"omniscope/internal/input"
)

// Harness is Inspect.
var Harness = harness.Harness{
	Name:  "inspect",
	Title: "Inspect",
	Files: "logs that end in .eval or .json",
	Known: map[string][]string{"": {"id", "metadata.id", "metadata.question_id", "metadata.uuid", "metadata.video_id"}},
	Recognise: func(g *harness.Glance) bool {
		return slices.ContainsFunc(headers, func(name string) bool { return slices.Contains(g.Members, name) }) ||
			g.Document() && strings.Contains(string(g.Head), `"eval":`) && strings.Contains(string(g.Head), `"status":`)
	},
	Read: read,
}

// headers are the members that say what was run, the first that there is: that of a run that has
// ended, that of one that has not, and that of the first version of the form.
var headers = []string{"header.json", "_journal/start.json", "start.json"}

func read(ctx context.Context, paths []string) (*harness.Log, error) {
	log := harness.NewLog("")
	first := true
	for _, path := range paths {
		head, err := input.Head(ctx, path)
		if err != nil {
			return nil, err
		}
		var run gjson.Result
		if strings.HasPrefix(string(head), "PK\x03\x04") {
			run, err = readArchive(ctx, path, log)
		} else {
			run, err = readDocument(ctx, path, log)
		}
		if err != nil {
			return nil, err
		}
		if status := statusOf(run); status != "success" {
			log.Status = status
		}
		run.Get("results.scores").ForEach(func(_, score gjson.Result) bool {
			score.Get("metrics").ForEach(func(name, metric gjson.Result) bool {
				if v := metric.Get("value"); v.Type == gjson.Number {
					log.Headline = append(log.Headline, harness.Headline{Scorer: score.Get("name").Str, Metric: name.Str, Value: v.Num})
				}
				return true
			})
			return true
		})
		model, task := run.Get("eval.model").Str, run.Get("eval.task").Str
		if !first && model != log.Model {
			return nil, omniscope.Invalidf("%s is of the model %q and %s of %q: import each by itself", paths[0], log.Model, path, model)
		}
		if log.Model, first = model, false; task != "" && !slices.Contains(log.Tasks, task) {
			log.Tasks = append(log.Tasks, task)
		}
	}
	return log, nil
}

// statusOf is how a run ended. One without a head has not.
func statusOf(run gjson.Result) string {
	if status := run.Get("status").Str; status != "" {
		return status
	}
	return "started"
}

// sampleName is the name of a sample's member, pieceName that of one which is kept in pieces.
var (
	sampleName = regexp.MustCompile(`^samples/.*_epoch_[0-9]+\.json$`)
	pieceName  = regexp.MustCompile(`^samples/.*_epoch_[0-9]+/sample\.json$`)
)

func readArchive(ctx context.Context, path string, log *harness.Log) (run gjson.Result, err error) {
	a, err := input.OpenArchive(ctx, path)
	if err != nil {
		return run, err
	}
	defer a.Close()
	i := slices.IndexFunc(headers, a.Has)
	if i < 0 {
		return run, omniscope.Invalidf("%s has neither %s: it is no log of Inspect", path, strings.Join(headers, " nor "))
	}
	if run, err = member(a, headers[i]); err != nil {
		return run, err
	}
	for _, name := range a.Names() {
		if pieceName.MatchString(name) {
			return run, omniscope.Invalidf("%s keeps the sample %.200q in pieces, which is not read here: write the log as .json with `inspect log convert`", path, name)
		}
		if !sampleName.MatchString(name) {
			continue
		}
		v, err := member(a, name)
		if err != nil {
			return run, err
		}
		if err := log.Add(ctx, sample(v, harness.Place{File: path, Member: name})); err != nil {
			return run, err
		}
	}
	log.Digests[path], err = a.Digest()
	return run, err
}

// member reads a member that is one JSON object.
func member(a *input.Archive, name string) (gjson.Result, error) {
	text, err := a.Read(name)
	if err != nil {
		return gjson.Result{}, err
	}
	v, err := harness.Object(text)
	if err != nil {
		return v, omniscope.Invalidf("%s (%s): %w", a.Path, name, err)
	}
	return v, nil
}

func readDocument(ctx context.Context, path string, log *harness.Log) (gjson.Result, error) {
	run, digest, err := harness.ReadDocument(ctx, path)
	if err != nil {
		return run, err
	}
	if !run.Get("samples").IsArray() {
		return run, omniscope.Invalidf("%s has no samples: it is the head of a log, or of a run without --log-samples", path)
	}
	for i, v := range run.Get("samples").Array() {
		if err := log.Add(ctx, sample(v, harness.Place{File: path, Member: fmt.Sprintf("samples[%d]", i)})); err != nil {
			return run, err
		}
	}
	log.Digests[path] = digest
	return run, nil
}
