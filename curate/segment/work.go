package segment

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
	"omniscope/media/pdac"
)

// work is the segmentation of a source folder under way.
type work struct {
	o      Options
	made   *segmentation
	unlock func() error
}

func (w *work) folder() string   { return filepath.Join(w.o.Source, "SEGMENTED_AUDIO") }
func (w *work) list() string     { return filepath.Join(w.folder(), "shas_segmentation.yaml") }
func (w *work) segments() string { return filepath.Join(w.folder(), "shas_segments") }
func (w *work) videos() string   { return filepath.Join(w.o.Source, "SEGMENTED_VIDEO") }

const recordName = "segmentation.json"

// openWork takes up what is there. It refuses what was made otherwise, and with
// Options.Force removes it.
func openWork(o Options, talks []talkPart) (*work, error) {
	w := &work{o: o}
	if err := os.MkdirAll(w.segments(), 0o777); err != nil {
		return nil, err
	}
	var err error
	if w.unlock, err = outfile.LockFolder(w.folder()); err != nil {
		return nil, err
	}
	if err = w.takeUp(talks); err != nil {
		return nil, errors.Join(err, w.unlock())
	}
	return w, nil
}

func (w *work) takeUp(talks []talkPart) error {
	fresh := &segmentation{Program: w.o.Program, Algorithm: "SHAS pDAC", FrameRate: pdac.FrameRate, Method: method{
		Origin: w.o.Probabilities.Origin(), Max: w.o.PDAC.Max, Min: w.o.PDAC.Min, Threshold: w.o.PDAC.Threshold, NotStrict: w.o.PDAC.NotStrict}}
	there, err := w.read()
	if w.o.Force {
		w.made = fresh
		return w.discard(there)
	}
	if err != nil {
		return err
	}
	if there == nil {
		w.made = fresh
		return w.checkEmpty()
	}
	w.made = there
	if there.Method != fresh.Method {
		return omniscope.Usagef("the segments in %s were made by %s, not by %s: give the same options, or replace them all with --force", w.folder(), there.Method, fresh.Method)
	}
	if err := w.checkTalks(talks); err != nil {
		return err
	}
	return w.checkList()
}

// read reads segmentation.json, nil if there is none.
func (w *work) read() (*segmentation, error) {
	path := filepath.Join(w.folder(), recordName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := &segmentation{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, omniscope.Invalidf("%s is damaged (%w): segment anew with --force", path, err)
	}
	return r, nil
}

func (w *work) save() error {
	return outfile.WriteIn(w.folder(), recordName, func(to io.Writer) error { return outfile.JSON(to, w.made) })
}

// checkEmpty refuses segments that no record tells the origin of.
func (w *work) checkEmpty() error {
	names := map[string]string{}
	for _, folder := range []string{w.segments(), w.videos()} {
		list, err := outfile.Entries(folder)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			names[folder] = list[0]
		}
	}
	if ondisk.IsTaken(w.list()) {
		names[w.folder()] = filepath.Base(w.list())
	}
	for folder, name := range names {
		return omniscope.Usagef("%s was not made by this command, for %s has no %s: move it away, or replace it with --force", filepath.Join(folder, name), w.folder(), recordName)
	}
	return nil
}

// checkTalks refuses talks that are not those that were segmented. New ones
// may have come.
func (w *work) checkTalks(talks []talkPart) error {
	now := map[string]talkPart{}
	for _, t := range talks {
		now[t.Wav] = t
	}
	for _, was := range w.made.Talks {
		t, there := now[was.Wav]
		switch {
		case !there:
			return omniscope.Usagef("%s has segments of %s, which is no longer in %s: put it back, or segment anew with --force", w.folder(), was.Wav, filepath.Join(w.o.Source, "AUDIO"))
		case t.SHA256 != was.SHA256:
			return omniscope.Usagef("%s is not the file that was segmented: put that back, or segment anew with --force", t.path)
		case was.VideoBytes != 0 && t.VideoBytes != 0 && t.VideoBytes != was.VideoBytes:
			return omniscope.Usagef("%s is not the file that was segmented, it has %d bytes instead of %d: put that back, or segment anew with --force", t.video, t.VideoBytes, was.VideoBytes)
		}
	}
	return nil
}

// checkList refuses a list that somebody changed.
func (w *work) checkList() error {
	text, err := os.ReadFile(w.list())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && sha256hex.Of(text) != w.made.ListSHA256 {
		return omniscope.Usagef("%s was changed after it was written: move it away, or replace it with --force", w.list())
	}
	return err
}

// listed reports whether the list of segments is there, so that everything was
// done once.
func (w *work) listed() bool {
	_, err := os.Lstat(w.list())
	return err == nil
}

// unlist removes the list before anything else is changed.
func (w *work) unlist() error {
	if err := os.Remove(w.list()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	w.made.ListSHA256 = ""
	return nil
}

// discard removes what earlier calls made. Segments of other talks than those that
// their record names are left: they are removed when their talk is planned.
func (w *work) discard(there *segmentation) error {
	if err := w.unlist(); err != nil {
		return err
	}
	if there != nil {
		for _, t := range there.Talks {
			if t.Wav != filepath.Base(t.Wav) || !strings.HasSuffix(t.Wav, ".wav") {
				continue // no name that this command wrote
			}
			if err := w.removeSegments(t.base()); err != nil {
				return err
			}
		}
	}
	if err := os.Remove(filepath.Join(w.folder(), recordName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// removeSegments removes all segments of a talk.
func (w *work) removeSegments(base string) error {
	for folder, ext := range map[string]string{w.segments(): ".wav", w.videos(): ".mp4"} {
		names, err := outfile.Entries(folder)
		if err != nil {
			return err
		}
		for _, name := range names {
			number, ok := strings.CutPrefix(strings.TrimSuffix(name, ext), base+"_")
			if !ok || !strings.HasSuffix(name, ext) || number == "" || strings.Trim(number, "0123456789") != "" {
				continue
			}
			if err := os.Remove(filepath.Join(folder, name)); err != nil {
				return err
			}
		}
	}
	return nil
}
