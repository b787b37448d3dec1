package weights

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// asConverted is the type that Convert keeps a type as.
func asConverted(d DType) DType { return Tensor{Type: d}.kept() }

// only checks that a folder has these files.
func only(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	fixture.OK(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, names) {
		t.Errorf("%s has %q, want %q", folder, got, names)
	}
}

func TestConvertAllFormats(t *testing.T) {
	var first []byte
	for _, data := range [][]byte{sampleArchive(t, archived), sampleArchive(t, compressed), sampleStream()} {
		folder := t.TempDir()
		to := filepath.Join(folder, "model.safetensors")
		f := opened(t, saved(t, data))
		fixture.OK(t, Convert(t.Context(), f, to, nil))
		only(t, folder, "model.safetensors")
		mustHoldTheSample(t, opened(t, to), asConverted)
		text, err := os.ReadFile(to)
		fixture.OK(t, err)
		if first == nil {
			first = text
		}
		if !bytes.Equal(text, first) {
			t.Error("two forms of the same are converted to different bytes")
		}
		if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("its mode is %v (error %v)", info.Mode(), err)
		}
	}
}

func TestConvertTwice(t *testing.T) {
	folder := t.TempDir()
	once, twice := filepath.Join(folder, "once"), filepath.Join(folder, "twice")
	for _, c := range []struct{ from, to string }{{saved(t, sampleStream()), once}, {once, twice}, {once, once}} {
		fixture.OK(t, Convert(t.Context(), opened(t, c.from), c.to, nil))
	}
	a, err := os.ReadFile(once)
	fixture.OK(t, err)
	if b, err := os.ReadFile(twice); err != nil || !bytes.Equal(a, b) {
		t.Errorf("a converted file is converted to another (error %v)", err)
	}
}

func TestConvertedFloatsNeedNoCopy(t *testing.T) {
	to := filepath.Join(t.TempDir(), "model.safetensors")
	fixture.OK(t, Convert(t.Context(), opened(t, saved(t, sampleStream())), to, nil))
	f := opened(t, to)
	for _, name := range f.Names() {
		if tensor, _ := f.Tensor(name); f.disk.mapped != nil && tensor.Type == float32Type && tensor.Len() > 0 && tensor.inPlace() == nil {
			t.Errorf("%s would be copied", name)
		}
	}
}

func TestHyperparametersSurvive(t *testing.T) {
	want := map[string]any{"one": int64(1), "one with a point": 1.0, "tiny": 1e-300, "big": math.MaxFloat64, "least": int64(math.MinInt64),
		"endless": math.Inf(-1), "text": "<ä>\u2028", "list": []any{nil, false, []any{}, map[string]any{}}}
	text, err := plainText(want)
	fixture.OK(t, err)
	if got, err := plainJSON(text); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v (error %v)", got, want, err)
	}
}

func TestConvertProgress(t *testing.T) {
	f := opened(t, saved(t, sampleStream()))
	var seen []int64
	err := Convert(t.Context(), f, filepath.Join(t.TempDir(), "x"), func(done, total int64) {
		if seen = append(seen, done); total != 126 {
			t.Errorf("total %d", total)
		}
	})
	if err != nil || seen[0] != 0 || seen[len(seen)-1] != 126 || !slices.IsSorted(seen) {
		t.Errorf("progress %v (error %v)", seen, err)
	}
}

// A broken writer fails after so many bytes.
type broken struct{ left int }

var errBrokenWriter = errors.New("no more")

func (b *broken) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errBrokenWriter
	}
	return len(p), nil
}

func TestFailingWriter(t *testing.T) {
	p, err := planOf(opened(t, saved(t, sampleStream())))
	fixture.OK(t, err)
	for left := range len(p.header) + int(p.total) {
		if err := p.write(t.Context(), &broken{left}, func(int64, int64) {}); !errors.Is(err, errBrokenWriter) {
			t.Fatalf("after %d bytes: error %v", left, err)
		}
	}
}

func TestFailedConvertKeepsOldFile(t *testing.T) {
	good := sampleStream()
	reset := errors.New("stopped by the test")
	for _, c := range []struct {
		name string
		fail func(f *File, cancel context.CancelCauseFunc) func(done, total int64)
		want func(error) bool
	}{
		{"cancelled before", func(_ *File, cancel context.CancelCauseFunc) func(int64, int64) {
			cancel(reset)
			return nil
		}, func(err error) bool { return errors.Is(err, reset) }},
		{"cancelled on the way", func(_ *File, cancel context.CancelCauseFunc) func(int64, int64) {
			return func(done, total int64) {
				if done > total/2 {
					cancel(reset)
				}
			}
		}, func(err error) bool { return errors.Is(err, reset) }},
		{"the source is closed on the way", func(f *File, _ context.CancelCauseFunc) func(int64, int64) {
			return func(done, total int64) {
				if done > total/2 {
					f.Close()
				}
			}
		}, func(err error) bool { return omniscope.KindOf(err) == omniscope.Invalid }},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			to := filepath.Join(folder, "model.safetensors")
			fixture.OK(t, os.WriteFile(to, []byte("what was there"), 0o600))
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			f := opened(t, saved(t, good))
			if err := Convert(ctx, f, to, c.fail(f, cancel)); err == nil || !c.want(err) {
				t.Errorf("error %v", err)
			}
			only(t, folder, "model.safetensors")
			if text, err := os.ReadFile(to); err != nil || string(text) != "what was there" {
				t.Errorf("there is %.20q now (error %v)", text, err)
			}
		})
	}
}

func TestMissingFolder(t *testing.T) {
	to := filepath.Join(t.TempDir(), "none", "model.safetensors")
	err := Convert(t.Context(), opened(t, saved(t, sampleStream())), to, nil)
	if omniscope.KindOf(err) != omniscope.NotFound || !strings.Contains(err.Error(), to) {
		t.Errorf("error %v of kind %v", err, omniscope.KindOf(err))
	}
}

func TestTensorNamedMetadata(t *testing.T) {
	f := opened(t, saved(t, model(t, pyDict{"__metadata__", tensorOf(pyStored{"FloatStorage", "0", 2, false}, 0, pyTuple{2}, pyTuple{1})})))
	folder := t.TempDir()
	mustSay(t, Convert(t.Context(), f, filepath.Join(folder, "x"), nil), "__metadata__")
	only(t, folder)
}
