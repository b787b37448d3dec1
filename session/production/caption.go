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

// A Summary says in figures how a clip's investigation went. The same answers make the
// same summary: what it cost and how long it took is not in it.
type Summary struct {
	Pass           string          `json:"pass"`   // av, a or v; av-3 = its caption after 3 inquiries
	SHA256         string          `json:"sha256"` // of the media file
	Seconds        float64         `json:"seconds"`
	Words          int             `json:"words"` // of the caption
	Inquiries      int             `json:"inquiries"`
	Ended          detective.Ended `json:"ended"`
	Observations   int             `json:"observations"`
	Sentences      int             `json:"sentences"`
	Unfounded      int             `json:"unfounded"`               // sentences that rest on no observation
	Disputed       int             `json:"disputed,omitempty"`      // sentences that rest on what another observer contradicts
	Confirmations  int             `json:"confirmations,omitempty"` // claims that were put to another observer: with none nobody looked for sentences that are disputed
	Contradictions int             `json:"contradictions"`
	Observers      []string        `json:"observers,omitempty"` // that were asked: models, and tools that measure
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
