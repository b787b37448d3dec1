package captioncheck

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fonts"
)

// A recipe says how ffmpeg makes a clip: sources of picture and sound in its
// own language, and how they are written. Without file, it is Matroska with
// H.264 and PCM.
type recipe struct {
	name, picture, sound string
	file                 string   // "" = name.mkv
	args                 []string // of the output
	spoken               bool
	first                bool // of TestMadeClips; the others are of TestLongMadeClips
}

// Parts of recipes.
const (
	grey   = "color=c=gray:s=160x120:r=25:d=4"
	moving = "testsrc2=s=160x120:r=25:d=4"
	words  = ",drawtext=fontcolor=white:x=(w-tw)/2:y=(h-th)/2:"
)

func sine(hz, volume, seconds string) string {
	return "sine=frequency=" + hz + ":sample_rate=48000:duration=" + seconds + ",volume=" + volume
}

func gated(source, gate string) string { return source + ",volume=volume='" + gate + "':eval=frame" }

// noise starts anew with each recipe, from a seed, so that clips are the same
// everywhere.
func noise(colour, amplitude, seconds string) string {
	return "anoisesrc=c=" + colour + ":a=" + amplitude + ":d=" + seconds + ":r=48000:seed=7"
}

var recipes = []recipe{
	// Sound alone: pitches, levels.
	{name: "tone_3s", first: true, sound: sine("440", "6dB", "3"), file: "tone_3s.wav"},
	{name: "tone_50hz", sound: sine("50", "12dB", "4"), file: "tone_50hz.wav"},
	{name: "tone_30hz", sound: sine("30", "15dB", "4"), file: "tone_30hz.wav"},
	{name: "tone_100hz_loud", sound: "aevalsrc=0.995*sin(2*PI*100*t):s=48000:d=4", file: "tone_100hz_loud.wav"},
	{name: "tone_1000hz", sound: sine("1000", "0dB", "4"), file: "tone_1000hz.wav"},
	{name: "tone_2500hz_mp3", sound: sine("2500", "3dB", "4"), file: "tone_2500hz_mp3.mp3"},
	{name: "tone_180hz_aac", sound: sine("180", "0dB", "3.3"), file: "tone_180hz_aac.m4a"},
	{name: "tone_faint", sound: sine("500", "-45dB", "4"), file: "tone_faint.flac"},
	{name: "tones_two", sound: sine("110", "6dB", "2.5") + "[x];" + sine("440", "6dB", "2.5") + "[y];[x][y]concat=n=2:v=0:a=1", file: "tones_two.wav"},
	{name: "sweep", sound: "aevalsrc=0.4*sin(2*PI*(100*t+180*t*t)):s=44100:d=5", file: "sweep.wav"},
	{name: "sweep_long", sound: "aevalsrc=0.3*sin(2*PI*(80*t+6*t*t)):s=44100:d=12", file: "sweep_long.ogg"},
	{name: "harmonics", sound: "aevalsrc='0.2*(sin(2*PI*130*t)+sin(2*PI*260*t)/2+sin(2*PI*390*t)/3+sin(2*PI*520*t)/4)':s=48000:d=4", file: "harmonics.wav"},
	{name: "hum_50", sound: "aevalsrc='0.02*(sin(2*PI*50*t)+sin(2*PI*100*t)+sin(2*PI*150*t)/2)+0.0005*random(0)':s=48000:d=6", file: "hum_50.wav"},
	{name: "tone_15hz_soft", sound: "aevalsrc=0.01*sin(2*PI*15*t):s=48000:d=4", file: "tone_15hz_soft.wav"},
	// Noise, level and dynamics.
	{name: "noise_white", sound: noise("white", "0.2", "4"), file: "noise_white.wav"},
	{name: "noise_brown", sound: noise("brown", "0.6", "4"), file: "noise_brown.wav"},
	{name: "noise_pink_faint", sound: noise("pink", "0.0008", "4"), file: "noise_pink_faint.flac"},
	{name: "noise_swells", sound: gated(noise("pink", "0.4", "12"), "0.08+0.92*pow(sin(PI*t/6),2)"), file: "noise_swells.wav"},
	{name: "noise_lowpassed", sound: noise("white", "0.3", "5") + ",lowpass=f=3400,lowpass=f=3400,lowpass=f=3400,lowpass=f=3400", file: "noise_lowpassed.wav"},
	{name: "loud_and_soft", sound: gated(noise("pink", "0.5", "12"), "if(lt(t,4),1,if(lt(t,8),0.05,1))"), file: "loud_and_soft.wav"},
	{name: "bass_and_soft", sound: "aevalsrc='0.6*sin(2*PI*40*t)+if(between(t,4,8),0.2,0.02)*sin(2*PI*600*t)':s=48000:d=12", file: "bass_and_soft.wav"},
	{name: "clipped", sound: "aevalsrc='max(-0.999,min(0.999,1.6*sin(2*PI*220*t)))':s=48000:d=4", file: "clipped.wav"},
	{name: "offset", sound: "aevalsrc='0.3+0.1*sin(2*PI*700*t)':s=48000:d=4", file: "offset.wav"},
	// Silences.
	{name: "decay", sound: "aevalsrc='0.5*sin(2*PI*440*t)*if(lt(t,2),1,exp(-2.2*(t-2)))':s=48000:d=7", file: "decay.wav"},
	{name: "decay_noisy", sound: "aevalsrc='0.5*sin(2*PI*330*t)*if(lt(t,2),1,exp(-3*(t-2)))+0.0025*(random(0)-0.5)':s=48000:d=7", file: "decay_noisy.wav"},
	{name: "silence_digital", first: true, sound: gated(sine("700", "6dB", "5"), "if(between(t,1.5,3.5),0,1)"), file: "silence_digital.wav"},
	{name: "silence_near", sound: "aevalsrc='if(between(t,2,4),0,0.4)*sin(2*PI*600*t)+0.004*(random(0)-0.5)':s=48000:d=6", file: "silence_near.wav"},
	{name: "silence_clicked", sound: "aevalsrc='if(between(t,1,5),0,0.4)*sin(2*PI*600*t)+if(between(t,3,3.012),0.02*sin(2*PI*900*t),0)':s=48000:d=6", file: "silence_clicked.wav"},
	{name: "pauses_background", sound: "aevalsrc='if(lt(mod(t,2),1.2),0.3,0)*sin(2*PI*500*t)+0.02*(random(0)-0.5)':s=48000:d=8", file: "pauses_background.wav"},
	{name: "steps_down", sound: "aevalsrc='pow(10,-(10+15*floor(t))/20)*sin(2*PI*440*t)':s=48000:d=6", file: "steps_down.wav"},
	{name: "echo", sound: gated(sine("800", "9dB", "6"), "if(lt(mod(t,2),0.15),1,0)") + ",aecho=0.8:0.7:320|510:0.5|0.3", file: "echo.wav"},
	{name: "all_silent", sound: "anullsrc=r=44100:cl=stereo:d=3", file: "all_silent.wav"},
	{name: "dither", sound: "aevalsrc='0.00005*(random(0)-0.5)':s=48000:d=4", file: "dither.wav"},
	// Rhythm.
	{name: "beeps", sound: gated(sine("1000", "9dB", "8"), "if(lt(mod(t,1),0.15),1,0)"), file: "beeps.wav"},
	{name: "beeps_fast", sound: gated(sine("700", "9dB", "12"), "if(lt(mod(t,0.375),0.08),1,0)"), file: "beeps_fast.ogg"},
	{name: "clicks", sound: "aevalsrc='if(lt(mod(t,0.5),0.003),0.8*(random(0)-0.5)*2,0)':s=48000:d=6", file: "clicks.wav"},
	{name: "clicks_uneven", sound: "aevalsrc='if(lt(mod(t*t*0.7,1),0.01),0.8*(random(0)-0.5)*2,0)+0.001*(random(1)-0.5)':s=48000:d=6", file: "clicks_uneven.wav"},
	{name: "pulses", sound: "aevalsrc='0.5*pow(max(0,sin(2*PI*9*t)),8)*(random(0)-0.5)':s=48000:d=6", file: "pulses.wav"},
	// Channels and rates.
	{name: "one_sided", sound: sine("440", "0dB", "3") + ",pan=stereo|c0=c0", file: "one_sided.wav"},
	{name: "left_stronger", sound: sine("440", "0dB", "3") + ",pan=stereo|c0=c0|c1=0.4*c0", file: "left_stronger.wav"},
	{name: "opposite", sound: noise("pink", "0.3", "3") + ",pan=stereo|c0=c0|c1=-1*c0", file: "opposite.wav"},
	{name: "wide", sound: "anoisesrc=c=pink:a=0.3:d=3:r=48000:seed=1[l];anoisesrc=c=pink:a=0.3:d=3:r=48000:seed=2[r];[l][r]join=inputs=2:channel_layout=stereo", file: "wide.wav"},
	{name: "rate_8000", sound: "aevalsrc='0.3*sin(2*PI*300*t)+0.1*(random(0)-0.5)':s=8000:d=3", file: "rate_8000.wav"},
	{name: "very_short", sound: sine("440", "0dB", "0.25"), file: "very_short.wav"},
	{name: "speech", sound: "flite=text='The harbour is quiet this morning, and three boats are leaving for the islands.':voice=slt", file: "speech.wav", spoken: true},

	// Picture alone.
	{name: "one_colour", picture: "color=c=0x2040C0:s=160x120:r=25:d=3"},
	{name: "cuts_hard", first: true, picture: "color=c=red:s=160x120:r=25:d=1.2[a];testsrc=s=160x120:r=25:d=1.4[b];color=c=white:s=160x120:r=25:d=1[c];smptebars=s=160x120:r=25:d=1[d];[a]format=yuv420p,setsar=1[a];[b]format=yuv420p,setsar=1[b];[c]format=yuv420p,setsar=1[c];[d]format=yuv420p,setsar=1[d];[a][b][c][d]concat=n=4"},
	{name: "cut_equal_light", picture: "color=c=0xC03030:s=160x120:r=25:d=2[a];color=c=0x2F7A2F:s=160x120:r=25:d=2[b];[a][b]concat=n=2"},
	{name: "fade_both", picture: "testsrc2=s=160x120:r=25:d=5,fade=in:d=1,fade=out:st=3.8:d=1.2"},
	{name: "fade_through_black", picture: "color=c=white:s=160x120:r=25:d=2.5,fade=out:st=1.6:d=0.6[a];smptebars=s=160x120:r=25:d=2.5,fade=in:d=0.6[b];[a]format=yuv420p,setsar=1[a];[b]format=yuv420p,setsar=1[b];[a][b]concat=n=2"},
	{name: "black_slow_frames", picture: "testsrc=s=160x120:r=5:d=2[a];color=c=black:s=160x120:r=5:d=1[b];testsrc=s=160x120:r=5:d=2[c];[a]format=yuv420p,setsar=1[a];[b]format=yuv420p,setsar=1[b];[c]format=yuv420p,setsar=1[c];[a][b][c]concat=n=3"},
	{name: "white_on_black", picture: "color=c=black:s=320x180:r=25:d=5,drawtext=text='HARBOUR':fontcolor=white:fontsize=26:x=20:y=130:enable='between(t,1,4)'"},
	{name: "flash_white", picture: moving + ",drawbox=c=white:t=fill:enable='between(t,1.99,2.09)'"},
	{name: "dissolve_short", picture: "testsrc2=s=160x120:r=25:d=3[a];mandelbrot=s=160x120:r=25,trim=duration=3[b];[a]format=yuv420p,setsar=1,settb=1/25[a];[b]format=yuv420p,setsar=1,settb=1/25[b];[a][b]xfade=duration=0.8:offset=2"},
	{name: "dissolve_slow", picture: "smptebars=s=160x120:r=25:d=5[a];mandelbrot=s=160x120:r=25,trim=duration=5[b];[a]format=yuv420p,setsar=1,settb=1/25[a];[b]format=yuv420p,setsar=1,settb=1/25[b];[a][b]xfade=duration=3:offset=1.5"},
	{name: "wipe", picture: "smptebars=s=160x120:r=25:d=4[a];testsrc=s=160x120:r=25:d=4[b];[a]format=yuv420p,setsar=1,settb=1/25[a];[b]format=yuv420p,setsar=1,settb=1/25[b];[a][b]xfade=transition=wipeleft:duration=1:offset=1.5"},
	{name: "grows_brighter", picture: "color=c=black:s=160x120:r=25:d=5,geq=lum='20+40*T':cb=128:cr=128"},
	{name: "pan_right", picture: "mandelbrot=s=640x240:r=25:maxiter=200:end_scale=3,trim=end_frame=1,loop=loop=100:size=1,crop=160:120:'40+20*t':60,setpts=N/25/TB", args: []string{"-t", "4"}},
	{name: "zoom_in", picture: "mandelbrot=s=640x480:r=25:end_scale=3,trim=end_frame=1,loop=loop=100:size=1,zoompan=z='1+0.003*in':d=1:x='iw/2-(iw/zoom/2)':y='ih/2-(ih/zoom/2)':s=160x120:fps=25", args: []string{"-t", "4"}},
	{name: "fixed_with_ball", picture: "smptehdbars=s=320x180:r=25:d=4,drawbox=x='20+50*t':y=80:w=16:h=16:c=white:t=fill"},
	{name: "letterbox", picture: "testsrc2=s=160x72:r=25:d=3,pad=160:120:0:24"},
	{name: "pillarbox_all", picture: "smptebars=s=120x90:r=25:d=3,pad=160:120:20:15"},
	{name: "portrait", picture: "testsrc2=s=120x212:r=30:d=3"},
	{name: "tiny", picture: "testsrc=s=16x16:r=25:d=3"},
	{name: "one_frame", picture: "smptebars=s=160x120:r=25:d=0.04"},
	{name: "odd_rate", picture: "testsrc=s=160x120:r=24000/1001:d=3"},
	{name: "few_frames", picture: "testsrc=s=160x120:r=2:d=5"},
	{name: "variable_rate", picture: "color=c=black:s=160x120:r=25:d=4,geq=lum='if(lt(T,1),220,30)':cb=128:cr=128,select='lt(t,1)+not(mod(n,10))'", args: []string{"-vsync", "vfr"}},
	// Words.
	{name: "words_come_and_go", picture: "color=c=navy:s=320x180:r=25:d=6" + words + "text='THREE RED BOATS':fontsize=30:enable='between(t,1.3,4.2)'"},
	{name: "words_two_cards", picture: "color=c=darkgreen:s=320x180:r=25:d=6" + words + "text='FIRST MORNING':fontsize=30:enable='lt(t,2.7)'" + words + "text='LAST EVENING':fontsize=30:enable='gte(t,2.7)'"},
	{name: "words_blink", picture: "color=c=black:s=320x180:r=25:d=6,geq=lum=90:cb=128:cr=128" + words + "text='RECORDING':fontsize=34:enable='lt(mod(t,1),0.5)'"},
	{name: "words_fade", picture: "color=c=gray:s=320x180:r=25:d=6" + words + "text='SLOW WORDS':fontsize=34:alpha='min(1,max(0,(t-1)/2))'"},
	{name: "words_after_cut", picture: "smptebars=s=320x180:r=25:d=2[a];color=c=teal:s=320x180:r=25:d=4" + words + "text='NORTH STATION':fontsize=30:alpha='min(1,max(0,(t-0.15)/0.25))'[b];[a]format=yuv420p,setsar=1[a];[b]format=yuv420p,setsar=1[b];[a][b]concat=n=2"},
	{name: "words_moving_picture", picture: "mandelbrot=s=320x180:r=25,trim=duration=5" + words + "text='OPEN WATER':fontsize=36:borderw=3:bordercolor=black"},
	{name: "counter", picture: "color=c=white:s=320x180:r=25:d=5,drawtext=text='%{pts\\:hms}':fontcolor=black:fontsize=40:x=40:y=70"},
	{name: "counter_slow", picture: "color=c=white:s=320x180:r=25:d=6,drawtext=text='%{eif\\:10+floor(t/2)\\:d}':fontcolor=black:fontsize=60:x=120:y=60"},
	{name: "words_small", picture: "color=c=white:s=320x180:r=25:d=3,drawtext=text='small letters below':fontcolor=black:fontsize=13:x=10:y=150"},

	// Both, and odd files.
	{name: "both", first: true, picture: moving, sound: gated(sine("440", "6dB", "4"), "if(lt(t,2),1,0)")},
	{name: "sound_later", picture: grey, sound: sine("440", "0dB", "2.5") + ",asetpts=PTS+1.5/TB"},
	{name: "sound_ends", picture: "testsrc2=s=160x120:r=25:d=5", sound: sine("330", "0dB", "2.5")},
	{name: "starts_late", picture: moving, sound: sine("440", "0dB", "4"), file: "starts_late.ts", args: []string{"-output_ts_offset", "30", "-c:a", "aac"}},
	{name: "six_channels", sound: sine("440", "0dB", "3") + ",pan=5.1|c0=c0|c1=0.5*c0|c2=0.2*c0", file: "six_channels.wav"},
	{name: "webm", picture: "testsrc2=s=160x120:r=25:d=3", sound: noise("pink", "0.2", "3"), file: "webm.webm", args: []string{"-c:v", "libvpx", "-b:v", "600k", "-c:a", "libopus"}},
	{name: "mp4_aac", picture: "smptebars=s=160x120:r=30:d=3", sound: sine("600", "0dB", "3"), file: "mp4_aac.mp4", args: []string{"-c:a", "aac"}},
}

