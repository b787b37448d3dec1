package media

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"omniscope"
)

// A seek costs as much as decoding this many frames in one pass (measured on
// 1280×720 H.264 at 24 frames a second with key frames 2.8 s apart: 6 s).
const seekWorth = 144

// Seeks that run at the same time: each is a process that decodes with
// threads of its own.
const seeksAtOnce = 2

// planAt plans the frames on the screen at some times.
func (p Policy) planAt(ctx context.Context, f *File, times []time.Duration) (*Plan, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if len(times) > mostFrames {
		return nil, badPolicy("at most %d frames can be taken at once", mostFrames)
	}
	t, err := f.Timeline(ctx)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Policy: p.Hash(), Region: f.region}
	for _, at := range times {
		plan.Indices = append(plan.Indices, t.Showing(at))
	}
	slices.Sort(plan.Indices)
	plan.Indices = slices.Compact(plan.Indices)
	for _, i := range plan.Indices {
		plan.PTS = append(plan.PTS, t.PTS[i])
	}
	plan.Width, plan.Height, err = p.Size(f.Video.Width, f.Video.Height, max(len(times), 1))
	return plan, err
}

// extractFrames extracts the frames of a plan by seeking or in one pass, whichever
// is cheaper. If frames are missing then, it decodes the file from the start.
func extractFrames(ctx context.Context, f *File, p Policy, plan *Plan, folder string) (*SampledFrames, error) {
	if len(plan.PTS) == 0 {
		return &SampledFrames{Plan: *plan}, nil
	}
	t, err := f.Timeline(ctx)
	if err != nil {
		return nil, err
	}
	g := &frameExtraction{file: f, plan: plan, timeline: t, quality: p.filled().Quality, folder: folder}
	g.pts = slices.Compact(slices.Clone(plan.PTS))
	first, last := plan.Indices[0], plan.Indices[len(plan.Indices)-1]
	sought := (last-first)/len(g.pts) > seekWorth
	var log *runLog
	if sought {
		err = g.extractBySeeking(ctx)
	} else {
		log, err = g.extractInOnePass(ctx, g.seekTime(first))
	}
	if notOfFile(ctx, err) {
		return nil, err
	}
	if (err != nil || len(g.found) < len(g.pts)) && (sought || first > 0) {
		g.found = nil
		log, err = g.extractInOnePass(ctx, 0)
	}
	if notOfFile(ctx, err) {
		return nil, err
	}
	missed := g.substitute(ctx)
	if err := cmp.Or(err, missed); err != nil && (notOfFile(ctx, missed) || len(g.found) == 0) {
		return nil, err
	}
	sampled := g.sampled()
	if log != nil {
		sampled.Warnings = append(g.file.notice(log), sampled.Warnings...)
	}
	return sampled, nil
}

// notOfFile reports whether frames are missing for another reason than a damaged
// file. A program that stalled once is not given the file again.
func notOfFile(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || omniscope.KindOf(err) != omniscope.Invalid || errors.Is(err, errStalled))
}

// A frameExtraction extracts the frames of one plan.
type frameExtraction struct {
	file     *File
	plan     *Plan
	timeline *Timeline
	quality  int
	folder   string
	pts      []int64 // wanted, each once, ascending

	mu    sync.Mutex
	found map[int64][]byte // JPEG, or nil where it was written to the folder, by time stamp
	moved map[int64]int64  // time stamp of the substitute for a frame that cannot be decoded
}

// seekTime returns the time to seek to for a frame: half-way between the frame
// before and the frame itself, so that rounding cannot skip it.
func (g *frameExtraction) seekTime(index int) time.Duration {
	if index == 0 {
		return 0
	}
	return max(0, (g.timeline.At(index)+g.timeline.At(index-1))/2)
}

// extractInOnePass extracts all frames with one process, from a media time on.
func (g *frameExtraction) extractInOnePass(ctx context.Context, from time.Duration) (*runLog, error) {
	return g.run(ctx, g.pts, from)
}

// extractBySeeking extracts each frame with a process of its own.
func (g *frameExtraction) extractBySeeking(ctx context.Context) error {
	group, going := errgroup.WithContext(ctx)
	group.SetLimit(seeksAtOnce)
	for i, pts := range g.pts {
		index, _ := slices.BinarySearch(g.timeline.PTS, pts)
		group.Go(func() error {
			if going.Err() != nil {
				return nil
			}
			_, err := g.run(going, g.pts[i:i+1], g.seekTime(index))
			return err
		})
	}
	err := group.Wait()
	return cmp.Or(context.Cause(ctx), err)
}

// run extracts some frames with one process.
func (g *frameExtraction) run(ctx context.Context, pts []int64, from time.Duration) (*runLog, error) {
	tones, err := g.file.tones()
	if err != nil {
		return nil, err
	}
	defer tones.close()
	p := program{name: "ffmpeg", path: g.file.Path}
	p.args = append(slices.Clone(general), g.file.input(omniscope.Span{Start: from})...)
	g.addTo(&p, 0, pts, tones)
	return p.run(ctx)
}

