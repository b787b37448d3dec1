package reconstruct

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/bytesize"
	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
	"omniscope/media"
	"omniscope/run"
)

// fetch downloads a video until it is whole.
func (r *Run) fetch(ctx context.Context, j *Job, id string) error {
	ctx = run.Stopping(ctx)
	for n := 1; ; n++ {
		err := r.download(ctx, j, id)
		switch kind := omniscope.KindOf(err); {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errDisk) || kind.EndsRun():
			return err
		case kind == omniscope.NotFound:
			return r.end(j, id, Expired, "its video is not there any more: "+err.Error())
		case n >= max(r.Tries, 1) || kind != omniscope.Transient && kind != omniscope.Invalid:
			return r.fail(j, id, Unusable, fmt.Sprintf("after %d tries: %v; the same command downloads it again", n, err))
		}
		if err := r.pause(ctx, err, n); err != nil {
			return err
		}
	}
}

// errDisk marks errors of this machine, after which another try would fail alike.
var errDisk = errors.New("the video could not be written")

func (r *Run) download(ctx context.Context, j *Job, id string) error {
	partial := r.path("." + j.Name + ".partial.mp4")
	defer os.Remove(partial)
	f, err := os.Create(partial)
	if err != nil {
		return fmt.Errorf("%w: %w", errDisk, err)
	}
	to := &bounded{f: f, left: r.MaxBytes}
	err = r.Queue.Download(ctx, id, to)
	if to.failed != nil {
		err = to.failed
	} else if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return r.keep(ctx, j, partial)
}

// A bounded file takes no more than some bytes.
type bounded struct {
	f      *os.File
	left   int64
	failed error
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		b.failed = &omniscope.Error{Kind: omniscope.Malformed, Err: errors.New("it is larger than --max-video-size")}
		return 0, b.failed
	}
	n, err := b.f.Write(p)
	if err != nil {
		b.failed = fmt.Errorf("%w: %w", errDisk, err)
	}
	return n, err
}

// keep checks a video and puts it in its place.
func (r *Run) keep(ctx context.Context, j *Job, partial string) error {
	is, err := Look(ctx, partial)
	if err != nil {
		return err
	}
	made := &madeVideo{Is: is}
	if made.Bytes, made.SHA256, err = digest(partial); err != nil {
		return err
	}
	if err := os.Rename(partial, r.path(j.File())); err != nil {
		return fmt.Errorf("%w: %w", errDisk, err)
	}
	if err := outfile.SyncFolder(filepath.Join(r.Dir, Folder)); err != nil {
		return err
	}
	return r.ledger.Arrive(j.Name, *made)
}

func digest(path string) (bytes int64, sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	sum, bytes, err = sha256hex.Read(f)
	return bytes, sum, err
}

// make has a program make a video. It costs nothing to try again: the next run does.
func (r *Run) make(ctx context.Context, j *Job) error {
	ctx = run.Stopping(ctx)
	if err := r.reserve(j); err != nil {
		return err
	}
	partial := r.path("." + j.Name + ".partial.mp4")
	defer os.Remove(partial)
	if err := os.Remove(partial); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	err := r.Maker.Make(ctx, j, partial)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return r.fail(j, "", NotMade, err.Error())
	}
	info, err := os.Lstat(partial)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return r.fail(j, "", NotMade, "the program ended well and wrote no file to {out}")
	case info.Size() > r.MaxBytes:
		return r.fail(j, "", Unusable, fmt.Sprintf("the video has %s, more than --max-video-size", bytesize.Format(info.Size())))
	}
	err = r.keep(ctx, j, partial)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case omniscope.KindOf(err) == omniscope.Invalid:
		return r.fail(j, "", Unusable, err.Error())
	}
	return err
}

// Look decodes a video as a whole, and measures it. One that breaks off, cannot be decoded or has no
// picture is an error of kind Invalid.
func Look(ctx context.Context, path string) (measure, error) {
	bad := func(why string) (measure, error) {
		return measure{}, &omniscope.Error{Kind: omniscope.Invalid, Op: "what came as a video", Err: errors.New(why)}
	}
	f, err := media.Probe(ctx, path)
	switch {
	case err != nil && omniscope.KindOf(err) == omniscope.Invalid:
		return bad(err.Error())
	case err != nil:
		return measure{}, err
	case f.Video == nil:
		return bad("it has no picture")
	}
	if whole, why := f.Whole(); !whole {
		return bad(why)
	}
	s, err := media.RunSurvey(ctx, f, media.SurveyOptions{})
	switch {
	case err != nil && omniscope.KindOf(err) == omniscope.Invalid:
		return bad(err.Error())
	case err != nil:
		return measure{}, err
	case s.Video == nil || len(s.Video.Moments) == 0:
		return bad("no picture of it can be decoded")
	}
	for _, why := range s.Warnings {
		if strings.Contains(why, "cut off") {
			return bad(why)
		}
	}
	return measure{Seconds: f.End().Seconds(), Cuts: len(s.Video.Cuts), Sound: f.Audio != nil, CutRules: media.CutRules}, nil
}
