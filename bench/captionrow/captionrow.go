// Package captionrow defines the form in which captions of clips are kept: JSON Lines, a Row each. The commands caption,
// run --no-score, curate and people export write it; eval, audit, people, train, curate and reconstruct read it. A command may
// add fields of its own; readers ignore the fields that they do not know. For fields of other programs see
// bench.CaptionFields and bench.ClipFields, which Read accepts as well.
package captionrow

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/detective"
	"omniscope/internal/rows"
)

// A Row is the caption of a clip.
type Row struct {
	// ID names the clip. It occurs once in a file.
	ID string `json:"id"`

	// Path is the media file: absolute, an address, or a path from the folder of the rows' file, with slashes. A clip that is
	// a stretch of the file ends in #t=START,END in seconds. "" = not known.
	Path string `json:"path,omitempty"`

	// Caption is the text, as it was written.
	Caption string `json:"caption"`

	// Modality is what the caption was written from: audio-visual, audio or visual. "" = not known.
	Modality omniscope.Modality `json:"modality,omitempty"`

	// System names the author: a model's name, detective-NAME for an investigation led by a model, plan-OBSERVER for the fixed
	// plan with observers, Offline without any model. "" = not known, as of people.
	System string `json:"system,omitempty"`

	// Sentences are the caption's sentences with the ids of their evidence. Empty = not known, as of a single model.
	Sentences []Sentence `json:"sentences,omitempty"`

	// Evidence holds the observations that the sentences cite, each once.
	Evidence []Observation `json:"evidence,omitempty"`
}

// A Sentence of a caption and its evidence.
type Sentence struct {
	Text     string   `json:"text"`
	Evidence []string `json:"evidence"`           // ids of Row.Evidence; empty = the sentence has no evidence
	Disputed bool     `json:"disputed,omitempty"` // another observer contradicts its evidence
}

// An Observation is a piece of evidence.
type Observation struct {
	ID     string  `json:"id"`   // in the investigation, such as o3
	Tool   string  `json:"tool"` // the tool or observer
	What   string  `json:"what"`
	StartS float64 `json:"start_s"`
	EndS   float64 `json:"end_s,omitempty"` // 0 = to the end
}

// Offline is the System of captions that were written without any model.
const Offline = "offline"

// Of returns the row of an investigation that has a caption.
func Of(r *detective.Report, id, path, system string) Row {
	row := Row{ID: id, Path: path, Caption: r.Caption.Text, Modality: r.Modality, System: system}
	cited := make(map[string]bool)
	for _, s := range r.Caption.Sentences {
		row.Sentences = append(row.Sentences, Sentence{Text: s.Text, Evidence: append([]string{}, s.Evidence...), Disputed: s.Disputed})
		for _, id := range s.Evidence {
			cited[id] = true
		}
	}
	for i := range r.Ledger {
		if e := &r.Ledger[i]; cited[e.ID] {
			row.Evidence = append(row.Evidence, Observation{ID: e.ID, Tool: e.Tool, What: e.What, StartS: e.StartS, EndS: e.EndS})
		}
	}
	return row
}

// PathFields may hold the place of the clip, the first that a row has.
var PathFields = []string{"path", "url", "file_name", "video_path", "audio_path", "video", "audio"}

// Read reads a row, a JSON object, in this form or with the field names of other programs. Sentences that differ from
// the caption, as after an edit, are left out with their evidence. A caption that is only the last
// message of an investigation's trajectory is found as well.
func Read(text []byte) (*Row, error) {
	if err := rows.CheckJSON(text); err != nil {
		return nil, err
	}
	r := &Row{ID: rows.ID(first(text, append([]string{"id", "uuid"}, bench.ClipFields...))), Path: first(text, PathFields).String()}
	if r.ID == "" {
		return nil, fmt.Errorf("the row has no id: %w", bench.NoField("id", bench.FieldsOf(text)))
	}
	var ok bool
	if r.Caption, ok = Text(text); !ok {
		return nil, fmt.Errorf("the row has no caption, looked for as %s: %w", strings.Join(bench.CaptionFields, ", "), bench.NoField("caption", bench.FieldsOf(text)))
	}
	r.Modality, r.System = omniscope.Modality(gjson.GetBytes(text, "modality").String()), gjson.GetBytes(text, "system").String()
	var own struct {
		Sentences []Sentence
		Evidence  []Observation
	}
	if json.Unmarshal(text, &own) == nil { // other programs may have other things in fields of these names
		r.Sentences, r.Evidence = own.Sentences, own.Evidence
	}
	if !r.sentencesAreTheCaption() { // it was edited since
		r.Sentences, r.Evidence = nil, nil
	}
	return r, nil
}

func (r *Row) sentencesAreTheCaption() bool {
	var words []string
	for i := range r.Sentences {
		words = append(words, strings.Fields(r.Sentences[i].Text)...)
	}
	return slices.Equal(words, strings.Fields(r.Caption))
}

// Text returns the caption of a row; "" with ok = the row has the field, without a text.
func Text(row []byte) (text string, ok bool) {
	switch v := first(row, bench.CaptionFields); {
	case v.Type == gjson.String:
		return v.Str, true
	case v.Exists():
		return "", v.Type == gjson.Null
	}
	v := gjson.GetBytes(row, detective.TrajectoryField)
	var t detective.Trajectory
	if !v.IsArray() || json.Unmarshal([]byte(v.Raw), &t) != nil || len(t) == 0 {
		return "", false
	}
	return t.Description(), true
}

// first is the first field that a row has.
func first(row []byte, names []string) (v gjson.Result) {
	for _, name := range names {
		if v = gjson.GetBytes(row, gjson.Escape(name)); v.Exists() {
			return v
		}
	}
	return gjson.Result{}
}

// Write writes rows, a line each.
func Write(to io.Writer, list []Row) error {
	lines := json.NewEncoder(to)
	lines.SetEscapeHTML(false)
	for i := range list {
		if err := lines.Encode(&list[i]); err != nil {
			return err
		}
	}
	return nil
}
