package speed

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/detective"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// BenchmarkFound investigates the clips of known content with local tools, and prints how much of it was found. The clips
// and their MANIFEST.json are in the golden data, or in the folder that MEDIA names. It fails if a figure misses its mark.
func BenchmarkFound(b *testing.B) {
	folder := os.Getenv("MEDIA")
	if folder == "" {
		folder = golden.Path(b, "media")
	}
	manifest := filepath.Join(folder, "MANIFEST.json")
	list, err := readClips(manifest)
	fixture.OK(b, err)
	b.Run("by=omniscope", func(b *testing.B) {
		for b.Loop() {
			reports := filepath.Join(b.TempDir(), "reports")
			args := []string{"caption", "--detective", "offline", "--pages", "--out", reports, "--work-dir", b.TempDir(), "--quiet", "--"}
			for _, c := range list {
				args = append(args, filepath.Join(folder, c.File))
			}
			timed(b, program(b, args...))
			var found strings.Builder
			err := compare(&found, manifest, reports)
			b.Log("\n" + found.String())
			if err != nil {
				b.Error(err)
			}
		}
	})
}

// compare prints a row for each clip, and the sums.
func compare(w io.Writer, manifest, reports string) error {
	clips, err := readClips(manifest)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%-38s %7s %8s %6s %5s  %-8s %8s %9s\n", "clip", "texts", "invented", "cuts", "false", "sound", "speech", "loudness")
	var sum row
	for _, c := range clips {
		r, err := readReport(filepath.Join(reports, strings.TrimSuffix(c.File, filepath.Ext(c.File)), "report.json"))
		if err != nil {
			return err
		}
		got := c.compare(r)
		got.print(w, c.File)
		sum.add(got)
	}
	sum.print(w, "all")
	fmt.Fprintln(w, "\ntexts, cuts: found of known; invented: words that the clip does not show; sound: silence or absent sound, reported;\n"+
		"speech: reported where people speak; +: reported elsewhere, or words of talk that cannot be understood; loudness: the largest error in LU.")
	return sum.missed()
}

func readReport(path string) (*detective.Report, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r detective.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &r, nil
}

// A row is the result of one clip, or of all.
type row struct {
	texts, textsFound, wordsInvented int
	cuts, cutsFound, cutsFalse       int
	quiet, quietTold                 int // clips without sound, or with silence alone
	spoken, spokenTold               int // clips with speech
	speechInvented                   int // clips without speech in which speech was reported
	loudnessOff                      float64
}

func (r *row) add(o row) {
	r.texts, r.textsFound, r.wordsInvented = r.texts+o.texts, r.textsFound+o.textsFound, r.wordsInvented+o.wordsInvented
	r.cuts, r.cutsFound, r.cutsFalse = r.cuts+o.cuts, r.cutsFound+o.cutsFound, r.cutsFalse+o.cutsFalse
	r.quiet, r.quietTold = r.quiet+o.quiet, r.quietTold+o.quietTold
	r.spoken, r.spokenTold, r.speechInvented = r.spoken+o.spoken, r.spokenTold+o.spokenTold, r.speechInvented+o.speechInvented
	r.loudnessOff = max(r.loudnessOff, o.loudnessOff)
}

func (r *row) print(w io.Writer, name string) {
	speech := fraction(r.spokenTold, r.spoken)
	if r.speechInvented > 0 {
		speech = strings.TrimPrefix(speech+fmt.Sprintf("+%d", r.speechInvented), "–")
	}
	fmt.Fprintf(w, "%-38s %7s %8d %6s %5d  %-8s %8s %9.1f\n", name, fraction(r.textsFound, r.texts), r.wordsInvented,
		fraction(r.cutsFound, r.cuts), r.cutsFalse, fraction(r.quietTold, r.quiet), speech, r.loudnessOff)
}

func fraction(part, all int) string {
	if all == 0 {
		return "–"
	}
	return fmt.Sprintf("%d/%d", part, all)
}

// The marks.
const (
	leastRecall  = 0.85 // of hard cuts
	mostFalse    = 3    // cuts, over all clips
	mostLoudness = 0.5  // LU
)

// missed names the marks that the sums miss.
func (r *row) missed() error {
	var list []string
	say := func(missed bool, format string, args ...any) {
		if missed {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	say(float64(r.cutsFound) < leastRecall*float64(r.cuts), "cuts found: %d of %d", r.cutsFound, r.cuts)
	say(r.cutsFalse > mostFalse, "false cuts: %d", r.cutsFalse)
	say(r.textsFound < r.texts-1, "texts found: %d of %d, where one is a drawn logo", r.textsFound, r.texts)
	say(r.quietTold < r.quiet, "silence or absence of sound told: %d of %d", r.quietTold, r.quiet)
	say(r.speechInvented > 0, "clips with invented speech: %d", r.speechInvented)
	say(r.loudnessOff > mostLoudness, "loudness off by %.1f LU", r.loudnessOff)
	if len(list) == 0 {
		return nil
	}
	return fmt.Errorf("missed: %s", strings.Join(list, "; "))
}
