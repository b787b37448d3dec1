// Package deploycheck tests what lies in deploy, the action and the hooks: the scripts are run, the files of others' programs are
// read as those programs would read them. It has tests alone.
package deploycheck

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// root is the project's folder.
var root = func() string {
	dir, err := filepath.Abs("../../..")
	if err != nil {
		panic(err)
	}
	return dir
}()

func TestMain(m *testing.M) { os.Exit(built.Main(m)) }

// cleanEnviron is the environment without settings of omniscope, of git and of runners.
func cleanEnviron() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "OMNISCOPE_") || strings.HasPrefix(v, "GIT_") || strings.HasPrefix(v, "GITHUB_") || strings.HasPrefix(v, "PRE_COMMIT")
	})
}

// nobody is the number of a user who may do nothing.
const nobody = 65534

// install runs deploy/install.sh as a user who is not root.
func install(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	cmd := exec.Command(need.Program(t, "bash"), append([]string{filepath.Join(root, "deploy/install.sh")}, args...)...)
	cmd.Dir, cmd.Env = os.TempDir(), cleanEnviron()
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

// open is an empty folder that anybody may write to and reach; its files go with the test.
func open(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "omniscope-open-")
	fixture.OK(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	fixture.OK(t, os.Chmod(dir, 0o777))
	return dir
}

// reachable copies the program to where any user finds it.
func reachable(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(built.Program(t))
	fixture.OK(t, err)
	path := filepath.Join(open(t), "program")
	fixture.OK(t, os.WriteFile(path, text, 0o755))
	return path
}

// recorder is a small program in the place of omniscope: it writes the arguments of eval and compare to a file of the runner's,
// each ended by a zero byte.
const recorder = `#!/usr/bin/env bash
case $1 in
--version) echo "omniscope version v1.2.3" ;;
eval | compare) printf '%s\0' "$@" >>"$RUNNER_TEMP/arguments" ;;
esac
`

// recording is a file with the recorder.
func recording(t *testing.T) string {
	t.Helper()
	path := filepath.Join(open(t), "omniscope")
	fixture.OK(t, os.WriteFile(path, []byte(recorder), 0o755))
	return path
}

// archived packs the recorder as `make release` packs the program, and returns the archive and its SHA-256.
func archived(t *testing.T) (path, sum string) {
	t.Helper()
	dir := open(t)
	folder := filepath.Join(dir, "omniscope-v1.2.3-linux-amd64")
	fixture.OK(t, os.MkdirAll(filepath.Join(folder, "licences"), 0o755))
	fixture.OK(t, os.Rename(recording(t), filepath.Join(folder, "omniscope")))
	fixture.OK(t, os.WriteFile(filepath.Join(folder, "licences", "some"), []byte("text"), 0o644))
	path = filepath.Join(dir, "omniscope-v1.2.3-linux-amd64.tar.gz")
	if said, err := exec.Command("tar", "-czf", path, "-C", dir, filepath.Base(folder)).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	text, err := os.ReadFile(path)
	fixture.OK(t, err)
	return path, sha256hex.Of(text)
}

// needReadable leaves a test out where another user cannot read the project's folder.
func needReadable(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("scripts for bash")
	}
	if code, said := install(t, "--programs", "--prefix"); code != 2 {
		t.Skipf("a user without rights cannot read the project's folder: %s", said)
	}
}

