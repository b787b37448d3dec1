package cloze

import (
	"context"
	"errors"
	"strings"

	"omniscope"
)

// senseCaptions are captions of clips by one sense each, for the modality test.
type senseCaptions struct{ audio, visual *captions } // nil = not given

// OpenSenseCaptions opens captions, as OpenClips does it; "" = they are not given.
func OpenSenseCaptions(ctx context.Context, audio, visual, field string) (c *senseCaptions, err error) {
	c = &senseCaptions{}
	for _, one := range []struct {
		path  string
		sense omniscope.Modality
		to    **captions
	}{{audio, omniscope.Audio, &c.audio}, {visual, omniscope.Visual, &c.visual}} {
		if one.path == "" {
			continue
		}
		opened, err := openCaptions(ctx, one.path, one.sense, field)
		*one.to = opened
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return c, nil
}

// Digests are those of the files, by path.
func (c *senseCaptions) Digests() map[string]string { return digestsOf(c.audio, c.visual) }

// Get returns the captions of a clip: nil = such captions are not given; "" = of this clip there is none.
func (c *senseCaptions) Get(ctx context.Context, id string) (audio, visual *string, err error) {
	if audio, err = c.audio.plain(ctx, id); err != nil {
		return nil, nil, err
	}
	visual, err = c.visual.plain(ctx, id)
	return audio, visual, err
}

// plain is the caption of a clip as one text.
func (c *captions) plain(ctx context.Context, id string) (*string, error) {
	if c == nil {
		return nil, nil
	}
	text := ""
	found, err := c.get(ctx, id)
	if err != nil || found == nil {
		return &text, err
	}
	var parts []string
	for _, s := range found.sentences {
		parts = append(parts, s.Text)
	}
	text = strings.Join(parts, " ")
	return &text, nil
}

// Close closes the files.
func (c *senseCaptions) Close() error { return closeAll(c.audio, c.visual) }
