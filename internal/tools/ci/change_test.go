package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// A repository is a git repository that is the working folder.
type repository struct {
	t    *testing.T
	path string
}

func newRepository(t *testing.T, more ...string) *repository {
	t.Helper()
	need.Program(t, "git")
	for name, value := range map[string]string{"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
		"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org", baseVariable: ""} {
		t.Setenv(name, value)
	}
	r := &repository{t, t.TempDir()}
	t.Chdir(r.path)
	r.git(append([]string{"init", "--quiet", "--initial-branch", "main"}, more...)...)
	return r
}

func (r *repository) git(args ...string) {
	r.t.Helper()
	if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func (r *repository) write(name string) {
	r.t.Helper()
	path := filepath.Join(r.path, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repository) commit(names ...string) {
	r.t.Helper()
	for _, name := range names {
		r.write(name)
	}
	r.git("add", "--all")
	r.git("commit", "--quiet", "--message", "more")
}

func (r *repository) changed(want ...string) {
	r.t.Helper()
	c := theChange()
	slices.Sort(c.files)
	if c.everything || !slices.Equal(c.files, want) {
		r.t.Errorf("%s: %q, want %q", c, c.files, want)
	}
}

func TestChange(t *testing.T) {
	r := newRepository(t)
	if c := theChange(); !c.everything {
		t.Errorf("without a commit: %s", c)
	}
	r.commit("a.go", "old name.txt")
	if c := theChange(); !c.everything {
		t.Errorf("of the first commit: %s", c)
	}
	r.commit("b/ä.go")
	r.changed("b/ä.go")
	r.write("new.go")
	r.git("mv", "old name.txt", "b/name.txt")
	r.changed("b/name.txt", "b/ä.go", "new.go", "old name.txt")
	t.Setenv(baseVariable, "HEAD")
	r.changed("b/name.txt", "new.go", "old name.txt")
	t.Setenv(baseVariable, "nosuch")
	if c := theChange(); !c.everything {
		t.Errorf("of a base that is not there: %s", c)
	}
}

// TestChangeOfBranch compares a branch with its upstream, and the upstream branch itself
// with the commit before.
func TestChangeOfBranch(t *testing.T) {
	r := newRepository(t)
	r.commit("a")
	r.commit("b")
	r.git("switch", "--quiet", "--create", "topic", "--track", "main")
	r.changed("b")
	r.commit("c")
	r.commit("d")
	r.changed("c", "d")
}

func TestThisModule(t *testing.T) {
	need.Program(t, "go")
	t.Chdir("../../..")
	g, err := readGraph([]string{"./run/..."})
	fixture.OK(t, err)
	command := g["./cmd/omniscope"]
	if command == nil || !command.long || command.racy || !slices.Contains(command.imports, "./session") || !g["./run"].racy || g["."] == nil {
		t.Errorf("%+v of %d packages", command, len(g))
	}
	for _, r := range readers {
		for _, name := range r.packages {
			if g[name] == nil {
				t.Errorf("readers name %s, which is not a package", name)
			}
		}
	}
}