func TestInstallWithoutRoot(t *testing.T) {
	needReadable(t)
	prefix := filepath.Join(open(t), "new", "pre fix")
	if code, said := install(t, "--prefix", prefix, "--program", reachable(t)); code != 0 || !strings.Contains(said, "installed omniscope") {
		t.Fatalf("exit code %d: %s", code, said)
	}
	cmd := exec.Command(filepath.Join(prefix, "bin/omniscope"), "docs", "benchmarks")
	cmd.Dir, cmd.Env = t.TempDir(), []string{"HOME=" + t.TempDir()}
	if said, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(said), "omni-cloze") {
		t.Errorf("%v: %s", err, said)
	}
	for _, name := range []string{"man/man1/omniscope-compare.1", "bash-completion/completions/omniscope", "zsh/site-functions/_omniscope",
		"fish/vendor_completions.d/omniscope.fish", "doc/omniscope/LICENSE", "doc/omniscope/NOTICE"} {
		if info, err := os.Stat(filepath.Join(prefix, "share", name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Nothing else lies there.
	left, err := filepath.Glob(filepath.Join(prefix, "bin", "*"))
	hidden, _ := filepath.Glob(filepath.Join(prefix, "bin", ".*"))
	if err != nil || len(left) != 1 || len(hidden) != 0 {
		t.Errorf("bin holds %q %q", left, hidden)
	}
}

func TestInstallArchive(t *testing.T) {
	needReadable(t)
	archive, sum := archived(t)
	checksums := filepath.Join(filepath.Dir(archive), "checksums.txt")
	write := func(text string) {
		fixture.OK(t, os.WriteFile(checksums, []byte(text), 0o644))
	}
	name := filepath.Base(archive)
	write(strings.Repeat("1", 64) + "  other.tar.gz\n" + sum + "  " + name + "\n")
	prefix := open(t)
	if code, said := install(t, "--prefix", prefix, "--archive", archive, "--checksums", checksums); code != 0 {
		t.Fatalf("exit code %d: %s", code, said)
	}
	if _, err := os.Stat(filepath.Join(prefix, "share/doc/omniscope/licences/some")); err != nil {
		t.Error(err)
	}
	before, err := os.Stat(filepath.Join(prefix, "bin/omniscope"))
	fixture.OK(t, err)
	for words, text := range map[string]string{
		"do not run it":  strings.Repeat("1", 64) + "  " + name + "\n",
		"does not list ": sum + "  x" + name + "\n",
	} {
		write(text)
		if code, said := install(t, "--prefix", prefix, "--archive", archive, "--checksums", checksums); code != 1 || !strings.Contains(said, words) {
			t.Errorf("exit code %d, want %q: %s", code, words, said)
		}
	}
	if after, err := os.Stat(filepath.Join(prefix, "bin/omniscope")); err != nil || !os.SameFile(before, after) {
		t.Error("a refused archive replaced the program")
	}
}

func TestInstallRefuses(t *testing.T) {
	needReadable(t)
	archive, sum := archived(t)
	broken := filepath.Join(open(t), "omniscope")
	fixture.OK(t, os.WriteFile(broken, []byte("#!/bin/sh\nexit 7\n"), 0o755))
	closed := t.TempDir() // of root, if root runs the tests
	for _, c := range []struct {
		code  int
		words string
		args  []string
	}{
		{2, "say what to install", nil},
		{2, "say where to install", []string{"--program", broken}},
		{2, "give one of", []string{"--prefix", closed, "--source", "--program", broken}},
		{2, "not installed unchecked", []string{"--prefix", closed, "--archive", archive}},
		{2, "takes a value", []string{"--prefix"}},
		{2, "no such option: --pefix", []string{"--pefix", closed}},
		{2, "--version takes", []string{"--prefix", closed, "--source", "--version", "v1 -X evil"}},
		{1, "none: no such file", []string{"--prefix", open(t), "--program", "/none"}},
		{1, "does not run on this machine", []string{"--prefix", open(t), "--program", broken}},
		{1, "not " + strings.Repeat("A", 64), []string{"--prefix", open(t), "--archive", archive, "--sha256", strings.Repeat("A", 64)}},
		{1, "needs root", []string{"--programs"}},
	} {
		if code, said := install(t, c.args...); code != c.code || !strings.Contains(said, c.words) {
			t.Errorf("%q: exit code %d, want %d and %q: %s", c.args, code, c.code, c.words, said)
		}
	}
	if os.Getuid() == 0 {
		if code, said := install(t, "--prefix", closed, "--archive", archive, "--sha256", strings.ToUpper(sum)); code != 1 || !strings.Contains(said, "name another folder with --prefix") {
			t.Errorf("exit code %d: %s", code, said)
		}
	}
}

func TestInstallPrintsHelp(t *testing.T) {
	code, said := install(t, "--help")
	if code != 0 || !strings.Contains(said, "deploy/install.sh --prefix DIR --source") || strings.Contains(said, "set -euo") {
		t.Errorf("exit %d: %s", code, said)
	}
}
