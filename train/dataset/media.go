package dataset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"omniscope"
	"omniscope/internal/filename"
	"omniscope/internal/outfile"
	"omniscope/media"
	"omniscope/media/wav"
	"omniscope/train"
	"omniscope/train/clip"
)

// A file is one that was made for a row.
type file struct {
	Name     string         `json:"name"` // in the folder of media
	Made     string         `json:"made"` // how: linked, cut, or sound
	Measured *clip.Measured `json:"measured"`
}

// How files are made.
const (
	linked   = "linked" // the original, since nothing is wrong with it
	cut      = "cut"    // encoded anew: a stretch, or frames and sound at their places
	soundCut = "sound"  // the sound alone, 16 kHz, one channel
)

// preparedFile notes what was made, a line of JSON for each clip. It is for this package alone.
const preparedFile = ".prepared.jsonl"

// A note is a line of it. A clip whose file changed since, by size and time, is made again.
type note struct {
	ID      string         `json:"id"`
	Size    int64          `json:"size"`
	Changed int64          `json:"changed"` // of the file, in nanoseconds since 1970
	Span    omniscope.Span `json:"span"`
	Files   []file         `json:"files"`
}

// prepare makes the media of all rows, several at a time.
func (b *building) prepare(ctx context.Context) error {
	notes, err := b.readNotes()
	if err != nil {
		return err
	}
	log, err := b.openNotes()
	if log != nil {
		defer log.Close()
	}
	if err != nil {
		return err
	}
	p := &preparing{building: b, notes: notes, log: log}
	kept := b.kept()
	p.total = len(kept)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(b.Workers, 1))
	for _, r := range kept {
		group.Go(func() error { return p.one(ctx, r) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return log.Sync()
}

// preparing is the work on media.
type preparing struct {
	*building
	notes map[string]*note
	total int

	mu   sync.Mutex
	log  *os.File
	done int
}

// openNotes opens the notes to write more. What a killed process left half becomes a line of its own.
func (b *building) openNotes() (*os.File, error) {
	log, err := os.OpenFile(filepath.Join(b.Out, preparedFile), os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	info, err := log.Stat()
	if err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err = log.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			_, err = log.Write([]byte{'\n'})
		}
	}
	return log, err
}

// readNotes reads what was made before. Lines that are none are passed over: what they note is made again.
func (b *building) readNotes() (map[string]*note, error) {
	notes := make(map[string]*note)
	text, err := os.ReadFile(filepath.Join(b.Out, preparedFile))
	if errors.Is(err, os.ErrNotExist) {
		return notes, nil
	}
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		n := &note{}
		if bytes.HasSuffix(line, []byte("\n")) && json.Unmarshal(line, n) == nil {
			notes[n.ID] = n
		}
	}
	return notes, nil
}

// one makes the media of a row. A file that cannot be used leaves the row out; an error stops all.
func (p *preparing) one(ctx context.Context, r *row) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	n, err := p.make(ctx, r)
	var out *leftOut
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &out):
		r.rule, r.why = out.rule, out.why
	case omniscope.KindOf(err) == omniscope.Invalid || omniscope.KindOf(err) == omniscope.NotFound || errors.Is(err, os.ErrNotExist):
		r.rule, r.why = ruleMedia, err.Error()
	case err != nil:
		return err
	default:
		r.files = n.Files
		for _, f := range n.Files {
			if f.Measured.Broken != "" {
				r.rule, r.why = ruleMedia, "it does not decode whole: "+f.Measured.Broken
			}
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done++; p.Progress != nil {
		p.Progress(p.done, p.total)
	}
	return nil
}

// leftOut is the error of a file that a rule leaves out before it is made.
type leftOut struct{ rule, why string }

func (e *leftOut) Error() string { return e.why }

// fits refuses a file without the streams that the data set is about.
func (b *building) fits(f *media.File) error {
	switch {
	case b.modality == omniscope.AudioVisual && f.Video == nil && !b.off(rulePicture):
		return &leftOut{rulePicture, "it has sound alone"}
	case b.modality == omniscope.Audio && f.Audio == nil && !b.off("silent"):
		return &leftOut{"silent", "there is no sound"}
	}
	return nil
}

// make makes the files of a row, or takes those that are there.
func (p *preparing) make(ctx context.Context, r *row) (*note, error) {
	if r.Remote() {
		return nil, omniscope.Invalidf("%s is on the web: fetch it, and name the folder with --media", r.Path)
	}
	info, err := os.Stat(r.Path)
	if err != nil {
		return nil, err
	}
	n := &note{ID: r.ID, Size: info.Size(), Changed: info.ModTime().UnixNano(), Span: r.Span}
	if there := p.notes[r.ID]; there != nil && there.Size == n.Size && there.Changed == n.Changed && there.Span == n.Span && p.areThere(there.Files) {
		return there, nil
	}
	f, err := media.Probe(ctx, r.Path)
	if err == nil {
		err = p.fits(f)
	}
	if err == nil {
		n.Files, err = p.files(ctx, f, r)
	}
	if err != nil {
		return nil, err
	}
	return n, p.write(n)
}

