package detective_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"log"
	"os"
	"os/exec"
	"strings"
	"testing"

	"omniscope"
	"omniscope/detective"
	"omniscope/perceive"
	"omniscope/perceive/scene"
	"omniscope/perceive/sound"
)

// TestMain leaves out the example that starts ffmpeg where it cannot: an example
// cannot skip itself.
func TestMain(m *testing.M) {
	flag.Parse()
	if _, err := exec.LookPath("ffmpeg"); err != nil || testing.Short() {
		skip := flag.Lookup("test.skip").Value
		if err := skip.Set(strings.TrimPrefix(skip.String()+"|^ExampleInvestigate$", "|")); err != nil {
			log.Fatal(err)
		}
	}
	os.Exit(m.Run())
}

// The planner Offline asks every tool and needs no model. Package perceive/all
// opens all tools of this machine; they need ffmpeg. session/caption does
// the same from a description of the run, with a journal.
func ExampleInvestigate() {
	path, tools := twoShots(), []perceive.Tool{scene.New(), sound.New()}
	defer os.Remove(path)
	clip, err := perceive.Open(context.Background(), omniscope.Clip{Path: path})
	if err != nil {
		log.Fatal(err)
	}
	defer clip.Close()
	report, err := detective.Investigate(context.Background(), &detective.Investigation{Clip: clip, Tools: tools}, detective.Offline{}, detective.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range report.Caption.Sentences {
		fmt.Println(s.Text, s.Evidence)
	}
	// Output:
	// Shot 1, from 0.00 s to 2.00 s: it is the brightest shot, very bright (mean brightness 255 of 255); the dominant colour is white (#ffffff, 100 %). [o8 o4 o6]
	// From 0.00 s to 2.00 s the picture is nearly still. [o9]
	// Shot 2, from a cut at 2.00 s to 4.00 s: it is the darkest shot, rather dark (mean brightness 64 of 255); the dominant colour is dark grey (#404040, 100 %). [o8 o3 o7]
	// From 2.00 s to 4.00 s the picture is nearly still. [o10]
	// There are 2 shots in 4.00 s, parted by hard cuts or black. [o1]
	// On the whole the picture is bright: its mean brightness is 159 of 255. [o2]
	// In the whole clip the dominant colours are dark grey (#404040, 50 %) and white (#ffffff, 50 %). [o5]
	// The clip has no sound track. [o11]
}

// twoShots makes a clip of two seconds of white and two of grey, without sound.
func twoShots() (path string) {
	var film gif.GIF
	for _, c := range []color.Gray{{Y: 255}, {Y: 64}} {
		for range 20 {
			film.Image = append(film.Image, image.NewPaletted(image.Rect(0, 0, 64, 48), color.Palette{c}))
			film.Delay = append(film.Delay, 10) // hundredths of a second
		}
	}
	f, err := os.CreateTemp("", "two-shots-*.gif")
	if err != nil {
		log.Fatal(err)
	}
	if err := errors.Join(gif.EncodeAll(f, &film), f.Close()); err != nil {
		log.Fatal(err)
	}
	return f.Name()
}
