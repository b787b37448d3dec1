package view

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/bytesize"
	"omniscope/internal/jsonfast"
	"omniscope/internal/visible"
	"omniscope/metric"
	"omniscope/results"
	"omniscope/results/report"
)

// A runKind is what there is of a run.
type runKind string

// The kinds.
const (
	scores        runKind = "scores"        // a folder that eval wrote its results to
	answers       runKind = "answers"       // what predict wrote next to a file of answers
	investigation runKind = "investigation" // a folder that caption wrote a clip's report to
	calls         runKind = "calls"         // a run that wrote nothing yet but to the journal
)

// kinds are all of them.
var kinds = []runKind{scores, answers, investigation, calls}

// A runState is how far a run is.
type runState string

// The states.
const (
	done       runState = "done"
	running    runState = "running"
	stopped    runState = "stopped"    // it wrote no results, and no process works on it
	unreadable runState = "unreadable" // why is in Run.Why
)

// states are all of them.
var states = []runState{running, stopped, unreadable, done}

// A runEntry is a line of the list.
type runEntry struct {
	Path   string // below the folder that is viewed, with slashes: its address
	Kind   runKind
	State  runState
	Why    string
	Name   string // in the journal; "" = not known
	What   string // benchmark, or the clip of an investigation
	System string // that answered
	Judge  string
	Score  string // the headline, as it is to be read
	Note   string // samples, and outcomes but for ok
	When   time.Time

	clip  string // file of an investigation's
	words string // what a search looks through, in small letters
}

// investigationFile is the report of an investigation.
const investigationFile = "report.json"

// kindOf says whether a file is one by which a run is found, and at which path the run
// is shown.
func kindOf(path string) (shown string, kind runKind) {
	switch name := filepath.Base(path); {
	case name == results.File:
		return filepath.Dir(path), scores
	case name == investigationFile:
		return filepath.Dir(path), investigation
	case results.IsDetails(path):
		return path, answers
	}
	return "", ""
}

// mostDocument is the largest document that is read for the list, in bytes.
const mostDocument = 64 << 20

// describe reads what the list says of a run. A file that cannot be read is a run that
// says so; one that is of other programs is none, and ok is false.
func describe(file string, kind runKind, info fs.FileInfo, metricOf func(string) (*metric.Metric, error)) (r *runEntry, ok bool) {
	r = &runEntry{Kind: kind, State: done, When: info.ModTime()}
	var err error
	if kind != answers && info.Size() > mostDocument { // of answers only the start is read
		r.State, r.Why = unreadable, fmt.Sprintf("%s has %s, more than results have", filepath.Base(file), bytesize.Format(info.Size()))
		return r, true
	}
	switch kind {
	case scores:
		ok, err = r.ofResults(file, metricOf)
	case answers:
		ok, err = r.ofDetails(file)
	case investigation:
		ok, err = r.ofInvestigation(file)
	}
	if err != nil {
		r.State, r.Why = unreadable, err.Error()
	}
	return r, ok
}

// find is what a search looks through.
func (r *runEntry) find() {
	r.words = strings.ToLower(strings.Join([]string{r.Path, r.Name, r.What, r.System, r.Judge, string(r.Kind), string(r.State)}, "\n"))
}

func (r *runEntry) ofResults(file string, metricOf func(string) (*metric.Metric, error)) (ok bool, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return true, err
	}
	var head document.Results
	schema := gjson.GetBytes(text, "schema")
	if head.Benchmark.Name = gjson.GetBytes(text, "benchmark.name").Str; head.Benchmark.Name == "" || schema.Type == gjson.String && !strings.HasPrefix(schema.Str, "omniscope.results/") {
		if jsonfast.ValidBytes(text) { // of another program
			return false, nil
		}
		return true, fmt.Errorf("%s is no JSON: was it being written when the machine stopped?", results.File)
	}
	f := gjson.GetManyBytes(text, "run.id", "benchmark.name", "system", "judge.name", "sample_outcomes", "samples", "run.finished")
	r.Name, r.What, r.System, r.Judge = f[0].Str, f[1].Str, f[2].Str, f[3].Str
	if schema.Exists() && head.Schema.UnmarshalJSON([]byte(schema.Raw)) != nil {
		head.Schema = -1
	}
	if err := head.CheckSchema(); err != nil {
		return true, fmt.Errorf("%s %w", results.File, err)
	}
	r.Score = headline(r.What, text, metricOf)
	r.Note = outcomes(f[5].Int(), f[4])
	if marks := marksOf(text); marks != "" {
		r.Note += "; marked: " + marks
	}
	if at, err := time.Parse(time.RFC3339Nano, f[6].Str); err == nil && !at.IsZero() {
		r.When = at
	}
	return true, nil
}

