package media

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"omniscope"
)

// general are the options before all others: no questions, no progress, the
// log with its levels, and time stamps as they are in the file.
var general = []string{"-hide_banner", "-nostdin", "-nostats", "-loglevel", "level+info", "-copyts"}

// input are the options that open the file at a span of media time.
func (f *File) input(span omniscope.Span) []string {
	args := opening()
	if f.Audio != nil && f.renumbered() {
		span = omniscope.Span{} // what a time leads to is not known before it is decoded
	}
	if span.Start > 0 {
		args = append(args, "-ss", seconds(span.Start))
	}
	if span.End > 0 {
		args = append(args, "-t", seconds(span.End-span.Start))
	}
	return append(args, "-i", argument(f.Path))
}

// pickFilter passes the frames of a plan, in its size, and then through the
// filter that prints their time stamps. It goes by time stamps alone, rather than counting
// frames, so that it also works after a seek, and where the size of the picture
// changes: then ffmpeg makes new filters, and they forget what they counted.
func (f *File) pickFilter(stamp string, plan *Plan, pts []int64, t tones) string {
	return fmt.Sprintf("select='%s',%s%s,format=yuvj420p,%s",
		wanted(pts), f.crop, f.jpegScale(fmt.Sprintf("%d:%d", plan.Width, plan.Height), t), stamp)
}

// jpegScale is the filter that makes pictures of a size for JPEG, which has full
// range and the matrix of BT.601. Versions of ffmpeg round differently from one
// range to the other, so that is done by a table. ffmpeg computes 65,536 entries of each
// plane's table for every film, and rounds down and clips each of them itself.
func (f *File) jpegScale(size string, t tones) string {
	size += ":flags=bicubic+accurate_rnd"
	if f.Video.FullRange && !f.Video.HDR() {
		return t.scale(size, "out_color_matrix=bt601:out_range=pc")
	}
	return t.scale(size, "out_color_matrix=bt601:out_range=tv") + ",format=yuv420p," +
		"lutyuv=y=" + fullLuma + ":u=" + fullChroma + ":v=" + fullChroma + ",setrange=full"
}

// fullLuma and fullChroma are (val-16)*255/219 and (val-128)*255/224+128 with a half
// added for rounding (ITU-T T.871), in the fewest operations.
const (
	fullLuma   = "val*1.16438356164384-18.1301369863014"
	fullChroma = "val*1.13839285714286-17.2142857142857"
)

// wanted is the expression that is true for frames with one of some ascending
// time stamps, the first of equal ones. A sum with a term for each would be
// simpler, but ffmpeg takes no more than 100 terms.
func wanted(pts []int64) string {
	if len(pts) == 1 {
		return fmt.Sprintf("eq(pts,%d)*not(eq(prev_pts,%d))", pts[0], pts[0])
	}
	half := len(pts) / 2
	return fmt.Sprintf("if(lt(pts,%d),%s,%s)", pts[half], wanted(pts[:half]), wanted(pts[half:]))
}

// jpegOutput are the options of the output that carries picked frames.
func (f *File) jpegOutput(label string, quality, fd int) []string {
	return []string{"-map", "[" + label + "]", "-fps_mode", "passthrough", "-enc_time_base", f.Video.TimeBase.String(),
		"-c:v", "mjpeg", "-q:v", strconv.Itoa(quality), "-f", "image2pipe", pipe(fd)}
}

func pipe(fd int) string { return "pipe:" + strconv.Itoa(fd) }

// stamps gathers the time stamps that a filter prints, and hands them to who reads
// the frames: frames come through a pipe without their times. These come through
// a pipe of their own, each before its frame, or where there can be no more
// pipes, in the log. There, other lines may be mixed with them: ffmpeg 7 and
// later write several at a time.
type stamps struct {
	name  string
	marks []string // with which its lines of the log begin

	mu     sync.Mutex
	more   *sync.Cond // there is another time stamp, or one is waited for, or closed
	pts    []int64
	asked  bool // a frame waits for its time
	closed bool // no frame asks any more
}

func newStamps(name string) *stamps {
	// ffmpeg 6.0 leaves out the filter's kind.
	s := &stamps{name: name, marks: []string{"[showinfo@" + name + " @ ", "[" + name + " @ "}}
	s.more = sync.NewCond(&s.mu)
	return s
}

