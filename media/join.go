package media

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"omniscope"
)

// JoinVideos writes films one after another to an MP4 file, encoded anew in the size of the first. All have sound, or none
// has: what has none is joined without. An existing file is replaced.
func JoinVideos(ctx context.Context, paths []string, to string) error {
	args := slices.DeleteFunc(slices.Clone(general), func(s string) bool { return s == "-copyts" })
	var streams strings.Builder // of all films, in turns of picture and sound
	var scales strings.Builder  // and the times of sound
	sound := 0
	var first *File
	for i, path := range paths {
		f, err := Probe(ctx, path)
		switch {
		case err != nil:
			return err
		case f.Video == nil:
			return errNoVideo(path)
		case first == nil:
			first = f
		}
		tones, err := f.tones()
		if err != nil {
			return err
		}
		defer tones.close()
		args = append(append(args, opening()...), "-i", argument(path))
		fmt.Fprintf(&scales, "[%d:%d]%s,setsar=1[v%d];", i, f.Video.Index, tones.scale(fmt.Sprintf("%d:%d", first.Video.Width/2*2, first.Video.Height/2*2), tones.matrix()), i)
		fmt.Fprintf(&streams, "[v%d]", i)
		if f.Audio != nil {
			sound++
			fmt.Fprintf(&scales, "[%d:%d]%s[a%d];", i, f.Audio.Index, strings.TrimSuffix(f.allSound(), ","), i)
			fmt.Fprintf(&streams, "[a%d]", i)
		}
	}
	if sound != 0 && sound != len(paths) {
		return &omniscope.Error{Kind: omniscope.Invalid, Op: "join " + shown(to), Err: fmt.Errorf("%d of %d films have sound: all of them, or none, can be joined", sound, len(paths))}
	}
	graph := fmt.Sprintf("%s%sconcat=n=%d:v=1:a=%d", &scales, &streams, len(paths), min(sound, 1))
	out := []string{"-map", "[v]", "-c:v", "libx264", "-pix_fmt", "yuv420p"}
	if graph += "[v]"; sound > 0 {
		graph += "[a]"
		out = append(out, "-map", "[a]", "-c:a", "aac")
	}
	args = append(append(append(args, "-filter_complex", graph), out...), "-movflags", "+faststart", "-f", "mp4")
	_, err := runTo(ctx, program{path: to, args: args}, to, noOutput("join", to))
	return err
}
