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

// A contrast is a part of the signature in which runs differ.
type contrast struct {
	name   string
	values []string // of each run; "" = it has no such part
}

// contrasts returns the parts in which the runs' signatures differ, and the parts of the benchmark
// that are known to differ, such as prompts of MCIF.
func contrasts(runs []*Run) []contrast {
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
	var found []contrast
	for _, name := range partNames(runs) {
		c := contrast{name: name}
		for _, r := range runs {
			c.values = append(c.values, r.Results.Data.Part[name])
		}
		known := slices.DeleteFunc(distinct(c.values), func(v string) bool { return v == "" })
		if !slices.Contains(order, name) && len(known) > 1 {
			found = append(found, c)
		}
	}
	for _, name := range order {
		c := contrast{name: name}
		for i := range runs {
			c.values = append(c.values, all[i][name])
		}
		if len(distinct(c.values)) > 1 {
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

// describe says which runs have which value.
func (c contrast) describe(runs []*Run) string {
	var parts []string
	for _, value := range distinct(c.values) {
		var who []string
		for i, r := range runs {
			if c.values[i] == value {
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
func checkData(runs []*Run, differ []contrast, anyData bool) error {
	for _, c := range differ {
		if c.name != dataPart || anyData {
			continue
		}
		i := slices.IndexFunc(c.values, func(v string) bool { return v != c.values[0] })
		return omniscope.Invalidf("%s and %s are runs on different data (data:%s and data:%s): score both on the same questions, or compare what they share with --any-data",
			runs[0].Dir, runs[i].Dir, c.values[0], c.values[i])
	}
	return nil
}

// contrastWarnings says what else than the judge sets the runs apart: a
// difference of scores may come from it.
func contrastWarnings(runs []*Run, differ []contrast) []string {
	var warnings []string
	for _, c := range differ {
		switch c.name {
		case judgePart:
		case dataPart:
			warnings = append(warnings, "the runs are on different data: "+c.describe(runs)+"; their scores are of different questions, differences and agreement of what they share")
		default:
			warnings = append(warnings, fmt.Sprintf("%s differs: %s; differences may come from that", c.name, c.describe(runs)))
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
