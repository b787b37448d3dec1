package media

import (
	"io"
	"time"

	"omniscope"
	"omniscope/media/plane"
)

// Limits of what counts as a cut, black, or still. The first two are the
// settings that served best on clips with known cuts; the third is that of
// ffmpeg's blackdetect, the last that of its freezedetect.
const (
	cutScore   = 0.2
	cutMerge   = 200 * time.Millisecond
	blackLevel = 25    // of 255: a black pixel is not brighter
	blackShare = 0.98  // of the pixels of a black frame
	litLevel   = 80    // of 255: white words on black are brighter,
	litMost    = 0.003 // and cover more of the picture
	blackLeast = 50 * time.Millisecond
	stillMean  = 0.001 * 255 // mean difference to the first frame of a still span
	stillLeast = 2 * time.Second
)

// Small grey pictures are at most this long on a side, as for the thresholds
// above, and scaled by the cheapest rule: means would leave more noise out, and
// cost a tenth of decoding.
const (
	greySide    = 320
	greyScaling = "fast_bilinear"

	// oneMatrix keeps the luma of the file, which some versions of ffmpeg
	// convert from one matrix to another. Brightness from 0 to 255 is what
	// format gray has; colours at a quarter of the size cost next to nothing.
	oneMatrix = "in_color_matrix=bt601:out_color_matrix=bt601:out_range=pc"
)

// A VideoSurvey holds the measurements of a video track.
type VideoSurvey struct {
	Start time.Duration `json:"start"` // of the first frame
	End   time.Duration `json:"end"`   // of the last one
	// Moments holds a line for each frame that was decoded, in their order.
	Moments []Moment `json:"-"`

	Cuts    []Cut            `json:"cuts,omitempty"`    // hard cuts: from one frame to the next another picture
	Flashes []Cut            `json:"flashes,omitempty"` // sudden changes after which the picture is as it was: flashes of light, single foreign frames
	Black   []omniscope.Span `json:"black,omitempty"`   // nearly all of the picture black
	// Still are spans in which next to nothing moves: not only frozen pictures
	// but also slow pans and scenes without noise.
	Still []omniscope.Span `json:"still,omitempty"`
}

// A Moment holds the measurements of one frame.
type Moment struct {
	PTS    int64
	Time   time.Duration // media time
	Luma   float32       // mean brightness, 0 black to 255 white
	Black  float32       // share of black pixels
	Lit    float32       // share of bright ones, where nearly all are black; else 0
	Change float32       // mean absolute difference to the frame before, 0 to 255
	// Score says how suddenly the picture changed, 0 to 1: a cut scores above
	// 0.2. It is the scene score of ffmpeg's select filter (f_select.c): the
	// lesser of the change and of its difference to the change before.
	Score float32
	// Colours is the sum of the mean absolute differences of both colour components to
	// the frame before.
	Colours float32
}

// A Cut is a sudden change of the picture.
type Cut struct {
	Time  time.Duration `json:"time"` // media time of the first frame of the new picture
	Score float64       `json:"score"`
	// Hidden cuts do not show by brightness: colours change, or only what is shown.
	Hidden bool `json:"hidden,omitempty"`
}

// greySize is the size of the small pictures of a video.
func greySize(width, height int) (w, h int) {
	if longest := max(width, height); longest > greySide {
		width, height = width*greySide/longest, height*greySide/longest
	}
	return max(2, width/2*2), max(2, height/2*2)
}

// A videoMeter measures small grey pictures one after the other.
type videoMeter struct {
	file          *File
	width, height int
	do            func(Grey) error // nil: no other reader

	found  VideoSurvey
	before *smallPicture // nil at first
	rest   []byte        // the first picture of what may be a still span
	restAt time.Duration
	cuts   cutFinder
	hidden hiddenFinder
}

func newVideoMeter(f *File, width, height int, do func(Grey) error) *videoMeter {
	return &videoMeter{file: f, width: width, height: height, do: do, cuts: cutFinder{width: width, height: height}}
}

