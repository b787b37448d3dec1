package asr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/child"
	"omniscope/internal/scratch"
	"omniscope/media"
	"omniscope/media/wav"
)

// sphinxProgram is the Debian package pocketsphinx with pocketsphinx-en-us.
const sphinxProgram = "pocketsphinx_continuous"

// How much pocketsphinx listens to: it needs a third of the duration of the
// sound, or more on a busy machine.
const (
	sphinxLongest = 2 * time.Minute
	sphinxMost    = 5 * time.Minute
)

// Pocketsphinx is the engine of last resort: English only, and wrong about
// every second word (53 % word error rate on eleven recordings of real
// speech). It is never quoted.
type Pocketsphinx struct {
	Program string // "" = pocketsphinx_continuous, from the path
}

var _ Engine = Pocketsphinx{}

func (p Pocketsphinx) program() (string, error) {
	name := p.Program
	if name == "" {
		name = sphinxProgram
	}
	return exec.LookPath(name)
}

// Info implements Engine.
func (p Pocketsphinx) Info() EngineInfo {
	info := EngineInfo{Name: "pocketsphinx", Longest: sphinxLongest, Most: sphinxMost}
	if _, err := p.program(); err != nil {
		info.Missing = "the program " + sphinxProgram + " is not installed (Debian: apt install pocketsphinx pocketsphinx-en-us)"
	}
	return info
}

// Check implements Engine.
func (p Pocketsphinx) Check(context.Context) error {
	if missing := p.Info().Missing; missing != "" {
		return &omniscope.Error{Kind: omniscope.NotFound, Op: "asr", Err: errors.New(missing)}
	}
	return nil
}

// Transcribe implements Engine.
func (p Pocketsphinx) Transcribe(ctx context.Context, s Sound) ([]Segment, error) {
	program, err := p.program()
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Op: "asr", Err: errors.New(p.Info().Missing)}
	}
	files, err := scratch.New()
	if err != nil {
		return nil, err
	}
	defer files.Close()
	// The program takes the sound by name only; the name is ours.
	path := filepath.Join(files.Path, "speech.wav")
	if err := os.WriteFile(path, append(wav.Header(media.SpeechRate, 1, len(s.PCM)), s.PCM...), 0o600); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, 2*time.Minute+10*s.Duration())
	defer cancel()
	var out, log bytes.Buffer
	cmd := exec.CommandContext(limited, program, "-infile", path, "-time", "yes", "-logfn", filepath.Join(files.Path, "log"))
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &log, 2*time.Second
	child.Tie(cmd)
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &omniscope.Error{Kind: omniscope.Internal, Op: "run " + sphinxProgram, Err: fmt.Errorf("%w: %s", err, firstLine(log.String()))}
	}
	return readSphinx(out.String()), nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line[:min(len(line), 200)]
}

// readSphinx reads what the program prints: of each utterance a line of words,
// then a line "word start end posterior" for each, fillers among them.
func readSphinx(text string) (list []Segment) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		word, start, end, posterior, ok := sphinxWord(fields)
		if !ok {
			if len(fields) > 0 {
				list = append(list, Segment{Text: strings.Join(fields, " "), Start: -1})
			}
			continue
		}
		if len(list) == 0 {
			continue
		}
		s := &list[len(list)-1]
		if s.Start < 0 {
			s.Start = start
		}
		s.End = max(s.End, end)
		if !strings.HasPrefix(word, "<") && !strings.HasPrefix(word, "[") {
			word, _, _ = strings.Cut(word, "(") // our(3) is the third way to say our
			s.Words = append(s.Words, Word{Text: word, Posterior: min(1, posterior)})
		}
	}
	for i := range list {
		list[i].Start = max(0, list[i].Start)
	}
	return list
}

func sphinxWord(fields []string) (word string, start, end time.Duration, posterior float64, ok bool) {
	if len(fields) != 4 {
		return "", 0, 0, 0, false
	}
	var numbers [3]float64
	for i := range numbers {
		n, err := strconv.ParseFloat(fields[i+1], 64)
		if err != nil || n < 0 || n > 1e6 {
			return "", 0, 0, 0, false
		}
		numbers[i] = n
	}
	return fields[0], time.Duration(numbers[0] * float64(time.Second)), time.Duration(numbers[1] * float64(time.Second)), numbers[2], true
}
