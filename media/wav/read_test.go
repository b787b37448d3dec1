package wav

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// sound is a WAV file of 16-bit samples.
func sound(rate, channels int, samples ...int16) []byte {
	h := Header(rate, channels, 2*len(samples))
	for _, s := range samples {
		h = binary.LittleEndian.AppendUint16(h, uint16(s))
	}
	return h
}

func opened(file []byte) (*File, error) { return Open(bytes.NewReader(file), int64(len(file))) }

func TestCutIsTheSameSamples(t *testing.T) {
	f, err := opened(sound(8000, 2, 1, -1, 2, -2, 3, -3, 4, -4))
	if err != nil || f.Rate != 8000 || f.Channels != 2 || f.Frames != 4 {
		t.Fatalf("%+v, %v", f, err)
	}
	for _, c := range []struct {
		from, to int64
		want     []byte
	}{{1, 3, sound(8000, 2, 2, -2, 3, -3)}, {0, 4, sound(8000, 2, 1, -1, 2, -2, 3, -3, 4, -4)}, {4, 4, sound(8000, 2)}} {
		var out bytes.Buffer
		if err := f.Cut(&out, c.from, c.to); err != nil || !bytes.Equal(out.Bytes(), c.want) {
			t.Errorf("%d to %d: %v\n%q\nwant\n%q", c.from, c.to, err, out.Bytes(), c.want)
		}
	}
	for _, c := range [][2]int64{{-1, 2}, {3, 2}, {0, 5}} {
		if err := f.Cut(&bytes.Buffer{}, c[0], c[1]); err == nil {
			t.Errorf("%v: no error", c)
		}
	}
}

func TestOtherChunksAndWidths(t *testing.T) {
	// A list of an odd length before the samples, which are 8 bits wide.
	file := []byte("RIFF\x00\x00\x00\x00WAVELIST\x03\x00\x00\x00abc\x00fmt \x10\x00\x00\x00\x01\x00\x01\x00\x10\x00\x00\x00\x10\x00\x00\x00\x01\x00\x08\x00data\x03\x00\x00\x00xyz\x00")
	f, err := opened(file)
	if err != nil || f.Rate != 16 || f.Frames != 3 {
		t.Fatalf("%+v, %v", f, err)
	}
	var out bytes.Buffer
	if err := f.Cut(&out, 1, 2); err != nil || !strings.HasSuffix(out.String(), "data\x01\x00\x00\x00y\x00") || out.Len()%2 != 0 {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestLengthThatIsNotKnown(t *testing.T) {
	file := sound(8000, 1, 1, 2, 3)
	copy(file[40:], "\xff\xff\xff\xff")
	if f, err := opened(file); err != nil || f.Frames != 3 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestDamagedFiles(t *testing.T) {
	good := sound(8000, 1, 1, 2, 3)
	with := func(at int, b ...byte) []byte {
		file := bytes.Clone(good)
		copy(file[at:], b)
		return file
	}
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":             {nil, "not a WAV file"},
		"text":              {[]byte("once upon a time"), "not a WAV file"},
		"header only":       {good[:36], "no samples"},
		"cut off":           {good[:len(good)-1], "says 6 bytes of samples, and 5 are there"},
		"no channels":       {with(22, 0), "0 channels"},
		"no rate":           {with(24, 0, 0, 0, 0), "0 Hz"},
		"compressed":        {with(20, 85), "compressed (format 85)"},
		"frame of 0 bytes":  {with(32, 0), "damaged"},
		"no format":         {with(12, 'x'), "does not say how its samples are written"},
		"format of 4 GB":    {with(16, 0xff, 0xff, 0xff, 0xff), "format has 4294967295 bytes"},
		"chunk beyond file": {with(12, 'x', 'x', 'x', 'x', 0xff, 0xff, 0xff, 0xff), "no samples"},
	} {
		if f, err := opened(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v, %v, want %s", name, f, err, c.want)
		}
	}
}

func TestJoin(t *testing.T) {
	one, err1 := opened(sound(8000, 2, 1, -1, 2, -2))
	two, err2 := opened(sound(8000, 2, 3, -3))
	other, err3 := opened(sound(8001, 2, 3, -3))
	if err1 != nil || err2 != nil || err3 != nil {
		t.Fatal(err1, err2, err3)
	}
	var out bytes.Buffer
	if err := Join(&out, one, two); err != nil || !bytes.Equal(out.Bytes(), sound(8000, 2, 1, -1, 2, -2, 3, -3)) {
		t.Errorf("%v\n%q", err, out.Bytes())
	}
	if err := Join(&out, one, other); err == nil || !strings.Contains(err.Error(), "8001 Hz") {
		t.Errorf("files of two rates: %v", err)
	}
}
