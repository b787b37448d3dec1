package cloze

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"omniscope/bench"
	"omniscope/internal/rows"
)

// read reads a row.
func (s *aloneSource) read(text []byte) (*sheetTask, error) {
	if err := rows.CheckJSON(text); err != nil {
		return nil, err
	}
	row := gjson.ParseBytes(text)
	first := func(names []string) (v gjson.Result) {
		for _, name := range names {
			if v = row.Get(gjson.Escape(name)); v.Exists() {
				return v
			}
		}
		return gjson.Result{}
	}
	fields := bench.CaptionFields
	if s.field != "" {
		fields = []string{s.field}
	}
	id, caption := rows.ID(first(append([]string{"uuid"}, bench.ClipFields...))), first(fields)
	switch {
	case id == "" || len(id) > bench.LongestID:
		return nil, fmt.Errorf("the row has no uuid of at most %d bytes: %w", bench.LongestID, bench.NoField("uuid", bench.FieldsOf(text)))
	case !caption.Exists() || caption.Type != gjson.String && caption.Type != gjson.Null:
		return nil, fmt.Errorf("the row has no text as %s: %w; name the field with --caption-field", strings.Join(fields, ", "), bench.NoField(fields[0], bench.FieldsOf(text)))
	}
	sheet := &sheetTask{Description: caption.Str, Alone: &aloneStage{
		UUID: id, VideoPath: cmp.Or(row.Get("video_path").String(), row.Get("path").String()), Stretch: row.Get("stretch").String(),
		CaptionSentences: raw(row.Get("caption_sentences")), Evidence: raw(row.Get("evidence")), Conflicts: raw(row.Get("conflicts"))}}
	var err error
	sheet.Sentences, err = sentencesOf(caption.Str, row)
	return sheet, err
}

// raw is a list as it is written; nil = there is none.
func raw(v gjson.Result) json.RawMessage {
	if !v.IsArray() {
		return nil
	}
	return json.RawMessage(v.Raw)
}

// sentencesOf are the sentences of a description: those that its row lists, with what they rest on, else
// those that its text is cut into. Those of an export that were struck have no text.
func sentencesOf(text string, row gjson.Result) (out []sentence, err error) {
	list := row.Get("sentences")
	if !list.IsArray() {
		return split(text), nil
	}
	known := knownOf(row)
	rest := text
	for i, v := range list.Array() {
		said := strings.TrimSpace(v.Get("text").String())
		if said == "" {
			continue
		}
		trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
		after, ok := strings.CutPrefix(trimmed, said)
		if !ok {
			return nil, fmt.Errorf("sentence %d of the list \"sentences\" is not where it belongs in the description: mend one of the two, or remove the list", i+1)
		}
		one := sentence{Text: said, Before: rest[:len(rest)-len(trimmed)], Rests: &Rests{From: texts(v.Get("from")), Modality: v.Get("modality").String(),
			Evidence: texts(v.Get("evidence")), Disputed: v.Get("disputed").Bool()}}
		one.Evidence = known.of(one.Rests)
		out, rest = append(out, one), after
	}
	if strings.TrimSpace(rest) != "" {
		return nil, errors.New("the description goes on after the list \"sentences\": mend one of the two, or remove the list")
	}
	return out, nil
}

func texts(list gjson.Result) (out []string) {
	for _, v := range list.Array() {
		if v.Type == gjson.String {
			out = append(out, v.Str)
		}
	}
	return out
}

// known is what the sentences of a description may rest on, as people are shown it.
type known struct {
	captions, evidence map[string]evidence
	conflicts          []gjson.Result
}

func knownOf(row gjson.Result) known {
	k := known{captions: make(map[string]evidence), evidence: make(map[string]evidence), conflicts: row.Get("conflicts").Array()}
	for _, v := range row.Get("caption_sentences").Array() {
		id := v.Get("id").String()
		k.captions[id] = evidence{ID: id, Tool: strings.TrimSpace(v.Get("sense").String() + " caption, " + id), What: v.Get("text").String()}
	}
	for _, v := range row.Get("evidence").Array() {
		e := evidence{ID: v.Get("id").String(), Tool: v.Get("tool").String(), What: v.Get("what").String()}
		e.between(v.Get("start_s").Float(), v.Get("end_s").Float())
		k.evidence[e.ID] = e
	}
	return k
}

// of is what a sentence rests on: sentences of captions, what these rest on, and what conflicts with
// them. An id that the row says nothing of is shown as it is.
func (k *known) of(r *Rests) (out []evidence) {
	add := func(of map[string]evidence, ids []string) {
		for _, id := range ids {
			e, ok := of[id]
			if !ok {
				e = evidence{ID: id, Tool: id}
			}
			out = append(out, e)
		}
	}
	add(k.captions, r.From)
	add(k.evidence, r.Evidence)
	for _, x := range k.conflicts {
		between := texts(x.Get("between"))
		if slices.ContainsFunc(between, func(id string) bool { return slices.Contains(r.From, id) }) {
			out = append(out, evidence{Tool: "conflict of " + strings.Join(between, " and "), What: x.Get("why").String()})
		}
	}
	return out
}

// given are the sentences as they came, which nobody has reviewed. Where the file did not list them they are
// not listed here, either.
func (s *sheetTask) given() (out []correctedSentence) {
	for i, one := range s.Sentences {
		if one.Rests == nil {
			return nil
		}
		out = append(out, correctedSentence{Number: i + 1, Text: one.Text, Rests: one.Rests})
	}
	return out
}
