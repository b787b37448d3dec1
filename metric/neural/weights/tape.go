package weights

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Limits of a pickle. That of a model of 400 tensors has 60 KB and 12 thousand
// operations; what these allow takes about a quarter of a gigabyte.
const (
	maxPickle = 64 << 20 // bytes
	maxText   = 1 << 20  // bytes of one string
	maxLine   = 4096     // bytes of one line of the textual protocol
	maxSteps  = 1 << 20  // operations, and what they copy
)

// A tape is a stream of bytes that counts them.
type tape struct {
	in *bufio.Reader
	at int64 // bytes that have been read
	// end is where the present pickle has become too long.
	end int64
}

func newTape(in io.Reader) *tape { return &tape{in: bufio.NewReaderSize(in, 1<<16), end: maxPickle} }

var errCut = errors.New("the file was cut off or is damaged, get it again")

func (t *tape) byte() (byte, error) {
	if t.at >= t.end {
		return 0, tooLong("bytes", maxPickle)
	}
	b, err := t.in.ReadByte()
	if err != nil {
		return 0, cut(err)
	}
	t.at++
	return b, nil
}

// bytes returns the next n bytes.
func (t *tape) bytes(n uint64) ([]byte, error) {
	if n > maxText {
		return nil, tooLong("bytes in one string", maxText)
	}
	if t.at+int64(n) > t.end {
		return nil, tooLong("bytes", maxPickle)
	}
	b := make([]byte, n)
	read, err := io.ReadFull(t.in, b)
	t.at += int64(read)
	return b, cut(err)
}

// number returns an unsigned number of 1 to 8 bytes, little-endian.
func (t *tape) number(size int) (uint64, error) {
	var b [8]byte
	for i := range size {
		var err error
		if b[i], err = t.byte(); err != nil {
			return 0, err
		}
	}
	return binary.LittleEndian.Uint64(b[:]), nil
}

// counted returns bytes that follow their number, which has size bytes.
func (t *tape) counted(size int) ([]byte, error) {
	n, err := t.number(size)
	if err != nil {
		return nil, err
	}
	return t.bytes(n)
}

// line returns the bytes up to the next line feed.
func (t *tape) line() (string, error) {
	var line []byte
	for len(line) <= maxLine {
		b, err := t.byte()
		if err != nil {
			return "", err
		}
		if b == '\n' {
			return string(line), nil
		}
		line = append(line, b)
	}
	return "", tooLong("bytes in one line", maxLine)
}

// skip passes over n bytes.
func (t *tape) skip(n int64) error {
	for n > 0 {
		step := min(n, 1<<30)
		done, err := t.in.Discard(int(step))
		t.at += int64(done)
		if err != nil {
			return cut(err)
		}
		n -= step
	}
	return nil
}

func cut(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errCut
	}
	return err
}

func tooLong(what string, most int) error {
	return fmt.Errorf("it has more than %d %s, which no file of weights needs", most, what)
}