// makeClips makes the first clips, or the others, of names that OMNISCOPE_CLIPS
// fits.
func makeClips(t *testing.T, first bool) []made {
	t.Helper()
	names := regexp.MustCompile(os.Getenv("OMNISCOPE_CLIPS"))
	return makeClipsIn(t, fonts.Sans(t), slices.DeleteFunc(slices.Clone(recipes), func(r recipe) bool {
		return r.first != first || !names.MatchString(r.name)
	}))
}

// makeClipsIn makes clips with words in a font.
func makeClipsIn(t *testing.T, font string, recipes []recipe) (list []made) {
	t.Helper()
	dir := t.TempDir()
	list = make([]made, len(recipes))
	var all sync.WaitGroup
	turns := make(chan struct{}, 2)
	for i, r := range recipes {
		file := r.file
		if file == "" {
			file = r.name + ".mkv"
		}
		list[i] = made{path: filepath.Join(dir, file), spoken: r.spoken}
		var args []string
		if r.picture != "" {
			args = append(args, "-f", "lavfi", "-i", fonts.Named(r.picture, font))
		}
		if r.sound != "" {
			args = append(args, "-f", "lavfi", "-i", r.sound)
		}
		if r.picture != "" {
			args = append(args, "-c:v", "libx264", "-preset", "veryfast", "-crf", "16", "-pix_fmt", "yuv420p")
		}
		if strings.HasSuffix(file, ".mkv") && r.sound != "" {
			args = append(args, "-c:a", "pcm_s16le")
		}
		args = append(args, r.args...)
		all.Add(1)
		turns <- struct{}{}
		go func() {
			defer func() { <-turns; all.Done() }()
			if err := clips.MakeFile(list[i].path, args...); err != nil {
				t.Errorf("%s: %v", r.name, err)
			}
		}()
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return list
}
