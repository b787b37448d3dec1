package segment

import (
	"encoding/json"
	"io"

	"omniscope/internal/sha256hex"
	"omniscope/media/pdac"
)

// A method is what shapes the segments of every talk.
type method struct {
	Origin    origin  `json:"probabilities"`
	Max       float64 `json:"max"` // seconds
	Min       float64 `json:"min"` // seconds
	Threshold float64 `json:"threshold"`
	NotStrict bool    `json:"not_strict"`
}

// String is the method in words.
func (m method) String() string {
	text, _ := json.Marshal(m) // it has only numbers and texts
	return string(text)
}

// A segmentation is segmentation.json: how the segments were made, and of what.
type segmentation struct {
	Program    string     `json:"program"` // version
	Algorithm  string     `json:"algorithm"`
	FrameRate  float64    `json:"frames_per_second"`
	Method     method     `json:"method"`
	Talks      []segments `json:"talks"`
	ListSHA256 string     `json:"list_sha256,omitempty"` // "" until all talks are done
}

// Segments of a talk. Those listed may not all be cut yet.
type segments struct {
	talkPart
	Segments []pdac.Segment `json:"segments"`
}

// find returns the segments of a talk, nil where none are planned.
func (r *segmentation) find(wav string) *segments {
	for i := range r.Talks {
		if r.Talks[i].Wav == wav {
			return &r.Talks[i]
		}
	}
	return nil
}

// yaml is the list of all segments and its digest.
func (r *segmentation) yaml() ([]byte, string, error) {
	var list []pdac.Entry
	for _, t := range r.Talks {
		list = append(list, pdac.Entries(t.Wav, t.Segments)...)
	}
	text, err := pdac.YAML(list)
	return text, sha256hex.Of(text), err
}

func writeAll(text []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(text); return err }
}
