// Package proxy makes, ahead of time, what a page needs to show a film or a sound exactly
// and at once, and keeps it in a folder:
//
//	DIR/DIGEST/           of a file whose bytes have this SHA-256
//	  prepared.json       what is there, with sizes and checksums
//	  proxy.mp4           the film: H.264 without B frames, a key frame each second
//	  proxy.m4a           or the sound, where there is no film
//	  muted.mp4           the film without its sound, if that was asked for
//	  times.bin           presentation times of the frames of proxy.mp4
//	  peaks.bin           the sound's waveform
//	  shots.json          shots, and shot-N.jpg, a small picture of each
//	DIR/paths/            which digest a path had when it was prepared
//	DIR/locks/            one for each digest that is or was being prepared
//	DIR/partial/          what is being made
//
// Times are seconds on the player's time line, which are media time as package media
// counts it: zero is the start of the file. Prepared.Offset leads to the time stamps in
// the file.
//
// Several processes may use one folder. A folder appears under its digest only when it is
// complete; the next process removes what a killed one left. Nothing else is removed: to free
// the disk, delete folders.
//
// The package serves nothing. PlayerJS is the part of a page that plays all this.
package proxy

import (
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"omniscope"
	"omniscope/internal/visible"
	"omniscope/media"
)

// PlayerJS is a script that defines makePlayer, which its first comment describes.
//
//go:embed player.js
var PlayerJS string

// Names of the files of a prepared file.
const (
	FilmFile  = "proxy.mp4"
	SoundFile = "proxy.m4a"
	MutedFile = "muted.mp4"
	TimesFile = "times.bin" // float64, little-endian: the time in seconds at which each frame appears
	PeaksFile = "peaks.bin" // a byte for each 1/PeaksPerSecond: the largest amplitude of any channel, 255 being full scale
	shotsFile = "shots.json"

	recordFile = "prepared.json"
)

// version is that of what is made. Another one has all made anew.
const version = 2

// errChanged is in the chain of errors about a file that is not the one that was
// prepared.
var errChanged = errors.New("the file has changed since it was prepared")

// Prepared says what is there of a file. Its fields are not to be changed.
type Prepared struct {
	Folder string `json:"-"`
	Source string `json:"-"` // the file's path

	Version int     `json:"version"`
	Digest  string  `json:"digest"` // SHA-256 of the file's bytes, in hex
	Film    bool    `json:"film"`   // it has a picture
	Sound   bool    `json:"sound"`  // it has a sound track
	Seconds float64 `json:"seconds"`

	// Offset is what the time stamps in the file are ahead of the player's time line, in
	// seconds.
	Offset float64 `json:"offset"`

	// Of a film. Width and Height are those of the proxy, FrameRate is as the file
	// declares it.
	Frames    int            `json:"frames,omitempty"`
	Width     int            `json:"width,omitempty"`
	Height    int            `json:"height,omitempty"`
	FrameRate media.Rational `json:"frame_rate,omitzero"`

	// Exact says that each frame of the file is in the proxy at its own time. It is not so
	// where frames are damaged, or have no time in the file.
	Exact    bool     `json:"exact"`
	Warnings []string `json:"warnings,omitempty"`

	Files map[string]file `json:"files"` // by name

	identity identity
	mu       sync.Mutex
	file     *media.File // of the source, once it was needed
}

// A file is a file in the folder, as it was when it was made.
type file struct {
	Bytes int64  `json:"bytes"`
	Sum   uint32 `json:"crc32c"`
}

// Tag names what is there, for addresses: the digest of the file and a checksum of all that was made
// of it. What another program made of the same file has another tag.
func (p *Prepared) Tag() string {
	var files strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		fmt.Fprintf(&files, "%s %d %d\n", name, p.Files[name].Bytes, p.Files[name].Sum)
	}
	return fmt.Sprintf("%s-%08x", p.Digest, crc32.Checksum([]byte(files.String()), castagnoli))
}

