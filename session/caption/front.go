package caption

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/filename"
	"omniscope/session"
)

// DefaultJobs is how many clips are described at a time.
const DefaultJobs = 2

// FolderOf is the folder of captions where none is named.
func FolderOf(c *session.Calls, names ...string) string {
	return filepath.Join(c.WorkDir, outFolder, filename.Safe(strings.Join(names, "-")))
}

// outFolder is the folder of captions below the working folder.
const outFolder = "captions"

// Describe investigates the clips of a Spec and returns their reports, in the order of the clips: report.Caption has the
// text and its evidence. Where a clip has no caption, the error says why, and the other reports are there, too. m may be nil.
func Describe(ctx context.Context, s *Spec, m *session.Machine) ([]*detective.Report, error) {
	made := make(map[string]*detective.Report)
	w, err := openFront(ctx, s, m, func(r *detective.Report, _ string) error {
		made[r.Clip.Path] = r
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = session.Finish(ctx, w, &w.Machine)
	var reports []*detective.Report
	for _, path := range w.Files {
		if r := made[path]; r != nil {
			reports = append(reports, r)
		}
	}
	return reports, err
}

// openFront opens a Spec that a program wrote, which stays as it is.
func openFront(ctx context.Context, s *Spec, m *session.Machine, show func(*detective.Report, string) error) (*Investigation, error) {
	if len(s.Clips) == 0 {
		return nil, omniscope.Usagef("the Spec names no clips")
	}
	if _, known := modalities[s.Modality]; !known && s.Modality != "" {
		return nil, omniscope.Usagef("an investigation has modality av, a or v, not %q", s.Modality)
	}
	own := *s
	return Open(ctx, &own, &Options{Machine: *cmp.Or(m, &session.Machine{}), Files: session.WholePaths(s.Clips), Jobs: DefaultJobs, Show: show})
}

// complete fills in what the Spec leaves open, as the command without flags does.
func (s *Spec) complete() {
	if len(s.Passes) == 0 {
		s.Modality = cmp.Or(s.Modality, "av")
	}
	s.Detective = cmp.Or(s.Detective, session.Offline)
	s.Inquiries = cmp.Or(s.Inquiries, detective.DefaultBudget)
}
