package deploycheck

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// An instruction is a line of a Dockerfile, continued ones joined.
type instruction struct {
	line int
	name string // in capitals
	args string
}

// Instructions that we use. Source: https://docs.docker.com/reference/dockerfile.
var instructions = []string{"ARG", "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "ENTRYPOINT"}

// readDockerfile reads a Dockerfile strictly: an instruction that is not ours is an error.
func readDockerfile(text string) (all []instruction, err error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		start, line := i+1, strings.TrimSpace(lines[i])
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		for strings.HasSuffix(line, `\`) {
			if i++; i == len(lines) {
				return nil, fmt.Errorf("line %d goes on behind the end", start)
			}
			line = strings.TrimSuffix(line, `\`) + strings.TrimSpace(lines[i])
		}
		name, args, _ := strings.Cut(line, " ")
		if !slices.Contains(instructions, name) || strings.TrimSpace(args) == "" {
			return nil, fmt.Errorf("line %d: %q", start, line)
		}
		all = append(all, instruction{start, name, strings.TrimSpace(args)})
	}
	return all, nil
}

var (
	secretName = regexp.MustCompile(`(?i)(key|token|secret|password)`)
	imageTag   = regexp.MustCompile(`^[a-z0-9./-]+:[a-z]*-?[0-9][a-z0-9.-]*$`)
	argUse     = regexp.MustCompile(`\$\{([A-Z_]+)\}`)
)

// checkDockerfile says what is wrong with a Dockerfile: bases without an exact tag, sources that are not there or are ignored, names of
// secrets, and a last stage that runs as root. made are folders that are made before such a build.
func checkDockerfile(all []instruction, ignored func(string) bool, made ...string) (wrong []string) {
	stages, args := map[string]string{}, map[string]string{} // a stage's user, at last; an argument's default
	user, stage := "", ""
	complain := func(in instruction, format string, a ...any) {
		wrong = append(wrong, fmt.Sprintf("line %d: ", in.line)+fmt.Sprintf(format, a...))
	}
	for _, in := range all {
		fields := strings.Fields(in.args)
		switch in.name {
		case "ARG", "ENV":
			name, value, _ := strings.Cut(in.args, "=")
			if secretName.MatchString(name) {
				complain(in, "%s is a secret", name)
			}
			args[name] = value
		case "FROM":
			image := argUse.ReplaceAllStringFunc(fields[0], func(use string) string { return args[use[2:len(use)-1]] })
			of, isStage := stages[image]
			if !isStage && (!imageTag.MatchString(image) || strings.HasSuffix(image, ":latest")) {
				complain(in, "%s is no image with an exact tag", image)
			}
			user, stage = cmp.Or(of, "root"), ""
			if len(fields) == 3 && strings.EqualFold(fields[1], "as") {
				stage = fields[2]
				stages[stage] = user
			}
		case "USER":
			user = in.args
			stages[stage] = user
		case "COPY":
			if from, ok := strings.CutPrefix(fields[0], "--from="); ok {
				if _, ok := stages[from]; !ok {
					complain(in, "no stage %s", from)
				}
				continue
			}
			for _, source := range fields[:len(fields)-1] {
				if !ondisk.Exists(filepath.Join(root, source)) && !slices.Contains(made, source) {
					complain(in, "%s is not there", source)
				}
				if ignored(path.Clean(source)) {
					complain(in, "%s is in .dockerignore", source)
				}
			}
		}
	}
	if id, _, _ := strings.Cut(user, ":"); id == "" || id == "0" || id == "root" {
		wrong = append(wrong, "the last stage runs as root")
	}
	return wrong
}

// readIgnore reads .dockerignore, as far as we use it: names and patterns, ** at the front, no exceptions.
func readIgnore(t *testing.T) func(name string) bool {
	t.Helper()
	f, err := os.Open(filepath.Join(root, ".dockerignore"))
	fixture.OK(t, err)
	defer f.Close()
	var patterns []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "!") {
			t.Fatalf(".dockerignore has an exception, which this test does not know: %s", line)
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			patterns = append(patterns, line)
		}
	}
	return func(name string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return ignores(p, name) })
	}
}

// ignores reports whether a pattern matches a name or a folder above it.
func ignores(pattern, name string) bool {
	anywhere, deep := strings.CutPrefix(pattern, "**/")
	for n := name; n != "."; n = path.Dir(n) {
		if ok, _ := path.Match(pattern, n); ok {
			return true
		}
		for at := n; deep; {
			if ok, _ := path.Match(anywhere, at); ok {
				return true
			}
			_, rest, more := strings.Cut(at, "/")
			if !more {
				break
			}
			at = rest
		}
	}
	return false
}

func TestDockerfiles(t *testing.T) {
	ignored := readIgnore(t)
	for _, name := range []string{"deploy/Dockerfile", ".devcontainer/Dockerfile"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		fixture.OK(t, err)
		all, err := readDockerfile(string(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, wrong := range checkDockerfile(all, ignored, "dist") { // make release makes dist
			t.Errorf("%s: %s", name, wrong)
		}
	}
}

// TestDockerfileCheckFindsFaults has a Dockerfile for each fault that the check is for.
func TestDockerfileCheckFindsFaults(t *testing.T) {
	ignored := readIgnore(t)
	const good = "FROM debian:12.12-slim\nCOPY deploy deploy\nUSER 1000:1000\n"
	for want, text := range map[string]string{
		"":                   good,
		"runs as root":       "FROM debian:12.12-slim\nCOPY deploy deploy\n",
		"the last stage":     good + "FROM debian:12.12-slim\nRUN true\n",
		"exact tag":          strings.Replace(good, ":12.12-slim", ":latest", 1),
		"no image":           strings.Replace(good, ":12.12-slim", "", 1),
		"not there":          strings.Replace(good, "COPY deploy", "COPY deplyo", 1),
		"in .dockerignore":   strings.Replace(good, "COPY deploy", "COPY docs/ci.md", 1),
		"no stage build":     strings.Replace(good, "COPY deploy", "COPY --from=build deploy", 1),
		"API_KEY is a secre": good + "ENV API_KEY=x\n",
	} {
		all, err := readDockerfile(text)
		fixture.OK(t, err)
		if got := strings.Join(checkDockerfile(all, ignored), "; "); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if all, err := readDockerfile("FROM debian:12.12-slim AS a\nUSER 7\nFROM a\nCOPY deploy deploy\n"); err != nil || len(checkDockerfile(all, ignored)) > 0 {
		t.Errorf("a stage has the user of the one that it starts from: %v %q", err, checkDockerfile(all, ignored))
	}
	for _, text := range []string{"FORM debian:12.12\n", "RUN a \\\n", "USER\n", "ADD https://example.org/x /\n"} {
		if _, err := readDockerfile(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// TestImageHasAllSources: nothing that the program is built of is in .dockerignore, and no file of keys is in the image.
func TestImageHasAllSources(t *testing.T) {
	ignored := readIgnore(t)
	cmd := exec.Command(need.Program(t, "go"), "list", "-deps", "-f", `{{if not .Standard}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{range .SFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{range .EmbedFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}`, "./cmd/omniscope")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	fixture.OK(t, err)
	ours := 0
	for file := range strings.FieldsSeq(string(out)) {
		name, ok := strings.CutPrefix(file, root+"/")
		if !ok {
			continue // of a library
		}
		if ours++; ignored(name) {
			t.Errorf("%s is in .dockerignore, and the program is built of it", name)
		}
	}
	if ours < 500 {
		t.Errorf("%d files: the list is wrong", ours)
	}
	for _, name := range []string{".env", "deploy/.env", "a/b/.env.local", "x/server.key", ".git/config", "demo/omniscope-work/journal"} {
		if !ignored(name) {
			t.Errorf("%s would be in the image", name)
		}
	}
	for _, name := range []string{"go.mod", "deploy/install.sh", "LICENSE", "environment/x.go", "dist/checksums.txt"} {
		if ignored(name) {
			t.Errorf("%s would not be in the image", name)
		}
	}
}
