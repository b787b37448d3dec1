package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/child"
)

const (
	program      = "tesseract"
	howToInstall = "Debian, Ubuntu: apt-get install tesseract-ocr; macOS: brew install tesseract; else https://tesseract-ocr.github.io/tessdoc/Installation.html"
	longest      = 5 * time.Minute // for one process; usual is a second
	oldest       = 4               // the first version that says how sure it is of a word in the way counted on here
)

// Ways in which tesseract looks for text in a picture (its --psm).
const (
	asPage   = "3"  // find blocks, then lines: misses lone words, invents hardly any
	asSparse = "11" // words anywhere: right for pictures in which little but text is left
)

// A box is where something stands, in pixels.
type box struct{ x, y, width, height int }

// A word is one that tesseract read.
type word struct {
	text string
	box
	conf float64 // from 0 to 100, as tesseract counts
	line [3]int  // block, paragraph and line it stands in
}

// Check says whether tesseract, recent enough, and the data of the languages
// are installed.
func (t *Tool) Check(ctx context.Context) error {
	for name := range strings.SplitSeq(t.languages, "+") {
		if !isLanguage(name) {
			return &omniscope.Error{Kind: omniscope.Usage, Op: "read text", Err: fmt.Errorf("%q is no language of tesseract: name them like eng, or eng+deu", t.languages)}
		}
	}
	v, err := version(ctx)
	if err != nil {
		return err
	}
	major, _, _ := strings.Cut(v, ".")
	if n, err := strconv.Atoi(major); err != nil || n < oldest {
		return missing(fmt.Errorf("tesseract is of version %q, and %d or later is needed (%s)", v, oldest, howToInstall))
	}
	text, err := output(ctx, nil, "--list-langs")
	if err != nil {
		return err
	}
	have := strings.Fields(text)
	for name := range strings.SplitSeq(t.languages, "+") {
		if !slices.Contains(have, name) {
			return missing(fmt.Errorf("tesseract has no data of the language %s: install it (Debian, Ubuntu: apt-get install tesseract-ocr-%s)", name, strings.ReplaceAll(name, "_", "-")))
		}
	}
	return nil
}

func missing(err error) error {
	return &omniscope.Error{Kind: omniscope.NotFound, Op: "run " + program, Err: err}
}

// isLanguage reports whether a name could be one, so that none is taken for an
// option or a path.
func isLanguage(name string) bool {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '_' && (r < '0' || r > '9')) {
			return false
		}
	}
	return name != ""
}

// version finds VERSION in "tesseract VERSION", which version 3 wrote to
// standard error and later ones write to standard output.
func version(ctx context.Context) (string, error) {
	text, err := output(ctx, nil, "--version")
	if err != nil {
		return "", err
	}
	words := strings.Fields(text)
	if len(words) < 2 {
		return "", missing(errors.New("tesseract does not tell its version: is it the right program?"))
	}
	return strings.TrimPrefix(words[1], "v"), nil
}

// words reads pictures, any that leptonica knows, by one process, and returns the words of each.
func (t *Tool) words(ctx context.Context, files []string, layout string) ([][]word, error) {
	text, err := output(ctx, strings.NewReader(strings.Join(files, "\n")+"\n"), "stdin", "stdout", "--psm", layout, "-l", t.languages, "tsv")
	if err != nil {
		return nil, err
	}
	pages := parse(text)
	if len(pages) != len(files) {
		return nil, &omniscope.Error{Kind: omniscope.Internal, Op: "run " + program, Err: fmt.Errorf("it was given %d pictures and told of %d", len(files), len(pages))}
	}
	return pages, nil
}

// output runs tesseract, with one thread: it gains little by more, and frames
// are read side by side.
func output(ctx context.Context, input io.Reader, args ...string) (string, error) {
	where, err := exec.LookPath(program)
	if err != nil {
		return "", missing(fmt.Errorf("tesseract is not installed, or not in PATH (%s)", howToInstall))
	}
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(limited, where, args...)
	cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, &out, &complaints
	cmd.WaitDelay = 2 * time.Second
	child.Tie(cmd)
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case limited.Err() != nil:
		return "", &omniscope.Error{Kind: omniscope.Internal, Op: "run " + program, Err: fmt.Errorf("it took more than %v", longest)}
	case err != nil:
		why := strings.Join(strings.Fields(complaints.String()), " ")
		return "", &omniscope.Error{Kind: omniscope.Internal, Op: "run " + program, Err: fmt.Errorf("%w: %.300s", err, why)}
	}
	return out.String(), nil
}

// parse reads tesseract's table: level, page, block, paragraph, line, word,
// left, top, width, height, confidence, text. Other rows than words have the
// confidence -1; each picture begins with one of level 1.
func parse(table string) (pages [][]word) {
	const columns = 12
	for row := range strings.Lines(table) {
		cells := strings.SplitN(strings.TrimRight(row, "\r\n"), "\t", columns)
		if cells[0] == "1" {
			pages = append(pages, nil)
		}
		if len(cells) < columns || cells[0] != "5" || len(pages) == 0 {
			continue
		}
		var n [columns - 2]int
		bad := false
		for i := range n {
			v, err := strconv.Atoi(cells[i])
			n[i], bad = v, bad || err != nil
		}
		conf, err := strconv.ParseFloat(cells[10], 64)
		text := strings.TrimSpace(cells[11])
		if bad || err != nil || !(conf >= 0 && conf <= 100) || text == "" {
			continue
		}
		last := &pages[len(pages)-1]
		*last = append(*last, word{
			text: text, conf: conf, line: [3]int{n[2], n[3], n[4]},
			box: box{x: n[6], y: n[7], width: n[8], height: n[9]},
		})
	}
	return pages
}
