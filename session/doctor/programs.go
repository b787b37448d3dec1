package doctor

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"time"

	"omniscope/internal/visible"
	"omniscope/media"
)

// A program is one that omniscope runs, where it is, and what for.
type program struct {
	Name      string   `json:"name"`
	Path      string   `json:"path"` // "" = it is not there
	Version   string   `json:"version"`
	Languages []string `json:"languages"` // of tesseract
	Use       string   `json:"use"`
	Problem   string   `json:"problem"` // "" = it can be used
}

const sphinx = "pocketsphinx_continuous"

// findPrograms looks for every program that is of use.
func findPrograms(ctx context.Context) (list []program) {
	works := true
	for _, p := range media.Programs(ctx) {
		works = works && p.Problem == ""
		if p.Name == "ffprobe" && works {
			if err := media.SelfTest(ctx); err != nil {
				list[0].Problem = err.Error()
			}
		}
		list = append(list, program{Name: p.Name, Path: p.Path, Version: p.Version, Languages: []string{}, Use: "caption, audit: every tool", Problem: p.Problem})
	}
	tesseract := lookFor("tesseract", "tool ocr: text on screen")
	if tesseract.Path != "" {
		tesseract.Version = firstLine(ctx, tesseract.Path, "--version")
		if tesseract.Languages = tesseractLanguages(ctx, tesseract.Path); len(tesseract.Languages) == 0 {
			tesseract.Problem = "it has no data of any language"
		}
	}
	return append(list, tesseract, lookFor(sphinx, "tool asr: speech, where the speech pack is not"))
}

func lookFor(name, use string) program {
	p := program{Name: name, Languages: []string{}, Use: use}
	path, err := exec.LookPath(name)
	if err != nil {
		p.Problem = "it is not installed"
	}
	p.Path = path
	return p
}

// ask runs a program that should answer at once.
func ask(ctx context.Context, program string, args ...string) string {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	text, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
	if err != nil {
		return ""
	}
	return string(text)
}

func firstLine(ctx context.Context, program, flag string) string {
	line, _, _ := strings.Cut(ask(ctx, program, flag), "\n")
	return visible.First(line, 60)
}

// tesseractLanguages are those of which it has data: what follows the headline.
func tesseractLanguages(ctx context.Context, path string) []string {
	languages := []string{}
	for i, line := range strings.Split(ask(ctx, path, "--list-langs"), "\n") {
		if line = strings.TrimSpace(line); i > 0 && line != "" && line != "osd" {
			languages = append(languages, visible.Line(line))
		}
	}
	return languages
}

// installers are the programs that install others, and what the packages of
// each are called.
var installers = []struct {
	program, line string
	packages      map[string]string
}{
	{"apt-get", "sudo apt-get install -y ", map[string]string{"ffmpeg": "ffmpeg", "ffprobe": "ffmpeg", "tesseract": "tesseract-ocr tesseract-ocr-eng", sphinx: "pocketsphinx pocketsphinx-en-us"}},
	{"brew", "brew install ", map[string]string{"ffmpeg": "ffmpeg", "ffprobe": "ffmpeg", "tesseract": "tesseract"}},
}

// installLine is what to run to have programs; "" where there is nothing to
// install, or nothing here that installs it.
func installLine(missing []string) string {
	for _, i := range installers {
		if _, err := exec.LookPath(i.program); err != nil {
			continue
		}
		var packages []string
		for _, name := range missing {
			if p := i.packages[name]; p != "" && !slices.Contains(packages, p) {
				packages = append(packages, p)
			}
		}
		if len(packages) > 0 {
			return i.line + strings.Join(packages, " ")
		}
		return ""
	}
	return ""
}
