package mllm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/media"
	"omniscope/media/wav"
	"omniscope/model"
	"omniscope/perceive"
)

// A showing is what a model gets to perceive of one clip.
type showing struct {
	parts    []model.Part
	input    string // what that is, in words
	warnings []string
}

// any reports whether there is something to perceive.
func (s *showing) any() bool {
	return slices.ContainsFunc(s.parts, func(p model.Part) bool { return p.Kind != model.TextPart })
}

// show prepares a clip.
func (t *Tool) show(ctx context.Context, c *perceive.Clip) (*showing, error) {
	digest, err := c.File.Digest(ctx)
	if err != nil {
		return nil, err
	}
	s := &showing{}
	if t.options.Form == video && c.File.Video != nil && c.Focus.Region == (media.Region{}) {
		err = t.showVideo(ctx, c, digest, s)
	} else {
		err = t.showParts(ctx, c, digest, s)
	}
	if err != nil {
		return nil, err
	}
	size := 0
	for _, p := range s.parts {
		size += len(p.Data)
	}
	return s, t.fits(c, int64(size))
}

// fits is an error if media are too large for one request.
func (t *Tool) fits(c *perceive.Clip, size int64) error {
	if size <= int64(t.options.MostBytes) {
		return nil
	}
	const megabyte = 1 << 20
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "show " + filepath.Base(c.Path),
		Err: fmt.Errorf("%.1f MB of media are more than the %.1f MB of one request: choose a shorter span or a smaller sampling policy", float64(size)/megabyte, float64(t.options.MostBytes)/megabyte)}
}

func (t *Tool) showParts(ctx context.Context, c *perceive.Clip, digest string, s *showing) error {
	var inputs []string
	if t.options.Modality != omniscope.Audio {
		if err := t.showFrames(ctx, c, digest, s, &inputs); err != nil {
			return err
		}
	}
	if t.options.Modality != omniscope.Visual {
		if err := t.showSound(ctx, c, digest, s, &inputs); err != nil {
			return err
		}
	}
	s.input = strings.Join(inputs, ", and ")
	return nil
}

func (s *showing) say(format string, args ...any) {
	s.parts = append(s.parts, model.Part{Kind: model.TextPart, Text: fmt.Sprintf(format, args...)})
}

// showFrames adds the frames of the policy and the line with their times.
func (t *Tool) showFrames(ctx context.Context, c *perceive.Clip, digest string, s *showing, inputs *[]string) error {
	if c.File.Video == nil {
		*inputs = append(*inputs, "no picture, since the file has none")
		return nil
	}
	taken, err := c.Frames(ctx, c.Finely(*t.options.Policy))
	if err != nil {
		return err
	}
	if len(taken.Frames) == 0 {
		return &omniscope.Error{Kind: omniscope.Invalid, Op: "show " + filepath.Base(c.Path), Err: errors.New("no frame of it can be decoded")}
	}
	s.warnings = append(s.warnings, taken.Warnings...)
	times := make([]string, len(taken.Frames))
	for i := range taken.Frames {
		times[i] = fmt.Sprintf("%.2f", taken.Frames[i].Time.Seconds())
	}
	region, part := "", ""
	if r := c.Focus.Region; r != (media.Region{}) {
		region = " region " + r.String()
		part = fmt.Sprintf(", enlarged: the part of the picture between %.4g and %.4g of its width and %.4g and %.4g of its height,", r[0], r[2], r[1], r[3])
	}
	s.say("%d frames of the video%s taken at these seconds: %s", len(times), cmp.Or(part, ","), strings.Join(times, ", "))
	for i := range taken.Frames {
		f := &taken.Frames[i]
		data, err := f.Bytes()
		if err != nil {
			return err
		}
		s.parts = append(s.parts, model.Part{
			Kind: model.ImagePart, MIME: "image/jpeg", Data: data,
			Digest: fmt.Sprintf("sha256:%s frame %d policy %s %dx%d%s", digest, f.PTS, taken.Plan.Policy, taken.Plan.Width, taken.Plan.Height, region+c.File.PictureRule()),
		})
	}
	*inputs = append(*inputs, fmt.Sprintf("%d frames of a video, in order of time", len(times)))
	return nil
}

