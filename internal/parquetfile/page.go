package parquetfile

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Types of pages.
const (
	dataPage       = 0
	dictionaryPage = 2
	dataPageV2     = 3
)

// A pageHeader stands in front of each page.
type pageHeader struct {
	kind                 int
	unpacked             int64 // bytes, levels of version 2 included
	packed               int64
	crc                  uint32
	checked              bool // there is a crc
	values               int64
	encoding             int
	defLevels, repLevels int // how the levels are encoded, which means nothing without levels
	defBytes             int64
	repBytes             int64
	isPacked             bool
}

func (t *thrift) pageHeader() (h pageHeader) {
	h.isPacked, h.defLevels, h.repLevels = true, runLength, runLength
	t.fields(func(id int, kind byte) {
		switch {
		case kind == thriftStruct && (id == 5 || id == 7 || id == 8):
			t.pageValues(id, &h)
		case kind < thriftI16 || kind > thriftI64:
			t.skip(kind)
		default:
			switch v := t.int(); id {
			case 1:
				h.kind = int(v)
			case 2:
				h.unpacked = v
			case 3:
				h.packed = v
			case 4:
				h.crc, h.checked = uint32(v), true
			}
		}
	})
	return h
}

// pageValues reads the header of a data page (5), of a dictionary (7), or of a data page of version 2 (8).
func (t *thrift) pageValues(of int, h *pageHeader) {
	numbers := [9]int64{} // by the id of their field
	if of == 5 {
		numbers[3], numbers[4] = runLength, runLength
	}
	t.fields(func(id int, kind byte) {
		if of == 8 && id == 7 {
			h.isPacked = kind == thriftTrue
		}
		if kind < thriftI16 || kind > thriftI64 {
			t.skip(kind)
		} else if n := t.int(); id > 0 && id < len(numbers) {
			numbers[id] = n
		}
	})
	h.values = numbers[1]
	switch of {
	case 5:
		h.encoding, h.defLevels, h.repLevels = int(numbers[2]), int(numbers[3]), int(numbers[4])
	case 7:
		h.encoding = int(numbers[2])
	case 8:
		h.encoding, h.defBytes, h.repBytes = int(numbers[4]), numbers[5], numbers[6]
	}
}

// readPageHeader reads a header, which may hold the least and the largest value of its page and so be long, and says where the
// page begins.
func (r *reader) readPageHeader(at int64) (h pageHeader, start int64, err error) {
	for _, most := range []int64{1 << 10, 1 << 16, 1 << 24} {
		head := make([]byte, max(0, min(most, r.size-at)))
		if err := readAt(r.file, head, at); err != nil {
			return h, 0, err
		}
		t := &thrift{from: head}
		h, start = t.pageHeader(), at+int64(t.at)
		if err = t.err; !errors.Is(err, errShort) || int64(len(head)) < most {
			break
		}
	}
	if err != nil {
		return h, 0, err
	}
	if min(h.packed, h.unpacked, h.values, h.defBytes, h.repBytes) < 0 || h.values > mostPageValues {
		return h, 0, errWrong
	}
	if h.packed > r.size-start || h.defBytes > h.packed || h.repBytes > h.packed-h.defBytes || h.defBytes+h.repBytes > h.unpacked {
		return h, 0, errors.New("a page is longer than the file")
	}
	return h, start, nil
}

// readPage reads a page and unpacks it into buf, which is grown as far as what is held altogether allows.
func (r *reader) readPage(h pageHeader, start int64, codec int, buf []byte) ([]byte, error) {
	if r.unpacked += h.unpacked; r.unpacked > r.limits.Size {
		return buf, errSize
	}
	packed, err := r.grow(r.packed, h.packed)
	if err != nil {
		return buf, err
	}
	r.packed = packed
	if err := readAt(r.file, packed, start); err != nil {
		return buf, err
	}
	if h.checked && crc32.ChecksumIEEE(packed) != h.crc {
		return buf, errors.New("its checksum is another")
	}
	if buf, err = r.grow(buf, h.unpacked); err != nil {
		return buf, err
	}
	levels := h.defBytes + h.repBytes // they are never packed
	copy(buf, packed[:levels])
	if !h.isPacked {
		codec = 0
	}
	if err := r.unpack(codec, buf[levels:], packed[levels:]); err != nil {
		return buf, fmt.Errorf("cannot be unpacked: %w", err)
	}
	return buf, nil
}

// grow makes a buffer that holds n bytes of the one that is there, or in place of it.
func (r *reader) grow(buf []byte, n int64) ([]byte, error) {
	if n <= int64(cap(buf)) {
		return buf[:n], nil
	}
	if err := r.hold(n - int64(cap(buf))); err != nil {
		return buf, err
	}
	return make([]byte, n), nil
}

// hold counts bytes that are held until release gives them back.
func (r *reader) hold(n int64) error {
	if n > r.left {
		return errHeld
	}
	r.left -= n
	return nil
}

func (r *reader) release(n int64) { r.left += n }

var (
	errHeld   = errors.New("its pages are too large")
	errSize   = errors.New("it is too large")
	errLonger = errors.New("it is longer or shorter than it says")
)

// unpack fills to with what from holds, and never writes beyond it.
func (r *reader) unpack(codec int, to, from []byte) error {
	if len(to) == 0 {
		return nil
	}
	switch codec {
	case 0:
		if copy(to, from) != len(to) || len(from) != len(to) {
			return errLonger
		}
		return nil
	case 1:
		return unpackSnappy(to, from)
	case 2:
		unpacked, err := gzip.NewReader(bytes.NewReader(from))
		if err != nil {
			return err
		}
		return fill(to, unpacked)
	case 4:
		return fill(to, brotli.NewReader(bytes.NewReader(from)))
	case 6:
		return r.unpackZstandard(to, from)
	case 7:
		n, err := lz4.UncompressBlock(from, to)
		if err == nil && n != len(to) {
			err = errLonger
		}
		return err
	}
	name := cmp.Or(map[int]string{3: "LZO", 5: "the old form of LZ4"}[codec], fmt.Sprintf("the method %d", codec))
	return fmt.Errorf("it is packed by %s: write it with compression zstd, snappy, gzip, brotli or lz4_raw", name)
}

func unpackSnappy(to, from []byte) error {
	if n, err := snappy.DecodedLen(from); err != nil || n != len(to) {
		return errors.Join(err, errLonger)
	}
	_, err := snappy.Decode(to, from)
	return err
}

func (r *reader) unpackZstandard(to, from []byte) error {
	if r.zstandard == nil {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			return err
		}
		r.zstandard = d
	}
	out, err := r.zstandard.DecodeAll(from, to[:0:len(to)])
	if err == nil && len(out) != len(to) {
		err = errLonger
	}
	return err
}

// fill reads exactly as many bytes as fit.
func fill(to []byte, from io.Reader) error {
	if _, err := io.ReadFull(from, to); err != nil {
		return err
	}
	if n, err := io.ReadFull(from, make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) {
		return errLonger
	}
	return nil
}
