package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/foreign"
)

// A home is a fresh venv with a working folder, and wheels of the program that tests run.
type home struct {
	t       *testing.T
	dir     string
	b       *builder
	program *builtProgram
	tags    []string
}

func newHome(t *testing.T) *home {
	python := pythonOrSkip(t)
	if runtime.GOOS == "windows" {
		t.Skip("programs of a venv are called otherwise on this system")
	}
	h := &home{t: t, dir: t.TempDir(), b: &builder{module: filepath.Join("..", "..", "..")}}
	fixture.OK(t, h.b.readModule(t.Context()))
	var err error
	if h.program, err = readProgram(built.Program(t)); err != nil {
		t.Fatal(err)
	}
	h.program.name = "omniscope"
	if h.tags, err = wheelTags(platform{runtime.GOOS, runtime.GOARCH}, h.program.text); err != nil {
		t.Fatal(err)
	}
	if out, err := h.command(python, "-m", "venv", filepath.Join(h.dir, "venv")).CombinedOutput(); err != nil {
		t.Skipf("this Python makes no venv: %s", out)
	}
	h.copies("bench/demo/cloze/clips.jsonl", "omni_cloze.jsonl")
	h.copies("bench/demo/captions/terse.jsonl", "captions.jsonl")
	return h
}

// copies copies a file of the project into the working folder.
func (h *home) copies(from, to string) {
	h.t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(from)))
	if err == nil {
		err = os.WriteFile(filepath.Join(h.dir, to), text, 0o644)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// wheel makes a wheel of a version.
func (h *home) wheel(version string, tags []string) (path string) {
	h.t.Helper()
	h.b.version = version
	name, packed, err := h.b.packWheel(h.program, tags)
	if err != nil {
		h.t.Fatal(err)
	}
	path = filepath.Join(h.dir, name)
	if err := os.WriteFile(path, packed, 0o644); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// command is a command in the working folder, without settings from outside.
func (h *home) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = h.dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "OMNISCOPE_") || strings.HasPrefix(v, "PYTHON") || strings.HasPrefix(v, "PIP_")
	})
	cmd.Env = append(cmd.Env, "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INDEX=1", "PYTHONUSERBASE="+filepath.Join(h.dir, "user"), "PIP_BREAK_SYSTEM_PACKAGES=1")
	return cmd
}

// says runs a program, which must end well.
func (h *home) says(name string, args ...string) string {
	h.t.Helper()
	out, err := h.command(name, args...).CombinedOutput()
	if err != nil {
		h.t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (h *home) bin(name string) string { return filepath.Join(h.dir, "venv", "bin", name) }

func (h *home) file(name string) string {
	path, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		h.t.Fatal(err)
	}
	return path
}

// TestLongWheelInstalled installs wheels as users do, without an index, and uses what comes of it.
func TestLongWheelInstalled(t *testing.T) {
	h := newHome(t)
	for _, tags := range [][]string{{"win32"}, {"manylinux_2_17_s390x", "musllinux_1_1_s390x"}, {"macosx_10_0_ppc"}} {
		out, err := h.command(h.bin("pip"), "install", "--no-deps", h.wheel("v1.2.3", tags)).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "is not a supported wheel on this platform") {
			t.Errorf("pip says of a wheel of %q: %v, %s", tags, err, out)
		}
	}
	h.says(h.bin("pip"), "install", "--no-deps", h.wheel("v1.2.3", h.tags))
	if said := h.says(h.bin("omniscope"), "--version"); said != h.says(built.Program(t), "--version") {
		t.Errorf("--version says %s", said)
	}
	if said := h.says(h.bin("python"), h.file("installed.py")); said != "as it should be" {
		t.Errorf("%s", said)
	}
	t.Run("page", h.page)
	t.Run("types", h.types)
	t.Run("upgrade", h.upgrade)
}

// page runs every snippet of the page about Python, where nothing has been run yet.
func (h home) page(t *testing.T) {
	h.t = t
	for _, made := range []string{"runs", "tables", "omniscope-work"} {
		fixture.OK(t, os.RemoveAll(filepath.Join(h.dir, made)))
	}
	h.copies("docs/python.md", "python.md")
	if said := h.says(h.bin("python"), h.file("snippets.py"), "python.md"); !strings.HasSuffix(said, " blocks") || strings.HasSuffix(said, " 0 blocks") {
		t.Error(said)
	}
}