// showSound adds the sound, mono at 16 kHz as models hear it anyway.
func (t *Tool) showSound(ctx context.Context, c *perceive.Clip, digest string, s *showing, inputs *[]string) error {
	if c.File.Audio == nil {
		*inputs = append(*inputs, "no sound, since the file has no sound track")
		return nil
	}
	look, err := c.Look(ctx)
	if err != nil {
		return err
	}
	if look.Audio == nil || look.Audio.Silent() {
		*inputs = append(*inputs, "no sound, since the sound track is silent")
		s.say("The sound track is silent throughout.")
		return nil
	}
	// 16 kHz, 16 bits: known before it is read.
	if err := t.fits(c, int64(look.Audio.Duration.Seconds()*2*media.SpeechRate)); err != nil {
		return err
	}
	how := "16 kHz mono"
	var wav []byte
	if look.Signal != nil && look.Signal.Stereo.Known && look.Signal.Stereo.Inverted {
		how = "as it is" // mixed to mono it would be silence
		wav, err = cutSound(ctx, c)
	} else {
		wav, err = monoSound(look.Speech)
	}
	if err != nil {
		return err
	}
	if c.Span.Start > 0 || look.Audio.Start > 0 {
		s.say("The sound, which begins at %.2f s:", look.Audio.Start.Seconds())
	}
	s.parts = append(s.parts, model.Part{
		Kind: model.AudioPart, MIME: "audio/wav", Data: wav, Digest: fmt.Sprintf("sha256:%s sound %s %s", digest, spanned(c.Span), how+c.File.SoundRule(c.Span)),
	})
	*inputs = append(*inputs, "its sound")
	if len(*inputs) == 1 {
		(*inputs)[0] = "the sound of the file"
	}
	return nil
}

// spanned names a span in digests.
func spanned(s omniscope.Span) string { return fmt.Sprintf("%v-%v", s.Start, s.End) }

// cutSound is the sound at its own rate and channels.
func cutSound(ctx context.Context, c *perceive.Clip) ([]byte, error) {
	return c.Made(ctx, "sound.wav", func(path string) error { return media.CutAudio(ctx, c.File, c.Span, path) })
}

// monoSound makes a WAV file of samples at media.SpeechRate.
func monoSound(path string) ([]byte, error) {
	pcm, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return append(wav.Header(media.SpeechRate, 1, len(pcm)), pcm...), nil
}

// showVideo adds the whole file by its URL or its bytes, or else the span, cut
// out and made small.
func (t *Tool) showVideo(ctx context.Context, c *perceive.Clip, digest string, s *showing) error {
	s.input = "a video"
	if c.File.Audio == nil {
		s.input = "a video without a sound track"
	}
	part := model.Part{Kind: model.VideoPart, MIME: c.File.MIME(), Digest: "sha256:" + digest + " whole"}
	whole := c.Span == omniscope.Span{}
	if t.options.URL != nil {
		part.URL = t.options.URL(c)
	}
	var err error
	switch {
	case part.URL != "" && !whole:
		s.say("Only the stretch from %s of this video is asked about:", stretch(c.Span))
	case part.URL != "":
	case whole && part.MIME != "" && c.File.Bytes <= int64(t.options.MostBytes):
		part.Data, err = os.ReadFile(c.File.Path)
	default:
		part.MIME, part.Digest = "video/mp4", fmt.Sprintf("sha256:%s cut %s 480 lines%s%s", digest, spanned(c.Span), c.File.PictureRule(), c.File.SoundRule(c.Span))
		part.Data, err = c.Made(ctx, "cut.mp4", func(path string) error { return media.CutVideo(ctx, c.File, c.Span, path) })
		if !whole {
			s.say("The stretch from %s of a video; count times from the start of the whole, at which this video begins with %.2f s:", stretch(c.Span), c.Span.Start.Seconds())
		}
	}
	if err != nil {
		return err
	}
	s.parts = append(s.parts, part)
	return nil
}

func stretch(s omniscope.Span) string {
	if s.End == 0 {
		return fmt.Sprintf("%.2f s to the end", s.Start.Seconds())
	}
	return fmt.Sprintf("%.2f to %.2f s", s.Start.Seconds(), s.End.Seconds())
}
