package docscheck

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

// startAddress is the endpoint that docs/start.md names.
const startAddress = "http://localhost:8000/v1"

// A startPath is a section of docs/start.md with commands.
type startPath struct {
	title  string
	blocks []string // of commands
}

// startPaths reads the paths of docs/start.md.
func startPaths(t *testing.T) (paths []startPath) {
	t.Helper()
	for _, section := range strings.Split(page(t, "docs/start.md"), "\n## ")[1:] {
		title, _, _ := strings.Cut(section, "\n")
		paths = append(paths, startPath{title, commandBlocks(section)})
	}
	if len(paths) < 7 {
		t.Fatalf("docs/start.md has %d paths", len(paths))
	}
	return paths
}

// commandBlocks are the blocks of commands in a page.
func commandBlocks(text string) (blocks []string) {
	for _, m := range regexp.MustCompile("(?ms)^```\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// TestStartWithCaptions runs the path that needs nothing but the program.
func TestStartWithCaptions(t *testing.T) {
	t.Parallel()
	newStart(t, built.Program(t), "PATH=/none").walk(startPaths(t)[0])
}

// TestLongStartPaths runs every command of docs/start.md, each path from an empty folder, at a server of which every fifth answer is
// an error.
func TestLongStartPaths(t *testing.T) {
	server := fake.Start(t, fake.Config{Reply: startReply(), Faults: []fake.Fault{
		{When: fake.Every(5), Do: fake.RateLimited("0")},
		{When: fake.Every(7), Do: fake.ServerError(http.StatusServiceUnavailable)},
	}})
	program := built.Program(t)
	for _, p := range startPaths(t) {
		t.Run(p.title, func(t *testing.T) {
			s := newStart(t, program)
			s.url = server.URL()
			s.walk(p)
		})
	}
	if asked := server.Stats().Requests; asked < 30 {
		t.Errorf("the server was asked %d times: two paths are about endpoints", asked)
	}
}

// TestLongTwentyQuestions runs every command of docs/questions.md in one folder, without a network.
func TestLongTwentyQuestions(t *testing.T) {
	blocks := commandBlocks(page(t, "docs/questions.md"))
	if len(blocks) < 15 {
		t.Fatalf("docs/questions.md has %d blocks", len(blocks))
	}
	newStart(t, built.Program(t)).walk(startPath{blocks: blocks})
}

// startReply judges where it is asked to fill blanks, and else describes.
func startReply() fake.Responder {
	judge := fake.ClozeReply(func(identity uint64, blank int) byte { return "ABCDE"[(identity+uint64(blank))%5] }, 0)
	describe := fake.FixedReply("A disc moves from left to right in silence. Then a square falls while a tone is struck.")
	return func(r *fake.Request) fake.Reply {
		if r.Contains("BLANK_1") {
			return judge(r)
		}
		return describe(r)
	}
}

// A start is an empty folder in which somebody types commands.
type start struct {
	t   *testing.T
	dir string
	env []string
	url string // of the endpoint
}

func newStart(t *testing.T, program string, env ...string) *start {
	t.Helper()
	bin := t.TempDir()
	fixture.OK(t, os.Symlink(program, filepath.Join(bin, "omniscope")))
	s := &start{t: t, dir: t.TempDir(), url: startAddress}
	s.env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir(), "OMNISCOPE_QUIET=true", "OMNISCOPE_JUDGE_EXAM=false", "OMNISCOPE_SPEECH_PACK=" + os.DevNull}, env...)
	for i := len(s.env) - 1; i >= 0; i-- {
		if path, ok := strings.CutPrefix(s.env[i], "PATH="); ok {
			s.env = append(s.env, "PATH="+bin+string(filepath.ListSeparator)+path)
			break
		}
	}
	return s
}

// walk runs the blocks of a path as a shell does.
func (s *start) walk(p startPath) {
	s.t.Helper()
	exports := ""
	for _, block := range p.blocks {
		block = strings.ReplaceAll(block, startAddress, s.url)
		for line := range strings.Lines(block) {
			if strings.HasPrefix(line, "export ") {
				exports += line
			}
		}
		commands, serving := splitServing(block)
		s.run(exports + commands)
		if serving != "" {
			s.serve(exports + "exec " + serving)
		}
	}
}

// splitServing cuts off the last command if it serves pages until it is interrupted.
func splitServing(block string) (commands, serving string) {
	lines := strings.SplitAfter(strings.TrimRight(block, "\n"), "\n")
	last := lines[len(lines)-1]
	for _, name := range []string{"omniscope view", "omniscope people serve", "omniscope demo --people"} {
		if strings.HasPrefix(last, name) && !strings.Contains(last, "--html") { // which writes a file
			return strings.Join(lines[:len(lines)-1], ""), last
		}
	}
	return block, ""
}

func (s *start) shell(commands string) *exec.Cmd {
	cmd := exec.CommandContext(s.t.Context(), "bash", "-euo", "pipefail", "-c", commands)
	cmd.Dir, cmd.Env = s.dir, s.env
	return cmd
}

func (s *start) run(commands string) {
	s.t.Helper()
	if out, err := s.shell(commands).CombinedOutput(); err != nil {
		s.t.Fatalf("%s: %v\n%s", commands, err, out)
	}
}

// serve starts a command that serves pages, gets its first page at the address that it prints, and interrupts it. The first page of
// people's work asks to sign in.
func (s *start) serve(command string) {
	s.t.Helper()
	cmd := s.shell(command + " --listen 127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	address, said := regexp.MustCompile(`http://127\.0\.0\.1:\d+\S*`), ""
	lines := bufio.NewScanner(out)
	for address.FindString(said) == "" && lines.Scan() {
		said += lines.Text() + "\n"
	}
	if err := s.get(address.FindString(said)); err != nil {
		s.t.Errorf("%s: %v\n%s", command, err, said)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		s.t.Error(err)
	}
	if _, err := io.Copy(io.Discard, out); err != nil {
		s.t.Error(err)
	}
	if err := cmd.Wait(); err != nil && cmd.ProcessState.ExitCode() != 130 {
		s.t.Errorf("%s: %v", command, err)
	}
}

func (s *start) get(address string) error {
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusUnauthorized || !strings.Contains(string(page), "<html") {
		return fmt.Errorf("%s: %s, %d bytes", address, answer.Status, len(page))
	}
	return nil
}
