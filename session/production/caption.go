package production

import (
	"bytes"
	"encoding/json"
	"fmt"

	"omniscope"
	"omniscope/bench/captionrow"
	"omniscope/detective"
	"omniscope/metric/textnorm"
)

// InvestigationField is the field that a row of the output has beside those of the
// released pipeline: a Summary.
const InvestigationField = "investigation"

// A Summary has the figures of a clip's investigation. The same answers make the same summary: it
// has no cost and no time.
type Summary struct {
	Pass           string          `json:"pass"`   // av, a or v; av-3 = its caption after 3 inquiries
	SHA256         string          `json:"sha256"` // of the media file
	Seconds        float64         `json:"seconds"`
	Words          int             `json:"words"` // of the caption
	Inquiries      int             `json:"inquiries"`
	Ended          detective.Ended `json:"ended"`
	Observations   int             `json:"observations"`
	Sentences      int             `json:"sentences"`
	Unfounded      int             `json:"unfounded"`               // sentences without an observation as evidence
	Disputed       int             `json:"disputed,omitempty"`      // sentences with evidence that another observer contradicts
	Confirmations  int             `json:"confirmations,omitempty"` // claims that another observer checked; 0 = disputed sentences are not known
	Contradictions int             `json:"contradictions"`
	Observers      []string        `json:"observers,omitempty"` // the models and measuring tools that were asked
}

// Summarise sums up a report that has a caption.
func Summarise(r *detective.Report, pass string) Summary {
	return Summary{
		Pass: pass, SHA256: r.Clip.SHA256, Seconds: r.Clip.LengthS, Words: textnorm.CountWords(r.Caption.Text), Inquiries: len(r.Turns), Ended: r.Ended, Observations: len(r.Ledger),
		Sentences: len(r.Caption.Sentences), Unfounded: r.Caption.Unfounded(), Disputed: r.Caption.Disputed(), Confirmations: len(r.Confirmations), Contradictions: len(r.Contradictions), Observers: r.Authors(),
	}
}

// line is a row of the output: the list's own columns as they were, the caption with its evidence, the summary, and the
// trajectory, whose last message is the caption.
func line(begin []byte, c captionrow.Row, s Summary, t detective.Trajectory) ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	text.Write(begin)
	members := []member{{"caption", c.Caption}, {"modality", c.Modality}, {"system", c.System}}
	if len(c.Sentences) > 0 {
		members = append(members, member{"sentences", c.Sentences}, member{"evidence", c.Evidence})
	}
	for _, m := range append(members, member{InvestigationField, s}, member{detective.TrajectoryField, t}) {
		fmt.Fprintf(&text, ", %q: ", m.name)
		if err := enc.Encode(m.value); err != nil {
			return nil, err
		}
		text.Truncate(text.Len() - 1) // the line end
	}
	text.WriteString("}\n")
	return text.Bytes(), nil
}

type member struct {
	name  string
	value any
}

// ourFields are the fields of a row that replace the list's columns of the same names.
var ourFields = []string{"path", "caption", "modality", "system", "sentences", "evidence", InvestigationField}

// start is how the row of a clip begins in a file of folder: with its id, and the path of its media from there.
func start(folder string, row *Row) ([]byte, error) {
	own := row.Row
	for _, name := range ourFields {
		own = own.Without(name)
	}
	own.Trajectory = nil
	text, err := own.MarshalJSON()
	if err != nil {
		return nil, err
	}
	path, err := json.Marshal(captionrow.PathFrom(folder, row.Path) + row.fragment)
	return fmt.Appendf(bytes.TrimSuffix(text, []byte("}")), ", %q: %s", "path", path), err
}

// A Failure is a clip without a caption.
type Failure struct {
	ID      string            `json:"id"`
	URL     string            `json:"url"`
	Pass    string            `json:"pass,omitempty"` // "" = the clip could not be opened for any
	Outcome omniscope.Outcome `json:"outcome"`
	Why     string            `json:"why"`
}