// headline is the first score of a benchmark in the default profile, and that of the other profile
// where it is another.
func headline(benchmark string, file []byte, metricOf func(string) (*metric.Metric, error)) string {
	m, err := metricOf(benchmark)
	if err != nil {
		return ""
	}
	shown := func(p bench.Scoring) (heading, value string) {
		scores := gjson.GetBytes(file, `profiles.#(name=="`+p.String()+`").slices.#(dimension=="overall").scores`)
		if !scores.Exists() && p == bench.DefaultScoring { // the document has one profile alone
			scores = gjson.GetBytes(file, "headline.scores")
		}
		for _, c := range report.Columns(m) {
			if v := scores.Get(gjson.Escape(c.Name) + ".value"); v.Type == gjson.Number {
				return c.Heading(), c.Number(v.Num)
			}
		}
		return "", ""
	}
	heading, value := shown(bench.DefaultScoring)
	other, there := shown(1 - bench.DefaultScoring)
	switch text := strings.TrimSpace(heading + " " + value); {
	case text == "" && other == "":
		return "no score"
	case text == "":
		return fmt.Sprintf("no score (%s: %s %s)", 1-bench.DefaultScoring, other, there)
	case other == heading && there != value:
		return fmt.Sprintf("%s (%s %s)", text, 1-bench.DefaultScoring, there)
	default:
		return text
	}
}

// marksOf are the marks of a results document, also of one that an older version wrote.
func marksOf(text []byte) string {
	r := new(document.Results)
	f := gjson.GetManyBytes(text, "marks", "run.inputs", "data", "sample_outcomes")
	for i, into := range []any{&r.Marks, &r.Run.Inputs, &r.Data, &r.Outcomes} {
		if f[i].Exists() && json.Unmarshal([]byte(f[i].Raw), into) != nil {
			return "" // results.Open reports the error
		}
	}
	r.Benchmark.Name, r.Samples = gjson.GetBytes(text, "benchmark.name").Str, int(gjson.GetBytes(text, "samples").Int())
	if r.Marks == nil {
		bench.Mark(r)
	}
	return r.Marked()
}

// outcomes says how many samples there are, and how many did not come to ok.
func outcomes(samples int64, counts gjson.Result) string {
	parts := []string{fmt.Sprintf("%d samples", samples)}
	counts.ForEach(func(name, n gjson.Result) bool {
		if name.Str != omniscope.OK.String() && n.Int() > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.Int(), visible.Line(name.Str)))
		}
		return true
	})
	return strings.Join(parts, ", ")
}

// ofDetails reads the first line of a file of details.
func (r *runEntry) ofDetails(file string) (ok bool, err error) {
	f, err := os.Open(file)
	if err != nil {
		return true, err
	}
	defer f.Close()
	const most = 4 << 20
	line, err := bufio.NewReaderSize(io.LimitReader(f, most), 64<<10).ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return true, err
	}
	line = bytes.TrimSpace(line)
	v := gjson.GetManyBytes(line, "run", "spec.dataset", "spec.model.model", "spec.investigation.detective")
	if !jsonfast.ValidBytes(line) || v[0].Str == "" {
		return true, errors.New("its first line does not describe a run")
	}
	r.Name, r.What, r.System = v[0].Str, cmp.Or(v[1].Str, "captions"), cmp.Or(v[2].Str, v[3].Str)
	return true, nil
}

func (r *runEntry) ofInvestigation(file string) (ok bool, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return true, err
	}
	v := gjson.GetManyBytes(text, "schema", "clip.id", "planner", "outcome", "why", "turns.#", "clip.path")
	if !strings.HasPrefix(v[0].Str, "omniscope.investigation/") {
		return false, nil
	}
	r.What, r.System, r.clip = v[1].Str, v[2].Str, v[6].Str
	r.Note = fmt.Sprintf("%d inquiries", v[5].Int())
	if v[3].Str != omniscope.OK.String() {
		r.Note += ", " + v[3].Str + ": " + v[4].Str
	}
	return true, nil
}

// A query says which runs to list, and how.
type query struct {
	Words string // all of them must be found
	Kind  string // "" = all
	State string
	Order string // when, score, system; "" = when
	From  int    // of the runs that fit
}

// orders are those of a list.
var orders = []string{"when", "path", "system", "what"}

// filter returns the runs that fit, in the order that is asked for.
func filter(runs []*runEntry, q query) (fit []*runEntry) {
	words := strings.Fields(strings.ToLower(q.Words))
	for _, r := range runs {
		if q.Kind != "" && string(r.Kind) != q.Kind || q.State != "" && string(r.State) != q.State {
			continue
		}
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(r.words, w) }) {
			fit = append(fit, r)
		}
	}
	by := map[string]func(a, b *runEntry) int{
		"path":   func(a, b *runEntry) int { return 0 },
		"system": func(a, b *runEntry) int { return cmp.Compare(a.System, b.System) },
		"what":   func(a, b *runEntry) int { return cmp.Compare(a.What, b.What) },
	}[q.Order]
	if by == nil {
		by = func(a, b *runEntry) int { return b.When.Compare(a.When) }
	}
	slices.SortFunc(fit, func(a, b *runEntry) int { return cmp.Or(by(a, b), cmp.Compare(a.Path, b.Path)) })
	return fit
}
