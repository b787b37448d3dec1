package collect

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/filename"
	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
	"omniscope/media"
)

// cutVersion is raised when the same span would be cut otherwise.
const cutVersion = 1

// A cutNote says what a clip was cut from.
type cutNote struct {
	Version int     `json:"version"`
	Source  string  `json:"source"` // SHA-256 of the file
	Start   float64 `json:"start"`
	End     float64 `json:"end"`
	Clip    string  `json:"clip"` // SHA-256 of the clip
}

// writeClips writes the accepted clips, and removes those of earlier runs into the same folder that are accepted no more.
func (c *collecting) writeClips(ctx context.Context) error {
	accepted := c.remaining()
	if c.NoCut {
		for _, k := range accepted {
			k.clip, k.digest = k.Path, k.m.Digest
			if !k.whole() { // as lists of clips name a stretch
				k.clip += fmt.Sprintf("#t=%.3f,%.3f", k.segment.Start, k.segment.End)
			}
		}
		return c.removeClips(nil)
	}
	if err := os.MkdirAll(filepath.Join(c.Dir, clipsFolder), 0o755); err != nil {
		return err
	}
	done, note, stop := c.Progress(len(accepted))
	defer stop()
	names := make(map[string]bool)
	for i, k := range accepted {
		name := clipName(k)
		if names[strings.ToLower(name)] { // file systems may not tell letters' case
			name = fmt.Sprintf("%.8x-%s", sha256.Sum256([]byte(k.ID)), name)
		}
		names[strings.ToLower(name)] = true
		note(k.ID)
		if err := c.writeClip(ctx, k, name); err != nil {
			return fmt.Errorf("%s: %w", k.ID, err)
		}
		done(i + 1)
	}
	return c.removeClips(names)
}

// clipName is the name of a clip's file. A whole file keeps its form.
func clipName(k *candidate) string {
	ext := strings.ToLower(filepath.Ext(k.Path))
	base := filename.Safe(strings.TrimSuffix(k.ID, filepath.Ext(k.Path)))
	switch {
	case k.whole():
		return base + ext
	case k.m.Height == 0:
		return base + ".wav"
	}
	return base + ".mp4"
}

func (k *candidate) whole() bool { return k.segment.Start == 0 && k.segment.End >= k.m.Seconds }

func (c *collecting) writeClip(ctx context.Context, k *candidate, name string) error {
	path := filepath.Join(c.Dir, clipsFolder, name)
	notePath := c.notePath(name)
	want := cutNote{Version: cutVersion, Source: k.m.Digest, Start: k.segment.Start, End: k.segment.End}
	k.clip = filepath.ToSlash(filepath.Join(clipsFolder, name))
	var before cutNote
	if text, err := os.ReadFile(notePath); err == nil && json.Unmarshal(text, &before) == nil {
		want.Clip = before.Clip
		if digest, err := sha256hex.File(path); err == nil && before == want && digest == before.Clip {
			k.digest = digest
			return nil
		}
	}
	if err := cut(ctx, k, path); err != nil {
		return err
	}
	var err error
	if k.digest, err = sha256hex.File(path); err != nil {
		return err
	}
	want.Clip = k.digest
	return outfile.Write(notePath, func(w io.Writer) error { return json.NewEncoder(w).Encode(want) })
}

func (c *collecting) notePath(name string) string {
	return filepath.Join(c.Dir, memoryFolder, "cut-"+name+".json")
}

// cut writes one clip: a whole file is copied, a part encoded anew.
func cut(ctx context.Context, k *candidate, path string) error {
	if k.whole() {
		return outfile.Copy(k.Path, path)
	}
	span := omniscope.Span{Start: seconds(k.segment.Start), End: seconds(k.segment.End)}
	f, err := media.Probe(ctx, k.Path)
	switch {
	case err != nil:
		return err
	case f.Video == nil:
		return media.CutAudio(ctx, f, span, path)
	}
	return media.CutFullSize(ctx, f, span, path)
}

func seconds(s float64) time.Duration {
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond)
}

// removeClips removes clips that this command wrote and that are not among names.
func (c *collecting) removeClips(names map[string]bool) error {
	notes, err := filepath.Glob(filepath.Join(c.meter.dir, "cut-*.json"))
	if err != nil {
		return err
	}
	for _, note := range notes {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(note), "cut-"), ".json")
		if names[strings.ToLower(name)] {
			continue
		}
		if err := os.Remove(filepath.Join(c.Dir, clipsFolder, name)); err != nil && !os.IsNotExist(err) {
			return err
		}
		if err := os.Remove(note); err != nil {
			return err
		}
	}
	return nil
}
