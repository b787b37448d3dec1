package caption_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"io"
	"log"
	"os"
	"path/filepath"

	"omniscope/session"
	"omniscope/session/caption"
	"omniscope/session/journals"
)

// Describes a clip with the tools of this machine and no model. What they see is in the journal.
func ExampleDescribe() {
	work, err := os.MkdirTemp("", "omniscope-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(work)
	m := &session.Machine{Calls: &session.Calls{WorkDir: work, Journals: journals.All}, Out: filepath.Join(work, "out"), Warnings: io.Discard}
	reports, err := caption.Describe(context.Background(), &caption.Spec{Clips: []string{twoShots(work)}, Tools: []string{"scene", "sound"}}, m)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range reports[0].Caption.Sentences[4:] {
		fmt.Println(s.Text, s.Evidence)
	}
	// Output:
	// There are 2 shots in 4.00 s, parted by hard cuts or black. [o1]
	// On the whole the picture is bright: its mean brightness is 159 of 255. [o2]
	// In the whole clip the dominant colours are dark grey (#404040, 50 %) and white (#ffffff, 50 %). [o5]
	// The clip has no sound track. [o11]
}

// twoShots makes a clip of two seconds of white and two of grey, without sound.
func twoShots(folder string) (path string) {
	var film gif.GIF
	for _, c := range []color.Gray{{Y: 255}, {Y: 64}} {
		for range 20 {
			film.Image = append(film.Image, image.NewPaletted(image.Rect(0, 0, 64, 48), color.Palette{c}))
			film.Delay = append(film.Delay, 10) // hundredths of a second
		}
	}
	f, err := os.Create(filepath.Join(folder, "two-shots.gif"))
	if err != nil {
		log.Fatal(err)
	}
	if err := errors.Join(gif.EncodeAll(f, &film), f.Close()); err != nil {
		log.Fatal(err)
	}
	return f.Name()
}
