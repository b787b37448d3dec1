package caption

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/media"
	"omniscope/results"
)

// PageFile is the page that an investigation writes next to its report.
const PageFile = "index.html"

// IsFolder reports whether a folder holds the report of an investigation.
func IsFolder(dir string) bool {
	_, found := resultsIn(dir)
	return found
}

// WritePage writes the page of an investigation again, with a picture of each
// shot and the waveform of the sound, which need the clip.
func WritePage(ctx context.Context, dir, to string) error {
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		return err
	}
	r := new(detective.Report)
	if err := json.Unmarshal(text, r); err != nil {
		return &omniscope.Error{Kind: omniscope.Invalid, Op: filepath.Join(dir, "report.json"), Err: err}
	}
	clip := r.Clip.Path
	for _, path := range results.Places(dir, clip) {
		if ondisk.Exists(path) {
			clip = path
			break
		}
	}
	p, err := drawn(ctx, r, clip)
	if err != nil {
		return err
	}
	return outfile.Write(to, func(w io.Writer) error { return r.Page(w, addressFrom(filepath.Dir(to), clip), p) })
}

// drawn are the pictures of a clip, written into their addresses.
func drawn(ctx context.Context, r *detective.Report, clip string) (*detective.Pictures, error) {
	f, err := media.Probe(ctx, clip)
	if err != nil {
		return nil, err
	}
	shots := make(map[float64]string)
	p := &detective.Pictures{Shot: func(seconds float64) string { return shots[seconds] }}
	for _, at := range r.PictureTimes() {
		jpeg, err := media.Thumbnail(ctx, f, time.Duration(at*float64(time.Second)), 240)
		if err != nil {
			return nil, fmt.Errorf("picture at %.3f s: %w", at, err)
		}
		shots[at] = dataURL("image/jpeg", jpeg)
	}
	if f.Audio == nil || r.Modality == omniscope.Visual {
		return p, nil
	}
	peaks, err := media.Peaks(ctx, f, r.Clip.Span(), 800)
	if errors.Is(err, media.ErrNoAudio) {
		return p, nil
	}
	p.Wave = dataURL("image/svg+xml", []byte(detective.Wave(peaks)))
	return p, err
}

func dataURL(kind string, data []byte) string {
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)
}
