package fake

// A Defect is something that a server perceives wrongly. It changes Seen and the
// usage, and the answer does not mention it.
type Defect string

// The defects.
const (
	DropsAudio     Defect = "drops audio"          // no sound is heard, neither of parts nor of videos
	KeepsFirst30s  Defect = "keeps the first 30 s" // of sounds and videos
	ShufflesFrames Defect = "shuffles frames"      // images and the frames of videos come in another order; times stay in theirs
	HalvesFrames   Defect = "halves the frames"    // of two images or frames the first is seen
	IgnoresVideo   Defect = "ignores the video"    // no image and no video is seen; sound of videos is heard as a sound of its own
	MixesChannels  Defect = "mixes channels"       // sounds of several channels are heard as one
	DownsizesTo224 Defect = "downsizes to 224"     // images and frames are made smaller until both sides are at most 224 pixels
)

// AllDefects lists every defect.
var AllDefects = []Defect{DropsAudio, KeepsFirst30s, ShufflesFrames, HalvesFrames, IgnoresVideo, MixesChannels, DownsizesTo224}

const (
	keptSeconds = 30
	smallSide   = 224
)

// distort makes of what arrived what the server perceives.
func (s *Seen) distort(defects []Defect) {
	for _, d := range defects {
		switch d {
		case DropsAudio:
			s.Audios = nil
			for _, v := range s.Videos {
				v.Sound = nil
			}
		case KeepsFirst30s:
			s.cut()
		case ShufflesFrames:
			s.shuffle()
		case HalvesFrames:
			s.halve()
		case IgnoresVideo:
			s.Audios, s.Images, s.Videos = s.Sounds(), nil, nil
		case MixesChannels:
			for _, a := range s.Sounds() {
				a.Channels = 1
			}
		case DownsizesTo224:
			s.shrink()
		}
	}
}

func (s *Seen) cut() {
	for _, a := range s.Sounds() {
		a.Seconds, a.most = min(a.Seconds, keptSeconds), keptSeconds
	}
	for _, v := range s.Videos {
		v.choose(func(i int) bool { return i >= len(v.FrameTimes) || v.FrameTimes[i] < keptSeconds })
		v.Seconds = min(v.Seconds, keptSeconds)
	}
}

// choose keeps some of the frames by their places among those perceived.
func (v *Video) choose(keep func(i int) bool) {
	var order []int
	var times []float64
	for i, frame := range v.order {
		if keep(i) {
			order = append(order, frame)
			if i < len(v.FrameTimes) {
				times = append(times, v.FrameTimes[i])
			}
		}
	}
	v.order, v.FrameTimes, v.Frames = order, times, len(order)
}

// shuffle puts all odd places before all even ones, which moves every image of
// two or more but the last of an odd number.
func (s *Seen) shuffle() {
	mixed := func(n int) (order []int) {
		for i := 1; i < n; i += 2 {
			order = append(order, i)
		}
		for i := 0; i < n; i += 2 {
			order = append(order, i)
		}
		return order
	}
	images := make([]*Image, len(s.Images))
	for i, from := range mixed(len(s.Images)) {
		moved := *s.Images[from]
		moved.Time = s.Images[i].Time
		images[i] = &moved
	}
	s.Images = images
	for _, v := range s.Videos {
		order := make([]int, len(v.order))
		for i, from := range mixed(len(v.order)) {
			order[i] = v.order[from]
		}
		v.order = order
	}
}

func (s *Seen) halve() {
	var images []*Image
	for i := 0; i < len(s.Images); i += 2 {
		images = append(images, s.Images[i])
	}
	s.Images = images
	for _, v := range s.Videos {
		v.choose(func(i int) bool { return i%2 == 0 })
		v.FPS /= 2
	}
}

func (s *Seen) shrink() {
	for _, i := range s.Images {
		i.Width, i.Height = fitted(i.Width, i.Height)
	}
	for _, v := range s.Videos {
		v.Width, v.Height = fitted(v.Width, v.Height)
	}
}

// fitted returns the size of a picture with a longer side of at most smallSide.
func fitted(width, height int) (int, int) {
	long := max(width, height)
	if long <= smallSide {
		return width, height
	}
	return max(1, width*smallSide/long), max(1, height*smallSide/long)
}
