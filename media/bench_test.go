//go:build unix

package media

import (
	"context"
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/need"
)

// BenchmarkSurvey compares the processor time of a survey, with 200 frames and
// 16 kHz sound, with that of decoding the same clip of 10 minutes once. Children's time is counted, and the peak memory is that
// of the largest child and of this process together.
func BenchmarkSurvey(b *testing.B) {
	need.FFmpeg(b)
	path := busyClip(b, 10*time.Minute)
	f := probedFile(b, path)
	policy := Policy{Count: QwenUtils, Factor: 28, FPS: 2, MaxFrames: 200, MaxPixels: 256 * 28 * 28}
	ffmpeg := program{name: "ffmpeg", path: path, args: []string{"-v", "error", "-nostdin", "-i", path, "-map", "0:v", "-map", "0:a", "-f", "null", "-"}}
	begun := processorTime(b)
	if _, err := ffmpeg.run(b.Context()); err != nil {
		b.Fatal(err)
	}
	decode := processorTime(b) - begun
	var survey, own time.Duration
	for b.Loop() {
		begun, ownBegun := processorTime(b), timeOf(usage(b, syscall.RUSAGE_SELF))
		s, err := RunSurvey(context.Background(), f, SurveyOptions{Samples: []Sample{{Policy: policy}}, Speech: io.Discard})
		if err != nil || len(s.Warnings) > 0 || s.Audio.Loudness == nil {
			b.Fatal(err, s)
		}
		survey += processorTime(b) - begun
		own += timeOf(usage(b, syscall.RUSAGE_SELF)) - ownBegun
	}
	each := survey / time.Duration(b.N)
	b.ReportMetric(decode.Seconds(), "decode-cpu-s")
	b.ReportMetric(each.Seconds(), "survey-cpu-s")
	b.ReportMetric(own.Seconds()/float64(b.N), "own-cpu-s")
	b.ReportMetric(float64(each)/float64(decode), "survey/decode")
	b.ReportMetric(peakMB(b), "peak-MB")
}

// busyClip makes a 1280×720 clip of moving pictures, noise and tones by
// repeating 20 seconds: to make them costs more than to decode them.
func busyClip(b *testing.B, length time.Duration) string {
	part := clips.Made(b, "part.mp4", "-f lavfi -i testsrc2=s=1280x720:r=24 -f lavfi -i mandelbrot=s=640x360:r=24:maxiter=500 "+
		"-f lavfi -i aevalsrc=0.2*sin(880*PI*t)+0.1*random(0)|0.2*sin(660*PI*t):s=44100 "+
		"-filter_complex [1:v]scale=1280:720[m];[0:v][m]blend=all_mode=average,noise=alls=12:allf=t,format=yuv420p[v] -map [v] -map 2:a -t 20 "+
		"-c:v libx264 -preset ultrafast -crf 30 -g 67 -c:a aac")
	return clips.Made(b, "whole.mp4", fmt.Sprintf("-stream_loop %d -i %s -c copy", int(length/(20*time.Second))-1, part))
}

// processorTime is that of this process and of its children that have ended.
func processorTime(b *testing.B) time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		sum += timeOf(usage(b, who))
	}
	return sum
}

func timeOf(u syscall.Rusage) time.Duration { return time.Duration(u.Utime.Nano() + u.Stime.Nano()) }

// peakMB is in megabytes where ru_maxrss is in kilobytes, as on Linux. Making
// the clip is a child's work too, and may need more than the survey: then the
// figure is too high.
func peakMB(b *testing.B) float64 {
	return float64(usage(b, syscall.RUSAGE_SELF).Maxrss+usage(b, syscall.RUSAGE_CHILDREN).Maxrss) / 1024
}

func usage(b *testing.B, who int) syscall.Rusage {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		b.Skip(os.NewSyscallError("getrusage", err))
	}
	return u
}
