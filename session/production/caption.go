package production

import (
	"bytes"
	"encoding/json"

	"omniscope"
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

// line is a row of the output: the list's own columns as they were, the summary, and the
// trajectory, whose last message is the caption.
func line(row *Row, s Summary, t detective.Trajectory) ([]byte, error) {
	summary, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	out, err := start(row)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(t); err != nil {
		return nil, err
	}
	out = append(append(append(out, `, "`+InvestigationField+`": `...), summary...), `, "`+detective.TrajectoryField+`": `...)
	out = append(out, bytes.TrimSpace(text.Bytes())...)
	return append(out, "}\n"...), nil
}

// start is how the output's row of a clip begins.
func start(row *Row) ([]byte, error) {
	own := row.Row.Without(InvestigationField)
	own.Trajectory = nil
	text, err := own.MarshalJSON()
	return bytes.TrimSuffix(text, []byte("}")), err
}

// A Failure is a clip without a caption.
type Failure struct {
	ID      string            `json:"id"`
	URL     string            `json:"url"`
	Pass    string            `json:"pass,omitempty"` // "" = the clip could not be opened for any
	Outcome omniscope.Outcome `json:"outcome"`
	Why     string            `json:"why"`
}
