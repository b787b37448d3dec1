package pcm

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"omniscope/internal/testing/fixture"
)

// smallFLAC has 5 frames of 16 samples of two channels: 16 kHz, 16 bits.
const smallFLAC = "ZkxhQ4AAACIAEAAQAAA3AAA8A+gC8AAAAFC6BL/58H3XRED+NAKSgz+0//hliAAP00797gSsBW39EABaA4P+0Pfd58jsMiC8HCZs7Jy7Yx2JgQFUDPv7jxcLlRrWkHkgAAAAsPL/+GWIAQ/GTgYt+CX5kADVAC36bgKCAO3nQbCv64eD8E/R3wyeZ3udAVnIpmmV6dLSCYOtoNgAAAA20//4ZYgCD/lOA/L4ZAEq+Yb+o/i7/d34ROch+yRLqUTz9ua/JoOSuz6BXrbKi4woaRzFzMnXtAAAAAsk//hliAMP7E7/E/kG+fgE7gcg/Y/67/tR5zCEp1+04AhIFfxLo3K7C4F7CptrrIpNWSN5dS5oAAAAABC8//hliAQPh0r7tQHN+8j4fv/N/uvn5PE/r2ttZ4r73h/gV1pdC3zBealMw0SNTkFBd4AAAABQlg=="

func write(t testing.TB, content []byte) string {
	path := filepath.Join(t.TempDir(), "sound")
	fixture.OK(t, os.WriteFile(path, content, 0o600))
	return path
}

// FuzzOpen wants no file to panic, to take much memory, or to give another number
// of samples than it has.
func FuzzOpen(f *testing.F) {
	flac, err := base64.StdEncoding.DecodeString(smallFLAC)
	fixture.OK(f, err)
	f.Add(flac)
	f.Add([]byte("RIFF\x2c\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00data\x08\x00\x00\x00\x01\x02\x03\x04\x05\x06\x07\x08"))
	f.Add([]byte("RIFF\x2c\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x03\x00\x02\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x08\x00\x20\x00data\x08\x00\x00\x00\x01\x02\x03\x04\x05\x06\x07\x08LIST\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		p, err := open(bytes.NewReader(content), int64(len(content)))
		if err != nil || p.Check() != nil || !p.HasMono(p.Rate) {
			return
		}
		var pcm bytes.Buffer
		if err := p.Mono(context.Background(), 0, 0, &pcm); err != nil {
			if err != ErrOther || pcm.Len() > 0 {
				t.Errorf("%v after %d bytes", err, pcm.Len())
			}
			return
		}
		if int64(pcm.Len()) != 2*p.Frames {
			t.Errorf("%d bytes, want %d samples", pcm.Len(), p.Frames)
		}
	})
}

// A small file may promise much.
func TestHostileSizesTakeNoMemory(t *testing.T) {
	flac, err := base64.StdEncoding.DecodeString(smallFLAC)
	fixture.OK(t, err)
	long := bytes.Clone(flac)
	copy(long[21:], "\x03\xff\xff\xff\xff") // the number of samples
	metadata := append(bytes.Clone(flac[:4]), 0x04, 0xff, 0xff, 0xff)
	for name, content := range map[string][]byte{
		"samples of FLAC":  long,
		"metadata of FLAC": append(metadata, flac[4:]...),
		"chunk of WAV":     []byte("RIFF\xff\xff\xff\xffWAVELIST\xff\xff\xff\xfffmt \x10\x00\x00\x00"),
		"data of WAV":      []byte("RIFF\xff\xff\xff\x7fWAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00data\xf0\xff\xff\x7f\x01\x02"),
	} {
		path := write(t, content)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if p, err := Open(path); err == nil {
			if p.Check() == nil {
				t.Errorf("%s: read", name)
			}
			_ = p.Close()
		}
		runtime.ReadMemStats(&after)
		if bytes, most := after.TotalAlloc-before.TotalAlloc, uint64(1<<20); bytes > most {
			t.Errorf("%s: %d bytes, want at most %d", name, bytes, most)
		}
	}
}

func TestRounding(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want int16
		ok   bool
	}{
		{0.5, 0, true}, {1.5, 2, true}, {-0.5, 0, true}, {-1.5, -2, true}, {40000, math.MaxInt16, true}, {-40000, math.MinInt16, true},
		{3e9, math.MaxInt16, false}, {math.Inf(-1), math.MinInt16, false},
	} {
		if got, ok := round16(c.v); got != c.want || ok != c.ok {
			t.Errorf("%v: %d, %v, want %d, %v", c.v, got, ok, c.want, c.ok)
		}
	}
	if _, ok := round16(math.NaN()); ok {
		t.Error("NaN has a sample")
	}
}

// The values are from the tables of G.711, 16 bits wide.
func TestCompandedCodes(t *testing.T) {
	for code, want := range map[byte]int16{0x55: -8, 0xd5: 8, 0x2a: -32256, 0xaa: 32256, 0x80: 5504, 0x00: -5504} {
		if got := aLaw[code]; got != want {
			t.Errorf("A-law %#x: %d, want %d", code, got, want)
		}
	}
	for code, want := range map[byte]int16{0xff: 0, 0x7f: 0, 0x00: -32124, 0x80: 32124, 0x8f: 16764, 0xf0: 120} {
		if got := muLaw[code]; got != want {
			t.Errorf("mu-law %#x: %d, want %d", code, got, want)
		}
	}
}

func BenchmarkMono(b *testing.B) {
	// Five seconds of a 16-bit WAV file of two channels.
	head := []byte("RIFF\xff\xff\xff\x7fWAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00\x80\x3e\x00\x00\x00\xfa\x00\x00\x04\x00\x10\x00data\x00\xe2\x04\x00")
	path := write(b, append(head, make([]byte, 80000*4)...))
	b.SetBytes(80000 * 4)
	for b.Loop() {
		p, err := Open(path)
		fixture.OK(b, err)
		fixture.OK(b, p.Mono(b.Context(), 0, 0, io.Discard))
		_ = p.Close()
	}
}
