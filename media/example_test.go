package media_test

import (
	"fmt"

	"omniscope/media"
)

// Streams of a recorded talk: what a model can see and hear, and the rest.
func ExampleStream() {
	streams := []media.Stream{
		{Kind: media.Video, Codec: "h264"}, {Kind: media.Audio, Codec: "aac"},
		{Kind: media.Subtitle, Codec: "mov_text"}, {Kind: media.Data, Codec: "bin_data"},
	}
	count := make(map[media.Kind]int)
	for _, s := range streams {
		count[s.Kind]++
	}
	fmt.Println("to see and hear:", count[media.Video]+count[media.Audio])
	fmt.Println("subtitles and data:", count[media.Subtitle]+count[media.Data])
	// Output:
	// to see and hear: 2
	// subtitles and data: 2
}
