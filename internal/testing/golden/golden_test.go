package golden

import (
	"os"
	"path/filepath"
	"testing"

	"omniscope/internal/testing/fixture"
)

// A recorder is a test that notes how Path ended it.
type recorder struct {
	testing.TB
	ended string
}

func (r *recorder) Skipf(string, ...any)  { r.end("skipped") }
func (r *recorder) Fatalf(string, ...any) { r.end("failed") }

func (r *recorder) end(how string) {
	r.ended = how
	panic(r)
}

func TestMissingDataSkipOrFail(t *testing.T) {
	root := t.TempDir()
	inside := filepath.Join(root, "checkout", "package")
	for _, dir := range []string{inside, filepath.Join(root, "shared", "data", "there")} {
		fixture.OK(t, os.MkdirAll(dir, 0o755))
	}
	fixture.OK(t, os.WriteFile(filepath.Join(root, "checkout", "go.mod"), nil, 0o644))
	t.Chdir(inside)
	for _, c := range []struct{ setting, name, want string }{
		{"", "there", ""},
		{"", "missing", "skipped"},
		{"required", "there", ""},
		{"required", "missing", "failed"},
		{"yes", "missing", "failed"},
	} {
		t.Setenv(Env, c.setting)
		r := &recorder{TB: t}
		func() {
			defer func() {
				if p := recover(); p != nil && p != r {
					panic(p)
				}
			}()
			Path(r, c.name)
		}()
		if r.ended != c.want {
			t.Errorf("%s=%s, %s: %q, want %q", Env, c.setting, c.name, r.ended, c.want)
		}
	}
}
