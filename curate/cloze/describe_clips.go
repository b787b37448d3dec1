package cloze

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/detective"
)

// Clips are the clips whose captions are checked.
type Clips struct {
	IDs   []string // in the order of the audio-visual captions, then of the others
	three [3]*captions
}

// prefixes begin the ids of the sentences of each caption.
var prefixes = map[omniscope.Modality]string{omniscope.Audio: "a", omniscope.Visual: "v", omniscope.AudioVisual: "av"}

// Files names the captions of clips. Each is a file or a folder.
type Files struct {
	Audio, Visual, AudioVisual string
	Field                      string // with the text; "" = the usual ones
}

// OpenClips opens the captions of clips. At least one clip must have all three.
func OpenClips(ctx context.Context, f Files) (c *Clips, err error) {
	c = &Clips{}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	for i, one := range []struct {
		path  string
		sense omniscope.Modality
	}{{f.AudioVisual, omniscope.AudioVisual}, {f.Audio, omniscope.Audio}, {f.Visual, omniscope.Visual}} {
		if c.three[i], err = openCaptions(ctx, one.path, one.sense, f.Field); err != nil {
			return c, err
		}
	}
	seen := make(map[string]bool)
	for _, captions := range c.three {
		for _, id := range captions.names() {
			if !seen[id] {
				seen[id] = true
				c.IDs = append(c.IDs, id)
			}
		}
	}
	if len(c.Lacking()) == len(c.IDs) {
		return c, omniscope.Invalidf("no clip has a caption in all of %s, %s and %s: clips go by their field uuid, or id", f.Audio, f.Visual, f.AudioVisual)
	}
	return c, nil
}

// Lacking are the clips of which a caption is not there.
func (c *Clips) Lacking() (ids []string) {
	for _, id := range c.IDs {
		if slices.ContainsFunc(c.three[:], func(one *captions) bool { return !one.has(id) }) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Digests are those of the files that were read, by path.
func (c *Clips) Digests() map[string]string { return digestsOf(c.three[:]...) }

// Close closes the files.
func (c *Clips) Close() error { return closeAll(c.three[:]...) }

// A clipEntry is the three captions of a clip, cut into sentences.
type clipEntry struct {
	ID        string
	VideoPath string            // as the captions' files name it; "" = they do not
	Stretch   string            // of that file, such as 12.5,40; "" = all of it
	Sentences []captionSentence // those of the audio caption first, then of the visual, then of the audio-visual one
	Evidence  []evidence        // what an investigation noticed
	Missing   string            // why it cannot be checked; "" = it can
	Stale     bool              // a report was left out: it is of another caption
}

// A captionSentence is a sentence of one of the three captions.
type captionSentence struct {
	ID       string             `json:"id"`    // a1, v1, av1
	Sense    omniscope.Modality `json:"sense"` // of the caption
	Text     string             `json:"text"`
	Evidence []string           `json:"evidence,omitempty"`
}

// evidence is what an investigation noticed.
type evidence struct {
	ID     string  `json:"id"` // such as a:o3, for o3 of the audio caption's investigation
	Tool   string  `json:"tool"`
	What   string  `json:"what"`
	StartS float64 `json:"start_s"`
	EndS   float64 `json:"end_s,omitempty"` // 0 = to the end
}

// Clip reads the captions of a clip.
func (c *Clips) Clip(ctx context.Context, id string) (*clipEntry, error) {
	clip := &clipEntry{ID: id}
	var missing []string
	for _, i := range []int{1, 2, 0} { // audio, visual, audio-visual
		one := c.three[i]
		found, err := one.get(ctx, id)
		if err != nil {
			return nil, err
		}
		switch {
		case found == nil:
			missing = append(missing, fmt.Sprintf("there is no %s caption in %s", one.sense, one.path))
		case len(found.sentences) == 0:
			missing = append(missing, fmt.Sprintf("its %s caption in %s is empty", one.sense, one.path))
		default:
			clip.add(one.sense, found)
		}
	}
	clip.Missing = strings.Join(missing, "; ")
	return clip, nil
}

func (c *clipEntry) add(sense omniscope.Modality, of *caption) {
	prefix := prefixes[sense]
	name := func(id string) string { return prefix + ":" + id }
	for i, s := range of.sentences {
		sentence := captionSentence{ID: fmt.Sprintf("%s%d", prefix, i+1), Sense: sense, Text: s.Text}
		for _, id := range s.Evidence {
			if of.ledger.Find(id) != nil {
				sentence.Evidence = append(sentence.Evidence, name(id))
			}
		}
		c.Sentences = append(c.Sentences, sentence)
	}
	for _, e := range of.ledger {
		c.Evidence = append(c.Evidence, evidenceOf(name(e.ID), e))
	}
	if of.video != "" { // that of the audio-visual caption comes last, and counts
		c.VideoPath, c.Stretch, _ = strings.Cut(of.video, "#t=")
	}
	c.Stale = c.Stale || of.stale
}

func evidenceOf(id string, e detective.Evidence) evidence {
	return evidence{ID: id, Tool: e.Tool, What: e.What, StartS: e.StartS, EndS: e.EndS}
}

// sentence is a sentence of the captions by its id; nil = there is none.
func (c *clipEntry) sentence(id string) *captionSentence {
	i := slices.IndexFunc(c.Sentences, func(s captionSentence) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return &c.Sentences[i]
}

// cited is the evidence that sentences of captions rest on.
func (c *clipEntry) cited() []evidence {
	out := []evidence{}
	for _, e := range c.Evidence {
		if slices.ContainsFunc(c.Sentences, func(s captionSentence) bool { return slices.Contains(s.Evidence, e.ID) }) {
			out = append(out, e)
		}
	}
	return out
}
