package collect

import (
	"context"

	"omniscope/media"
	"omniscope/perceive/ocr"
)

// A textReader finds lines of text in frames.
type textReader interface {
	Lines(ctx context.Context, frames []media.Frame) ([][]ocr.Line, error)
	Version() string // changes when the same frames would be read otherwise
}

// textFrames are the frames in which text is looked for: a subtitle stands for seconds, and few
// frames tell whether most of the time one does.
var textFrames = media.Policy{Frames: 8, MaxPixels: 1280 * 720}

// lowerThird is where it begins, from the top.
const lowerThird = 2. / 3

// textAreas is, for each frame that could be read, the share of the picture covered by lines whose middle is in the
// lower third.
func textAreas(ctx context.Context, reader textReader, frames []media.Frame) ([]float64, error) {
	if len(frames) == 0 {
		return nil, nil
	}
	read, err := reader.Lines(ctx, frames)
	if err != nil {
		return nil, err
	}
	areas := make([]float64, len(read))
	for i, lines := range read {
		sum := 0.
		for _, l := range lines {
			if r := l.Region; (r[1]+r[3])/2 >= lowerThird {
				sum += (r[2] - r[0]) * (r[3] - r[1])
			}
		}
		areas[i] = float64(int(sum*1e5+0.5)) / 1e5
	}
	return areas, nil
}

// subtitleShare is the share of frames with so much text in the lower third.
func (m *measures) subtitleShare(area float64) float64 {
	n := 0
	for _, a := range m.TextAreas {
		if a > 0 && a >= area {
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return share(float64(n) / float64(len(m.TextAreas)))
}
