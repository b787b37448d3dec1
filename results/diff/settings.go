package diff

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"omniscope/bench/document"
)

// settings finds what differs between the runs' settings, and sorts it by what it
// shapes.
func (p *pair) settings() {
	if p.a.Details != nil && p.b.Details != nil {
		for _, s := range differing("predict", p.a.Details.Settings, p.b.Details.Settings) {
			switch {
			case slices.Contains(places, s.Name):
				continue
			case s.Name == "data_sha256":
				p.data = append(p.data, s)
			case s.Name == "model.source":
				p.endpoints = append(p.endpoints, s)
			case s.Name == "keep_cut" || strings.HasPrefix(s.Name, "model_profile.strip"):
				p.readings = append(p.readings, s)
			case shapesRequests(s.Name):
				p.parameters = append(p.parameters, s)
			}
			p.report.Settings = append(p.report.Settings, s)
		}
	}
	if p.a.Results != nil && p.b.Results != nil {
		for _, s := range differing("eval", scoringSettings(p.a.Results.Results), scoringSettings(p.b.Results.Results)) {
			if s.Name == "data" {
				p.data = append(p.data, s)
			} else {
				p.judges = append(p.judges, s)
			}
			p.report.Settings = append(p.report.Settings, s)
		}
	}
}

// places are settings that say where things lie. What lies there is compared.
var places = []string{"clips", "data", "media"}

// shapesRequests reports whether a setting of predict is a field of requests. Which
// media are sent and with which text shows in each sample.
func shapesRequests(name string) bool {
	return strings.HasPrefix(name, "model.") || strings.HasPrefix(name, "model_profile.decoding") || strings.HasPrefix(name, "investigation")
}

func differing(of string, a, b map[string]string) (differ []setting) {
	for _, name := range slices.Sorted(maps.Keys(joined(a, b))) {
		if a[name] != b[name] {
			differ = append(differ, setting{of, name, a[name], b[name]})
		}
	}
	return differ
}

func joined(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// scoringSettings are what shapes the scores of a run: its judge, and the parts of its
// signature.
func scoringSettings(r *document.Results) map[string]string {
	all := make(map[string]string)
	for i, part := range strings.Split(r.Signature, "|") {
		name, value, named := strings.Cut(part, ":")
		switch {
		case i == 0 || name == "profile" || name == "samples": // both scorings are in any run; samples are followed
		case name == "omniscope":
			all["version of the program"] = value
		case named:
			all[name] = value
		default:
			all["protocol"] = strings.TrimPrefix(all["protocol"]+" "+part, " ")
		}
	}
	if names := slices.Sorted(maps.Keys(r.Judge.Answered)); len(names) > 0 {
		all["judge, as the endpoint calls it"] = strings.Join(names, ", ")
	}
	return all
}

// sameAnswers reports whether both runs scored the same files of answers, by their
// digests.
func (p *pair) sameAnswers() bool {
	if p.a.Results == nil || p.b.Results == nil {
		return false
	}
	digests := func(s *Side) []string {
		all := slices.Collect(maps.Values(s.Results.Results.Run.Inputs))
		slices.Sort(all)
		return all
	}
	return slices.Equal(digests(p.a), digests(p.b))
}

// warn says what cannot be told.
func (p *pair) warn() {
	for _, s := range []*Side{p.a, p.b} {
		if s.Details == nil {
			p.report.Warnings = append(p.report.Warnings, fmt.Sprintf("%s: %s, so what was sent to the model is not known", s.Name, s.Why))
		}
	}
	if len(p.report.Partings) == 0 && len(p.report.Settings) > 0 {
		p.report.Warnings = append(p.report.Warnings, "settings differ, and no sample does")
	}
}
