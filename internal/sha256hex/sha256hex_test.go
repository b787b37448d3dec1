package sha256hex

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"omniscope/internal/testing/fixture"
)

// abc is the digest of "abc", the first example of FIPS 180-2, appendix B.1.
const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

func TestDigest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "abc")
	fixture.OK(t, os.WriteFile(path, []byte("abc"), 0o600))
	if got, err := File(path); got != abc || err != nil {
		t.Errorf("file: got %s, %v", got, err)
	}
	if Of("abc") != abc || Of([]byte("abc")) != abc {
		t.Errorf("text: got %s, bytes: got %s", Of("abc"), Of([]byte("abc")))
	}
}

func TestUnreadable(t *testing.T) {
	if got, err := File(filepath.Join(t.TempDir(), "missing")); got != "" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: got %q, %v", got, err)
	}
	broken := errors.New("broken")
	if got, _, err := Read(iotest.ErrReader(broken)); got != "" || !errors.Is(err, broken) {
		t.Errorf("broken reader: got %q, %v", got, err)
	}
}
