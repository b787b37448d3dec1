package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/mockllm"
	"omniscope/internal/testing/need"
	"omniscope/internal/version"
)

// Runs are named by what shapes their results: a newer program resumes the runs
// of an older one.
func TestResumeByNewerVersion(t *testing.T) {
	tr := newTrial(t, 3)
	server := serve(t, mockllm.Config{Reply: mockllm.ClozeReply(nil, 0)})
	t.Cleanup(func() { version.Stamped = "" })
	var signatures []string
	for _, version.Stamped = range []string{"v0.1.0-0-gbe21757ab8c4", "v0.2.0-0-g0123456789ab"} {
		v := tr.eval(server.URL())
		if !strings.HasSuffix(v.results.Signature, "|omniscope:"+version.Stamped) || v.results.Run.Version != version.Stamped {
			t.Errorf("version %q, signature %s", v.results.Run.Version, v.results.Signature)
		}
		signatures = append(signatures, v.results.Signature)
	}
	if calls := server.Stats().Answered; calls != 3 {
		t.Errorf("%d calls, want 3: a newer version asked again", calls)
	}
	if signatures[0] == signatures[1] {
		t.Error("the signatures are equal")
	}
}

// TestLongVersionOfBuilds builds a repository of its own: before the first tag,
// at a tag, with a changed file, and a copy that git does not know.
func TestLongVersionOfBuilds(t *testing.T) {
	need.Programs(t, "git", "make")
	dir := copyOfTheModule(t)
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_GLOBAL="+os.DevNull,
			"GIT_CONFIG_NOSYSTEM=1", "MAKEFLAGS=", "GOFLAGS=", "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	made := func() string {
		t.Helper()
		run("make", "build")
		return strings.TrimPrefix(run("bin/omniscope", "--version"), "omniscope version ")
	}
	wants := func(when, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: version %s, want %s", when, got, want)
		}
	}
	wants("a folder without git", made(), "unknown")
	run("git", "init", "--quiet")
	run("git", "add", ".")
	run("git", "-c", "user.name=tester", "-c", "user.email=tester@localhost", "commit", "--quiet", "--message", "first")
	commit := run("git", "rev-parse", "HEAD")[:12]
	wants("before the first tag", made(), commit)
	run("git", "tag", "v0.7.0")
	wants("at a tag", made(), "v0.7.0-0-g"+commit)
	run("go", "build", "-buildvcs=true", "-trimpath", "-o", "bin/omniscope", "./cmd/omniscope") // whatever the machine has for GOFLAGS
	wants("go build at a tag", strings.TrimPrefix(run("bin/omniscope", "--version"), "omniscope version "), "v0.7.0-g"+commit)
	fixture.OK(t, os.WriteFile(filepath.Join(dir, "README.md"), []byte("changed\n"), 0o644))
	wants("with a changed file", made(), "v0.7.0-0-g"+commit+"-dirty")
}

// copyOfTheModule copies this module without what make made.
func copyOfTheModule(t *testing.T) (dir string) {
	t.Helper()
	root, dir := filepath.Join("..", ".."), t.TempDir()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case slices.Contains([]string{".git", "bin", "omniscope-work", "demo-report"}, name):
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case d.IsDir():
			return os.MkdirAll(filepath.Join(dir, name), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), text, info.Mode().Perm())
	})
	fixture.OK(t, err)
	return dir
}
