package predict

import (
	"context"
	"path/filepath"
	"testing"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/media/cache"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/model/wrap"
)

// clip makes a clip with ffmpeg and returns its path.
func clip(t *testing.T, name string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	clips.Make(t, path, args...)
	return path
}

// filmArgs make a film of 6 s, 320 x 180, 25 frames a second, with a tone.
var filmArgs = []string{"-f", "lavfi", "-i", "testsrc=size=320x180:rate=25:duration=6", "-f", "lavfi", "-i", "sine=frequency=440:duration=6", "-c:v", "libx264", "-g", "25", "-c:a", "aac", "-shortest"}

// replying is a model that answers each call alike and keeps what it was asked.
type replying struct {
	reply model.Response
	err   error
	asked []*model.Request
}

func (r *replying) Generate(_ context.Context, req *model.Request) (*model.Response, error) {
	r.asked = append(r.asked, req)
	if r.err != nil {
		return nil, r.err
	}
	reply := r.reply
	return &reply, nil
}

// system asks m by a profile.
func system(t *testing.T, p *Profile, modality omniscope.Modality, m model.Model) *System {
	t.Helper()
	kept, err := cache.Open(t.TempDir(), cache.Options{})
	fixture.OK(t, err)
	return &System{Profile: p, Clips: NewClips(kept), Modality: modality, Asker: &judge.Judge{Name: "test/m", Request: "m", Model: wrap.Stack(m, wrap.Options{Name: "test/m"})}}
}

// ask predicts one sample and wants no error.
func ask(t *testing.T, s *System, sample omniscope.Sample) *Prediction {
	t.Helper()
	if sample.ID == "" {
		sample.ID = "a"
	}
	p, err := s.Predict(t.Context(), &sample)
	fixture.OK(t, err)
	return p
}

func saying(text string) model.Response { return model.Response{Text: text, Finish: model.Stop} }
