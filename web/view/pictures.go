package view

import (
	"bytes"
	"net/http"
	"os"
	"strconv"
	"time"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/sha256hex"
	"omniscope/media"
	"omniscope/web"
)

// picturesOf are the addresses of the pictures of an investigation's clip, nil where the
// clip is not here.
func (v *Viewer) picturesOf(of *runEntry, i *detective.Report) *detective.Pictures {
	if v.firstMedia(of, i.Clip.Path) == "" {
		return nil
	}
	p := &detective.Pictures{Shot: func(seconds float64) string {
		return of.address("picture", "at", strconv.FormatFloat(seconds, 'f', 3, 64))
	}}
	if i.Modality != omniscope.Visual {
		p.Wave = of.address("wave")
	}
	return p
}

const (
	thumbnailEdge = 240     // pixels
	waveParts     = 800     // of a waveform
	mostDrawn     = 4 << 10 // pictures that are kept in memory
)

// picture sends a frame of an investigation's clip, small.
func (v *Viewer) picture(w http.ResponseWriter, r *http.Request, of *runEntry) error {
	seconds, err := strconv.ParseFloat(r.URL.Query().Get("at"), 64)
	if err != nil || !(seconds >= 0 && seconds < 1e6) {
		return omniscope.Usagef("at wants seconds, not %q", r.URL.Query().Get("at"))
	}
	return v.draw(w, r, of, "image/jpeg", func(f *media.File, i *detective.Report) ([]byte, error) {
		return media.Thumbnail(r.Context(), f, time.Duration(seconds*float64(time.Second)), thumbnailEdge)
	})
}

// wave sends the waveform of an investigation's clip.
func (v *Viewer) wave(w http.ResponseWriter, r *http.Request, of *runEntry) error {
	return v.draw(w, r, of, "image/svg+xml", func(f *media.File, i *detective.Report) ([]byte, error) {
		peaks, err := media.Peaks(r.Context(), f, i.Clip.Span(), waveParts)
		return []byte(detective.Wave(peaks)), err
	})
}

// draw sends what do makes of a clip, or made of it before.
func (v *Viewer) draw(w http.ResponseWriter, r *http.Request, of *runEntry, kind string, do func(*media.File, *detective.Report) ([]byte, error)) error {
	if of.Kind != investigation {
		return omniscope.NotFoundf("%s is no investigation", of.Path)
	}
	v.drawing.Lock()
	defer v.drawing.Unlock()
	i, err := v.investigation(of)
	if err != nil {
		return err
	}
	path := v.firstMedia(of, i.Clip.Path)
	info, err := os.Stat(path)
	if path == "" || err != nil {
		return omniscope.NotFoundf("the clip of %s is not here", of.Path)
	}
	key := r.URL.String() + " " + web.Tag(path, info) // a clip that was replaced is drawn again
	made, ok := v.drawn[key]
	if !ok {
		f, err := media.Probe(r.Context(), path)
		if err != nil {
			return err
		}
		if made, err = do(f, i); err != nil {
			return err
		}
		if len(v.drawn) >= mostDrawn {
			clear(v.drawn)
		}
		v.drawn[key] = made
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-cache") // the address does not identify the file
	w.Header().Set("ETag", `"`+sha256hex.Of(made)[:32]+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(made))
	return nil
}
