package bench

import (
	"bufio"
	"io"

	"omniscope"
	"omniscope/internal/filename"
	"omniscope/internal/jsonfast"
)

// An Answer is what a model said of one sample.
type Answer struct {
	Sample omniscope.SampleID
	Text   string
	Path   string // of the sample's media, from the folder of the answers; "" = not known
}

// Answers are the answers of one system to the samples of one file, in the order of
// the samples. Samples without an answer are left out.
type Answers struct {
	System   string
	Data     string // the dataset's file
	Modality string // what the system was given: audio-visual, audio, visual or text
	Track    string // of the samples
	Language string
	List     []Answer
}

// An AnswerWriter is a Dataset whose Open reads predictions in a form of its own,
// and which writes them so.
type AnswerWriter interface {
	Dataset
	// AnswersName is the file's published name.
	AnswersName(a *Answers) string
	// WriteAnswers writes what Open reads. It returns what had to be changed for it,
	// in words.
	WriteAnswers(w io.Writer, a *Answers) (changed []string, err error)
	// ScoredWith are the inputs and options with which the answers are scored, by the
	// names of eval's flags.
	ScoredWith(a *Answers) map[string]string
}

// LineAnswers writes the answers of a benchmark as JSON Lines. A benchmark that embeds it implements AnswerWriter if it is a Dataset.
type LineAnswers struct{ IDField, TextField string }

// AnswersName implements AnswerWriter.
func (LineAnswers) AnswersName(a *Answers) string { return filename.Safe(a.System) + ".jsonl" }

// WriteAnswers implements AnswerWriter.
func (l LineAnswers) WriteAnswers(w io.Writer, a *Answers) ([]string, error) {
	return nil, writeLines(w, l.IDField, l.TextField, a, false)
}

// ScoredWith implements AnswerWriter.
func (LineAnswers) ScoredWith(a *Answers) map[string]string {
	return map[string]string{"data": a.Data}
}

// WriteCaptionLines writes captions as JSON Lines: the benchmark's two fields, and path, modality and system as package captionrow
// has them.
func WriteCaptionLines(w io.Writer, idField, textField string, a *Answers) error {
	return writeLines(w, idField, textField, a, true)
}

// writeLines writes answers as JSON Lines of two fields.
func writeLines(w io.Writer, idField, textField string, a *Answers, captions bool) error {
	out := bufio.NewWriter(w)
	for _, answer := range a.List {
		row := jsonfast.Append([]byte{'{'}, idField)
		row = jsonfast.Append(append(row, ':'), string(answer.Sample))
		row = jsonfast.Append(append(row, ','), textField)
		row = jsonfast.Append(append(row, ':'), answer.Text)
		if captions {
			for _, f := range [...][2]string{{"path", answer.Path}, {"modality", a.Modality}, {"system", a.System}} {
				if f[1] != "" {
					row = jsonfast.Append(append(row, ','), f[0])
					row = jsonfast.Append(append(row, ':'), f[1])
				}
			}
		}
		if _, err := out.Write(append(row, "}\n"...)); err != nil {
			return err
		}
	}
	return out.Flush()
}
