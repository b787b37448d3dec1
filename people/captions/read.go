package captions

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"omniscope/bench"
	"omniscope/bench/captionrow"
	"omniscope/detective"
	"omniscope/internal/ondisk"
	"omniscope/internal/rows"
)

// A read row is the task of a caption, with what its item needs.
type readRow struct {
	task
	id    string
	file  string // of the media, as people's pages name it; "" = not known
	found string // the media file; "" = it is not there
}

// read reads a row of a file.
func (m *maker) read(file string, text []byte) (*readRow, error) {
	row, err := m.captionRow(text)
	if err != nil {
		return nil, err
	}
	if len(row.ID) > bench.LongestID {
		return nil, fmt.Errorf("the id has %d bytes, more than %d", len(row.ID), bench.LongestID)
	}
	r := &readRow{id: row.ID}
	where, stretch, _ := strings.Cut(row.Path, "#t=")
	r.file = strings.TrimLeft(path.Clean(filepath.ToSlash(where)), "./")
	if where == "" {
		r.file = ""
	}
	r.Text, r.Stretch = row.Caption, stretch
	if r.Stretch == "" {
		r.Stretch = gjson.GetBytes(text, "stretch").String()
	}
	if r.Sentences, err = sentencesOf(row.Caption, gjson.ParseBytes(text)); err != nil {
		return nil, err
	}
	var fields []rows.Field
	if found := row.Find(file, ""); where != "" && ondisk.IsFile(found) {
		if r.found, err = filepath.Abs(found); err != nil {
			return nil, err
		}
		place := filepath.ToSlash(r.found) // the export may be written to any folder
		if stretch != "" {
			place += "#t=" + stretch
		}
		fields = append(fields, rows.String("path", place))
	}
	r.Row, err = with(string(text), fields, []string{detective.TrajectoryField})
	return r, err
}

// captionRow reads the form of a row; --caption-field names the caption.
func (m *maker) captionRow(text []byte) (*captionrow.Row, error) {
	if m.field == "" {
		return captionrow.Read(text)
	}
	if err := rows.CheckJSON(text); err != nil {
		return nil, err
	}
	v := gjson.GetBytes(text, gjson.Escape(m.field))
	if v.Type != gjson.String && (v.Exists() || !gjson.ParseBytes(text).IsObject()) || !v.Exists() {
		return nil, fmt.Errorf("the row has no text as %s (--caption-field): %w", m.field, bench.NoField(m.field, bench.FieldsOf(text)))
	}
	set, err := rows.Set(string(text), rows.String("caption", v.Str))
	if err != nil {
		return nil, err
	}
	return captionrow.Read([]byte(set))
}

// sentencesOf returns the sentences that a row lists, with what they rest on; without a list, the sentences that the text is cut
// into. Struck sentences of an earlier review have no text.
func sentencesOf(text string, row gjson.Result) (out []sentence, err error) {
	list := row.Get("sentences")
	if !list.IsArray() || len(list.Array()) == 0 {
		return CaptionOf(text).Sentences, nil
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
			return nil, fmt.Errorf("sentence %d of the list \"sentences\" is not where it belongs in the caption: correct one of the two, or remove the list", i+1)
		}
		one := sentence{Text: said, Before: rest[:len(rest)-len(trimmed)], Rests: &Rests{From: texts(v.Get("from")), Modality: v.Get("modality").String(),
			Evidence: texts(v.Get("evidence")), Disputed: v.Get("disputed").Bool()}}
		one.Evidence = known.of(one.Rests)
		out, rest = append(out, one), after
	}
	if strings.TrimSpace(rest) != "" {
		return nil, errors.New("the caption continues after the list \"sentences\": correct one of the two, or remove the list")
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

// known is the evidence that the sentences of a caption may cite, as people are shown it.
type known struct {
	captions, evidence map[string]Evidence
	conflicts          []gjson.Result
}

func knownOf(row gjson.Result) known {
	k := known{captions: make(map[string]Evidence), evidence: make(map[string]Evidence), conflicts: row.Get("conflicts").Array()}
	for _, v := range row.Get("caption_sentences").Array() {
		id := v.Get("id").String()
		k.captions[id] = Evidence{ID: id, Tool: strings.TrimSpace(v.Get("sense").String() + " caption, " + id), What: v.Get("text").String()}
	}
	for _, v := range row.Get("evidence").Array() {
		e := Evidence{ID: v.Get("id").String(), Tool: v.Get("tool").String(), What: v.Get("what").String()}
		e.Between(v.Get("start_s").Float(), v.Get("end_s").Float())
		k.evidence[e.ID] = e
	}
	return k
}

// of returns the evidence of a sentence: sentences of captions, what these rest on, and what conflicts with them. An id that the
// row does not explain is shown as it is.
func (k *known) of(r *Rests) (out []Evidence) {
	add := func(of map[string]Evidence, ids []string) {
		for _, id := range ids {
			e, ok := of[id]
			if !ok {
				e = Evidence{ID: id, Tool: id}
			}
			out = append(out, e)
		}
	}
	add(k.captions, r.From)
	add(k.evidence, r.Evidence)
	for _, x := range k.conflicts {
		between := texts(x.Get("between"))
		if slices.ContainsFunc(between, func(id string) bool { return slices.Contains(r.From, id) }) {
			out = append(out, Evidence{Tool: "conflict of " + strings.Join(between, " and "), What: x.Get("why").String()})
		}
	}
	return out
}
