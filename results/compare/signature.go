package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"omniscope"
)

// The parts of a signature that are handled apart from the others.
const (
	judgePart    = "judge"
	dataPart     = "data"
	protocolPart = "protocol" // what stands there without a name
)

// signatureOf reads a signature, NAME:VALUE with bars between, into values by
// name, and the names in their order.
func signatureOf(r *Run) (values map[string]string, names []string) {
	values = make(map[string]string)
	for i, part := range strings.Split(r.Results.Signature, "|") {
		name, value, named := strings.Cut(part, ":")
		switch {
		case i == 0:
			continue // the benchmark
		case !named:
			name, value = protocolPart, part
		}
		if before, ok := values[name]; ok {
			values[name] = before + ", " + value
			continue
		}
		values[name] = value
		names = append(names, name)
	}
	return values, names
}

// A Contrast is a part of the signature in which runs differ.
type Contrast struct {
	Name   string
	Values []string // of each run; "" = it has no such part
}

// Contrasts returns the parts in which the runs' signatures differ, and the parts of the benchmark
// that are known to differ, such as prompts of MCIF.
func Contrasts(runs []*Run) []Contrast {
	all := make([]map[string]string, len(runs))
	var order []string
	for i, r := range runs {
		var names []string
		all[i], names = signatureOf(r)
		for _, name := range names {
			if !slices.Contains(order, name) {
				order = append(order, name)
			}
		}
	}
	var found []Contrast
	for _, name := range partNames(runs) {
		c := Contrast{Name: name}
		for _, r := range runs {
			c.Values = append(c.Values, r.Results.Data.Part[name])
		}
		known := slices.DeleteFunc(distinct(c.Values), func(v string) bool { return v == "" })
		if !slices.Contains(order, name) && len(known) > 1 {
			found = append(found, c)
		}
	}
	for _, name := range order {
		c := Contrast{Name: name}
		for i := range runs {
			c.Values = append(c.Values, all[i][name])
		}
		if len(distinct(c.Values)) > 1 {
			found = append(found, c)
		}
	}
	return found
}

// partNames are the names of parts of the benchmark in the runs.
func partNames(runs []*Run) []string {
	names := make(map[string]bool)
	for _, r := range runs {
		for name := range r.Results.Data.Part {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Describe lists the values, each with the labels of its runs.
func (c Contrast) Describe(runs []*Run) string {
	var parts []string
	for _, value := range distinct(c.Values) {
		var who []string
		for i, r := range runs {
			if c.Values[i] == value {
				who = append(who, r.label)
			}
		}
		if value == "" {
			value = "none"
		}
		parts = append(parts, value+" ("+strings.Join(who, ", ")+")")
	}
	return strings.Join(parts, ", ")
}

// checkData refuses runs on different data, or says what is amiss where the
// user wants them compared all the same.
func checkData(runs []*Run, differ []Contrast, anyData bool) error {
	for _, c := range differ {
		if c.Name != dataPart || anyData {
			continue
		}
		i := slices.IndexFunc(c.Values, func(v string) bool { return v != c.Values[0] })
		return omniscope.Invalidf("%s and %s are runs on different data (data:%s and data:%s): score both on the same questions, or compare what they share with --any-data",
			runs[0].Dir, runs[i].Dir, c.Values[0], c.Values[i])
	}
	return nil
}

// contrastWarnings says what else than the judge sets the runs apart: a
// difference of scores may come from it.
func contrastWarnings(runs []*Run, differ []Contrast) []string {
	var warnings []string
	for _, c := range differ {
		switch c.Name {
		case judgePart:
		case dataPart:
			warnings = append(warnings, "the runs are on different data: "+c.Describe(runs)+"; their scores are of different questions, differences and agreement of what they share")
		default:
			warnings = append(warnings, fmt.Sprintf("%s differs: %s; differences may come from that", c.Name, c.Describe(runs)))
		}
	}
	return warnings
}

// distinct returns the values without repetitions, in their order.
func distinct(values []string) []string {
	var out []string
	for _, v := range values {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