// filter passes frames on, after their time stamps went to a descriptor of
// ffmpeg, or to its log if that is 0.
func (s *stamps) filter(fd int) string {
	if fd == 0 {
		return "showinfo@" + s.name + "=checksum=0"
	}
	return fmt.Sprintf(`metadata=mode=add:key=t:value=1,metadata=mode=print:key=t:direct=1:file='pipe\:%d'`, fd)
}

// read reads the pipe of time stamps when a frame asks for its time: it was written before
// the frame, and to be woken for each costs more than to read it.
func (s *stamps) read(r io.Reader) error {
	defer s.close()
	return eachLine(func(line []byte) error {
		if bytes.HasPrefix(line, []byte("frame:")) {
			s.take(string(line))
		}
		return nil
	})(&askedReader{s, r})
}

// An askedReader reads a pipe of time stamps when one is asked for, and to its end once
// the stamps are closed.
type askedReader struct {
	stamps *stamps
	r      io.Reader
}

func (a *askedReader) Read(p []byte) (int, error) {
	if w, ok := a.r.(*watchedReader); ok {
		w.idle(a.stamps.waitAsked)
	} else {
		a.stamps.waitAsked()
	}
	return a.r.Read(p)
}

func (s *stamps) waitAsked() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.asked && !s.closed {
		s.more.Wait()
	}
}

// line takes a log line if it is of this filter.
func (s *stamps) line(text string) bool {
	if !slices.ContainsFunc(s.marks, func(mark string) bool { return strings.HasPrefix(text, mark) }) {
		return false
	}
	s.take(text)
	return true
}

// take takes a line with a time stamp. Others are about colours.
func (s *stamps) take(text string) {
	_, rest, ok := strings.Cut(text, " pts:")
	if !ok {
		return
	}
	field, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	if at, err := strconv.ParseInt(field, 10, 64); err == nil {
		s.mu.Lock()
		s.pts, s.asked = append(s.pts, at), false
		s.mu.Unlock()
		s.more.Broadcast()
	}
}

// stampPatience is how long a frame waits for the line with its time, which
// was written before it.
const stampPatience = 20 * time.Second

// next waits for the next time stamp; false means that no more will come, or
// that the lines of this ffmpeg have another form.
func (s *stamps) next() (int64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.pts) == 0 && !s.closed {
		late := time.AfterFunc(stampPatience, s.close)
		defer late.Stop()
		s.asked = true
		s.more.Broadcast()
	}
	for len(s.pts) == 0 && !s.closed {
		s.more.Wait()
	}
	if len(s.pts) == 0 {
		return 0, false
	}
	at := s.pts[0]
	s.pts = s.pts[1:]
	return at, true
}

// close ends all waiting.
func (s *stamps) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.more.Broadcast()
}

var errStamps = errors.New("ffmpeg sent a frame without telling its time")

const mostJPEG = 256 << 20 // bytes of one picture

// eachJPEG returns a reader that splits a stream of JPEGs and gives each to do.
func eachJPEG(do func([]byte) error) func(io.Reader) error {
	return func(r io.Reader) error {
		var pending []byte
		buffer := make([]byte, 1<<16)
		searched := 0
		for {
			n, err := r.Read(buffer)
			if pending = append(pending, buffer[:n]...); len(pending) > mostJPEG {
				return fmt.Errorf("ffmpeg sends more than %d bytes without the end of a picture", mostJPEG)
			}
			for {
				// ffmpeg writes no thumbnails, and in the coded data a zero
				// follows each 0xFF: the end mark ends the picture.
				i := bytes.Index(pending[searched:], []byte{0xFF, 0xD9})
				if i < 0 {
					searched = max(0, len(pending)-1)
					break
				}
				end := searched + i + 2
				if err := do(bytes.Clone(pending[:end])); err != nil {
					return err
				}
				pending, searched = pending[:copy(pending, pending[end:])], 0
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
}

// notice turns what ffmpeg complained of into warnings: its errors, and those
// of its own warnings that are about a damaged file. The rest is about its
// options, or said of every file.
func (f *File) notice(log *runLog) []string {
	log.others = f.otherCodecs()
	warnings := log.complaints("error", "fatal")
	for _, text := range log.complaints("warning") {
		if f.Format == "wav" || f.Format == "w64" {
			break // they are about the size that the header promises: see endsEarly
		}
		for _, sign := range []string{"prematurely", "partial", "truncat", "corrupt", "invalid", "missing"} {
			if strings.Contains(strings.ToLower(text), sign) {
				warnings = append(warnings, text)
				break
			}
		}
	}
	return warnings
}
