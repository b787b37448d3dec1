package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"omniscope"
)

// proxyRate is the sampling rate of the sound of a proxy. Browsers play it everywhere.
const proxyRate = 48000

// The time base of a proxy, in ticks a second. With more, the time between two frames does
// not fit the 32 bits that MP4 has for it; browsers count microseconds themselves. With
// fewer, Chromium rounds the middle of a frame up to the next one when it looks for a key
// frame, and shows that.
const (
	mostTicks  = 1_000_000
	leastTicks = 10_000
)

// keyFrames has a key frame made 0.9 s after the one before, or as soon after that as
// there is a frame. So they are at most a second apart from 10 frames a second on.
const keyFrames = "expr:isnan(prev_forced_t)+gte(t,prev_forced_t+0.9)"

// noWords leaves out what a file says of itself, such as the prompt and the model of a video that was
// generated: people who are shown a proxy are not to know whose it is.
var noWords = []string{"-map_metadata", "-1", "-map_metadata:s", "-1", "-map_chapters", "-1"}

// EncodeProxy writes a file that browsers play and step through exactly: an MP4 file of
// H.264 without B frames, with a key frame each second and sound as AAC, or the sound
// alone where there is no video. Each frame has the media time that it has in f, as exact
// as f's time base; width and height are at most side pixels.
//
// Sound starts at media time zero, with silence where f's starts later or has gaps, so
// that no player can shift it. If sound is not nil, it is called with the samples, before
// they are compressed. An existing file is replaced. What a damaged file still yields is
// written, with warnings. Titles, comments, chapters and other words in f are not.
func EncodeProxy(ctx context.Context, f *File, side int, to string, sound func(Chunk) error) (warnings []string, err error) {
	// The option -start_at_zero takes f.Start off all time stamps. Without -copyts ffmpeg
	// does that as well, but closes gaps.
	args := append(slices.Clone(general), "-start_at_zero")
	args = append(args, f.input(omniscope.Span{})...)
	var readers []func(io.Reader) error
	var measured []string
	if f.Audio != nil {
		channels := f.Audio.mixed()
		tap := &soundTap{do: sound, rate: proxyRate, channels: channels, most: -1}
		readers = append(readers, tap.read)
		args = append(args, "-filter_complex", fmt.Sprintf("[0:%d]%saresample=%d,asplit=2[heard][measured]", f.Audio.Index, f.allSound(), proxyRate))
		measured = soundOutput([]string{"-map", "[measured]"}, &Stream{Channels: channels, SampleRate: proxyRate}, 1)
	}
	tones, err := f.tones()
	if err != nil {
		return nil, err
	}
	defer tones.close()
	if f.Video != nil {
		args = append(args, f.proxyPicture(side, tones)...)
	}
	if f.Audio != nil {
		args = append(args, "-map", "[heard]", "-c:a", "aac", "-ac", fmt.Sprint(f.Audio.mixed()), "-b:a", "128k")
	}
	p := program{path: f.Path, args: append(append(args, noWords...), "-movflags", "+faststart", "-f", "mp4"), readers: readers}
	log, err := runTo(ctx, p, to, noCopy(f.Path), measured...)
	if err != nil {
		return nil, err
	}
	return f.notice(log), nil
}

// proxyPicture are the options of the picture of a proxy.
func (f *File) proxyPicture(side int, t tones) []string {
	width, height := f.Video.ShownSize(side)
	ticks := max(f.Video.TimeBase.Den, 1)
	for ticks < leastTicks {
		ticks *= 2
	}
	ticks = min(ticks, mostTicks)
	return []string{
		"-filter_complex", fmt.Sprintf("[0:%d]%s,setsar=1,format=yuv420p%s[seen]", f.Video.Index, t.scale(fmt.Sprintf("%d:%d:flags=bicubic", width, height), t.matrix()), t.sdr()),
		"-map", "[seen]", "-fps_mode", "passthrough", "-enc_time_base:v", f.Video.TimeBase.String(),
		// The level is named because the guess goes by a frame rate that may be 1000 in files
		// with a variable one. This one is enough for 960×960 at 60.
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-level:v", "4.1", "-bf", "0", "-force_key_frames", keyFrames,
		// A picture that starts after the sound is held back by so many ticks of the movie.
		"-video_track_timescale", fmt.Sprint(ticks), "-movie_timescale", fmt.Sprint(ticks),
	}
}

// CopyPicture writes the picture of an MP4 file without its sound to another MP4 file,
// without encoding it anew. An existing file is replaced.
func CopyPicture(ctx context.Context, f *File, to string) error {
	if f.Video == nil {
		return errNoVideo(f.Path)
	}
	args := append(slices.Clone(general), f.input(omniscope.Span{})...)
	args = append(append(args, noWords...), "-map", fmt.Sprintf("0:%d", f.Video.Index), "-c", "copy",
		"-video_track_timescale", fmt.Sprint(f.Video.TimeBase.Den), "-movie_timescale", fmt.Sprint(f.Video.TimeBase.Den),
		"-movflags", "+faststart", "-f", "mp4")
	_, err := runTo(ctx, program{path: f.Path, args: args}, to, noCopy(f.Path))
	return err
}

// runTo runs ffmpeg with the arguments of p into a file next to the wanted one, which it then replaces: a file that is cut
// short must not be taken for all of it. empty is the error of a file with nothing in it. Other outputs, which go to the
// readers of p, follow.
func runTo(ctx context.Context, p program, to string, empty *omniscope.Error, others ...string) (*runLog, error) {
	partial := to + ".partial"
	defer os.Remove(partial)
	p.name, p.args = "ffmpeg", append(append(p.args, "-y", argument(partial)), others...)
	log, err := p.run(ctx)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(partial); err != nil || info.Size() == 0 {
		return nil, empty
	}
	if err := os.Rename(partial, to); err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Internal, Op: "make " + shown(to), Err: err}
	}
	return log, nil
}

// noCopy is the error of a copy without content.
func noCopy(path string) *omniscope.Error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "convert " + shown(path), Err: errors.New("nothing in it can be decoded")}
}

// ShownSize is the size of the picture as people see it, with square pixels, even, and
// scaled down to at most side pixels; 0 = not scaled down.
func (s *Stream) ShownSize(side int) (width, height int) {
	w, h := float64(s.Width), float64(s.Height)
	switch form := s.PixelForm.Float(); {
	case form > 0 && s.Rotation%180 == 0:
		w *= form
	case form > 0:
		h *= form
	}
	scale := 1.
	if longest := max(w, h); side > 0 && longest > float64(side) {
		scale = float64(side) / longest
	}
	even := func(v float64) int { return max(2, int(math.Round(v*scale/2))*2) }
	return even(w), even(h)
}