// reader reads pictures and measures each.
func (e *videoMeter) reader(times *stamps) func(io.Reader) error {
	return func(r io.Reader) error {
		defer times.close()
		for {
			p := e.hidden.next(e.width, e.height)
			if _, err := io.ReadFull(r, p.buffer); err == io.EOF || err == io.ErrUnexpectedEOF {
				return nil
			} else if err != nil {
				return err
			}
			pts, ok := times.next()
			if !ok {
				return errStamps
			}
			p.at = durationOf(pts, e.file.Video.TimeBase) - e.file.Start
			if e.do != nil {
				if err := e.do(Grey{PTS: pts, Time: p.at, Width: e.width, Height: e.height, Pix: p.luma.Pix}); err != nil {
					return err
				}
			}
			e.measure(pts, p)
		}
	}
}

// measure measures a picture, and keeps it.
func (e *videoMeter) measure(pts int64, p *smallPicture) {
	m := Moment{PTS: pts, Time: p.at}
	picture := p.luma.Pix
	m.Luma = float32(p.luma.Mean())
	m.Black = float32(float64(plane.AtMost(picture, blackLevel)) / float64(len(picture)))
	if m.Black >= blackShare {
		m.Lit = lit(picture)
	}
	if e.before != nil {
		change := plane.Difference(e.before.luma.Pix, picture)
		last := e.found.Moments[len(e.found.Moments)-1]
		m.Change = float32(change)
		m.Score = float32(sceneScore(change, float64(last.Change)))
		m.Colours = float32(e.before.recoloured(p))
		e.cuts.see(m, e.before.luma.Pix, picture)
	}
	e.updateStill(p.at, float64(m.Change), picture)
	e.found.Moments = append(e.found.Moments, m)
	e.hidden.see(e.found.Moments, p)
	e.before = p
}

// lit is the share of bright pixels.
func lit(picture []byte) float32 {
	n := 0
	for _, v := range picture {
		if v > litLevel {
			n++
		}
	}
	return float32(n) / float32(len(picture))
}

// sceneScore is the scene score of ffmpeg's select filter, for which luma
// spans 219 of 255 levels in most videos; here it spans them all.
func sceneScore(change, before float64) float64 {
	const limited = 219. / 255
	return min(change, max(change-before, before-change)) * limited / 100
}

// updateStill extends or ends a still span. All its pictures lie within stillMean of
// its first, so none follows another by more than twice that: most need no
// comparison with the first.
func (e *videoMeter) updateStill(at time.Duration, change float64, picture []byte) {
	if e.rest != nil && change <= 2*stillMean && plane.Difference(e.rest, picture) <= stillMean {
		return
	}
	e.stillUntil(at)
	e.rest = append(e.rest[:0], picture...)
	e.restAt = at
}

func (e *videoMeter) stillUntil(at time.Duration) {
	if e.rest != nil && at-e.restAt >= stillLeast {
		e.found.Still = append(e.found.Still, omniscope.Span{Start: e.restAt, End: at})
	}
}

// finish returns the measurements of all pictures.
func (e *videoMeter) finish(span omniscope.Span) *VideoSurvey {
	s := &e.found
	if n := len(s.Moments); n > 0 {
		s.Start, s.End = s.Moments[0].Time, s.Moments[n-1].Time+e.lastOf(n)
		if span.End > 0 {
			s.End = min(s.End, max(span.End, s.Moments[n-1].Time))
		}
	}
	e.stillUntil(s.End)
	s.Black = blackSpans(s.Moments, s.End)
	s.findCuts(&e.cuts, &e.hidden)
	return s
}

// lastOf guesses how long the last of n frames is shown: as long as the others.
func (e *videoMeter) lastOf(n int) time.Duration {
	if n > 1 {
		return (e.found.Moments[n-1].Time - e.found.Moments[0].Time) / time.Duration(n-1)
	}
	return durationOf(e.file.Video.FrameRate.Den, Rational{1, max(e.file.Video.FrameRate.Num, 1)})
}

// blackSpans joins black frames.
func blackSpans(moments []Moment, end time.Duration) (spans []omniscope.Span) {
	start, black := time.Duration(0), false
	for i := 0; i <= len(moments); i++ {
		at, dark := end, false
		if i < len(moments) {
			at, dark = moments[i].Time, moments[i].Black >= blackShare && moments[i].Lit <= litMost
		}
		switch {
		case dark && !black:
			start, black = at, true
		case !dark && black:
			black = false
			if at-start >= blackLeast {
				spans = append(spans, omniscope.Span{Start: start, End: at})
			}
		}
	}
	return spans
}
