package weights

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// bigModel writes an archive of 300 MB, as torch does: 50 matrices of 4 MB and
// one of 100 MB, in halves if asked for.
func bigModel(b *testing.B, class string, size int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "model.bin")
	file, err := os.Create(path)
	fixture.OK(b, err)
	defer file.Close()
	w := zip.NewWriter(file)
	state := pyOrdered{}
	data := bytes.Repeat([]byte("\x01\x02\x03\x3c"), 100<<18)
	for i := range 51 {
		n := 4 << 20
		if i == 50 {
			n = len(data)
		}
		key := fmt.Sprint(i)
		state = append(state, "layer."+key, tensorOf(pyStored{class, key, n / size, false}, 0, pyTuple{n / size / 1024, 1024}, pyTuple{1024, 1}))
		part, err := w.CreateRaw(&zip.FileHeader{Name: "model/data/" + key, Method: zip.Store, CRC32: crc32.ChecksumIEEE(data[:n]),
			CompressedSize64: uint64(n), UncompressedSize64: uint64(n)})
		fixture.OK(b, err)
		part.Write(data[:n])
	}
	part, err := w.Create("model/data.pkl")
	fixture.OK(b, err)
	part.Write(pickled(state))
	fixture.OK(b, w.Close())
	return path
}

// memory returns a line of /proc/self/status in MB: VmRSS is what the process
// has in memory, mapped files included, VmHWM the most since peakFromHere.
func memory(b *testing.B, line string) float64 {
	b.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip(err)
	}
	_, rest, _ := strings.Cut(string(text), line+":")
	var kb float64
	fmt.Sscan(rest, &kb)
	return kb / 1024
}

func peakFromHere(b *testing.B) float64 {
	b.Helper()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		b.Skip(err)
	}
	return memory(b, "VmRSS")
}

func BenchmarkConvert(b *testing.B) {
	for _, c := range []struct {
		class string
		size  int
	}{{"FloatStorage", 4}, {"HalfStorage", 2}, {"DoubleStorage", 8}} {
		b.Run(c.class, func(b *testing.B) {
			path := bigModel(b, c.class, c.size)
			to := filepath.Join(filepath.Dir(path), "model.safetensors")
			start, peak := 0.0, 0.0
			b.SetBytes(300 << 20)
			for b.Loop() {
				start = peakFromHere(b)
				f, err := Open(path)
				fixture.OK(b, err)
				fixture.OK(b, Convert(b.Context(), f, to, nil))
				f.Close()
				peak = max(peak, memory(b, "VmHWM")-start)
			}
			b.ReportMetric(peak, "peak-MB")
		})
	}
}

// BenchmarkFloats reads every number of 300 MB, with and without giving back
// what was read.
func BenchmarkFloats(b *testing.B) {
	path := bigModel(b, "FloatStorage", 4)
	for _, release := range []bool{false, true} {
		b.Run(fmt.Sprintf("release=%t", release), func(b *testing.B) {
			b.SetBytes(300 << 20)
			peak := 0.0
			for b.Loop() {
				start := peakFromHere(b)
				f, err := Open(path)
				fixture.OK(b, err)
				sum := float32(0)
				for _, name := range f.Names() {
					t, _ := f.Tensor(name)
					floats, err := t.Floats()
					fixture.OK(b, err)
					for i := 0; i < len(floats); i += 16 {
						sum += floats[i]
					}
					if release {
						t.Release()
					}
				}
				peak = max(peak, memory(b, "VmHWM")-start)
				f.Close()
			}
			b.ReportMetric(peak, "peak-MB")
		})
	}
}