// files makes the files of a row.
func (p *preparing) files(ctx context.Context, f *media.File, r *row) (made []file, err error) {
	if p.modality == omniscope.AudioVisual {
		video, err := p.video(ctx, f, r)
		if err != nil {
			return nil, err
		}
		made = append(made, *video)
	}
	if p.wantsSound() && (f.Audio != nil || p.modality == omniscope.Audio) { // a video without sound is left out by a rule of its own
		sound, err := p.sound(ctx, f, r)
		if err != nil {
			return nil, err
		}
		made = append(made, *sound)
	}
	return made, nil
}

// wantsSound reports whether rows name a file of the sound alone.
func (b *building) wantsSound() bool {
	return b.modality == omniscope.Audio || slices.ContainsFunc(b.Forms, func(f *train.Form) bool { return f.SoundApart })
}

// areThere reports whether files that were made are still there, whole, and are those that are wanted now.
func (p *preparing) areThere(files []file) bool {
	video, sound := false, false
	for _, f := range files {
		info, err := os.Stat(p.path(f.Name))
		if err != nil || info.Size() != f.Measured.Bytes {
			return false
		}
		video, sound = video || f.Made != soundCut, sound || f.Made == soundCut
	}
	mute := video && files[0].Measured.Sound == nil
	return (video || p.modality != omniscope.AudioVisual) && (sound || mute || !p.wantsSound())
}

func (b *building) path(name string) string { return filepath.Join(b.Out, mediaFolder, name) }

// nameOf is the name of a row's files without an ending: no two ids share one.
func nameOf(id string) string {
	return fmt.Sprintf("%.80s-%.8x", filename.Safe(id), sha256.Sum256([]byte(id)))
}

// video links the file of a row, or cuts it where a stretch is meant, or frames or sound do not stand at their places.
func (p *preparing) video(ctx context.Context, f *media.File, r *row) (*file, error) {
	if r.Span == (omniscope.Span{}) {
		m, err := clip.Measure(ctx, r.Path)
		if err != nil {
			return nil, err
		}
		if steady(m) && (f.Video == nil || !f.Video.HDR()) || m.Broken != "" { // a broken file is not repaired
			out := &file{Name: nameOf(r.ID) + strings.ToLower(filepath.Ext(r.Path)), Made: linked, Measured: m}
			return out, link(r.Path, p.path(out.Name))
		}
	}
	out := &file{Name: nameOf(r.ID) + ".mp4", Made: cut}
	if err := media.CutSteady(ctx, f, r.Span, p.path(out.Name)); err != nil {
		return nil, err
	}
	var err error
	out.Measured, err = clip.Measure(ctx, p.path(out.Name))
	return out, err
}

// off is how many seconds a track may begin late, and tracks may differ in length, without harm (train/check tells of more).
const off = 0.1

// steady reports whether trainers take frames and sound of a file at the right places.
func steady(m *clip.Measured) bool {
	p, s := m.Picture, m.Sound
	if p == nil || p.Tracks > 1 || p.Variable || p.Start > off {
		return false
	}
	return s == nil || s.Missing <= 0 && !s.Uneven && s.Start <= off && math.Abs(s.Seconds-p.Seconds) <= off
}

// sound writes the sound of a row.
func (p *preparing) sound(ctx context.Context, f *media.File, r *row) (*file, error) {
	out := &file{Name: nameOf(r.ID) + ".wav", Made: soundCut}
	var pcm bytes.Buffer
	if _, err := media.Speech(ctx, f, r.Span, &pcm); err != nil {
		return nil, err
	}
	err := outfile.Write(p.path(out.Name), func(w io.Writer) error {
		_, err := w.Write(append(wav.Header(media.SpeechRate, 1, pcm.Len()), pcm.Bytes()...))
		return err
	})
	if err != nil {
		return nil, err
	}
	out.Measured, err = clip.Measure(ctx, p.path(out.Name))
	return out, err
}

// write notes what was made.
func (p *preparing) write(n *note) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err = p.log.Write(append(text, '\n'))
	return err
}

// link gives a file a second name where the file system can, else copies it.
func link(from, to string) error {
	if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	from, err := filepath.EvalSymlinks(from)
	if err != nil {
		return err
	}
	if os.Link(from, to) == nil {
		return nil
	}
	return outfile.Copy(from, to)
}
