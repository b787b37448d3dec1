package segment

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
	"omniscope/media/pdac"
	"omniscope/media/wav"
)

// A talkPart is a file of sound that is to be segmented, and what of it shapes its
// segments.
type talkPart struct {
	Wav        string `json:"wav"` // name without folder
	SHA256     string `json:"sha256"`
	Rate       int    `json:"rate"`                  // samples of each channel in a second
	Samples    int64  `json:"samples"`               // of each channel
	VideoBytes int64  `json:"video_bytes,omitempty"` // 0 = there are no pictures

	path  string
	video string
}

// Frames is how many frames of pdac the talk has.
func (t talkPart) Frames() int { return pdac.Frames(t.Samples, t.Rate) }

// Path is where the talk lies.
func (t talkPart) Path() string { return t.path }

func (t talkPart) base() string { return strings.TrimSuffix(t.Wav, ".wav") }

// findTalks finds and checks the talks of a source folder, by name.
func findTalks(ctx context.Context, source string) (list []talkPart, err error) {
	folder := filepath.Join(source, "AUDIO")
	names, err := outfile.Entries(folder)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !strings.HasSuffix(name, ".wav") {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := talkPart{Wav: name, path: filepath.Join(folder, name)}
		if !utf8.ValidString(name) {
			return nil, omniscope.Invalidf("%q: the name is not UTF-8, so that YAML cannot hold it: rename the file", t.path)
		}
		if err := t.measure(); err != nil {
			return nil, err
		}
		video := filepath.Join(source, "VIDEO", t.base()+".mp4")
		switch info, err := os.Stat(video); {
		case err == nil:
			t.video, t.VideoBytes = video, info.Size()
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
		list = append(list, t)
	}
	if len(list) == 0 {
		return nil, omniscope.NotFoundf("%s has no .wav files: name the folder that holds AUDIO/NAME.wav", folder)
	}
	return list, nil
}

// measure reads the file once, for its length and its digest.
func (t *talkPart) measure() error {
	sound, err := wav.OpenFile(t.path)
	if err != nil {
		return omniscope.Invalidf("%w", err)
	}
	t.Rate, t.Samples = sound.Rate, sound.Frames
	if err := sound.Close(); err != nil {
		return err
	}
	t.SHA256, err = sha256hex.File(t.path)
	return err
}
