package cloze

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/model/judge"
)

// A checkedReply is a reply to the question about a clip, read and checked.
type checkedReply struct {
	sentences []descriptionSentence // founded ones
	conflicts []conflict
	dropped   []string
	unfounded []string // texts
}

// readReply reads a reply. Its error says, in words for the model, what is wrong with it.
func (c *clipEntry) readReply(reply string) (*checkedReply, error) {
	fields, err := judge.Object(reply)
	if err != nil {
		return nil, err
	}
	r := &checkedReply{conflicts: []conflict{}, unfounded: []string{}}
	if err := c.readSentences(r, fields["sentences"]); err != nil {
		return nil, err
	}
	if err := c.readConflicts(r, fields["conflicts"]); err != nil {
		return nil, err
	}
	if r.dropped, err = c.ids(fields["dropped"]); err != nil {
		return nil, fmt.Errorf(`"dropped": %w`, err)
	}
	for i, s := range r.sentences {
		for _, id := range s.From {
			if slices.Contains(r.dropped, id) {
				return nil, fmt.Errorf(`sentence %d rests on %s, which is in "dropped" as well`, i+1, id)
			}
		}
	}
	return r, nil
}

func (c *clipEntry) readSentences(r *checkedReply, list gjson.Result) error {
	if !list.IsArray() || len(list.Array()) == 0 {
		return errors.New(`it has no list of "sentences"`)
	}
	for i, item := range list.Array() {
		s, err := c.readSentence(item)
		switch {
		case err != nil:
			return fmt.Errorf("sentence %d: %w", i+1, err)
		case len(s.From) == 0:
			r.unfounded = append(r.unfounded, s.Text)
		default:
			r.sentences = append(r.sentences, s)
		}
	}
	if len(r.sentences) == 0 {
		return errors.New(`none of its sentences says in "from" what it rests on`)
	}
	return nil
}

func (c *clipEntry) readSentence(item gjson.Result) (s descriptionSentence, err error) {
	text := item.Get("text")
	if text.Type != gjson.String || strings.TrimSpace(text.Str) == "" {
		return s, errors.New(`it has no "text"`)
	}
	s.Text = strings.Join(strings.Fields(text.Str), " ")
	if s.From, err = c.ids(item.Get("from")); err != nil {
		return s, fmt.Errorf(`"from": %w`, err)
	}
	s.Modality = omniscope.Modality(item.Get("modality").String())
	return s, c.fits(&s)
}

// fits checks that the modality of a sentence is one, and that what the sentence rests on can have it.
// A sentence of the audio-visual caption may be of any sense.
func (c *clipEntry) fits(s *descriptionSentence) error {
	if !knownModality(s.Modality) {
		return fmt.Errorf(`its "modality" is %q, not one of audio, visual, audio-visual`, s.Modality)
	}
	from := make(map[omniscope.Modality]bool)
	for _, id := range s.From {
		from[c.sentence(id).Sense] = true
	}
	var may []string
	switch heard, seen, both := from[omniscope.Audio], from[omniscope.Visual], from[omniscope.AudioVisual]; {
	case heard && seen:
		may = []string{"audio-visual"}
	case heard && both:
		may = []string{"audio", "audio-visual"}
	case seen && both:
		may = []string{"visual", "audio-visual"}
	case heard:
		may = []string{"audio"}
	case seen:
		may = []string{"visual"}
	}
	if len(may) > 0 && !slices.Contains(may, string(s.Modality)) {
		return fmt.Errorf(`its "modality" is %s, and it rests on %s: it must be %s`, s.Modality, strings.Join(s.From, ", "), strings.Join(may, " or "))
	}
	return nil
}

func (c *clipEntry) readConflicts(r *checkedReply, list gjson.Result) error {
	if list.Exists() && list.Type != gjson.Null && !list.IsArray() {
		return errors.New(`its "conflicts" is not a list`)
	}
	for i, item := range list.Array() {
		between, err := c.ids(item.Get("between"))
		if err != nil {
			return fmt.Errorf(`conflict %d: "between": %w`, i+1, err)
		}
		why := strings.TrimSpace(item.Get("why").String())
		switch {
		case len(between) < 2:
			return fmt.Errorf(`conflict %d: "between" names fewer than two sentences`, i+1)
		case why == "":
			return fmt.Errorf(`conflict %d: it has no "why"`, i+1)
		}
		r.conflicts = append(r.conflicts, conflict{Between: between, Why: why})
	}
	return nil
}

// ids reads a list of sentences of the captions, each once. It may be missing.
func (c *clipEntry) ids(list gjson.Result) ([]string, error) {
	ids := []string{}
	if !list.Exists() || list.Type == gjson.Null {
		return ids, nil
	}
	if !list.IsArray() {
		return nil, errors.New("it is not a list")
	}
	var unknown []string
	for _, item := range list.Array() {
		id := strings.Trim(strings.TrimSpace(item.String()), "[]")
		if item.Type != gjson.String || c.sentence(id) == nil {
			unknown = append(unknown, item.String())
			continue
		}
		ids = appendNew(ids, id)
	}
	if len(unknown) > 0 {
		return nil, fmt.Errorf("there is no sentence %s; the sentences are %s", strings.Join(unknown, ", "), c.ranges())
	}
	return ids, nil
}

// ranges says which sentences there are.
func (c *clipEntry) ranges() string {
	var says []string
	for i, s := range c.Sentences {
		if i == len(c.Sentences)-1 || c.Sentences[i+1].Sense != s.Sense {
			letters := strings.TrimRight(s.ID, "0123456789")
			says = append(says, letters+"1 to "+s.ID)
		}
	}
	return strings.Join(says, ", ")
}

// unused are the sentences of the captions that a reply does not mention.
func (c *clipEntry) unused(r *checkedReply) []string {
	named := slices.Clone(r.dropped)
	for _, s := range r.sentences {
		named = append(named, s.From...)
	}
	for _, x := range r.conflicts {
		named = append(named, x.Between...)
	}
	out := []string{}
	for _, s := range c.Sentences {
		if !slices.Contains(named, s.ID) {
			out = append(out, s.ID)
		}
	}
	return out
}

// appendNew appends the values that a list does not have yet.
func appendNew[T comparable](list []T, values ...T) []T {
	for _, v := range values {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}
