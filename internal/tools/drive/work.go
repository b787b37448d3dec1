package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/testing/capgen"
	"omniscope/internal/testing/clozegen"
)

// A work is a made benchmark, and what judging it takes.
type work struct {
	dir          string
	args         []string // of omniscope eval: the benchmark and its files
	reply        string   // how the server answers
	samples      int
	fewest, most int   // calls
	body         int   // bytes of a call's request, about
	bytes        int64 // of the files
}

func makeWork(dir string, o options) (*work, error) {
	if o.vdc != "" {
		return makeVDC(dir, o)
	}
	if o.capricorn {
		return makeCapricorn(dir, o)
	}
	return makeCloze(dir, o)
}

func makeCloze(dir string, o options) (*work, error) {
	rows := filepath.Join(dir, "rows.jsonl")
	size, err := writeFile(rows, func(w io.Writer) error {
		return clozegen.Write(w, clozegen.Options{Rows: o.calls, Blanks: o.blanks, Words: o.words})
	})
	return &work{dir: dir, args: []string{"omni-cloze", "-p", rows}, reply: "cloze",
		samples: o.calls, fewest: o.calls, most: o.calls, body: int(size) / o.calls, bytes: size}, err
}

// makeCapricorn makes annotations and captions. How many calls about subjects
// follow those about keypoints depends on the answers.
func makeCapricorn(dir string, o options) (*work, error) {
	const subjects, prompt = 4, 1400 // bytes of a prompt without its caption, about
	rows, captions := filepath.Join(dir, "annotations.jsonl"), filepath.Join(dir, "captions.jsonl")
	var captionBytes int64
	rowBytes, err := writeFile(rows, func(rows io.Writer) (err error) {
		captionBytes, err = writeFile(captions, func(captions io.Writer) error {
			return capgen.Write(rows, captions, capgen.Options{Videos: o.videos, Keypoints: o.keypoints, Subjects: subjects, Words: o.words})
		})
		return err
	})
	events := o.videos * o.keypoints
	return &work{dir: dir, args: []string{"capricorn", "--data", rows, "-p", captions}, reply: "capricorn",
		samples: o.videos, fewest: events, most: events + o.videos*subjects,
		body: int(captionBytes)/o.videos + prompt, bytes: rowBytes + captionBytes}, err
}

// makeVDC makes captions for the first videos of a file of questions, which it copies: two calls
// follow for each question, but where a video has the same question twice.
func makeVDC(dir string, o options) (*work, error) {
	text, err := os.ReadFile(o.vdc)
	if err != nil {
		return nil, err
	}
	w := &work{dir: dir, reply: "vdc"}
	questions, captions := filepath.Join(dir, "questions.jsonl"), filepath.Join(dir, "captions.jsonl")
	caption := strings.TrimSpace(strings.Repeat("word ", o.words))
	var kept []byte
	captionBytes, err := writeFile(captions, func(to io.Writer) error {
		for line := range bytes.Lines(text) {
			var videos map[string][]any
			if err := json.Unmarshal(line, &videos); err != nil {
				return err
			}
			if w.samples == o.videos {
				break
			}
			kept = append(kept, line...)
			for video, list := range videos {
				w.samples++
				w.most += 2 * len(list)
				if err := json.NewEncoder(to).Encode(map[string]string{"video_id": video, "caption": video + " " + caption}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil {
		err = os.WriteFile(questions, kept, 0o600)
	}
	const prompt = 700 // bytes of a prompt without its caption, about
	w.args = []string{"vdc", "--data", questions, "-p", captions}
	w.fewest, w.body, w.bytes = w.most*99/100, len(caption)+prompt, captionBytes+int64(len(kept))
	return w, err
}

// writeFile returns how long the file became.
func writeFile(path string, write func(io.Writer) error) (int64, error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	err = write(f)
	info, statErr := f.Stat()
	if err := errors.Join(err, statErr, f.Close()); err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// check sees to it that the run did its work: every call was answered, and
// every answer could be used.
func (w *work) check(r *document.Results) error {
	switch u := r.Usage; {
	case u.Failed > 0 || u.Calls < w.fewest || u.Calls > w.most:
		return fmt.Errorf("%d calls made, %d failed, wanted %d to %d", u.Calls, u.Failed, w.fewest, w.most)
	case r.Outcomes[omniscope.OK.String()] != w.samples || len(r.Differences) > 0:
		return fmt.Errorf("outcomes %v, differences %v, wanted %d samples and nothing else", r.Outcomes, r.Differences, w.samples)
	}
	return nil
}