// addTo adds the output of some frames to a program with the film as an input.
func (g *frameExtraction) addTo(p *program, input int, pts []int64, tones tones) {
	name := fmt.Sprint("pick", input)
	times, fd := newStamps(name), 0
	pictures := descriptor(len(p.readers))
	p.readers = append(p.readers, g.reader(times))
	if morePipes {
		fd = descriptor(len(p.readers))
		p.readers = append(p.readers, times.read)
	} else {
		p.line, p.ended = times.line, times.close
	}
	p.args = append(p.args, "-filter_complex", fmt.Sprintf("[%d:%d]%s[%s]", input, g.file.Video.Index, g.file.pickFilter(times.filter(fd), g.plan, pts, tones), name),
		"-frames:v", fmt.Sprint(len(pts)))
	p.args = append(p.args, g.file.jpegOutput(name, g.quality, pictures)...)
}

// substitute takes the nearest frame for each that cannot be decoded:
// packets need not be frames, and a recording may begin amid a group of
// pictures. It decodes the file to know which there are. In a damaged file the
// nearest one may be far from what was to be seen: there it is taken only if it
// is as near as the planned ones are to each other, or the first of all, with
// which players begin.
func (g *frameExtraction) substitute(ctx context.Context) error {
	if len(g.found) == len(g.pts) {
		return nil
	}
	there, err := g.file.decodedFrames(ctx)
	if err != nil || len(there.pts) == 0 {
		return err
	}
	g.moved = make(map[int64]int64)
	var instead []int64
	for _, pts := range g.pts {
		if _, ok := g.found[pts]; !ok {
			if at := nearest(there.pts, pts); !there.damaged || pts < at && at == there.pts[0] || max(at-pts, pts-at) <= g.spacing() {
				g.moved[pts] = at
				instead = append(instead, at)
			}
		}
	}
	if len(instead) == 0 {
		return nil
	}
	slices.Sort(instead)
	n := &frameExtraction{file: g.file, plan: g.plan, timeline: g.timeline, quality: g.quality, pts: slices.Compact(instead)}
	if _, err := n.extractInOnePass(ctx, 0); notOfFile(ctx, err) {
		return err
	}
	for pts, at := range g.moved {
		jpeg, ok := n.found[at]
		if !ok {
			delete(g.moved, pts)
			continue
		}
		if err := g.storeFrame(pts, jpeg); err != nil {
			return err
		}
	}
	return nil
}

// spacing is how far planned frames are from each other, on average, in ticks.
// A single frame is taken from anywhere.
func (g *frameExtraction) spacing() int64 {
	n := int64(len(g.pts))
	if n < 2 {
		return math.MaxInt64
	}
	return (g.pts[n-1] - g.pts[0]) / (n - 1)
}

// nearest returns the number of an ascending list that is nearest to one, the
// earlier of two.
func nearest(list []int64, to int64) int64 {
	i, _ := slices.BinarySearch(list, to)
	if i == len(list) || i > 0 && to-list[i-1] <= list[i]-to {
		i--
	}
	return list[i]
}

// reader keeps the frames that come through a pipe.
func (g *frameExtraction) reader(times *stamps) func(io.Reader) error {
	each := eachJPEG(func(jpeg []byte) error {
		at, ok := times.next()
		if !ok {
			return errStamps
		}
		return g.storeFrame(at, jpeg)
	})
	return func(r io.Reader) error {
		defer times.close()
		return each(r)
	}
}

// storeFrame stores a frame if the plan contains it.
func (g *frameExtraction) storeFrame(pts int64, jpeg []byte) error {
	if _, ok := slices.BinarySearch(g.pts, pts); !ok {
		return nil
	}
	if g.folder != "" {
		index, _ := slices.BinarySearch(g.timeline.PTS, pts)
		if err := os.WriteFile(framePath(g.folder, index), jpeg, 0o644); err != nil {
			return &omniscope.Error{Kind: omniscope.Internal, Op: "keep frames", Err: err}
		}
		jpeg = nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.found == nil {
		g.found = make(map[int64][]byte)
	}
	g.found[pts] = jpeg
	return nil
}

// sampled lists the frames that were found, in the order of the plan, and warns of missing ones.
func (g *frameExtraction) sampled() *SampledFrames {
	s := &SampledFrames{Plan: *g.plan}
	for i, index := range g.plan.Indices {
		jpeg, ok := g.found[g.plan.PTS[i]]
		if !ok {
			continue
		}
		frame := Frame{Index: index, PTS: g.plan.PTS[i], Time: g.timeline.At(index), JPEG: jpeg}
		if at, ok := g.moved[frame.PTS]; ok {
			frame.PTS, frame.Time = at, g.file.TimeOf(at)
			s.Moved++
		}
		if g.folder != "" {
			frame.Path = framePath(g.folder, index)
		}
		s.Frames = append(s.Frames, frame)
	}
	if s.Moved > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%d of %d frames cannot be decoded: the nearest ones are taken", s.Moved, len(g.plan.Indices)))
	}
	if missing := len(g.pts) - len(g.found); missing > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%d of %d frames cannot be decoded: the file is cut off or damaged", missing, len(g.pts)))
	}
	return s
}

func padded(n int) string { return fmt.Sprintf("%06d", n) }
