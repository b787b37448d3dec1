// Package tokens estimates how many tokens a row of training takes in Qwen2.5-Omni and Qwen3-Omni, by the rules of their
// processors: which frames are taken, how they are scaled, and what is left of the sound.
package tokens

import (
	"math"

	"omniscope/media"
)

// A Model is how a model's processor counts.
type Model struct {
	Name   string
	Patch  int // pixels of the side of what becomes one token: patch times merge
	Window int // tokens of its context
	Sound  float64
	// LongestSound is how many seconds its sound encoder takes; what follows is cut by trainers.
	LongestSound float64
}

// Models are those whose processors are known: Qwen2.5-Omni has patches of 14 pixels, Qwen3-Omni of 16, merged two by two.
var Models = []Model{
	{Name: "qwen2.5-omni", Patch: 28, Window: 32768, Sound: 25, LongestSound: 300},
	{Name: "qwen3-omni", Patch: 32, Window: 65536, Sound: 12.5, LongestSound: 30},
}

// A Sampling is which frames of a video are taken, and how large they are.
type Sampling struct {
	FPS       float64 // frames a second
	MaxFrames int
	MaxPixels int // of a frame
}

// Ours are the settings of our recipes, which the paper leaves open.
var Ours = Sampling{FPS: 2, MaxFrames: 120, MaxPixels: 100352}

// Frames is how many frames of a video are taken, as qwen-vl-utils does it (smart_nframes): an even number, at least four where the
// video has so many.
func (s Sampling) Frames(seconds, rate float64, frames int) int {
	if rate <= 0 || frames <= 0 {
		return 0
	}
	n := float64(frames) / rate * s.FPS
	least := math.Ceil(4/2) * 2
	most := float64(min(s.MaxFrames, frames) / 2 * 2)
	n = min(max(n, least), most)
	return int(min(n, float64(frames))) / 2 * 2
}

// Video is how many tokens a video takes: two frames make one picture of (height/patch) x (width/patch) tokens. Pictures too
// thin to be scaled are an error.
func (m Model) Video(s Sampling, seconds, rate float64, frames, width, height int) (int, error) {
	n := s.Frames(seconds, rate, frames)
	least, most := m.pixels(s, n)
	w, h, err := media.SmartResize(width, height, m.Patch, least, most)
	if err != nil {
		return 0, err
	}
	return n / 2 * (w / m.Patch) * (h / m.Patch), nil
}

// What qwen-vl-utils allows for frames: at least so many tokens each, so many for a whole video, and a cap that is a little above
// the least.
const (
	leastTokens = 128
	videoTokens = 128000 * 0.9
	aboveLeast  = 1.05
)

// pixels are the fewest and the most of a frame, of so many frames.
func (m Model) pixels(s Sampling, frames int) (least, most int) {
	token := m.Patch * m.Patch
	least = leastTokens * token
	most = s.MaxPixels
	if frames > 0 {
		most = min(most, int(videoTokens*float64(token))/frames*2)
	}
	return least, max(most, int(aboveLeast*float64(least)))
}

// Audio is how many tokens a sound takes.
func (m Model) Audio(seconds float64) int { return int(math.Ceil(seconds * m.Sound)) }

// bytesPerToken is the rough length of a token of English text.
const bytesPerToken = 3

// Text is at most how many tokens a text takes, roughly: English has one for some four bytes, and names and numbers have more.
func Text(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }
