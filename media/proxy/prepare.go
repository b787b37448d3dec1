package proxy

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/media"
)

// side is the longest side of the picture of a proxy, in pixels.
const side = 960

// Options say what is made besides the rest. The zero value is ready to use.
type Options struct {
	Muted bool // the film without its sound as well, if it has both
}

// Prepare makes what a page needs of a file, unless it is there and whole, and says what
// is there. It takes minutes for an hour of film, and ends soon after ctx is cancelled.
// Who calls it while another one is preparing the same file waits for that.
//
// A file that is no media, or of which nothing can be decoded, is an error of kind
// Invalid; one that is damaged in part yields what can be decoded, with Warnings.
func Prepare(ctx context.Context, path, dir string, o Options) (_ *Prepared, err error) {
	defer func() { err = explained(err) }()
	id, err := identify(path)
	if err != nil {
		return nil, err
	}
	s := shelf{dir}
	digest, err := s.digest(ctx, id)
	if err != nil {
		return nil, err
	}
	unlock, err := s.lock(ctx, digest)
	if err != nil {
		return nil, err
	}
	defer unlock()
	p, err := s.open(digest, true)
	if err != nil {
		if p, err = s.make(ctx, path, digest); err != nil {
			return nil, err
		}
	}
	p.Source, p.identity = path, id
	if now, err := identify(path); err != nil || now != id {
		return nil, problem(omniscope.Invalid, path, errors.New("the file changed while it was prepared: run again when it is complete"))
	}
	if o.Muted && p.Film && p.Sound && p.Path(MutedFile) == "" {
		if err := s.mute(ctx, p); err != nil {
			return nil, err
		}
	}
	return p, s.remember(known{id, digest})
}

// make makes all files of a digest and puts the folder in its place. The digest is locked.
func (s shelf) make(ctx context.Context, path, digest string) (*Prepared, error) {
	s.sweep()
	folder := s.partial(digest)
	// This digest's own remains are not swept: the lock is taken.
	if err := errors.Join(os.RemoveAll(folder), os.Mkdir(folder, 0o777)); err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	f, err := media.Probe(ctx, path)
	if err != nil {
		return nil, err
	}
	p := &Prepared{
		Folder: folder, Version: version, Digest: digest, Offset: f.Start.Seconds(), Film: f.Video != nil, Sound: f.Audio != nil,
		Warnings: f.Warnings, Files: make(map[string]file),
	}
	if err := p.fill(ctx, f); err != nil {
		return nil, errors.Join(err, outOfSpace(folder))
	}
	if err := p.writeRecord(folder); err != nil {
		return nil, err
	}
	p.Folder = s.folder(digest)
	// What is there is damaged, else it would not be made again.
	return p, errors.Join(os.RemoveAll(p.Folder), os.Rename(folder, p.Folder))
}

// fill makes the files.
func (p *Prepared) fill(ctx context.Context, f *media.File) error {
	var wave peakMeter
	warnings, err := media.EncodeProxy(ctx, f, side, filepath.Join(p.Folder, p.Player()), wave.add)
	if err != nil {
		return err
	}
	p.Warnings = append(p.Warnings, warnings...)
	if err := p.add(p.Player()); err != nil {
		return err
	}
	made, err := media.Probe(ctx, filepath.Join(p.Folder, p.Player()))
	if err != nil {
		return err
	}
	p.Seconds = made.Duration.Seconds()
	if p.Sound {
		if err := p.write(PeaksFile, wave.peaks); err != nil {
			return err
		}
	}
	if !p.Film {
		p.Exact = true
		return nil
	}
	times, err := p.addTimes(ctx, f, made)
	if err != nil {
		return err
	}
	return p.addShots(ctx, made, times)
}

// addTimes writes the times of the frames of the proxy, and compares them with the file's.
func (p *Prepared) addTimes(ctx context.Context, f, made *media.File) ([]float64, error) {
	if made.Video == nil {
		return nil, problem(omniscope.Invalid, f.Path, errors.New("nothing of its picture can be decoded"))
	}
	is, err := made.Timeline(ctx)
	if err != nil {
		return nil, err
	}
	times := make([]float64, is.Frames())
	var data []byte
	for i, pts := range is.PTS {
		times[i] = float64(pts) * float64(is.Base.Num) / float64(is.Base.Den)
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(times[i]))
	}
	p.Frames, p.Width, p.Height, p.FrameRate = len(times), made.Video.Width, made.Video.Height, f.Video.FrameRate
	want, err := f.Timeline(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil: // some AVI files have frames without a time
		p.Warnings = append(p.Warnings, "the file does not say when each frame appears: the times are those that a player would guess")
	case !sameTimes(want, times):
		p.Warnings = append(p.Warnings, fmt.Sprintf("the file lists %d frames, the proxy has %d, or some at other times: some cannot be decoded", want.Frames(), len(times)))
	default:
		p.Exact = true
	}
	return times, p.write(TimesFile, data)
}

// sameTimes reports whether all frames are at their own times, as exact as ticks are.
func sameTimes(want *media.Timeline, times []float64) bool {
	if want.Frames() != len(times) {
		return false
	}
	tick := max(want.Base.Float(), 1e-6)
	for i, at := range times {
		if math.Abs(want.At(i).Seconds()-at) > tick/2+1e-6 {
			return false
		}
	}
	return true
}

// mute adds the film without its sound. The record is written last: until then the new
// file belongs to nothing.
func (s shelf) mute(ctx context.Context, p *Prepared) error {
	folder := s.partial(p.Digest)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	film, err := media.Probe(ctx, p.Path(FilmFile))
	if err != nil {
		return err
	}
	partial := filepath.Join(folder, MutedFile)
	if err := media.CopyPicture(ctx, film, partial); err != nil {
		return errors.Join(err, outOfSpace(folder))
	}
	if err := os.Rename(partial, filepath.Join(p.Folder, MutedFile)); err != nil {
		return err
	}
	if err := p.add(MutedFile); err != nil {
		return err
	}
	return p.writeRecord(p.Folder)
}

// add records a file that is in the folder.
func (p *Prepared) add(name string) (err error) {
	p.Files[name], err = describe(filepath.Join(p.Folder, name))
	return err
}

// write writes a file into the folder and records it.
func (p *Prepared) write(name string, data []byte) error {
	err := outfile.WriteIn(p.Folder, name, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(data))
		return err
	})
	if err != nil {
		return err
	}
	return p.add(name)
}

// outOfSpace reports whether the disk of a folder is full: programs that end for lack of space blame
// the file, or leave half a file and blame nothing. nil = there is room.
func outOfSpace(folder string) error {
	const little = 256 << 10 // less than any program that writes a film needs
	path := filepath.Join(folder, "room")
	defer os.Remove(path)
	err := os.WriteFile(path, make([]byte, little), 0o600)
	if isFull(err) {
		return err
	}
	return nil
}

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// explained reports a full disk as one, which ffmpeg reports as a fault of the file.
func explained(err error) error {
	if err != nil && (isFull(err) || strings.Contains(strings.ToLower(err.Error()), "no space left")) {
		return &omniscope.Error{Kind: omniscope.Internal, Op: "folder of proxies", Err: fmt.Errorf("the disk is full: make room, or name a folder on another disk (%w)", err)}
	}
	return err
}

func durations(seconds ...float64) []time.Duration {
	list := make([]time.Duration, len(seconds))
	for i, s := range seconds {
		list[i] = time.Duration(math.Round(s * float64(time.Second)))
	}
	return list
}
