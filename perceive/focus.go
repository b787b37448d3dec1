package perceive

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"omniscope"
	"omniscope/media"
)

// A Focus is what a closer look is at: a stretch of the clip, a region of the picture, or both. The zero Focus is
// the whole clip, as all tools look at it first.
type Focus struct {
	FromS  float64      `json:"from_s,omitempty"` // media time, seconds
	ToS    float64      `json:"to_s,omitempty"`   // 0 = the end of the clip
	Region media.Region `json:"region,omitzero"`
}

// Whole reports whether the focus is the whole clip.
func (f Focus) Whole() bool { return f == Focus{} }

// Stretch reports whether the focus is less than the whole time.
func (f Focus) Stretch() bool { return f.FromS != 0 || f.ToS != 0 }

// Words say what the focus is, as in "3.00 to 5.50 s, in the region 0, 0.5, 1, 1".
func (f Focus) Words() string {
	var parts []string
	switch {
	case f.ToS > 0:
		parts = append(parts, fmt.Sprintf("%.2f to %.2f s", f.FromS, f.ToS))
	case f.FromS > 0:
		parts = append(parts, fmt.Sprintf("%.2f s to the end", f.FromS))
	}
	if f.Region != (media.Region{}) {
		parts = append(parts, "in the region "+f.Region.String())
	}
	return strings.Join(parts, ", ")
}

// How much closer a closer look is: so many times the frames a second, and a picture so many times as wide and high.
const (
	closerRate  = 4
	closerScale = 4
)

// Finely makes of a policy for the whole of a clip the one for what the clip is now: for a closer look, more frames a
// second, though no more frames, and a picture enlarged up to the pixels that the policy allows.
func (c *Clip) Finely(p media.Policy) media.Policy {
	if c.Focus.Whole() || c.File.Video == nil {
		return p
	}
	p.FPS = max(p.FPS, 1) * closerRate
	p.MinPixels = closerScale * closerScale * c.File.Video.Width * c.File.Video.Height
	if p.MaxPixels > 0 {
		p.MinPixels = min(p.MinPixels, p.MaxPixels)
	}
	return p
}

// LookCloser returns the part of the clip that a focus names: tools see that stretch and region alone, at a higher
// rate and resolution. It belongs to the clip, which closes it. A focus that lies outside of the clip is
// an error of kind Invalid.
func (c *Clip) LookCloser(f Focus) (*Clip, error) {
	if f.Whole() {
		return c, nil
	}
	span, err := c.within(f)
	if err != nil {
		return nil, err
	}
	file, err := c.File.Part(f.Region)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if there := c.closer[f]; there != nil {
		return there, nil
	}
	clip := c.Clip
	clip.Span = span
	part, err := newClip(clip, file)
	if err != nil {
		return nil, err
	}
	part.Focus = f
	if c.closer == nil {
		c.closer = make(map[Focus]*Clip)
	}
	c.closer[f] = part
	return part, nil
}

// Has returns why a focus is none of the clip's; nil if it is one.
func (c *Clip) Has(f Focus) error {
	if _, err := c.within(f); err != nil {
		return err
	}
	_, err := c.File.Part(f.Region)
	return err
}

// endSlack is by how much a stretch may go beyond the end: ends are told in tenths of a second.
const endSlack = 100 * time.Millisecond

// within is the stretch of a focus, if that lies in the clip.
func (c *Clip) within(f Focus) (omniscope.Span, error) {
	span, end := c.Span, c.Span.End
	if end == 0 {
		end = c.File.End()
	}
	if !f.Stretch() {
		return span, nil
	}
	bad := &omniscope.Error{Kind: omniscope.Invalid, Op: "look closer", Err: fmt.Errorf("the stretch from %v to %v s is not in the clip, which lasts from %.2f to %.2f s", f.FromS, f.ToS, span.Start.Seconds(), end.Seconds())}
	if !(f.FromS >= 0 && f.ToS >= 0 && max(f.FromS, f.ToS) <= math.MaxInt32) {
		return span, bad
	}
	from := cmp.Or(time.Duration(f.FromS*float64(time.Second)), span.Start)
	to := cmp.Or(time.Duration(f.ToS*float64(time.Second)), end)
	if from < span.Start || end > 0 && (to > end+endSlack || from >= end) || to > 0 && to <= from {
		return span, bad
	}
	if end > 0 {
		to = min(to, end)
	}
	return omniscope.Span{Start: from, End: to}, nil
}
