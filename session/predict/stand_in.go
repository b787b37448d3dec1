package predict

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/outfile"
)

// StandIn writes answers that nobody gave, in the form of the benchmark, to a folder, so that scoring can be checked and forecast
// before anything is asked. An answer is the first option of a question, else a text of so many tokens at 4 bytes each. Answers that
// an earlier command wrote for this run are taken from there. It must not be scored.
func (w *Run) StandIn(dir string, tokens int) (*Summary, error) {
	writer, ok := w.dataset.(bench.AnswerWriter)
	if !ok {
		return nil, omniscope.Usagef("captions of files are not scored: name a benchmark")
	}
	there, err := w.earlier()
	if err != nil {
		return nil, err
	}
	a, text := w.answers(), strings.Repeat("xyz ", max(tokens, 1))
	a.List = nil
	for i := range w.Samples {
		s := &w.Samples[i]
		answer := bench.Answer{Sample: s.ID, Text: text}
		if known, ok := there[s.ID]; ok {
			answer.Text = known
		} else if len(s.Options) > 0 {
			answer.Text = s.Options[0]
		}
		a.List = append(a.List, answer)
	}
	out := &Summary{System: a.System, File: filepath.Join(dir, writer.AnswersName(a)), ScoredWith: writer.ScoredWith(a), Samples: len(w.Samples)}
	return out, outfile.Write(out.File, func(to io.Writer) error {
		_, err := writer.WriteAnswers(to, a)
		return err
	})
}

// earlier returns the answers in the file of details, if it is of this run.
func (w *Run) earlier() (map[omniscope.SampleID]string, error) {
	f := w.fileNames()
	text, err := os.ReadFile(f.details)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rows := json.NewDecoder(bytes.NewReader(text))
	var head detailsHead
	if err := rows.Decode(&head); err != nil || head.Run != w.Described.Name {
		return nil, nil // Check refuses files of others
	}
	there := make(map[omniscope.SampleID]string)
	for {
		var row struct {
			Sample  omniscope.SampleID `json:"sample"`
			Outcome omniscope.Outcome  `json:"outcome"`
			Answer  string             `json:"answer"`
		}
		if err := rows.Decode(&row); err == io.EOF {
			return there, nil
		} else if err != nil {
			return nil, omniscope.Invalidf("%s: %v", f.details, err)
		}
		if row.Outcome == omniscope.OK {
			there[row.Sample] = row.Answer
		}
	}
}
