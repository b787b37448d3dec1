package media

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"omniscope"
)

// SurveyOptions say what a survey yields besides what it measures. The zero
// value measures only.
type SurveyOptions struct {
	Span omniscope.Span // of media time; zero = the whole file

	Samples []Sample // frames to take

	// Speech, if set, receives the sound as Speech writes it.
	Speech io.Writer

	// Grey, if set, is called with each frame of the video, and Sound with the
	// sound as function Sound hands it out. Both are called at the same time,
	// each from a goroutine of its own. An error of either ends the survey.
	Grey  func(Grey) error
	Sound func(Chunk) error
}

// A Sample says which frames to take, and where they go.
type Sample struct {
	Policy Policy
	Folder string // as with Frames; "" = into memory
}

// A Grey is a small picture of a frame without its colours.
type Grey struct {
	PTS           int64
	Time          time.Duration // media time
	Width, Height int
	Pix           []byte // row by row, 0 black to 255 white; only valid during the call
}

// A Survey is what one pass over a file tells. All times are media time.
type Survey struct {
	Video *VideoSurvey `json:"sight,omitempty"`   // nil: no video
	Audio *AudioSurvey `json:"hearing,omitempty"` // nil: no audio stream

	Samples []*SampledFrames `json:"samples,omitempty"` // those asked for, in that order; none without video

	Warnings []string `json:"warnings,omitempty"`
}

// RunSurvey decodes the file once and extracts in that one pass
// frames, small grey pictures, sound, loudness, silences, cuts, and black and
// still spans.
//
// Video is nil for a file without video, Audio for a file without audio; a silent
// track has an Audio that says so. A damaged file yields what can be decoded,
// with warnings; a file that cannot be decoded at all is an error of kind
// Invalid.
func RunSurvey(ctx context.Context, f *File, o SurveyOptions) (*Survey, error) {
	s := &surveying{file: f, options: o}
	tones, err := f.tones()
	if err != nil {
		return nil, err
	}
	defer tones.close()
	s.tones = tones
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	p := program{name: "ffmpeg", path: f.Path, args: s.args, readers: s.readers, line: s.line, ended: s.ended}
	log, err := p.run(ctx)
	if err != nil {
		return nil, err
	}
	return s.result(ctx, log)
}

// surveying is a survey on its way.
type surveying struct {
	file    *File
	options SurveyOptions
	tones   tones

	args    []string
	readers []func(io.Reader) error
	taps    []*stamps

	samples  []*frameExtraction
	video    *videoMeter
	levels   *levelMeter
	peak     *truePeakMeter // nil: ffmpeg measures it
	loudness loudnessLog
	speech   *speechTap
	sound    *soundTap
}

// prepare makes the command line and the readers of its outputs.
func (s *surveying) prepare(ctx context.Context) error {
	s.args = append(slices.Clone(general), s.file.input(s.options.Span)...)
	if s.file.Video != nil {
		if err := s.prepareVideo(ctx); err != nil {
			return err
		}
	}
	if s.file.Audio != nil {
		s.prepareAudio()
	}
	return nil
}

func (s *surveying) prepareVideo(ctx context.Context) error {
	v := s.file.Video
	w, h := greySize(v.Width, v.Height)
	small := newStamps("grey")
	s.video = newVideoMeter(s.file, w, h, s.options.Grey)
	graph := fmt.Sprintf("%s%s,format=yuv410p,", s.file.crop, s.tones.scale(fmt.Sprintf("%d:%d:flags=%s", w, h, greyScaling), oneMatrix))
	outputs := append([]string{"-map", "[grey]", "-fps_mode", "passthrough", "-enc_time_base", v.TimeBase.String(), "-c:v", "rawvideo", "-f", "rawvideo"}, pipe(s.output(s.video.reader(small))))
	graph += s.tap(small) + "[grey]"
	splits := "[all]"
	for i, sample := range s.options.Samples {
		g, err := s.sampling(ctx, sample)
		if err != nil {
			return err
		}
		s.samples = append(s.samples, g)
		name := fmt.Sprint("pick", i)
		times := newStamps(name)
		splits += fmt.Sprintf("[some%d]", i)
		graph += fmt.Sprintf(";[some%d]%s[%s]", i, s.file.pickFilter(s.tap(times), g.plan, g.pts, s.tones), name)
		outputs = append(outputs, s.file.jpegOutput(name, g.quality, s.output(g.reader(times)))...)
	}
	graph = fmt.Sprintf("[0:%d]split=%d%s;[all]%s", v.Index, 1+len(s.samples), splits, graph)
	s.args = append(append(s.args, "-filter_complex", graph), outputs...)
	return nil
}

// sampling plans the frames of a sample.
func (s *surveying) sampling(ctx context.Context, sample Sample) (*frameExtraction, error) {
	plan, err := sample.Policy.Plan(ctx, s.file, s.options.Span)
	if err != nil {
		return nil, err
	}
	t, err := s.file.Timeline(ctx)
	if err != nil {
		return nil, err
	}
	return &frameExtraction{
		file: s.file, plan: plan, timeline: t, quality: sample.Policy.filled().Quality, folder: sample.Folder,
		pts: slices.Compact(slices.Clone(plan.PTS)),
	}, nil
}

// output adds a reader and returns the child's file descriptor that it reads.
func (s *surveying) output(read func(io.Reader) error) (fd int) {
	s.readers = append(s.readers, read)
	return descriptor(len(s.readers) - 1)
}