// types has a checker of types read the module, strictly, and two users of the installed package: one that is right, and one with
// an error in each line that says so.
func (h home) types(t *testing.T) {
	h.t = t
	checker := foreign.Installed(t, "pyright/index.js")
	module, err := filepath.Abs("../../../python")
	fixture.OK(t, err)
	check := func(args ...string) (lines []int) {
		t.Helper()
		out, err := h.command("node", append([]string{checker, "--outputjson"}, args...)...).Output()
		var said struct {
			Diagnostics []struct {
				Severity, Message string
				Range             struct{ Start struct{ Line int } }
			} `json:"generalDiagnostics"`
			Summary struct{ FilesAnalyzed int }
		}
		if broken := json.Unmarshal(out, &said); broken != nil || said.Summary.FilesAnalyzed == 0 {
			t.Fatalf("%v, %v: %s", err, broken, out)
		}
		for _, d := range said.Diagnostics {
			if d.Severity == "error" {
				lines = append(lines, d.Range.Start.Line+1)
				t.Logf("%s:%d: %s", filepath.Base(args[len(args)-1]), d.Range.Start.Line+1, d.Message)
			}
		}
		return slices.Compact(lines)
	}
	if lines := check("--project", module); lines != nil {
		t.Errorf("the module has errors in lines %v", lines)
	}
	if lines := check("--pythonpath", h.bin("python"), h.file("right.py")); lines != nil {
		t.Errorf("the checker finds errors in lines %v of a user that is right", lines)
	}
	text, err := os.ReadFile(h.file("wrong.py"))
	fixture.OK(t, err)
	var want []int
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasSuffix(line, "# wrong") {
			want = append(want, i+1)
		}
	}
	if lines := check("--pythonpath", h.bin("python"), h.file("wrong.py")); !slices.Equal(lines, want) {
		t.Errorf("the checker finds errors in lines %v, want %v", lines, want)
	}
}

// upgrade installs a later version over one, and removes it: nothing of either is left.
func (h home) upgrade(t *testing.T) {
	h.t = t
	const version = "import importlib.metadata as m, omniscope; print(m.version('omniscope'), omniscope.__version__)"
	if got := h.says(h.bin("python"), "-c", version); got != "1.2.3 1.2.3" {
		t.Errorf("the version is %s", got)
	}
	h.says(h.bin("pip"), "install", "--no-deps", "--upgrade", h.wheel("v1.2.3-3-gbe21757ab8c4", h.tags))
	if got := h.says(h.bin("python"), "-c", version); got != "1.2.3.post3+gbe21757ab8c4 1.2.3.post3+gbe21757ab8c4" {
		t.Errorf("the version after an upgrade is %s", got)
	}
	h.says(h.bin("omniscope"), "--version")
	h.says(h.bin("pip"), "uninstall", "--yes", "omniscope")
	left, err := filepath.Glob(filepath.Join(h.dir, "venv", "lib", "python*", "site-packages", "omniscope*"))
	if _, missing := os.Stat(h.bin("omniscope")); err != nil || left != nil || !os.IsNotExist(missing) {
		t.Errorf("after removing it there are %q, and the program: %v", left, missing)
	}
}

// TestLongPlacesOfWheels installs in the other places that pip has: the module finds its program there.
func TestLongPlacesOfWheels(t *testing.T) {
	h := newHome(t)
	python, wheel := pythonOrSkip(t), h.wheel("v1.2.3", h.tags)
	const find = "import omniscope; print(omniscope.find_program(), omniscope.run(['--version'], progress=print).code)"
	found := func(place, want string, cmd *exec.Cmd) {
		t.Helper()
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != filepath.Join(h.dir, want)+" 0" {
			t.Errorf("installed with %s: %v, %s", place, err, got)
		}
	}
	h.says(h.bin("pip"), "install", "--no-deps", "--target", "target", wheel)
	cmd := h.command(h.bin("python"), "-c", find)
	cmd.Env = append(cmd.Env, "PYTHONPATH="+filepath.Join(h.dir, "target"))
	found("--target", "target/bin/omniscope", cmd)

	h.says(h.bin("pip"), "install", "--no-deps", "--prefix", "prefix", wheel)
	sites, err := filepath.Glob(filepath.Join(h.dir, "prefix", "lib*", "python*", "site-packages"))
	if err != nil || len(sites) != 1 {
		t.Fatalf("%q, %v", sites, err)
	}
	cmd = h.command(h.bin("python"), "-c", find)
	cmd.Env = append(cmd.Env, "PYTHONPATH="+sites[0])
	found("--prefix", "prefix/bin/omniscope", cmd)

	if out, err := h.command(python, "-m", "pip", "install", "--no-deps", "--user", wheel).CombinedOutput(); err != nil {
		t.Logf("without --user, which this Python's pip has not: %s", out)
		return
	}
	found("--user", "user/bin/omniscope", h.command(python, "-c", find))
}
