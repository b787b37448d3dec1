package docscheck

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/need"
)

// A machine is a folder of programs, most of them fakes, that is all of a
// script's PATH. Fakes write their names and arguments into a log.
type machine struct {
	t   *testing.T
	dir string
}

func newMachine(t *testing.T, user string) *machine {
	m := &machine{t: t, dir: t.TempDir()}
	for _, name := range []string{"bash", "sh", "env", "grep", "sort", "tr", "tail", "ln", "cat"} {
		m.link(name)
	}
	m.fake("id", "echo "+user)
	return m
}

// fake makes a program of some lines of shell.
func (m *machine) fake(name, does string) {
	m.t.Helper()
	text := "#!/bin/sh\necho " + name + " \"$@\" >>" + filepath.Join(m.dir, "log") + "\n" + does + "\n"
	if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o755); err != nil {
		m.t.Fatal(err)
	}
}

// all has every program of a group.
func (m *machine) all(names ...string) {
	for _, name := range names {
		m.fake(name, "echo eng")
	}
}

func (m *machine) run(group string, env ...string) (said string, code int, log string) {
	cmd := exec.Command(filepath.Join(m.dir, "bash"), "../../../scripts/programs.sh", group)
	cmd.Env = append([]string{"PATH=" + m.dir}, env...)
	out, err := cmd.CombinedOutput()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		m.t.Fatal(err)
	}
	text, _ := os.ReadFile(filepath.Join(m.dir, "log"))
	return string(out), cmd.ProcessState.ExitCode(), string(text)
}

// installing is an apt-get or brew that works: it makes the missing programs.
func (m *machine) installing() string {
	var lines []string
	for _, name := range []string{"ffmpeg", "ffprobe", "tesseract", "espeak-ng"} {
		lines = append(lines, "printf '#!/bin/sh\\necho eng\\n' >"+filepath.Join(m.dir, name)+"; chmod +x "+filepath.Join(m.dir, name))
	}
	return strings.Join(lines, "\n")
}

func (m *machine) link(name string) {
	m.t.Helper()
	if err := os.Symlink(need.Program(m.t, name), filepath.Join(m.dir, name)); err != nil {
		m.t.Fatal(err)
	}
}

func TestInstalledPrograms(t *testing.T) {
	if _, err := os.Stat("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"); err != nil {
		t.Skip("a font is missing, which no fake can stand for: ", err)
	}
	const install = "install -y --no-install-recommends espeak-ng ffmpeg"
	for _, c := range []struct {
		name, user string
		make       func(m *machine)
		env        []string
		code       int
		says       []string
		logged     []string
		never      []string
	}{
		{name: "all there", user: "1000", make: func(m *machine) { m.all("ffmpeg", "ffprobe", "tesseract", "espeak-ng", "apt-get", "sudo") }, never: []string{"apt-get", "sudo"}},
		{name: "root", user: "0", make: func(m *machine) { m.fake("apt-get", m.installing()) }, says: []string{"installing: espeak-ng ffmpeg"},
			logged: []string{" update", install}},
		{name: "sudo without a password", user: "1000", make: func(m *machine) {
			m.fake("sudo", `[ "$1" = -n ] || exit 1; shift; exec "$@"`)
			m.link("true")
			m.fake("apt-get", m.installing())
		}, logged: []string{"sudo -n true", "sudo -n env DEBIAN_FRONTEND=noninteractive", install}},
		{name: "sudo with a password", user: "1000", make: func(m *machine) { m.fake("sudo", "exit 1"); m.all("apt-get") }, code: 1,
			says: []string{"not installed: espeak-ng ffmpeg", "sudo apt-get install -y espeak-ng ffmpeg"}, never: []string{"apt-get"}},
		{name: "no sudo", user: "1000", make: func(m *machine) { m.all("apt-get") }, code: 1, says: []string{"sudo apt-get install -y espeak-ng ffmpeg"}, never: []string{"apt-get"}},
		{name: "NO_INSTALL", user: "0", make: func(m *machine) { m.all("apt-get") }, env: []string{"NO_INSTALL=1"}, code: 1,
			says: []string{"by hand: apt-get install -y espeak-ng ffmpeg"}, never: []string{"apt-get"}},
		{name: "no network", user: "0", make: func(m *machine) { m.fake("apt-get", "echo cannot resolve the mirror >&2; exit 100") }, code: 1,
			says: []string{"that did not work:\ncannot resolve the mirror", "not installed: "}, never: []string{"install -y"}},
		{name: "brew", user: "501", make: func(m *machine) { m.fake("brew", m.installing()) }, logged: []string{"brew install espeak-ng ffmpeg tesseract"}},
		{name: "neither", user: "0", make: func(*machine) {}, code: 1, says: []string{"install the packages that bring them: espeak-ng ffmpeg"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t, c.user)
			m.link("chmod")
			c.make(m)
			said, code, log := m.run("demo", c.env...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if c.code == 0 && c.says == nil && c.logged == nil && said != "" {
				t.Errorf("it says %q where nothing is missing", said)
			}
			for _, words := range c.says {
				if !strings.Contains(said, words) {
					t.Errorf("it does not say %q", words)
				}
			}
			for _, words := range c.logged {
				if !strings.Contains(log, words) {
					t.Errorf("%q was not run", words)
				}
			}
			for _, words := range c.never {
				if strings.Contains(log, words) {
					t.Errorf("%q was run", words)
				}
			}
			if t.Failed() {
				t.Logf("it said\n%s\nand ran\n%s", said, log)
			}
		})
	}
}
