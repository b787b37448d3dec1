package predict

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"testing"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/detective"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/internal/testing/tasktest"
	"omniscope/session"
	"omniscope/session/caption"
)

const unbounded = "there is no forecast: a sample is one request, and what the detective asks depends on answers"

// tones makes clips of half a second in a folder, each a tone of its own.
func tones(t *testing.T, dir string, names ...string) (paths []string) {
	t.Helper()
	for i, name := range names {
		path := filepath.Join(dir, name)
		clips.Make(t, path, clips.Fields(fmt.Sprintf("-f lavfi -i sine=frequency=%d:duration=0.5 -ar 16000", 300+200*i))...)
		paths = append(paths, path)
	}
	return paths
}

func TestPredictionsAreTasks(t *testing.T) {
	need.FFmpeg(t)
	dir := t.TempDir()
	tones(t, dir, "a.wav", "b.wav", "c.wav")
	data := fixture.FileIn(t, dir, "data.json", `[{"id": "a", "audio_id": "a.wav", "question": "Who?", "choices": ["Man", "Woman"], "answer": "Man", "task": "speech", "difficulty": "easy"},
{"id": "b", "audio_id": "b.wav", "question": "Who?", "choices": ["Man", "Woman"], "answer": "Woman", "task": "sound", "difficulty": "hard"},
{"id": "c", "audio_id": "c.wav", "question": "Where?", "choices": ["Here", "There"], "answer": "Here", "task": "sound", "difficulty": "hard"}]`)
	profile, err := predict.LoadProfile(t.Context(), predict.DefaultProfile)
	fixture.OK(t, err)
	tasktest.Suite(t, tasktest.Kind{
		Kinds: session.Kinds{Kind}, Reply: fake.FixedReply("A"), File: "answers.jsonl",
		Open: func(ctx context.Context, m *session.Machine) (session.Units, error) {
			s := &Spec{Benchmark: "mmau", Data: data, Media: dir, Modality: omniscope.Audio, Profile: profile, Model: &session.Role{Model: "openai/mock"}}
			return Open(ctx, s, &Options{Machine: *m, Blind: 0.5, MostBlind: 2})
		},
		Unbounded:  unbounded,
		NoPrograms: "a run of one model has no tools",
	})
}

func TestPredictionsOfDetectivesAreTasks(t *testing.T) {
	need.FFmpeg(t)
	files := tones(t, t.TempDir(), "a.wav", "b.wav")
	spec := func(more caption.Spec) *Spec {
		more.Modality, more.Inquiries, more.Tools = "a", detective.DefaultBudget, []string{"sound"}
		return &Spec{Clips: files, Modality: omniscope.Audio, Investigation: &more}
	}
	usage := regexp.MustCompile(`,"usage":(null|{[^}]*})`)
	tasktest.Suite(t, tasktest.Kind{
		Kinds: session.Kinds{Kind, caption.Kind}, // the journal has it as a run on clips
		Reply: fake.DetectiveReply([]string{"observer1-hearing"}, 1), File: "captions.jsonl",
		Open: func(ctx context.Context, m *session.Machine) (session.Units, error) {
			return Open(ctx, spec(caption.Spec{Detective: "openai/mock", Observers: []string{"openai/one"}}), &Options{Machine: *m, Jobs: 1}) // the file of trajectories has the order in which clips end
		},
		// What a clip took is known to the command that asked about all of it.
		Normal:    func(_, text string) string { return usage.ReplaceAllString(text, "") },
		Unbounded: unbounded,
		Program: func(command string) session.Task {
			return spec(caption.Spec{Detective: session.Offline, Programs: []string{command}})
		},
	})
}
