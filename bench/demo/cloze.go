package demo

import (
	"fmt"
	"slices"

	"omniscope/bench/demo/clips"
)

// A row of Omni-Cloze about a clip. Fields are those of the published file.
type row struct {
	UUID      string `json:"uuid"`
	VideoPath string `json:"video_path"`
	Cloze     struct {
		Passage string  `json:"passage"`
		Blanks  []blank `json:"blanks"`
	} `json:"cloze"`
	Metadata struct {
		Category    string `json:"category"`
		Subcategory string `json:"subcategory"`
	} `json:"metadata"`
}

type blank struct {
	Number      int      `json:"number"`
	Answer      string   `json:"answer"`
	Distractors []string `json:"distractors"`
	Options     []string `json:"options"`
	Index       int      `json:"answer_index"`
	Key         string   `json:"answer_key"`
	Modality    string   `json:"required_modality"`
}

const passage = "A [BLANK_1] disc moves [BLANK_2] over a pale ground while there is [BLANK_3] to be heard. " +
	"In the middle of the clip the picture changes: a [BLANK_4] square [BLANK_5], and [BLANK_6] is heard."

// rowOf is the row of clip i. The right option is another one in each clip and blank.
func rowOf(i int, c clips.Clip) row {
	var discs, squares []string
	for _, other := range clips.All {
		if other.Name != c.Name {
			discs, squares = append(discs, other.Disc), append(squares, other.Square)
		}
	}
	r := row{UUID: c.Name, VideoPath: c.File()}
	r.Metadata.Category, r.Metadata.Subcategory = "Made", c.Name
	r.Cloze.Passage = passage
	for n, b := range []blank{
		{Answer: c.Disc, Distractors: discs, Modality: "visual"},
		{Answer: "from left to right", Distractors: []string{"from right to left", "upwards", "in a circle"}, Modality: "visual"},
		{Answer: "nothing", Distractors: []string{"applause", "a drum roll", "running water"}, Modality: "audio"},
		{Answer: c.Square, Distractors: squares, Modality: "visual"},
		{Answer: "falls", Distractors: []string{"rises", "turns", "grows"}, Modality: "visual"},
		{Answer: "a tone, struck once a second,", Distractors: []string{"a bell, struck twice,", "a dog that barks", "a voice"}, Modality: "audio"},
	} {
		b.Number, b.Index = n+1, (i+n)%4
		for k, text := range slices.Insert(slices.Clone(b.Distractors), b.Index, b.Answer) {
			b.Options = append(b.Options, fmt.Sprintf("%c: %s", 'A'+k, text))
		}
		b.Options = append(b.Options, "E: not given")
		b.Key = string(rune('A' + b.Index))
		r.Cloze.Blanks = append(r.Cloze.Blanks, b)
	}
	return r
}
