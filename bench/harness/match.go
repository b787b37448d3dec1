package harness

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
)

// VideoAndQuestion stands for the fields video and question together, by which a question is
// found whose id the log does not have.
const VideoAndQuestion = "video+question"

// A matcher finds the benchmark's samples of those in a log.
type matcher struct {
	byID  map[string]omniscope.SampleID
	order []omniscope.SampleID
	asked map[string][]omniscope.Sample // by the recording's name, without folder and ending
}

// newMatcher reads the samples of a benchmark's file.
func newMatcher(ctx context.Context, b bench.Dataset, data string) (*matcher, []omniscope.Sample, error) {
	m := &matcher{byID: make(map[string]omniscope.SampleID), asked: make(map[string][]omniscope.Sample)}
	var all []omniscope.Sample
	for s, err := range b.Samples(ctx, data) {
		if err != nil {
			return nil, nil, err
		}
		all = append(all, s)
		m.byID[string(s.ID)] = s.ID
		m.order = append(m.order, s.ID)
		for _, media := range []string{s.Media.Video, s.Media.Audio} {
			if media != "" {
				m.asked[bench.Stem(media)] = append(m.asked[bench.Stem(media)], s)
			}
		}
	}
	return m, all, nil
}

// A way is how samples are matched.
type way struct {
	field string
	row   bool // field holds the number of the sample's row in the benchmark's file, from 0
}

func (w way) String() string {
	if w.row {
		return "the row number in " + w.field
	}
	return w.field
}

// find finds a sample. value is what the log has of it, for messages.
func (m *matcher) find(s *Sample, w way) (id omniscope.SampleID, value string, ok bool) {
	if w.field == VideoAndQuestion && !w.row {
		return m.findQuestion(s)
	}
	value = s.Fields[w.field]
	if w.row {
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n >= len(m.order) {
			return "", value, false
		}
		return m.order[n], value, true
	}
	if id, ok = m.byID[value]; !ok && value != "" {
		id, ok = m.byID[bench.Stem(value)]
	}
	return id, value, ok
}

// findQuestion finds the one question about a recording whose text a log has.
func (m *matcher) findQuestion(s *Sample) (id omniscope.SampleID, value string, ok bool) {
	video, question := s.Fields["video"], s.Fields["question"]
	if video == "" || question == "" {
		return "", "", false
	}
	found := 0
	for _, one := range m.asked[bench.Stem(video)] {
		if one.Prompt == question || strings.HasPrefix(one.Prompt, question+"\n") {
			id = one.ID
			found++
		}
	}
	return id, video + ": " + question, found == 1
}

// count is how many samples of a log a way finds.
func (m *matcher) count(samples []Sample, w way) (n int) {
	for i := range samples {
		if _, _, ok := m.find(&samples[i], w); ok {
			n++
		}
	}
	return n
}

// choose decides how the samples of a log are matched: as the user says, by a known field, or by
// the only field that fits all of them.
func (m *matcher) choose(r *Request, samples []Sample) (way, error) {
	switch {
	case r.Row != "":
		return m.named(way{r.Row, true}, "--row", samples)
	case r.ID != "":
		return m.named(way{r.ID, false}, "--id", samples)
	}
	var best way
	most := 0
	for _, field := range slices.Concat(r.Harness.Known[r.Benchmark.Info().Name], r.Harness.Known[""]) {
		if n := m.count(samples, way{field: field}); n > most { // a field of other ids may have one of the benchmark's by chance
			best, most = way{field: field}, n
		}
	}
	if most > 0 {
		return best, nil
	}
	fitting, err := m.fitting(samples)
	if err != nil {
		return way{}, err
	}
	if len(fitting) == 0 {
		return way{}, m.noField(samples)
	}
	return fitting[0], nil
}

// named is a way that the user names.
func (m *matcher) named(w way, flag string, samples []Sample) (way, error) {
	if number := (way{"number", w.row}); w.field == "id" && m.count(samples, w) == 0 && m.count(samples, number) > 0 {
		return number, nil // Inspect's own numbers, which its files call id
	}
	if m.count(samples, w) == 0 {
		return w, omniscope.Usagef("%s %s: %w", flag, w.field, m.noField(samples))
	}
	return w, nil
}

// fitting are the fields that find all samples of a log. They must find the same ones.
func (m *matcher) fitting(samples []Sample) (all []way, err error) {
	for _, field := range fieldsOf(samples) {
		w := way{field: field}
		if isNumbering(field) || m.count(samples, w) < len(samples) {
			continue
		}
		for i := range samples {
			a, _, _ := m.find(&samples[i], w)
			if len(all) > 0 {
				if b, _, _ := m.find(&samples[i], all[0]); a != b {
					return nil, omniscope.Usagef("the fields %s and %s of the log both have ids of the benchmark's samples, and not the same ones: say with --id which it is", all[0].field, field)
				}
			}
		}
		all = append(all, w)
	}
	return all, nil
}

// isNumbering reports whether a field numbers rows or says nothing of the sample: what it has may
// be an id by chance.
func isNumbering(field string) bool {
	last := field[strings.LastIndexByte(field, '.')+1:]
	return last == "doc_id" || last == "index" || last == "number" || last == "epoch" || strings.HasSuffix(last, "_hash")
}

// fieldsOf are the fields that the samples of a log have.
func fieldsOf(samples []Sample) []string {
	names := make(map[string]bool)
	for i := range samples {
		for name := range samples[i].Fields {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// noField is the error where no field says which samples a log has. It lists the fields, with how
// many samples each finds as an id.
func (m *matcher) noField(samples []Sample) error {
	const most = 20
	var lines []string
	fields := fieldsOf(samples)
	for _, field := range fields[:min(len(fields), most)] {
		lines = append(lines, fmt.Sprintf("%s (%d of %d)", field, m.count(samples, way{field: field}), len(samples)))
	}
	if len(fields) > most {
		lines = append(lines, fmt.Sprintf("and %d more", len(fields)-most))
	}
	hint := ""
	for _, field := range []string{"doc_id", "index", "number"} {
		if slices.Contains(fields, field) {
			hint = fmt.Sprintf("; if %s numbers the rows of the benchmark's file from 0, say so with --row %[1]s", field)
			break
		}
	}
	return omniscope.Invalidf("no field of the log has the ids of the benchmark's samples, which are called like %q. The fields, with how many samples each finds: %s. Name one with --id%s",
		m.order[:min(len(m.order), 1)], strings.Join(lines, ", "), hint)
}

// baseName is the name of a file without its ending.
func baseName(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	return strings.TrimSuffix(base, path.Ext(base))
}
