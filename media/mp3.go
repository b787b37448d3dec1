package media

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/scratch"
)

// MP3BitRate is the bit rate of what EncodeMP3 returns, in kbit/s: a quarter of
// speech as 16-bit samples at SpeechRate.
const MP3BitRate = 64

// EncodeMP3 returns sound as MP3 of MP3BitRate. It reads 16-bit samples of one channel,
// rate of them a second, as they come: sound that is decoded meanwhile is never in memory
// as a whole. Equal sound gives equal bytes with the same version of ffmpeg.
//
// An MP3 begins with about 70 ms at SpeechRate that were not in the sound. How
// many stands in its first frame, and ffmpeg and libsndfile leave them out; a
// decoder that does not read it hears everything later by that time.
//
// An ffmpeg without the encoder LAME is an error of kind NotFound.
func EncodeMP3(ctx context.Context, samples io.Reader, rate int) ([]byte, error) {
	files, err := scratch.New()
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Internal, Op: "make MP3", Err: err}
	}
	defer files.Close()
	// Not a pipe: ffmpeg goes back to the first frame and writes the delay there.
	to := filepath.Join(files.Path, "sound.mp3")
	p := program{name: "ffmpeg", path: "the sound", input: samples, args: []string{
		"-hide_banner", "-nostdin", "-nostats", "-loglevel", "level+error", "-protocol_whitelist", "pipe", "-f", "s16le", "-ar", strconv.Itoa(rate), "-ac", "1", "-i", "pipe:0",
		"-c:a", "libmp3lame", "-b:a", "64k", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact", "-f", "mp3", argument(to)}}
	if _, err := p.run(ctx); err != nil {
		if strings.Contains(err.Error(), "Unknown encoder") {
			err = errNoMP3
		}
		return nil, err
	}
	mp3, err := os.ReadFile(to)
	if err == nil && len(mp3) == 0 {
		err = errors.New("ffmpeg wrote nothing")
	}
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Internal, Op: "make MP3", Err: err}
	}
	return mp3, nil
}

// CheckMP3 is an error of kind NotFound if EncodeMP3 lacks what it needs.
func CheckMP3(ctx context.Context) error {
	text, err := answer(ctx, "ffmpeg", "-encoders")
	if err == nil && !strings.Contains(text, "libmp3lame") {
		err = errNoMP3
	}
	return err
}

var errNoMP3 = &omniscope.Error{Kind: omniscope.NotFound, Op: "make MP3", Err: errors.New(
	"this build of ffmpeg has no libmp3lame: install a full one (" + howToInstall + "), or have the sound sent as WAV")}