// Usable reports whether the file is still the one that was prepared, and what was made of it is
// there. A file that has gone may have come from a disk that is away: what was made of it stays usable.
func (p *Prepared) Usable() bool {
	if now, err := identify(p.Source); err == nil && now != p.identity {
		return false
	}
	_, err := os.Stat(p.Path(p.Player()))
	return err == nil
}

// Path is where a file of this name is; "" if there is none, such as a film of a sound.
func (p *Prepared) Path(name string) string {
	if _, ok := p.Files[name]; !ok {
		return ""
	}
	return filepath.Join(p.Folder, name)
}

// Player is the name of the file that a page plays.
func (p *Prepared) Player() string {
	if p.Film {
		return FilmFile
	}
	return SoundFile
}

// Times reads the times in seconds at which the frames appear, none of a sound.
func (p *Prepared) Times() ([]float64, error) {
	data, err := p.read(TimesFile)
	times := make([]float64, len(data)/8)
	for i := range times {
		times[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return times, err
}

// Peaks reads the waveform, none of a film without sound.
func (p *Prepared) Peaks() ([]byte, error) { return p.read(PeaksFile) }

// Shots reads the shots, none of a sound.
func (p *Prepared) Shots() ([]Shot, error) {
	data, err := p.read(shotsFile)
	var shots []Shot
	if err == nil && data != nil {
		err = json.Unmarshal(data, &shots)
	}
	return shots, err
}

func (p *Prepared) read(name string) ([]byte, error) {
	if p.Path(name) == "" {
		return nil, nil
	}
	data, err := os.ReadFile(p.Path(name))
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Internal, Op: "read what was prepared", Err: err}
	}
	return data, nil
}

// Frame is the picture of a frame of the proxy, as JPEG and in full size, from the file
// itself: for browsers that cannot show it. The first call reads the file without decoding
// it, which takes a second for a gigabyte; later ones remember.
func (p *Prepared) Frame(ctx context.Context, number int) ([]byte, error) {
	if !p.Film {
		return nil, problem(omniscope.Invalid, p.Source, errors.New("it has no picture"))
	}
	if number < 0 || number >= p.Frames {
		return nil, problem(omniscope.Usage, p.Source, fmt.Errorf("there is no frame %d: they go from 0 to %d", number, p.Frames-1))
	}
	times, err := p.Times()
	if err != nil {
		return nil, err
	}
	f, err := p.source(ctx)
	if err != nil {
		return nil, err
	}
	width, height := f.Video.ShownSize(0)
	sampled, err := media.FramesAt(ctx, f, media.Policy{Width: width, Height: height, Quality: 2}, durations(middle(times, number)), "")
	if err != nil {
		return nil, err
	}
	if len(sampled.Frames) == 0 {
		return nil, problem(omniscope.Invalid, p.Source, fmt.Errorf("frame %d cannot be decoded: %v", number, sampled.Warnings))
	}
	return sampled.Frames[0].Bytes()
}

// source is the file itself, if it still is the one that was prepared.
func (p *Prepared) source(ctx context.Context) (*media.File, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, err := identify(p.Source)
	if err != nil {
		return nil, err
	}
	if now != p.identity {
		return nil, changed(p.Source)
	}
	if p.file != nil {
		return p.file, nil
	}
	f, err := media.Probe(ctx, p.Source)
	if err != nil {
		return nil, err
	}
	if _, err := f.Timeline(ctx); err != nil && ctx.Err() == nil { // frames without times: only the proxy has them
		f, err = media.Probe(ctx, p.Path(FilmFile))
		if err != nil {
			return nil, err
		}
	}
	p.file = f
	return f, ctx.Err()
}

// middle is the time half-way through a frame. Rounding cannot make it another frame's.
func middle(times []float64, number int) float64 {
	if number+1 < len(times) {
		return (times[number] + times[number+1]) / 2
	}
	return times[number] + 1e-4
}

func problem(kind omniscope.Kind, path string, err error) error {
	return &omniscope.Error{Kind: kind, Op: "prepare " + visible.Blank(path), Err: err}
}

func changed(path string) error {
	return problem(omniscope.Invalid, path, fmt.Errorf("%w: put the old file back, or prepare it again as another one", errChanged))
}
