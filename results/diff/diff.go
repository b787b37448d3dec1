// Package diff says where two runs on the same samples first part: it follows each
// sample from the data to its score, and names the first thing that is not the same.
package diff

import (
	"slices"

	"omniscope"
	"omniscope/results"
)

// A Cause is the first thing in which two runs of a sample differ.
type Cause string

// The causes, in the order in which a sample goes through them.
const (
	Data       Cause = "data"             // the sample, its file, or what it is scored against
	FrameTimes Cause = "frame times"      // other moments of the film were shown
	Pixels     Cause = "pixels"           // the same moments in other pictures
	Sound      Cause = "sound"            // another length, rate or form of it
	Prompt     Cause = "prompt"           // bytes of the text and of the system message
	Parameters Cause = "parameters"       // what was asked for beside: model name, temperature, ...
	Model      Cause = "returned model"   // who answered, by its own name and address
	Reply      Cause = "reply"            // the same request was answered otherwise
	Reading    Cause = "reading"          // the same reply was read otherwise: reasoning, cut answers, refusals
	Judge      Cause = "judge"            // the same answer was judged or scored otherwise
	Unknown    Cause = "before the judge" // the runs do not tell what was sent
)

// causes are all of them, in their order.
var causes = []Cause{Data, FrameTimes, Pixels, Sound, Prompt, Parameters, Model, Reply, Reading, Judge, Unknown}

// A partingSample is a sample in which two runs differ.
type partingSample struct {
	Sample string `json:"sample"`
	Cause  Cause  `json:"cause"`
	What   string `json:"what"` // differs
	A      string `json:"a"`    // what it is in either run
	B      string `json:"b"`
	Answer bool   `json:"answer"` // the answers differ, too
	Score  bool   `json:"score"`  // the counts of the score differ, too
}

// A setting is a value of the runs' settings that differs. "" = it is not set.
type setting struct {
	Of   string `json:"of"` // predict or eval
	Name string `json:"name"`
	A    string `json:"a"`
	B    string `json:"b"`
}

// A Report is what there is to say of two runs.
type Report struct {
	A        string          `json:"a"`
	B        string          `json:"b"`
	Samples  int             `json:"samples"` // that either run has
	Partings []partingSample `json:"partings"`
	Settings []setting       `json:"settings"`
	Warnings []string        `json:"warnings"`
}

// Runs follows each sample of two runs.
func Runs(a, b *Side) (*Report, error) {
	if a.Results != nil && b.Results != nil && a.Results.Results.Benchmark.Name != b.Results.Results.Benchmark.Name {
		return nil, omniscope.Invalidf("%s is a run of %s, %s one of %s: samples of one benchmark can be followed",
			a.Name, a.Results.Results.Benchmark.Name, b.Name, b.Results.Results.Benchmark.Name)
	}
	names := results.ShortNames(a.Name, b.Name)
	a.Name, b.Name = names[0], names[1]
	p := &pair{a: a, b: b, report: &Report{A: a.Name, B: b.Name, Partings: []partingSample{}, Settings: []setting{}, Warnings: []string{}}}
	p.settings()
	for _, id := range union(a.samples(), b.samples()) {
		p.report.Samples++
		if parting, ok := p.sample(id); ok {
			parting.Sample = id
			p.report.Partings = append(p.report.Partings, parting)
		}
	}
	p.warn()
	return p.report, nil
}

// union has the names of a in their order, and then what b has beside them.
func union(a, b []string) []string {
	all := slices.Clone(a)
	have := make(map[string]bool, len(a))
	for _, name := range a {
		have[name] = true
	}
	for _, name := range b {
		if !have[name] {
			all = append(all, name)
		}
	}
	return all
}

// count is how many samples part for a cause, and of how many of these the answer and
// the score differ, too.
type count struct {
	Cause                    Cause
	Samples, Answers, Scores int
	First                    string // sample
}

// Count counts the samples by cause, in the order of causes, without causes that do not occur.
func (r *Report) Count() (counts []count) {
	for _, cause := range causes {
		c := count{Cause: cause}
		for _, p := range r.Partings {
			if p.Cause != cause {
				continue
			}
			if c.Samples++; c.Samples == 1 {
				c.First = p.Sample
			}
			if p.Answer {
				c.Answers++
			}
			if p.Score {
				c.Scores++
			}
		}
		if c.Samples > 0 {
			counts = append(counts, c)
		}
	}
	return counts
}
