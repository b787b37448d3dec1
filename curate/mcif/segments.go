package mcif

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/media/pdac"
)

// segmentation is the file that says how talks were cut.
const segmentation = "SEGMENTED_AUDIO/shas_segmentation.yaml"

// A segment is a stretch of a talk. Its file is the talk's name, _ and its place among the talk's segments, from 0.
type segment struct {
	name       string
	start, end float64 // seconds
}

func (s *source) readSegments(ctx context.Context) error {
	path := filepath.Join(s.folder, filepath.FromSlash(segmentation))
	if _, err := os.Stat(path); err != nil {
		return omniscope.Usagef("how the talks were cut is not in the source: %w; `omniscope curate mcif segment %s` cuts them", err, s.folder)
	}
	entries, err := pdac.Read(ctx, path)
	if err != nil {
		return err
	}
	s.segments = make(map[string][]segment)
	before := ""
	for i, e := range entries {
		base, ok := strings.CutSuffix(e.Wav, ".wav")
		list := s.segments[base]
		switch {
		case !ok || base != filepath.Base(base):
			return omniscope.Invalidf("%s: entry %d: wav is %q, not the name of a file such as talk.wav", path, i+1, e.Wav)
		case len(list) > 0 && base != before:
			return omniscope.Invalidf("%s: entry %d: other files come between the segments of %s, which would give their numbers twice: put the entries of a file together", path, i+1, e.Wav)
		case len(list) > 0 && e.Offset < list[len(list)-1].start:
			return omniscope.Invalidf("%s: entry %d: the offset %v of %s is before that of the entry above: videos are cut in the order of time, and would not fit the sound", path, i+1, e.Offset, e.Wav)
		}
		before = base
		s.segments[base] = append(list, segment{name: base + "_" + strconv.Itoa(len(list)), start: e.Offset, end: e.Offset + e.Duration})
	}
	return nil
}

// answering are the segments in which the answer to a question is given: those that the time of the answer touches.
func (s *source) answering(q *question) (found []segment) {
	for _, one := range s.segments[q.base] {
		if float64(q.end) < one.start {
			break
		}
		if float64(q.start) < one.end {
			found = append(found, one)
		}
	}
	return found
}

// together is how long segments are, in seconds.
func together(list []segment) (sum float64) {
	for _, one := range list {
		sum += one.end - one.start
	}
	return sum
}
