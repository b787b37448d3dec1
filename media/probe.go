package media

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"omniscope"
)

// Patience with ffprobe: it reads a file once without decoding it, so that it
// may need longer for larger ones, but not without end.
const (
	probeTimeout     = 30 * time.Second
	probeBytesPerSec = 10 << 20
	probeOutputBytes = 16 << 20
)

// Probe says what a file holds. It reads the whole file, without decoding it,
// to count its packets.
//
// A file that is not there is an error of kind NotFound; one that is empty, no
// regular file, no media, or media without a picture and sound, of kind
// Invalid; so is one that keeps ffprobe busy for more than half a minute and a
// second for each 10 MB. A file that ends before its header says is no error
// but a warning.
func Probe(ctx context.Context, path string) (*File, error) {
	bytes, err := checkRegular(path)
	if err != nil {
		return nil, err
	}
	if f := (&File{Path: path}); f.ReadDirect() {
		return f, nil
	}
	return probeByProgram(ctx, path, bytes)
}

func probeByProgram(ctx context.Context, path string, bytes int64) (*File, error) {
	timeout := probeTimeout + time.Duration(bytes/probeBytesPerSec)*time.Second
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	found, log, err := ffprobe(limited, path)
	if err != nil {
		if limited.Err() != nil && ctx.Err() == nil {
			return nil, invalid(path, fmt.Errorf("ffprobe made nothing of it in %v", timeout))
		}
		return nil, explained(path, err)
	}
	f, err := found.file(path, bytes)
	if err != nil {
		return nil, err
	}
	log.others = f.otherCodecs()
	f.Warnings = append(f.Warnings, log.complaints("error", "fatal")...)
	f.Warnings = append(f.Warnings, f.endsEarly()...)
	return f, nil
}

// checkRegular returns the size of a file that can be probed: to open a named
// pipe could wait for ever.
func checkRegular(path string) (bytes int64, err error) {
	if path == "" {
		return 0, &omniscope.Error{Kind: omniscope.Usage, Op: "probe", Err: errors.New("no file named")}
	}
	if strings.ContainsRune(path, 0) {
		return 0, invalid(path, errors.New("a zero byte in the file's name"))
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return 0, readError(path, err)
	case info.IsDir():
		return 0, invalid(path, errors.New("a folder, not a media file"))
	case !info.Mode().IsRegular():
		return 0, invalid(path, errors.New("not a regular file: copy it to the disk first"))
	case info.Size() == 0:
		return 0, invalid(path, errors.New("the file is empty: it has zero bytes"))
	}
	return info.Size(), nil
}

func invalid(path string, err error) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "probe " + shown(path), Err: err}
}

// explained says in plain words what ffprobe's complaint means.
func explained(path string, err error) error {
	var e *omniscope.Error
	if !errors.As(err, &e) || e.Kind != omniscope.Invalid {
		return err
	}
	why := e.Err.Error()
	switch {
	case strings.Contains(why, "moov atom not found") && beginsAsMP4(path):
		why = "an MP4 file without its index (moov): it is cut off, or its recording was never finished"
	case strings.Contains(why, "error reading header"), strings.Contains(why, "contradictionary"):
		why = "its header cannot be read: the file is cut off or damaged"
	case strings.Contains(why, "Invalid data found") && listOf(beginning(path)) != "":
		why = whyNotOpened(path, listOf(beginning(path)))
	case strings.Contains(why, "Invalid data found"):
		why = "not media, or damaged from its start: " + looksLike(path)
	case strings.Contains(why, "Permission denied"):
		return &omniscope.Error{Kind: omniscope.Denied, Op: e.Op, Err: e.Err}
	}
	return invalid(path, errors.New(why))
}

// beginsAsMP4 reports whether a file begins with a box of an MP4 file: by its
// name alone ffprobe takes any file for one.
func beginsAsMP4(path string) bool {
	head := beginning(path)
	return len(head) > 8 && slices.Contains([]string{"ftyp", "mdat", "free", "skip", "wide", "moov"}, string(head[4:8]))
}

// bytesHave reports whether the beginning of a file contains a mark.
func bytesHave(path, mark string) bool { return bytes.Contains(beginning(path), []byte(mark)) }

// beginning returns up to 512 bytes, none if the file cannot be read.
func beginning(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head)
	return head[:n]
}

