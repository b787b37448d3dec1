package caption

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"omniscope/detective"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/internal/testing/tasktest"
	"omniscope/session"
	"omniscope/session/production"
)

const unbounded = "what is asked depends on answers: a pilot measures it"

// clipsIn makes clips of half a second, each a tone of its own, those called .mp4 with a picture.
func clipsIn(t *testing.T, dir string, names ...string) (paths []string) {
	t.Helper()
	for i, name := range names {
		path := filepath.Join(dir, name)
		args := fmt.Sprintf("-f lavfi -i sine=frequency=%d:duration=0.5", 300+200*i)
		if filepath.Ext(name) == ".mp4" {
			args += " -f lavfi -i color=c=red:s=64x48:r=5:d=0.5 -c:v mpeg4 -c:a aac"
		}
		args += " -ar 16000"
		clips.Make(t, path, clips.Fields(args)...)
		paths = append(paths, path)
	}
	return paths
}

func TestInvestigationsAreTasks(t *testing.T) {
	need.FFmpeg(t)
	dir := t.TempDir()
	files, sounds := clipsIn(t, dir, "first.mp4", "second.wav"), clipsIn(t, dir, "one.wav", "two.wav")
	for name, c := range map[string]struct {
		files []string
		spec  Spec
		reply fake.Responder
	}{
		"offline":        {files, Spec{Modality: "av", Detective: session.Offline, Tools: []string{"sound", "scene"}}, nil},
		"by a detective": {sounds, Spec{Modality: "a", Detective: "openai/mock", Tools: []string{"sound"}, Observers: []string{"openai/one"}}, fake.DetectiveReply([]string{"observer1-hearing"}, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			spec := func() *Spec {
				s := c.spec
				s.Inquiries = detective.DefaultBudget
				return &s
			}
			tasktest.Suite(t, tasktest.Kind{
				Kinds: session.Kinds{Kind}, Reply: c.reply,
				Open: func(ctx context.Context, m *session.Machine) (session.Units, error) {
					return Open(ctx, spec(), &Options{Machine: *m, Files: c.files, Jobs: 1}) // the file of trajectories has the order in which clips end
				},
				Unbounded: unbounded,
				Program: func(command string) session.Task {
					s := spec()
					s.Programs, s.Clips = []string{command}, c.files
					return s
				},
			})
		})
	}
}

func TestListsAreTasks(t *testing.T) { listsAreTasks(t) }

// TestLongListsAreTasks stops the run at every request.
func TestLongListsAreTasks(t *testing.T) { listsAreTasks(t) }

func listsAreTasks(t *testing.T) {
	t.Helper()
	need.FFmpeg(t)
	dir := t.TempDir()
	clipsIn(t, dir, "first.wav", "second.wav")
	list := fixture.FileIn(t, dir, "clips.jsonl", `{"id": "one", "url": "first.wav"}`+"\n"+`{"id": "two", "url": "second.wav"}`+"\n")
	tasktest.Suite(t, tasktest.Kind{
		Kinds: session.Kinds{Kind}, Reply: fake.DetectiveReply([]string{"observer1-hearing"}, 1),
		Open: func(ctx context.Context, m *session.Machine) (session.Units, error) {
			l, err := production.ReadList(ctx, list, "", m.Calls.WorkDir)
			if err != nil {
				return nil, err
			}
			s := &Spec{Detective: "openai/mock", Tools: []string{"sound"}, Observers: []string{"openai/one"}, Inquiries: detective.DefaultBudget, Passes: []string{"a", "av"}}
			return OpenList(ctx, s, &ListOptions{Machine: *m, List: l, Jobs: 2, MaxFileSize: 1 << 20})
		},
		Unbounded:  unbounded,
		Alone:      "its description has a digest of the list, and not the clips",
		NoPrograms: "no worker opens a list",
	})
}
