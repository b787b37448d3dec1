package mcif

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"omniscope"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/media/wav"
	"omniscope/metric/textnorm"
)

// statistics are how many samples there are of each task, how long their sound is, and how long their references are. Their
// table is that of the published program.
type statistics struct {
	Characters bool // references are counted in characters, not in words
	rows       map[string]*statistic
}

// A statistic is a row of the table.
type statistic struct {
	samples int
	seconds float64
	length  int // of the references, in words or characters
}

// Measure reads the references of a test set, and the sound files that they name, from a folder.
func Measure(ctx context.Context, references, audio string, characters bool) (*statistics, error) {
	refs, err := mcifxml.ReadReferences(ctx, references, "", "", mcifxml.Options{})
	if err != nil {
		return nil, err
	}
	s := &statistics{Characters: characters, rows: make(map[string]*statistic)}
	for i := range refs.Samples {
		if err := s.add(&refs.Samples[i], audio); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *statistics) row(name string) *statistic {
	if s.rows[name] == nil {
		s.rows[name] = &statistic{}
	}
	return s.rows[name]
}

// add counts a sample. As in the published program its reference counts once for its task, and once for each sound file
// for the kinds of questions.
func (s *statistics) add(r *mcifxml.Reference, audio string) error {
	text := textnorm.Strip(r.Text)
	length := len(textnorm.Fields(text))
	if s.Characters {
		length = utf8.RuneCountInString(text)
	}
	s.row(r.Task).length += length
	for name := range strings.SplitSeq(r.AudioPath, ",") {
		if name == "" || name != filepath.Base(name) {
			return omniscope.Invalidf("%s:%d: sample %s names the sound %q, which is no plain name of a file", r.File, r.Line, r.ID, name)
		}
		seconds, err := secondsOf(filepath.Join(audio, name))
		if err != nil {
			return omniscope.Invalidf("%s:%d: sample %s: %w", r.File, r.Line, r.ID, err)
		}
		names := []string{r.Task}
		if r.Task == answer {
			names = append(names, "QA_"+r.QAType, "QA_"+r.QAOrigin, "QA_"+r.QAType+"_"+r.QAOrigin)
		}
		for i, name := range names {
			row := s.row(name)
			row.samples++
			row.seconds += seconds
			if i > 0 {
				row.length += length
			}
		}
	}
	return nil
}

// secondsOf is how long a WAV file is.
func secondsOf(path string) (float64, error) {
	sound, err := wav.OpenFile(path)
	if err != nil {
		return 0, err
	}
	return sound.Seconds(), sound.Close()
}

// Write writes the table.
func (s *statistics) Write(w io.Writer) error {
	const layout = "%-15s %15s %30s %30s %30s %30s \n"
	unit := "Words"
	if s.Characters {
		unit = "Characters"
	}
	var table strings.Builder
	head := fmt.Sprintf(layout, "Task", "Num. Samples", "Total Audio Duration (sec)", "Avg. Audio Duration (sec)", "Total Reference "+unit, "Avg. Reference "+unit)
	table.WriteString(head + strings.Repeat("-", len(head)-1) + "\n")
	for _, name := range slices.Sorted(maps.Keys(s.rows)) {
		r := s.rows[name]
		n := float64(r.samples)
		fmt.Fprintf(&table, layout, name, fmt.Sprint(r.samples), hundredths(r.seconds), hundredths(r.seconds/n), hundredths(float64(r.length)), hundredths(float64(r.length)/n))
	}
	_, err := io.WriteString(w, table.String())
	return err
}

func hundredths(v float64) string { return fmt.Sprintf("%.2f", v) }