// looksLike says what the first bytes of a file are, for those who gave a file
// a wrong name.
func looksLike(path string) string {
	head := beginning(path)
	for _, known := range []struct{ start, what string }{
		{"PK\x03\x04", "a ZIP archive"}, {"%PDF", "a PDF document"}, {"\x1f\x8b", "a gzip archive"},
		{"SQLite format 3", "an SQLite database"}, {"\x7fELF", "a program"}, {"version https://git-lfs", "a Git LFS pointer: fetch the file itself with git lfs pull"},
		{"<", "a web page or XML"}, {"{", "JSON"},
	} {
		if bytes.HasPrefix(head, []byte(known.start)) {
			return "it looks like " + known.what
		}
	}
	if !bytes.ContainsFunc(head, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == '\uFFFD' }) {
		return "it looks like text"
	}
	return "ffprobe finds nothing in it that it knows"
}

// A probed document is ffprobe's JSON, as far as it is asked for. Names and
// other free text are left out: they need not be UTF-8.
type probed struct {
	tracks    map[int]*track // by the number of their stream
	estimated bool           // durations are guesses by the bit rate

	Streams []probedStream `json:"streams"`
	Format  struct {
		Name     string `json:"format_name"`
		Start    string `json:"start_time"`
		Duration string `json:"duration"`
	} `json:"format"`
}

type probedStream struct {
	Index       int    `json:"index"`
	Codec       string `json:"codec_name"`
	Kind        string `json:"codec_type"`
	Width       int    `json:"width"`
	Height      int    `json:"height"`
	Aspect      string `json:"sample_aspect_ratio"`
	Average     string `json:"avg_frame_rate"`
	Transfer    string `json:"color_transfer"`
	Range       string `json:"color_range"`
	Pixels      string `json:"pix_fmt"`
	Frames      string `json:"nb_frames"` // by the header
	TimeBase    string `json:"time_base"`
	StartPTS    *int64 `json:"start_pts"`
	DurationPTS int64  `json:"duration_ts"`
	SampleRate  string `json:"sample_rate"`
	Channels    int    `json:"channels"`
	Disposition struct {
		Default int `json:"default"`
		Cover   int `json:"attached_pic"`
	} `json:"disposition"`
	Tags struct {
		Language string `json:"language"`
	} `json:"tags"`
	SideData []struct {
		Rotation float64 `json:"rotation"`
	} `json:"side_data_list"`
}

const probedEntries = packetEntries + ":format=format_name,start_time,duration:" +
	"stream=index,codec_name,codec_type,width,height,sample_aspect_ratio,avg_frame_rate,color_transfer,color_range,pix_fmt,time_base,start_pts,duration_ts,sample_rate,channels,nb_frames:" +
	"stream_disposition=default,attached_pic:stream_tags=language:stream_side_data=rotation"

func ffprobe(ctx context.Context, path string) (*probed, *runLog, error) {
	found := &probed{}
	packets := &packetReader{tracks: make(map[int]*track)}
	p := program{
		name: "ffprobe", path: path,
		args: slices.Concat([]string{"-loglevel", "level+warning"}, opening(),
			[]string{"-of", "json=compact=1", "-show_entries", probedEntries, "-i", argument(path)}),
		readers: []func(io.Reader) error{packets.read},
		line: func(text string) bool {
			found.estimated = found.estimated || strings.Contains(text, "Estimating duration from bitrate")
			return strings.Contains(text, "[warning]")
		},
	}
	log, err := p.run(ctx)
	if err != nil {
		return nil, log, err
	}
	if err := json.Unmarshal(packets.rest.Bytes(), found); err != nil {
		return nil, log, &omniscope.Error{Kind: omniscope.Internal, Op: "read what ffprobe says of " + shown(path), Err: err}
	}
	found.tracks = packets.tracks
	return found, log, nil
}

// file makes a File of what ffprobe found.
func (p *probed) file(path string, bytes int64) (*File, error) {
	f := &File{Path: path, Format: p.Format.Name, Bytes: bytes}
	if !p.estimated {
		f.Duration, _ = parseSeconds(p.Format.Duration)
	}
	for i := range p.Streams {
		f.Streams = append(f.Streams, p.measured(&p.Streams[i]))
	}
	f.choose()
	f.noticeEmptyChunks()
	if share := promisedShare(path, bytes); f.Audio != nil && share < 1 && f.Audio.Promised <= f.Audio.Duration {
		f.Audio.Promised = time.Duration(float64(f.Audio.Duration) / share)
	}
	if v := f.Video; v != nil && v.Duration == 0 && v.FrameRate.Known() {
		v.Duration = v.lasting(v.Packets) // a raw stream without times: ffmpeg shows it at this rate
	}
	if err := f.checkStreams(); err != nil {
		return nil, err
	}
	f.Start, _ = parseSeconds(p.Format.Start)
	if p.Format.Start == "" || p.Format.Start == "N/A" {
		f.Start = f.earliest()
	}
	if err := f.checkTimes(); err != nil {
		return nil, err
	}
	if f.Video != nil {
		f.packets = p.tracks[f.Video.Index]
	}
	return f, nil
}

