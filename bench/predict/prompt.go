package predict

import (
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"strings"

	"omniscope"
)

//go:embed prompts/caption.txt
var captionPrompt string

// promptFor is the text that goes with a sample's media, "" if none does. Where the
// dataset has no prompt, one of the profile's is drawn: the same for a sample and a
// seed, whichever other samples there are.
func (p *Profile) promptFor(s *omniscope.Sample, seed uint64) string {
	switch {
	case p.Prompt == NoPrompt:
		return ""
	case s.Prompt != "":
		return s.Prompt
	case len(p.Prompts) == 0:
		return strings.TrimSpace(captionPrompt)
	}
	return p.Prompts[draw(seed, s.ID, len(p.Prompts))]
}

// draw is a number below n, drawn by a sample's id.
func draw(seed uint64, id omniscope.SampleID, n int) int { return int(hash(seed, id) % uint64(n)) }

// hash is a number that looks random and depends on a seed and an id alone.
func hash(seed uint64, id omniscope.SampleID) uint64 {
	text := binary.BigEndian.AppendUint64(nil, seed)
	sum := sha256.Sum256(append(text, id...))
	return binary.BigEndian.Uint64(sum[:])
}

// strip takes out what the model wrote to itself, and reports whether it began to
// and did not end.
func (p *Profile) strip(text string) (answer string, open bool) {
	for _, m := range p.Strip {
		for {
			before, rest, found := strings.Cut(text, m.Begin)
			if !found {
				break
			}
			_, after, ended := strings.Cut(rest, m.End)
			if !ended {
				return strings.TrimSpace(before), true
			}
			text = before + after
		}
		// Servers that open the mark in the prompt return its end alone.
		if _, after, found := strings.Cut(text, m.End); found {
			text = after
		}
	}
	return strings.TrimSpace(text), false
}
