package fake

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// Seen is what the server perceived of one accepted request.
type Seen struct {
	N            int      `json:"-"` // of the request, counted from 1 as they arrived
	Model        string   `json:"model"`
	System       string   `json:"system,omitempty"` // all system and developer texts, one to a line
	Text         string   `json:"text,omitempty"`   // all user texts, one to a line
	Parts        []string `json:"parts"`            // the types of the user's parts, in their order
	Images       []*Image `json:"images,omitempty"`
	Audios       []*Audio `json:"audios,omitempty"`
	Videos       []*Video `json:"videos,omitempty"`
	Times        []Time   `json:"times,omitempty"` // stated in the user's texts, in their order
	Streamed     bool     `json:"streamed,omitempty"`
	PromptTokens int      `json:"prompt_tokens"`

	words int  // of all texts
	usage bool // the stream is to say how many tokens there were
	files []string
}

// A Time is a point in a clip, in seconds, that a text states.
type Time float64

// An Image is one image part.
type Image struct {
	MIME   string `json:"mime"`
	Width  int    `json:"width"` // pixels
	Height int    `json:"height"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`         // of the bytes as they arrived
	Time   *Time  `json:"time,omitempty"` // what the texts before state of it, see lookAt; nil = no time

	data []byte
}

// An Audio is one sound: a part, or what is heard of a video.
type Audio struct {
	Format     string  `json:"format"` // the container, in ffprobe's words
	SampleRate int     `json:"sample_rate"`
	Channels   int     `json:"channels"`
	Seconds    float64 `json:"seconds"` // as decoded
	Bytes      int     `json:"bytes"`   // of the entire file
	SHA256     string  `json:"sha256"`

	path string
	most float64 // seconds that are listened to; 0 = all
}

// A Video is one video part.
type Video struct {
	MIME       string    `json:"mime,omitempty"`
	Container  string    `json:"container"` // in ffprobe's words; "images" for a list of images
	Width      int       `json:"width"`
	Height     int       `json:"height"`
	Frames     int       `json:"frames"`  // as decoded
	FPS        float64   `json:"fps"`     // frames a second, on average
	Seconds    float64   `json:"seconds"` // of the entire file
	FrameTimes []float64 `json:"-"`       // seconds from the start of the file
	HasSound   bool      `json:"has_sound"`
	Sound      *Audio    `json:"sound,omitempty"` // what is heard of it; nil = it is mute, or the server does not listen
	Bytes      int       `json:"bytes"`
	SHA256     string    `json:"sha256"`

	path   string
	frames [][]byte // of a list of images
	order  []int    // which of the decoded frames are perceived, and in which order
}

// Facts is Seen as JSON, the answer of a server without another one.
func (s *Seen) Facts() string {
	return string(encode(s)) // all numbers are finite
}

// Sounds returns all sounds that are heard, also of videos.
func (s *Seen) Sounds() []*Audio {
	all := append([]*Audio(nil), s.Audios...)
	for _, v := range s.Videos {
		if v.Sound != nil {
			all = append(all, v.Sound)
		}
	}
	return all
}

const (
	patch        = 28 // pixels of a side of the square that is one token
	audioTokens  = 25 // a second
	frameOfGroup = 2
)

// tokens counts by the rule of the package's comment.
func (s *Seen) tokens() int {
	n := s.words
	for _, i := range s.Images {
		n += pictureTokens(i.Width, i.Height)
	}
	for _, v := range s.Videos {
		n += (v.Frames + frameOfGroup - 1) / frameOfGroup * pictureTokens(v.Width, v.Height)
	}
	for _, a := range s.Sounds() {
		n += int(math.Ceil(a.Seconds*audioTokens - 1e-9)) // exact seconds are no token more
	}
	return n
}

func pictureTokens(width, height int) int {
	return ((width + patch - 1) / patch) * ((height + patch - 1) / patch)
}

var (
	// statedTime finds times as prompts write them: 3.5s, 3.5 sec, 12.00 seconds,
	// 01:02, 1:02:03.5.
	statedTime = regexp.MustCompile(`\b(?:(?:(\d+):)?(\d{1,3}):(\d{2}(?:\.\d+)?)|(\d+(?:\.\d+)?) ?(?:s|secs?|seconds?)\b)`)

	// statedTimes finds a list of them, such as "seconds: 0.00, 0.50".
	statedTimes = regexp.MustCompile(`\bseconds: ?(\d+(?:\.\d+)?(?:, ?\d+(?:\.\d+)?)*)`)
)

// timesIn returns the times that a text states, first the times of lists.
func timesIn(text string) (times []Time) {
	for _, list := range statedTimes.FindAllStringSubmatch(text, -1) {
		for number := range strings.SplitSeq(list[1], ",") {
			at, _ := strconv.ParseFloat(strings.TrimSpace(number), 64) // the pattern has numbers alone
			times = append(times, Time(at))
		}
	}
	for _, m := range statedTime.FindAllStringSubmatch(statedTimes.ReplaceAllString(text, ""), -1) {
		number := func(i int) float64 {
			n, _ := strconv.ParseFloat(m[i], 64) // "" is 0
			return n
		}
		times = append(times, Time(number(1)*3600+number(2)*60+number(3)+number(4)))
	}
	return times
}

// read adds a text part.
func (s *Seen) read(role, text string) {
	s.words += len(strings.Fields(text))
	switch role {
	case "user":
		s.Text = joined(s.Text, text)
		s.Times = append(s.Times, timesIn(text)...)
	case "system", "developer":
		s.System = joined(s.System, text)
	}
}

func joined(before, text string) string {
	if before == "" {
		return text
	}
	return before + "\n" + text
}

// forget drops the media and keeps the facts.
func (s *Seen) forget() {
	for _, i := range s.Images {
		i.data = nil
	}
	for _, v := range s.Videos {
		v.frames = nil
	}
	for _, path := range s.files {
		os.Remove(path)
	}
}