// measured describes a stream by its header and its packets.
func (p *probed) measured(of *probedStream) Stream {
	s := of.stream()
	if p.estimated {
		s.Duration = 0
	}
	if t := p.tracks[s.Index]; t != nil {
		t.measure(&s)
	}
	if p.Format.Name == "avi" && s.Kind == Video && s.FrameRate.Known() {
		// ffprobe takes the length from the packets that are there.
		frames, _ := strconv.ParseInt(of.Frames, 10, 64)
		s.Promised = s.lasting(frames)
	}
	return s
}

// lasting is how long frames are shown at the stream's rate.
func (s *Stream) lasting(frames int64) time.Duration {
	return durationOf(frames*s.FrameRate.Den, Rational{1, s.FrameRate.Num})
}

// checkStreams refuses files without a picture or sound that can be decoded, and warns of sound that cannot.
func (f *File) checkStreams() error {
	channels := f.tooManyChannels()
	switch {
	case len(f.Streams) > 0 && !slices.ContainsFunc(f.Streams, func(s Stream) bool { return s.Packets > 0 }):
		return invalid(f.Path, fmt.Errorf("a file of format %s without packets in its streams: it is cut off or damaged", f.Format))
	case f.Video != nil && channels != "":
		f.Warnings = append(f.Warnings, channels)
	case f.Video != nil:
	case channels != "":
		return invalid(f.Path, errors.New(channels))
	case f.Format == "webp_pipe" && bytesHave(f.Path, "ANIM"):
		return invalid(f.Path, errors.New("an animated WebP, which this ffmpeg does not decode: convert it to MP4 or GIF with another program"))
	case f.Audio == nil:
		return invalid(f.Path, fmt.Errorf("a file of format %s without video and audio: nothing to look at or listen to", f.Format))
	}
	return nil
}

// checkTimes refuses films with times that begin again: no time would name one
// frame. Sound alone is counted on its samples.
func (f *File) checkTimes() error {
	if f.Audio != nil && f.Audio.crowded {
		f.Warnings = append(f.Warnings, "the times of its sound have too little room for its samples: they are heard one after the other")
	}
	for _, s := range []*Stream{f.Video, f.Audio} {
		if s == nil || s.BackAt == 0 {
			continue
		}
		if f.Video != nil {
			return invalid(f.Path, fmt.Errorf("the times of its %s begin again at packet %d: the file holds several recordings. Join them in one clock, as with: ffmpeg -i FILE -c copy joined.mkv", s.Kind, s.BackAt))
		}
		f.Warnings = append(f.Warnings, fmt.Sprintf("its times begin again at packet %d: the file holds several recordings, which are heard one after the other", s.BackAt))
		f.Duration = 0
	}
	return nil
}

// earliest returns the first start of the chosen streams.
func (f *File) earliest() time.Duration {
	switch {
	case f.Video == nil:
		return f.Audio.Start
	case f.Audio == nil:
		return f.Video.Start
	}
	return min(f.Video.Start, f.Audio.Start)
}

func (p *probedStream) stream() Stream {
	s := Stream{
		Index: p.Index, Kind: Kind(p.Kind), Codec: p.Codec, Width: p.Width, Height: p.Height, Channels: p.Channels,
		Default: p.Disposition.Default != 0, Cover: p.Disposition.Cover != 0, Language: language(p.Tags.Language),
	}
	s.FullRange = p.Range == "pc" || strings.HasPrefix(p.Pixels, "yuvj")
	if p.Transfer != "unknown" {
		s.Transfer = printable(p.Transfer, 40)
	}
	s.FrameRate, _ = parseRational(p.Average, "/")
	s.PixelForm, _ = parseRational(p.Aspect, ":")
	s.TimeBase, _ = parseRational(p.TimeBase, "/")
	s.SampleRate, _ = strconv.Atoi(p.SampleRate)
	if p.StartPTS != nil {
		s.Start = durationOf(*p.StartPTS, s.TimeBase)
	}
	s.startless = p.StartPTS == nil
	s.Duration = durationOf(p.DurationPTS, s.TimeBase)
	for _, d := range p.SideData {
		// The matrix turns counterclockwise, as ffprobe counts.
		if turns := int(-d.Rotation/90+400.5) % 4; turns != 0 {
			s.Rotation = turns * 90
		}
	}
	if s.Rotation%180 != 0 {
		s.Width, s.Height = s.Height, s.Width
	}
	return s
}

// language leaves out what stands for "not known".
func language(tag string) string {
	if tag == "und" {
		return ""
	}
	return printable(tag, 40)
}
