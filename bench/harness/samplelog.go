package harness

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/bench"
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
		digest, err := EachRowOf(ctx, path, func(line int, row gjson.Result) error {
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
	if !resps.Exists() { // lmms-eval leaves them out where they are the filtered ones
		resps = row.Get("filtered_resps")
	}
	if !resps.IsArray() {
		return nil, bench.NoField("resps", bench.FieldsOf([]byte(row.Raw)))
	}
	base := Sample{Fields: make(map[string]string), Scores: make(map[string]float64)}
	metrics := l.metrics(row)
	Fields(base.Fields, "", row)
	scores(base.Scores, "", metrics, true)
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

// answersOf are the answers to the one request of a document: a list of lists, or of texts.
func answersOf(resps gjson.Result) ([]gjson.Result, error) {
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

// filledIn reports whether a metric is what task code fills in where its judge failed: a list of
// -1 alone, or a review that says so.
func filledIn(v gjson.Result) (found bool) {
	switch {
	case v.IsArray():
		list := v.Array()
		return len(list) > 0 && !slices.ContainsFunc(list, func(one gjson.Result) bool { return one.Type != gjson.Number || one.Num != -1 })
	case v.IsObject():
		v.ForEach(func(_, one gjson.Result) bool {
			found = filledIn(one)
			return !found
		})
		return found
	}
	return v.Type == gjson.String && strings.HasPrefix(v.Str, "Failed to Get a Proper Review")
}
