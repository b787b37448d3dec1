package deploycheck

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// A repository is a git repository whose predictions are checked before each commit.
type repository struct {
	t   *testing.T
	dir string
	env []string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	need.Program(t, "git")
	home := t.TempDir()
	r := &repository{t: t, dir: t.TempDir(), env: append(cleanEnviron(), "HOME="+home, "PRE_COMMIT_HOME="+filepath.Join(home, "pre-commit"), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org", "OMNISCOPE_PROGRAM="+built.Program(t))}
	r.must("git", "init", "--quiet")
	return r
}

// do runs a command in the repository.
func (r *repository) do(name string, args ...string) (said string, err error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	text, err := cmd.CombinedOutput()
	return string(text), err
}

func (r *repository) must(name string, args ...string) string {
	r.t.Helper()
	said, err := r.do(name, args...)
	if err != nil {
		r.t.Fatalf("%s %q: %v: %s", name, args, err, said)
	}
	return said
}

func (r *repository) write(name, text string, mode os.FileMode) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		r.t.Fatal(err)
	}
}

// takesGoodOnly commits captions that are as good as the base, and then captions that are worse, which must be refused.
func (r *repository) takesGoodOnly() {
	r.t.Helper()
	r.must("git", "add", "--all")
	r.must("git", "commit", "--quiet", "--message", "good")
	before := r.must("git", "rev-parse", "HEAD")
	worse, err := os.ReadFile(filepath.Join(r.dir, "bad.jsonl"))
	if err != nil {
		r.t.Fatal(err)
	}
	r.write("captions.jsonl", string(worse), 0o644)
	r.must("git", "add", "--all")
	if said, err := r.do("git", "commit", "--quiet", "--message", "bad"); err == nil || !strings.Contains(said, "accuracy is worse: ") {
		r.t.Errorf("%v: %s", err, said)
	}
	if after := r.must("git", "rev-parse", "HEAD"); after != before {
		r.t.Error("captions that are worse were committed")
	}
}

const checkArgs = "--benchmark omni-cloze --data clips.jsonl --predictions captions.jsonl --base base --scores accuracy --max-failures 0.5"

func TestHookOfGit(t *testing.T) {
	r := newRepository(t)
	based(t, r.dir, "clips.jsonl", "captions.jsonl", "bad.jsonl", "base")
	r.write(".git/hooks/pre-commit", fmt.Sprintf("#!/bin/sh\nexec '%s/deploy/check.sh' %s\n", root, checkArgs), 0o755)
	r.takesGoodOnly()
}

// TestHookOfPreCommit has pre-commit fetch the hook from a repository, as its users do.
func TestHookOfPreCommit(t *testing.T) {
	need.Program(t, "pre-commit")
	hooks := newRepository(t)
	for _, name := range []string{".pre-commit-hooks.yaml", "deploy/check.sh"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		fixture.OK(t, err)
		info, err := os.Stat(filepath.Join(root, name))
		fixture.OK(t, err)
		hooks.write(name, string(text), info.Mode())
	}
	hooks.must("git", "add", "--all")
	hooks.must("git", "commit", "--quiet", "--message", "hooks")
	revision := strings.TrimSpace(hooks.must("git", "rev-parse", "HEAD"))

	r := newRepository(t)
	based(t, r.dir, "clips.jsonl", "captions.jsonl", "bad.jsonl", "base")
	args := `"` + strings.ReplaceAll(checkArgs, " ", `", "`) + `"`
	r.write(".pre-commit-config.yaml", fmt.Sprintf("repos:\n- repo: %s\n  rev: %s\n  hooks:\n  - id: omniscope-check\n    args: [%s]\n    files: ^captions\\.jsonl$\n", hooks.dir, revision, args), 0o644)
	r.must("pre-commit", "install")
	r.takesGoodOnly()
	// A commit that touches no captions runs nothing.
	r.must("git", "checkout", "--quiet", "HEAD", "--", "captions.jsonl")
	r.write("notes", "text", 0o644)
	r.must("git", "add", "notes")
	if said := r.must("git", "commit", "--message", "notes"); !strings.Contains(said, "Skipped") {
		t.Error(said)
	}
}

func TestCheckRefuses(t *testing.T) {
	r := newRepository(t)
	based(t, r.dir, "clips.jsonl", "captions.jsonl", "bad.jsonl", "base")
	check := filepath.Join(root, "deploy/check.sh")
	usual := strings.Fields(checkArgs)
	for _, c := range []struct {
		code  int
		words string
		args  []string
	}{
		{2, "--benchmark NAME", nil},
		{2, "is a name such as", []string{"--benchmark", "../x"}},
		{2, "no such option: --bench", []string{"--bench", "x"}},
		{2, "takes a value", []string{"--base"}},
		{1, "holds no results.json: make it the base with --update", append(usual, "--base", "none")},
		{1, "scoring ended with exit code 1", append(usual, "--predictions", "none.jsonl")},
		{2, "scoring ended with exit code 2", append(usual, "--", "--no-such-flag")},
		{2, "--level is a chance", append(usual, "--level", "7")},
		{5, "is worse", append(usual, "--predictions", "bad.jsonl")},
		{0, "no drop found", usual},
	} {
		cmd := exec.Command(check, c.args...)
		cmd.Dir, cmd.Env = r.dir, r.env
		said, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(said), c.words) {
			t.Errorf("%q: exit code %d, want %d and %q: %s", c.args, code, c.code, c.words, said)
		}
	}
}
