package harness

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/bench"
	"omniscope/internal/input"
)

// A SampleLog is the form of lm-eval's files of samples, which lmms-eval has taken over and
// changed: JSON Lines, a row for each document.
type SampleLog struct {
	Not      []string // fields of a row that are no metrics
	Document string   // the field that holds the document; "" = it is not written
	Failures []Failure
	Task     func(name string) string // by the file's name
	Odd      func(s *Sample)          // marks what is odd about an answer; nil = nothing is
}

// Read reads files of one model, which are in a folder of its name.
func (l *SampleLog) Read(ctx context.Context, paths []string) (*Log, error) {
	model, err := oneModel(paths, ModelFolder)
	if err != nil {
		return nil, err
	}
	log := NewLog(model)
	for _, path := range paths {
		digest, err := l.each(ctx, path, func(line int, row gjson.Result) error {
			samples, err := l.samples(row)
			if err != nil {
				return badRow(path, line, []byte(row.Raw), err)
			}
			for _, s := range samples {
				s.Place = Place{File: path, Line: line}
				if err := log.Add(ctx, s); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		log.Digests[path] = digest
		if task := l.Task(filepath.Base(path)); task != "" && !slices.Contains(log.Tasks, task) {
			log.Tasks = append(log.Tasks, task)
		}
	}
	return log, nil
}

// each calls do for each row of a file: its lines, or the list "logs" of an object (lmms-eval up to 0.2), or
// the lists under "samples" of an object.
func (l *SampleLog) each(ctx context.Context, path string, do func(line int, row gjson.Result) error) (digest string, err error) {
	head, err := input.Head(ctx, path)
	if err != nil {
		return "", err
	}
	if g := (Glance{Path: path, Head: head}); !g.Document() {
		return EachRowOf(ctx, path, do)
	}
	v, digest, err := ReadDocument(ctx, path)
	if err != nil {
		return "", err
	}
	lists := []gjson.Result{v.Get("logs")}
	v.Get("samples").ForEach(func(_, list gjson.Result) bool {
		lists = append(lists, list)
		return true
	})
	for _, list := range lists {
		for _, row := range list.Array() {
			line := 1 + strings.Count(v.Raw[:min(max(row.Index, 0), len(v.Raw))], "\n")
			if err := do(line, row); err != nil {
				return "", err
			}
		}
	}
	return digest, nil
}

// ModelFolder is the name of the folder that a file is in, in which both harnesses put a model's
// files; "" where a path has no folder.
func ModelFolder(path string) string {
	dir := filepath.Base(filepath.Dir(path))
	if dir == "." || dir == ".." || dir == string(filepath.Separator) {
		return ""
	}
	return dir
}

// samples are the answers of a row: one, or several where the model was asked several times.
func (l *SampleLog) samples(row gjson.Result) (all []Sample, err error) {
	resps := row.Get("resps")
	if !resps.Exists() || resps.Type == gjson.Null { // lmms-eval leaves them out where they are the filtered ones
		resps = row.Get("filtered_resps")
	}
	if !resps.Exists() {
		return nil, bench.NoField("resps", bench.FieldsOf([]byte(row.Raw)))
	}
	base := Sample{Fields: make(map[string]string), Scores: make(map[string]float64), filter: row.Get("filter").Str}
	metrics := l.metrics(row)
	Fields(base.Fields, "", row)
	scores(base.Scores, "", metrics, true)
	base.Scores = ofFilter(base.Scores, row)
	base.Asked = l.asked(row, metrics)
	answers, err := answersOf(resps)
	if err != nil {
		return nil, err
	}
	for i, text := range answers {
		s := base
		s.Epoch = i + 1
		switch {
		case text.IsArray():
			return nil, errNoText
		case text.Type == gjson.Null:
			s.Judge("None", nil)
		default:
			s.Judge(text.String(), l.Failures)
		}
		if len(answers) > 1 && !scoredAnswer(row, text) {
			s.Scores = nil
		}
		if filledIn(metrics) {
			s.Suspicion = SuspiciousJudge
		}
		if l.Odd != nil && s.Suspicion == "" {
			l.Odd(&s)
		}
		all = append(all, s)
	}
	if len(all) == 0 { // no request was made, or none came back
		base.Epoch = 1
		base.Judge("", nil)
		all = append(all, base)
	}
	return all, nil
}

// asked is what a row says of its question: in the document, or in what metrics repeat of it.
func (l *SampleLog) asked(row, metrics gjson.Result) bench.Asked {
	a := bench.AskedIn(row.Get(gjson.Escape(l.Document)), "")
	metrics.ForEach(func(_, v gjson.Result) bool {
		if len(a.Options) == 0 && a.Question == "" && v.IsObject() {
			a = bench.AskedIn(v, "")
		}
		return true
	})
	if len(a.Options) == 0 {
		for _, prompt := range []string{row.Get("input").String(), row.Get("arguments.gen_args_0.arg_0").String()} {
			if shown := bench.AskedByPrompt(prompt); len(shown.Options) > 0 {
				a.Question, a.Options = shown.Question, shown.Options
				break
			}
		}
	}
	if target := row.Get("target"); target.Type == gjson.String && target.Str != "" {
		a.Key = target.Str
	}
	return a
}

// ofFilter are the scores of a row by the names under which lm-eval reports them: with the filter's, of
// which each has a row of its own. Where a row lists its metrics, other numbers are no scores.
func ofFilter(scores map[string]float64, row gjson.Result) map[string]float64 {
	if listed := row.Get("metrics"); listed.IsArray() && len(listed.Array()) > 0 {
		maps.DeleteFunc(scores, func(name string, _ float64) bool {
			return !slices.ContainsFunc(listed.Array(), func(metric gjson.Result) bool { return name == metric.Str || strings.HasPrefix(name, metric.Str+".") })
		})
	}
	filter := row.Get("filter").Str
	if filter == "" || filter == "none" {
		return scores
	}
	out := make(map[string]float64, len(scores))
	for name, value := range scores {
		out[name+","+filter] = value
	}
	return out
}

// scoredAnswer reports whether one of several answers to a document is the one that was scored: a filter
// chose it.
func scoredAnswer(row, answer gjson.Result) bool {
	chosen := row.Get("filtered_resps")
	if list := chosen.Array(); chosen.IsArray() && len(list) == 1 {
		chosen = list[0]
	}
	return chosen.Type == gjson.String && chosen.Str == answer.Str
}

// answersOf are the answers to the one request of a document: a text, or a list of lists or of texts.
func answersOf(resps gjson.Result) ([]gjson.Result, error) {
	if !resps.IsArray() {
		return []gjson.Result{resps}, nil
	}
	all := resps.Array()
	switch {
	case len(all) == 0 || !all[0].IsArray():
		return all, nil
	case len(all) > 1 && !all[0].Get("0").IsArray(): // those of likelihoods have an error of their own
		return nil, fmt.Errorf("resps has the answers to %d requests about one document, and nothing says which is the answer to the question: write the one that is meant as rows with the sample's id", len(all))
	}
	return all[0].Array(), nil
}

// metrics are the fields of a row that are neither the harness's nor the document.
func (l *SampleLog) metrics(row gjson.Result) gjson.Result {
	out := []byte{'{'}
	row.ForEach(func(key, v gjson.Result) bool {
		if key.Str == l.Document || slices.Contains(l.Not, key.Str) || strings.HasSuffix(key.Str, "_hash") {
			return true
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, key.Raw...), ':'), v.Raw...)
		return true
	})
	return gjson.ParseBytes(append(out, '}'))
}

// isFilling reports whether a score is the -1 of a judge that failed.
func isFilling(name string, v gjson.Result) bool {
	return v.Type == gjson.Number && v.Num == -1 && slices.Contains(scoreNames, name)
}

// filledIn reports whether a metric is what task code fills in where its judge failed: -1 as a score, a list of
// -1 alone, or a review that says so.
func filledIn(v gjson.Result) (found bool) {
	switch {
	case v.IsArray():
		list := v.Array()
		return len(list) > 0 && !slices.ContainsFunc(list, func(one gjson.Result) bool { return one.Type != gjson.Number || one.Num != -1 })
	case v.IsObject():
		v.ForEach(func(key, one gjson.Result) bool {
			found = filledIn(one) || isFilling(key.Str, one)
			return !found
		})
		return found
	}
	return v.Type == gjson.String && strings.HasPrefix(v.Str, "Failed to Get a Proper Review")
}