// tap reads time stamps, and returns the filter that prints them.
func (s *surveying) tap(times *stamps) string {
	if morePipes {
		return times.filter(s.output(times.read))
	}
	s.taps = append(s.taps, times)
	return times.filter(0)
}

// morePipes reports whether a program can be given more pipes than the usual
// three: os/exec has no way for that on Windows.
const morePipes = runtime.GOOS != "windows"

// descriptor is the child's file descriptor of its i-th output.
func descriptor(i int) int {
	if i == 0 {
		return 1
	}
	return i + 2
}

func (s *surveying) prepareAudio() {
	a := s.file.Audio
	s.levels = newLevelMeter(a.SampleRate, a.mixed())
	peak := "peak=true:" // of channels that are mixed down for this process
	if a.Channels == a.mixed() && a.SampleRate > 0 {
		s.peak, peak = newTruePeakMeter(a.SampleRate, a.Channels), ""
	}
	s.speech = &speechTap{w: s.options.Speech, most: spanFrames(s.options.Span, SpeechRate)}
	s.sound = newSoundTap(s.file, s.options.Span, func(c Chunk) error {
		s.levels.add(c.Samples)
		if s.peak != nil {
			s.peak.add(c.Samples)
		}
		if s.options.Sound == nil {
			return nil
		}
		return s.options.Sound(c)
	})
	// framelog=quiet is not known to ffmpeg 5.1, which then fails and still
	// prints a summary; verbose is below what is logged here.
	// flush_packets=0 writes 32 KB at a time rather than each packet, for which this
	// process would have to be woken.
	splits := "asplit=2[own][loud]"
	if s.options.Speech != nil {
		splits = "asplit=3[own][speech][loud]"
	}
	graph := fmt.Sprintf("[0:%d]%s%s;[loud]ebur128=%sframelog=verbose,anullsink", a.Index,
		s.file.soundFilters(s.options.Span, s.file.spanStart(s.options.Span)), splits, peak)
	s.args = append(s.args, "-filter_complex", graph)
	s.args = append(s.args, soundOutput([]string{"-map", "[own]", "-flush_packets", "0"}, a, s.output(s.sound.read))...)
	if s.options.Speech != nil {
		s.args = append(s.args, speechOutput([]string{"-map", "[speech]", "-flush_packets", "0"}, s.output(s.speech.read))...)
	}
}

func (s *surveying) line(text string) bool {
	for _, t := range s.taps {
		if t.line(text) {
			return true
		}
	}
	return s.loudness.line(text)
}

func (s *surveying) ended() {
	for _, t := range s.taps {
		t.close()
	}
}

// result gathers what the readers found.
func (s *surveying) result(ctx context.Context, log *runLog) (*Survey, error) {
	r := &Survey{Warnings: s.file.notice(log)}
	if s.video != nil {
		r.Video = s.video.finish(s.options.Span)
		if text := s.missingPicture(r.Video); text != "" {
			r.Warnings = append(r.Warnings, text)
		}
	}
	for _, g := range s.samples {
		if err := g.substitute(ctx); notOfFile(ctx, err) {
			return nil, err
		}
		sampled := g.sampled()
		r.Samples = append(r.Samples, sampled)
		r.Warnings = append(r.Warnings, sampled.Warnings...)
	}
	if s.levels != nil {
		h := &AudioSummary{Start: s.file.soundStart(s.options.Span)}
		h.close(s.file, s.options.Span, s.sound.frames, s.sound.rate, s.sound.peak)
		r.Warnings = append(r.Warnings, h.Warnings...)
		h.Warnings = nil
		r.Audio = s.levels.finish(*h, s.loudness.found(s.peak))
		r.Audio.Rate, r.Audio.Channels = s.file.Audio.SampleRate, s.file.Audio.Channels
	}
	if text := s.missingAll(r); text != "" && !slices.Contains(r.Warnings, text) {
		r.Warnings = append(r.Warnings, text)
	}
	if (r.Video == nil || len(r.Video.Moments) == 0) && (r.Audio == nil || r.Audio.Duration == 0) {
		return nil, invalid(s.file.Path, fmt.Errorf("nothing can be decoded from %v on: %v", s.options.Span.Start, r.Warnings))
	}
	return r, nil
}

// missingPicture compares the video that was decoded with what its stream
// declares.
func (s *surveying) missingPicture(sight *VideoSurvey) string {
	v, span := s.file.Video, s.options.Span
	if v.Duration <= 0 {
		return ""
	}
	declared := v.Start + v.Duration - s.file.Start
	if span.End > 0 {
		declared = min(declared, span.End)
	}
	return cutOff(declared, sight.End)
}

// missingAll compares the longer of picture and sound with what the container
// declares, where, as in WebM, streams declare nothing themselves.
func (s *surveying) missingAll(r *Survey) string {
	for _, stream := range []*Stream{s.file.Video, s.file.Audio} {
		if stream != nil && stream.Duration > 0 {
			return ""
		}
	}
	declared, reached := s.file.Duration, time.Duration(0)
	if end := s.options.Span.End; end > 0 {
		declared = min(declared, end)
	}
	if r.Video != nil {
		reached = r.Video.End
	}
	if r.Audio != nil {
		reached = max(reached, r.Audio.Start+r.Audio.Duration)
	}
	return cutOff(declared, reached)
}
