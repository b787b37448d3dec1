// Package clips makes clips for tests with ffmpeg, each of them once: a clip is kept in
// the user's cache folder, below the digest of ffmpeg's arguments and version.
// `make clean` empties that folder.
package clips

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// Env is the variable that names another folder to keep clips in.
const Env = "OMNISCOPE_TEST_CLIPS"

// Made returns a new clip in a folder of the test. args are the arguments of ffmpeg
// in one string; a blank within an argument is written as ~.
func Made(t testing.TB, name, args string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	Make(t, path, Fields(args)...)
	return path
}

// Fields splits arguments as Made does.
func Fields(args string) []string {
	fields := strings.Fields(args)
	for i := range fields {
		fields[i] = strings.ReplaceAll(fields[i], "~", " ")
	}
	return fields
}

// Make makes a clip at a path, and its folder.
func Make(t testing.TB, path string, args ...string) {
	t.Helper()
	need.FFmpeg(t)
	fixture.OK(t, MakeFile(path, args...))
}

// MakeFile is Make for callers without a test. It is safe for concurrent use.
func MakeFile(path string, args ...string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	key, ok, err := keyOf(filepath.Ext(path), args)
	if err != nil {
		return err
	}
	if !ok {
		return run(args, path)
	}
	folder, err := folder()
	if err != nil {
		return err
	}
	kept := filepath.Join(folder, key+filepath.Ext(path))
	if err := copyFile(kept, path); err == nil || !os.IsNotExist(err) {
		return err
	}
	if err := run(args, path); err != nil {
		return err
	}
	return keep(path, kept)
}

// run runs ffmpeg. -nostdin and -y keep it from asking.
func run(args []string, path string) error {
	all := append([]string{"-v", "error", "-nostdin", "-y"}, args...)
	if out, err := exec.Command("ffmpeg", append(all, "file:"+path)...).CombinedOutput(); err != nil {
		return fmt.Errorf("ffmpeg %q: %w\n%s", all, err, out)
	}
	return nil
}

// keyOf returns the name to keep a clip under. An input file counts by its content.
// ok is false for arguments that name a temporary file elsewhere, for example in a
// filter: its content is unknown here.
func keyOf(ext string, args []string) (key string, ok bool, err error) {
	version, err := version()
	if err != nil {
		return "", false, err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n", version, ext)
	for i, arg := range args {
		if i > 0 && args[i-1] == "-i" {
			if sum, err := digest(strings.TrimPrefix(arg, "file:")); err == nil {
				fmt.Fprintf(h, "content %x\n", sum)
				continue
			}
		}
		if strings.Contains(arg, os.TempDir()) || arg == "concat" {
			return "", false, nil
		}
		fmt.Fprintf(h, "%q\n", arg)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), true, nil
}

// version is what `ffmpeg -version` prints, with the versions of its libraries.
var version = sync.OnceValues(func() ([]byte, error) {
	return exec.Command("ffmpeg", "-version").Output()
})

var folder = sync.OnceValues(func() (string, error) {
	path := os.Getenv(Env)
	if path == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		path = filepath.Join(base, "omniscope-test-clips")
	}
	return path, os.MkdirAll(path, 0o777)
})

// mostKept is the size of the largest clip that is kept, in bytes: benchmarks make films of an hour.
const mostKept = 32 << 20

// keep copies a new clip to where it is kept, for other processes at once or not at all.
func keep(path, kept string) error {
	if info, err := os.Stat(path); err != nil || info.Size() > mostKept {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(kept), "new-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := f.Close(); err != nil {
		return err
	}
	if err := copyFile(path, f.Name()); err != nil {
		return err
	}
	return os.Rename(f.Name(), kept)
}

// copyFile copies, since a test may change its clip.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

func digest(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}
