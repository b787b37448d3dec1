// Package benchgen makes benchmarks of any size for tests and benchmarks, from a
// seed. The words mean nothing.
package benchgen

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// ClozeOptions are the options of the benchmark to make. A zero field takes its default.
type ClozeOptions struct {
	Rows    int // default 100
	Blanks  int // in each row; default 30
	Words   int // of each caption; default 300
	Seed    uint64
	Numeric bool // uuids are numbers, as in the released file, instead of strings
}

var clozeWords = strings.Fields(`arch bell cliff drum ember flute grain harbor inlet jacket kettle lantern meadow
	nickel orchard pebble quill ribbon saddle timber umbrella velvet willow yarn zephyr amber brass copper
	dusty eager faint gentle hollow ivory jagged keen loud mellow narrow ochre pale quiet rough silver`)

var modalities = []string{"audio", "visual", "audio-visual"}

type clozeRow struct {
	UUID     any    `json:"uuid"`
	Video    string `json:"video_path"`
	Cloze    cloze  `json:"cloze"`
	Metadata struct {
		Category    string `json:"category"`
		Subcategory string `json:"subcategory"`
	} `json:"metadata"`
	Caption string `json:"predicted_caption"`
}

type cloze struct {
	Passage string  `json:"passage"`
	Blanks  []blank `json:"blanks"`
}

type blank struct {
	Number      int      `json:"number"`
	Answer      string   `json:"answer"`
	Distractors []string `json:"distractors"`
	Options     []string `json:"options"`
	AnswerIndex int      `json:"answer_index"`
	AnswerKey   string   `json:"answer_key"`
	Modality    string   `json:"required_modality"`
}

// Cloze writes rows in the released format of Omni-Cloze, with captions, as JSON Lines.
func Cloze(w io.Writer, o ClozeOptions) error {
	set(&o.Rows, 100)
	set(&o.Blanks, 30)
	set(&o.Words, 300)
	r := rand.New(rand.NewPCG(o.Seed, 1))
	buf := bufio.NewWriterSize(w, 1<<20)
	enc := json.NewEncoder(buf)
	for i := range o.Rows {
		if err := enc.Encode(makeClozeRow(r, o, i+1)); err != nil {
			return err
		}
	}
	return buf.Flush()
}

func makeClozeRow(r *rand.Rand, o ClozeOptions, n int) clozeRow {
	out := clozeRow{UUID: fmt.Sprintf("%07d", n), Video: fmt.Sprintf("./videos/%07d.mp4", n), Caption: phrase(r, clozeWords, o.Words)}
	if o.Numeric {
		out.UUID = n
	}
	out.Metadata.Category = fmt.Sprintf("category %d", n%9)
	out.Metadata.Subcategory = fmt.Sprintf("sub-category %d", n%47)
	var passage strings.Builder
	for i := range o.Blanks {
		fmt.Fprintf(&passage, "%s [BLANK_%d] %s. ", phrase(r, clozeWords, 6), i+1, phrase(r, clozeWords, 6))
		out.Cloze.Blanks = append(out.Cloze.Blanks, makeBlank(r, i+1))
	}
	out.Cloze.Passage = passage.String()
	return out
}

func makeBlank(r *rand.Rand, number int) blank {
	b := blank{Number: number, AnswerIndex: r.IntN(4), Modality: modalities[r.IntN(3)]}
	for i := range 4 {
		text := fmt.Sprintf("%s %d", phrase(r, clozeWords, 1), i)
		b.Options = append(b.Options, string(rune('A'+i))+": "+text)
		if i == b.AnswerIndex {
			b.Answer, b.AnswerKey = text, string(rune('A'+i))
		} else {
			b.Distractors = append(b.Distractors, text)
		}
	}
	b.Options = append(b.Options, "E: not given")
	return b
}

// set gives an option its default.
func set(v *int, d int) {
	if *v == 0 {
		*v = d
	}
}

func phrase(r *rand.Rand, words []string, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = words[r.IntN(len(words))]
	}
	return strings.Join(out, " ")
}
