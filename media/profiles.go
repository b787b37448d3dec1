package media

import (
	"strings"

	"omniscope"
)

// profiles are the sampling settings of the CapRiCorn paper (Table 6), by class
// of model. Where the table says only how many pixels a frame may have, sides
// are not rounded to multiples.
//
// The paper contradicts itself on InternVL3.5: at most 100 frames in the table,
// 200 in the text. Both are here.
var profiles = []Policy{
	{Name: "qwen2.5-omni", Count: QwenUtils, Factor: 28, FPS: 2, MaxFrames: 200, MaxPixels: 256 * 28 * 28},
	{Name: "qwen3-omni", Count: QwenUtils, Factor: 32, FPS: 2, MaxFrames: 200, MaxPixels: 256 * 32 * 32},
	{Name: "qwen3-vl", Count: QwenUtils, Factor: 32, FPS: 2, MaxFrames: 768, MaxPixels: 256 * 32 * 32},
	{Name: "mimo-vl", Count: QwenUtils, Factor: 28, FPS: 2, MaxFrames: 200, MaxPixels: 128 * 28 * 28},
	{Name: "internvl3.5", FPS: 2, MaxFrames: 100, Width: 448, Height: 448},
	{Name: "internvl3.5-text", FPS: 2, MaxFrames: 200, Width: 448, Height: 448},
	{Name: "tarsier2", Frames: 256, MaxPixels: 460800},
	{Name: "video-salmonn-2", FPS: 1, MaxFrames: 110, MaxPixels: 147456},
	{Name: "video-salmonn-2+", FPS: 10, MaxFrames: 768, MaxPixels: 61250},
	{Name: "omnivinci", FPS: 2, MaxFrames: 128},
	{Name: "arc-qwen-video", FPS: 1, MaxFrames: 300, MaxPixels: 153664},
}

// Profile returns the named one of profiles. Names are compared without regard
// to case. An unknown name is an error of kind Usage that lists the names.
func Profile(name string) (Policy, error) {
	var names []string
	for _, p := range profiles {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Policy{}, omniscope.Usagef("no sampling profile %q; there are: %s", name, strings.Join(names, ", "))
}
