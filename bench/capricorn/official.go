package capricorn

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/outfile"
)

// Names of the files that the published scripts write and read.
const (
	stage1File = "1_judge_accuracy_coverage.jsonl"
	stage2File = "2_judge_referential_consistency.jsonl"
	accFile    = "1_accuracy_coverage_metrics.json"
	refFile    = "2_referential_consistency_metrics.json"
)

// A member is a key of a JSON object and its value. The order of keys in the
// published files has a meaning, which a map would lose.
type member struct {
	key   string
	value any
}

// An object is a JSON object in order.
type object []member

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		value, err := asJSON(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, jsonText(m.key)...), ':'), value...)
	}
	return append(b, '}'), nil
}

// judgedEvent is an event in the first published file.
func judgedEvent(ev event, j *judgement) object {
	var reason any
	switch {
	case j.reasonJSON != nil:
		reason = j.reasonJSON
	case j.verdict != omniscope.Unjudged:
		reason = j.reason
	}
	return object{{"event", ev.text}, {"judgement", judgementNames[j.verdict]}, {"reason", reason}}
}

// stage1Row returns the video's row of the first published file, nil for a video
// that has no row there.
func (u *unit) stage1Row() ([]byte, error) {
	if !u.hasRows() {
		return nil, nil
	}
	info := object{}
	for _, s := range u.subjects {
		var events []object
		for i, ev := range u.v.events {
			if slices.Contains(ev.subjects, s) {
				events = append(events, append(judgedEvent(ev, &u.judged[i]), member{descriptionsKey, u.judged[i].descriptions[s]}))
			}
		}
		info = append(info, member{s, events})
	}
	others := []object{}
	for i, ev := range u.v.events {
		if !classIsOfSubjects(ev) {
			others = append(others, judgedEvent(ev, &u.judged[i]))
		}
	}
	return line(object{{"video_id", u.v.id}, {"duration", json.RawMessage(u.v.rawTime)}, {"main_sbj_info", info}, {"other_event_judge", others}})
}

// stage2Row returns the video's row of the second published file, as stage1Row.
func (u *unit) stage2Row() ([]byte, error) {
	if !u.hasRows() {
		return nil, nil
	}
	info := object{}
	for _, s := range u.subjects {
		g := u.official[s]
		var groups any
		switch {
		case g.failed:
			groups = "Judge Failed"
		case len(g.descriptions) > 1:
			list := object{}
			for _, c := range g.groups {
				list = append(list, member{c.name, orEmpty(c.descriptions)})
			}
			groups = list
		}
		info = append(info, member{s, object{{"sbj_captions", orEmpty(g.descriptions)}, {"gpt_categorization", groups}}})
	}
	return line(object{{"video_id", u.v.id}, {"categorization_info", info}})
}

func orEmpty(list []*description) []*description {
	if list == nil {
		return []*description{}
	}
	return list
}

func line(v any) ([]byte, error) {
	text, err := asJSON(v)
	return append(text, '\n'), err
}

// asJSON writes JSON with < and > as they are: subjects stand in them.
func asJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	err := out.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// A videoScore is a video's entry in the published metric files.
type videoScore struct {
	id, time string
	bucket   string
	acc, cov float64
	counted  bool // it has keypoints
	ref      float64
	refOK    bool // it has a scored subject
	subjects []scoredSubject
}

func (u *unit) videoScore(official []bench.Tally) videoScore {
	s := videoScore{id: u.v.id, time: u.v.rawTime, bucket: u.v.bucket()}
	if u.unasked != "" || u.crash != "" {
		return s
	}
	c := official[0].Counts
	if s.counted = c[keyVideos] > 0; s.counted {
		s.acc, s.cov = c[keyAccSum], c[keyCovSum]
	}
	if s.refOK = c[keyRefVideos] > 0; s.refOK {
		s.ref = c[keyRefSum]
	}
	for _, one := range u.subjectScores(published) {
		if one.Scored {
			s.subjects = append(s.subjects, one)
		}
	}
	return s
}

// writeAccuracy writes the published metrics of the first stage.
func writeAccuracy(w io.Writer, videos []videoScore) error {
	return writeMetrics(w, videos, func(s *videoScore) bool { return s.counted },
		[]named{{"accuracy", func(s *videoScore) float64 { return s.acc }}, {"coverage", func(s *videoScore) float64 { return s.cov }}}, nil)
}

// writeConsistency writes the published metrics of the second stage.
func writeConsistency(w io.Writer, videos []videoScore) error {
	return writeMetrics(w, videos, func(s *videoScore) bool { return s.refOK },
		[]named{{"referential_consistency", func(s *videoScore) float64 { return s.ref }}},
		func(s *videoScore) member {
			subjects := object{}
			for _, one := range s.subjects {
				subjects = append(subjects, member{one.name, one.Ref})
			}
			return member{"subject_referential_consistency", subjects}
		})
}

type named struct {
	name  string
	value func(*videoScore) float64
}

// writeMetrics writes a metric file in the published form: ranges without
// videos are left out.
func writeMetrics(w io.Writer, videos []videoScore, has func(*videoScore) bool, metrics []named, more func(*videoScore) member) error {
	doc := means(videos, has, metrics, func(*videoScore) bool { return true })
	bins := object{}
	for _, b := range buckets {
		of := means(videos, has, metrics, func(s *videoScore) bool { return s.bucket == b.name })
		if last := len(of) - 1; of[last].value != 0 { // the count, which comes first here
			bins = append(bins, member{b.name, append(object{of[last]}, of[:last]...)})
		}
	}
	list := []object{}
	for i := range videos {
		s := &videos[i]
		if !has(s) {
			continue
		}
		row := object{{"video_id", s.id}, {"duration", json.RawMessage(s.time)}}
		for _, m := range metrics {
			row = append(row, member{m.name, m.value(s)})
		}
		if more != nil {
			row = append(row, more(s))
		}
		list = append(list, row)
	}
	return outfile.JSON(w, append(doc, member{"duration_bins", bins}, member{"per_video", list}))
}

// means returns the means over the wanted videos, null if there are none.
func means(videos []videoScore, has func(*videoScore) bool, metrics []named, wanted func(*videoScore) bool) object {
	n, sums := 0, make([]float64, len(metrics))
	for i := range videos {
		if s := &videos[i]; has(s) && wanted(s) {
			n++
			for k, m := range metrics {
				sums[k] += m.value(s)
			}
		}
	}
	out := object{}
	for k, m := range metrics {
		if n == 0 {
			out = append(out, member{m.name, nil})
			continue
		}
		out = append(out, member{m.name, sums[k] / float64(n)})
	}
	return append(out, member{"count", n})
}
