package media

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"omniscope"
	"omniscope/internal/sha256hex"
)

// A Counting is the rule by which a policy says how many frames are taken.
type Counting string

// The rules of counting. All of them spread the frames evenly over the span,
// its first and its last frame included.
const (
	// Spread takes FPS frames for each second, or MaxFrames if that is less.
	// It is the rule of the CapRiCorn paper (Table 6), and the default.
	Spread Counting = ""
	// QwenUtils counts as the function smart_nframes of qwen-vl-utils and
	// qwen-omni-utils does: an even number.
	QwenUtils Counting = "qwen-utils"
	// QwenTransformers counts as the video processor of Qwen3-VL in
	// transformers does: whole, and not made even.
	QwenTransformers Counting = "qwen-transformers"
)

// A Policy says which frames of a video are looked at and how large they are.
// Two policies with equal fields other than Name make equal frames. The zero
// value takes one frame for each second, evenly spread, at their own size.
type Policy struct {
	Name string `json:"-"` // for people; it shapes nothing

	Count     Counting `json:"count,omitempty"`
	FPS       float64  `json:"fps,omitempty"`        // frames a second of media; 0 = 1 with Spread, else 2
	Frames    int      `json:"frames,omitempty"`     // this many, whatever the duration, if the video has them; FPS, MinFrames and MaxFrames are then without effect
	MinFrames int      `json:"min_frames,omitempty"` // 0 = 1 with Spread, else 4
	MaxFrames int      `json:"max_frames,omitempty"` // 0 = 768

	Factor      int  `json:"factor,omitempty"`       // width and height are multiples of this; 0 = 1
	MinPixels   int  `json:"min_pixels,omitempty"`   // of a frame: smaller ones are scaled up; 0 = no limit, or 128·Factor² for Qwen
	MaxPixels   int  `json:"max_pixels,omitempty"`   // of a frame: larger ones are scaled down; 0 = no limit, or 768·Factor² for Qwen
	TotalPixels int  `json:"total_pixels,omitempty"` // of all frames together (pairs counted once by QwenUtils); 0 = no limit, or 115200·Factor² for QwenUtils and 24576·Factor² for QwenTransformers
	PerFrame    bool `json:"per_frame,omitempty"`    // QwenTransformers: the option cap_pixels_per_frame

	Width  int `json:"width,omitempty"` // with Height: exactly this size, whatever the aspect
	Height int `json:"height,omitempty"`

	Quality int `json:"quality,omitempty"` // of the JPEG, 2 (best) to 31, as ffmpeg counts; 0 = 3
}

// Hash returns a short digest of all that shapes the frames: the policy's
// fields, and the version of the rules behind them.
func (p Policy) Hash() string {
	text, err := json.Marshal(p.filled())
	if err != nil {
		panic(err) // a struct of numbers that are checked to be finite
	}
	return sha256hex.Of(append([]byte("frames v1 "), text...))[:12]
}

// Most frames of one policy: the filter that picks them out is one argument.
const mostFrames = 4000

// filled puts in what zero stands for.
func (p Policy) filled() Policy {
	p.Name = ""
	qwen := p.Count != Spread
	set := func(field *int, plain, forQwen int) {
		if *field == 0 {
			*field = plain
			if qwen {
				*field = forQwen
			}
		}
	}
	set(&p.Factor, 1, 32)
	set(&p.MinFrames, 1, 4)
	set(&p.MaxFrames, 768, 768)
	set(&p.MinPixels, 0, 128*p.Factor*p.Factor)
	set(&p.Quality, 3, 3)
	if p.Count == QwenUtils {
		set(&p.MaxPixels, 0, 768*p.Factor*p.Factor)
		set(&p.TotalPixels, 0, 128000*9/10*p.Factor*p.Factor)
	}
	if p.Count == QwenTransformers {
		set(&p.TotalPixels, 0, 24576*p.Factor*p.Factor)
	}
	if p.FPS == 0 && qwen {
		p.FPS = 2
	} else if p.FPS == 0 || math.IsNaN(p.FPS) || math.IsInf(p.FPS, 0) {
		p.FPS = 1
	}
	return p
}

// check finds what no frames can come of.
func (p Policy) check() error {
	switch f := p.filled(); {
	case p.Count != Spread && p.Count != QwenUtils && p.Count != QwenTransformers:
		return badPolicy("no rule of counting is called %q", p.Count)
	case math.IsNaN(p.FPS) || math.IsInf(p.FPS, 0) || p.FPS < 0:
		return badPolicy("%g frames a second", p.FPS)
	case min(p.Frames, p.MinFrames, p.MaxFrames, p.Factor, p.MinPixels, p.MaxPixels, p.TotalPixels, p.Width, p.Height, p.Quality) < 0:
		return badPolicy("a number below zero")
	case f.MaxFrames > mostFrames || f.Frames > mostFrames:
		return badPolicy("at most %d frames can be taken at once: take spans", mostFrames)
	case (p.Width == 0) != (p.Height == 0):
		return badPolicy("a width without a height, or the other way")
	case f.Quality < 2 || f.Quality > 31:
		return badPolicy("JPEG quality %d; it goes from 2, the best, to 31", p.Quality)
	case f.MaxPixels > 0 && f.MinPixels > f.MaxPixels:
		return badPolicy("at least %d pixels and at most %d", f.MinPixels, f.MaxPixels)
	}
	return nil
}

func badPolicy(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "sampling policy", Err: fmt.Errorf(format, args...)}
}

// A Plan is what a policy makes of one video: which frames, how large.
type Plan struct {
	Indices []int   `json:"indices"` // of the frames, counted from 0 in the order shown; a short clip may repeat one
	PTS     []int64 `json:"pts"`     // their time stamps, in ticks of the stream's time base
	Width   int     `json:"width"`
	Height  int     `json:"height"`
	// SampleFPS is the rate that came out, frames a second.
	SampleFPS float64 `json:"sample_fps"`
	Policy    string  `json:"policy"` // Policy.Hash
	Region    Region  `json:"region,omitzero"`
}

// Plan applies the policy to a span of a file's video, without decoding it. The
// zero Span is the whole file.
func (p Policy) Plan(ctx context.Context, f *File, span omniscope.Span) (*Plan, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	t, err := f.Timeline(ctx)
	if err != nil {
		return nil, err
	}
	first, last, err := t.window(span)
	if err != nil {
		return nil, err
	}
	rate := f.Video.FrameRate.Float()
	if rate == 0 {
		rate = t.Rate()
	}
	total := last - first + 1
	n, err := p.FrameCount(total, rate)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Indices: Linspace(first, last, n), Policy: p.Hash(), Region: f.region}
	if p.Count == QwenTransformers {
		plan.Indices = linspace64(first, last, n)
	}
	for _, i := range plan.Indices {
		plan.PTS = append(plan.PTS, t.PTS[i])
	}
	plan.SampleFPS = float64(n) / float64(total) * rate
	plan.Width, plan.Height, err = p.Size(f.Video.Width, f.Video.Height, n)
	return plan, err
}

// errAspect is what the Qwen readers say of extreme pictures.
var errAspect = errors.New("a picture more than 200 times as long as wide cannot be sized by the rules of Qwen")
