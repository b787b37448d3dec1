package proxy

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"omniscope/internal/outfile"
	"omniscope/media"
)

// A Shot is a frame to jump to, with a small picture.
type Shot struct {
	Frame   int     `json:"frame"`
	Time    float64 `json:"time"`    // seconds, when the frame appears
	Cut     bool    `json:"cut"`     // a new shot starts there; else it is one of the pictures at even distances
	Picture string  `json:"picture"` // the name of its file
}

// Of the pictures of shots.
const (
	mostCuts  = 100 // the clearest ones, if there are more
	mostEven  = 100 // between cuts that are far apart
	leastEven = 10. // seconds between those
	shotSide  = 240 // pixels
)

// addShots finds the shots of the proxy and makes their pictures.
func (p *Prepared) addShots(ctx context.Context, film *media.File, times []float64) error {
	cuts, err := findCuts(ctx, film)
	if err != nil {
		return err
	}
	shots := chooseShots(times, cuts)
	if err := p.addPictures(ctx, film, times, shots); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := outfile.JSON(&text, shots); err != nil {
		return err
	}
	return p.write(shotsFile, text.Bytes())
}

// findCuts looks for cuts in the proxy, which takes a fraction of what the file would take.
func findCuts(ctx context.Context, film *media.File) ([]media.Cut, error) {
	// As a file without sound, so that no time goes into measuring that.
	seen := &media.File{Path: film.Path, Format: film.Format, Bytes: film.Bytes, Start: film.Start, Duration: film.Duration, Streams: film.Streams, Video: film.Video}
	survey, err := media.RunSurvey(ctx, seen, media.SurveyOptions{})
	if err != nil {
		return nil, err
	}
	// Media time of the proxy is its player's but for a late start of all streams.
	cuts := slices.Clone(survey.Video.Cuts)
	for i := range cuts {
		cuts[i].Time += film.Start
	}
	return cuts, nil
}

// chooseShots takes the first frame, the clearest cuts, and frames between cuts that are
// far apart.
func chooseShots(times []float64, cuts []media.Cut) []Shot {
	slices.SortStableFunc(cuts, func(a, b media.Cut) int { return cmp.Compare(b.Score, a.Score) })
	isCut := map[int]bool{0: false}
	for _, c := range cuts[:min(len(cuts), mostCuts-1)] {
		isCut[frameAt(times, c.Time.Seconds())] = true
	}
	var starts []int
	for frame := range isCut {
		starts = append(starts, frame)
	}
	slices.Sort(starts)
	end := times[len(times)-1]
	step := max(leastEven, end/mostEven)
	var shots []Shot
	for i, frame := range starts {
		until := end
		if i+1 < len(starts) {
			until = times[starts[i+1]]
		}
		shots = append(shots, Shot{Frame: frame, Time: times[frame], Cut: isCut[frame]})
		// A picture just before the next cut would show nothing new.
		for at := times[frame] + step; at <= until-step/2; at += step {
			if even := frameAt(times, at); even > shots[len(shots)-1].Frame {
				shots = append(shots, Shot{Frame: even, Time: times[even]})
			}
		}
	}
	for i := range shots {
		shots[i].Picture = fmt.Sprintf("shot-%d.jpg", i)
	}
	return shots
}

// frameAt is the frame on the screen at a time, or half a millisecond later: times of cuts
// are rounded.
func frameAt(times []float64, at float64) int {
	return max(sort.Search(len(times), func(i int) bool { return times[i] > at+0.0005 })-1, 0)
}

// addPictures makes the pictures of shots.
func (p *Prepared) addPictures(ctx context.Context, film *media.File, times []float64, shots []Shot) error {
	var at []float64
	for _, s := range shots {
		at = append(at, middle(times, s.Frame)-film.Start.Seconds())
	}
	scale := shotSide / math.Max(float64(max(p.Width, p.Height)), shotSide)
	even := func(n int) int { return max(2, int(math.Round(float64(n)*scale/2))*2) }
	sampled, err := media.FramesAt(ctx, film, media.Policy{Width: even(p.Width), Height: even(p.Height), Quality: 6}, durations(at...), "")
	if err != nil {
		return err
	}
	if len(sampled.Frames) != len(shots) {
		return fmt.Errorf("%d of %d pictures of shots were made: %v", len(sampled.Frames), len(shots), sampled.Warnings)
	}
	for i, s := range shots {
		jpeg, err := sampled.Frames[i].Bytes()
		if err != nil {
			return err
		}
		if err := p.write(s.Picture, jpeg); err != nil {
			return err
		}
	}
	return nil
}
