package cloze

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"omniscope/bench"
	"omniscope/people"
)

// Alone is a description of which no cloze has been made yet, beside its text: what its file has that
// people are not asked about. It is exported as it came.
type Alone struct {
	UUID             string          `json:"uuid"`
	VideoPath        string          `json:"video_path,omitempty"`
	Stretch          string          `json:"stretch,omitempty"`           // of the file, such as 2,9
	CaptionSentences json.RawMessage `json:"caption_sentences,omitempty"` // sentences of captions that the description was made of
	Evidence         json.RawMessage `json:"evidence,omitempty"`
	Conflicts        json.RawMessage `json:"conflicts,omitempty"`
}

// Rests says what a sentence rests on, in the words of its file.
type Rests struct {
	From     []string `json:"from,omitempty"`     // ids of Alone.CaptionSentences
	Modality string   `json:"modality,omitempty"` // that one needs to know it
	Evidence []string `json:"evidence,omitempty"` // ids of Alone.Evidence
	Disputed bool     `json:"disputed,omitempty"`
}

//go:embed guideline-descriptions.md
var descriptionGuideline string

// makeAlone makes a project of descriptions alone: nothing but their stage.
func (m *Maker) makeAlone(ctx context.Context) (*people.Plan, error) {
	if m.leaveOut {
		return nil, usage("--leave-out-rejected is about rows: it goes with --data")
	}
	s := &aloneSource{field: m.field}
	var err error
	if m.investigations != "" {
		if s.reports, err = readReports(m.investigations); err != nil {
			return nil, err
		}
	}
	if s.lines, err = bench.OpenLines(ctx, m.descriptions); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, errors.Join(err, s.lines.Close())
	}
	p := people.Project{Kind: Name, Title: "Descriptions", Guideline: descriptionGuideline, Stages: stages(m.people, true)[:1]}
	return &people.Plan{Project: p, Items: s.items(), Warnings: s.warnings, Close: s.lines.Close}, nil
}

// An aloneSource is a file of descriptions, opened.
type aloneSource struct {
	lines    *bench.Lines
	field    string
	reports  *reports
	rows     []int // of the file that have a description
	warnings []string
}

// check reads all rows, and refuses the first that is wrong.
func (s *aloneSource) check() error {
	first := make(map[string]int)
	empty := &note{what: "have an empty description and are left out"}
	for i := range s.lines.Len() {
		text, err := s.lines.At(i)
		if err != nil {
			return err
		}
		sheet, err := s.read(text)
		if err != nil {
			return s.lines.Bad(i, text, err)
		}
		id := sheet.Alone.UUID
		if at, twice := first[id]; twice {
			return s.lines.Bad(i, nil, fmt.Errorf("uuid %s is there already, on line %d", id, s.lines.Number(at)))
		}
		first[id] = i
		blank := len(sheet.Sentences) == 0
		if empty.count(blank, fmt.Sprintf("%s:%d", s.lines.Path, s.lines.Number(i))); !blank {
			s.rows = append(s.rows, i)
		}
	}
	if len(s.rows) == 0 {
		return invalid("%s has no descriptions", s.lines.Path)
	}
	if empty.n > 0 {
		s.warnings = append(s.warnings, fmt.Sprintf("%d rows %s, the first is %s", empty.n, empty.what, empty.first))
	}
	return nil
}

func (s *aloneSource) items() iter.Seq2[*people.Item, error] {
	return func(yield func(*people.Item, error) bool) {
		for n, i := range s.rows {
			item, err := s.item(i)
			if err == nil { // nobody is asked of blanks, where the project has those of other clips
				item.People = map[string]int{Description: 1, BlanksOpen: 0, BlanksKey: 0, Settle: 0}
				if (n+1)%secondEvery == 0 {
					item.People[Description] = 2
				}
			}
			if !yield(item, err) || err != nil {
				return
			}
		}
	}
}

func (s *aloneSource) item(i int) (*people.Item, error) {
	text, err := s.lines.At(i)
	if err != nil {
		return nil, err
	}
	sheet, err := s.read(text)
	if err != nil {
		return nil, s.lines.Bad(i, text, err)
	}
	item := &people.Item{ID: sheet.Alone.UUID, Clip: sheet.Alone.UUID}
	if video := sheet.Alone.VideoPath; video != "" {
		item.Clip, item.Media = video, []people.Media{{File: video}}
	}
	if s.reports != nil {
		had := slices.Clone(sheet.Sentences)
		if err := s.reports.support(sheet, []string{item.ID, item.Clip}); err != nil {
			return nil, err
		}
		for i := range had { // what the file says stays
			if one := &sheet.Sentences[i]; len(had[i].Evidence) > 0 {
				one.Evidence = had[i].Evidence
			}
		}
	}
	item.Payload, err = json.Marshal(sheet)
	return item, err
}

// read reads a row.
func (s *aloneSource) read(text []byte) (*Sheet, error) {
	if err := bench.CheckJSON(text); err != nil {
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
	id, caption := scalar(first(append([]string{"uuid"}, bench.ClipFields...))), first(fields)
	switch {
	case id == "" || len(id) > bench.LongestID:
		return nil, fmt.Errorf("the row has no uuid of at most %d bytes: %w", bench.LongestID, bench.NoField("uuid", bench.FieldsOf(text)))
	case !caption.Exists() || caption.Type != gjson.String && caption.Type != gjson.Null:
		return nil, fmt.Errorf("the row has no text as %s: %w; name the field with --caption-field", strings.Join(fields, ", "), bench.NoField(fields[0], bench.FieldsOf(text)))
	}
	sheet := &Sheet{Description: caption.Str, Alone: &Alone{
		UUID: id, VideoPath: row.Get("video_path").String(), Stretch: row.Get("stretch").String(),
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
func sentencesOf(text string, row gjson.Result) (out []Sentence, err error) {
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
		one := Sentence{Text: said, Before: rest[:len(rest)-len(trimmed)], Rests: &Rests{From: texts(v.Get("from")), Modality: v.Get("modality").String(),
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
		e.between(v.Get("start_s").Float(), v.Get("end_s").Float())
		k.evidence[e.ID] = e
	}
	return k
}

// of is what a sentence rests on: sentences of captions, what these rest on, and what conflicts with
// them. An id that the row says nothing of is shown as it is.
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
