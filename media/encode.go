package media

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"omniscope"
)

// EncodeMP4 makes an MP4 file of PNG pictures and of a WAV file. pictures is a
// pattern such as "folder/%04d.png", numbered from 0 and fps a second; sound is "" if
// there is none. The picture is nearly lossless, so that small print stays legible.
// An existing file is replaced.
func EncodeMP4(ctx context.Context, pictures string, fps int, sound, to string) error {
	args := slices.DeleteFunc(slices.Clone(general), func(s string) bool { return s == "-copyts" })
	args = append(args, "-f", "image2", "-framerate", fmt.Sprint(fps), "-start_number", "0", "-i", argument(pictures))
	if sound != "" {
		args = append(args, "-i", argument(sound), "-c:a", "aac", "-b:a", "128k")
	}
	args = append(args, "-c:v", "libx264", "-preset", "veryfast", "-crf", "10", "-threads", "1", "-pix_fmt", "yuv420p",
		"-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact", "-movflags", "+faststart", "-f", "mp4")
	_, err := runTo(ctx, program{path: to, args: args}, to, noOutput("make", to))
	return err
}

func noOutput(op, to string) *omniscope.Error {
	return &omniscope.Error{Kind: omniscope.Internal, Op: op + " " + shown(to), Err: errors.New("ffmpeg wrote nothing")}
}
