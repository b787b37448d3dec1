package mcif

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/input"
	"omniscope/internal/quantity"
	"omniscope/internal/rows"
	"omniscope/metric/textnorm"
)

// A sampleMap says what each sample id stands for: a CSV file with the columns
// track, sample_id, task, talk, position (a segment's from 0, a question's from
// 1), langs, long_audio_alias and origin_guess. A guess that ends in "?" is not
// taken for an origin.
type sampleMap struct{ rows []mapRow }

type mapRow struct {
	track, id, task, talk, alias, origin string
	position                             int
	langs                                []string
}

// loadSampleMap reads a sample map.
func loadSampleMap(ctx context.Context, path string) (*sampleMap, error) {
	m, err := readSampleMap(ctx, path)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.KindOf(err), Op: "read the sample map", Err: err}
	}
	return m, nil
}

func readSampleMap(ctx context.Context, path string) (*sampleMap, error) {
	f, err := input.Open(ctx, path, input.Texts)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m := &sampleMap{}
	var column map[string]int
	err = rows.EachRecord(f, 0, func(line int, cells []string) error {
		if column == nil {
			column, err = mapColumns(cells)
			return badMap(path, line, err)
		}
		row, err := readMapRow(column, cells)
		m.rows = append(m.rows, row)
		return badMap(path, line, err)
	})
	if err == nil && column == nil {
		err = badMap(path, 1, errors.New("the file is empty"))
	}
	return m, err
}

func mapColumns(head []string) (map[string]int, error) {
	column := make(map[string]int)
	for i, name := range head {
		column[name] = i
	}
	for _, name := range []string{"track", "sample_id", "task", "talk", "position", "langs"} {
		if _, ok := column[name]; !ok {
			return nil, bench.NoField(name, head)
		}
	}
	column[""] = len(head)
	return column, nil
}

func readMapRow(column map[string]int, cells []string) (row mapRow, err error) {
	if len(cells) != column[""] {
		return row, fmt.Errorf("the row has %d fields and the header %d", len(cells), column[""])
	}
	get := func(name string) string {
		if i, ok := column[name]; ok {
			return cells[i]
		}
		return ""
	}
	row = mapRow{track: get("track"), id: get("sample_id"), task: get("task"), talk: get("talk"), alias: get("long_audio_alias"),
		origin: get("origin_guess"), langs: strings.Fields(get("langs"))}
	if strings.HasSuffix(row.origin, "?") {
		row.origin = ""
	}
	if p := get("position"); p != "" {
		if row.position, err = strconv.Atoi(p); err != nil {
			return row, fmt.Errorf("position is %q, which is no number", p)
		}
	}
	return row, nil
}

// badMap is an error of a line of a sample map, nil if err is.
func badMap(path string, line int, err error) error {
	if err == nil {
		return nil
	}
	return omniscope.Invalidf("%s:%d: %w", path, line, err)
}

// A pivotSystem is a system that writes the pseudo-references.
type pivotSystem struct {
	files   []outputPath
	lenient bool
	texts   map[string]map[string]string // by track and language, then by sample id
}

// newPivot takes the outputs of one system. Of several for the same track and
// language, those to fixed prompts come before mixed ones, and those that heard
// before those that saw or read.
func newPivot(files []outputPath, lenient bool) *pivotSystem {
	rank := func(f outputPath) int {
		r := slices.Index([]string{"audio", "mllm", "video", "text"}, f.Modality)
		if f.Prompts != "fixed" {
			r += 10
		}
		return r
	}
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b outputPath) int { return rank(a) - rank(b) })
	return &pivotSystem{files: files, lenient: lenient, texts: make(map[string]map[string]string)}
}

// Has reports whether a file is one of the pivot's.
func (p *pivotSystem) Has(path string) bool {
	return slices.ContainsFunc(p.files, func(f outputPath) bool {
		return slices.ContainsFunc(f.Paths, func(own string) bool { return absolute(own) == absolute(path) })
	})
}

// absolute is the absolute form of a path, or the path itself where the working
// folder is not known.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}

// of returns the pivot's texts by sample id, nil where it has none.
func (p *pivotSystem) of(ctx context.Context, track, lang string) (map[string]string, error) {
	key := track + "/" + lang
	if t, ok := p.texts[key]; ok {
		return t, nil
	}
	for _, f := range p.files {
		if f.Track != track || f.Lang != lang {
			continue
		}
		out, err := mcifxml.ReadOutputs(ctx, f.Paths, track, lang, mcifxml.Options{Lenient: p.lenient})
		if err != nil {
			return nil, err
		}
		texts := make(map[string]string, len(out.Samples))
		for _, s := range out.Samples {
			texts[s.ID] = s.Text
		}
		p.texts[key] = texts
		return texts, nil
	}
	p.texts[key] = nil
	return nil, nil
}

// References makes references for a track and language of the pivot's outputs.
// The lines of a talk are the pivot's outputs for its short segments, on both
// sides of a translation, so that long outputs have lines to be cut at. What the
// pivot says nothing of is left out, and notes say so. Without any sample
// there are no references, and the notes say why.
func (p *pivotSystem) References(ctx context.Context, m *sampleMap, track, lang string) (refs *mcifxml.References, notes []string, err error) {
	b := &pseudo{m: m, track: track, lang: lang, done: make(map[string]bool)}
	for _, of := range []struct {
		texts       *map[string]string
		track, lang string
	}{{&b.own, track, lang}, {&b.transcript, "short", "en"}, {&b.translation, "short", lang}} {
		if *of.texts, err = p.of(ctx, of.track, of.lang); err != nil {
			return nil, nil, err
		}
	}
	refs = &mcifxml.References{Root: "pseudo-references", Track: track, Lang: lang}
	for _, row := range m.rows {
		if row.track != track || !slices.Contains(row.langs, lang) {
			continue
		}
		if r, ok := b.reference(row); ok {
			refs.Samples = append(refs.Samples, r)
		}
	}
	if notes = b.notes(); len(refs.Samples) == 0 {
		return nil, notes, nil
	}
	return refs, notes, nil
}

// pseudo makes the references of one track and language.
type pseudo struct {
	m                            *sampleMap
	track, lang                  string
	own, transcript, translation map[string]string // the pivot's texts by sample id; nil = no such outputs
	done                         map[string]bool   // talks of the short track
	dropped                      []string          // names of what became no reference
	lines, droppedLines          int               // of talks
	lacks                        []string          // outputs that the pivot does not have
}

// notes say what could not be made of the pivot's outputs.
func (b *pseudo) notes() []string {
	var out []string
	where := fmt.Sprintf("pseudo-references, track %s, language %s: ", b.track, b.lang)
	for _, lack := range b.lacks {
		out = append(out, where+"the pivot has no outputs of "+lack)
	}
	if len(b.dropped) > 0 {
		out = append(out, fmt.Sprintf("%s%s left out, of which the pivot says nothing: %s", where, quantity.Of(len(b.dropped), "sample", "samples"), firstOf(b.dropped)))
	}
	if b.droppedLines > 0 {
		out = append(out, fmt.Sprintf("%s%d of %d lines of talks left out, of which the pivot says nothing", where, b.droppedLines, b.lines))
	}
	return out
}

// firstOf lists the first names.
func firstOf(names []string) string {
	const shown = 5
	text := strings.Join(names[:min(len(names), shown)], ", ")
	if more := len(names) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// sources reports whether the pivot has the outputs that references of a task
// are made of, and notes those that it does not have.
func (b *pseudo) sources(task string) bool {
	needs := map[string]map[string]string{"the " + b.track + " track in " + b.lang: b.own}
	switch task {
	case asr:
		needs = map[string]map[string]string{"the short track in en": b.transcript}
	case trans:
		needs = map[string]map[string]string{"the short track in en": b.transcript, "the short track in " + b.lang: b.translation}
	}
	all := true
	for _, name := range slices.Sorted(maps.Keys(needs)) {
		if needs[name] != nil {
			continue
		}
		all = false
		if lack := name + ", which its " + task + " is made of"; !slices.Contains(b.lacks, lack) {
			b.lacks = append(b.lacks, lack)
		}
	}
	return all
}

func (b *pseudo) reference(row mapRow) (r mcifxml.Reference, ok bool) {
	r = mcifxml.Reference{ID: row.id, IDs: []string{row.id}, Task: row.task, IID: row.task + "_" + row.talk,
		QAOrigin: row.origin, HasQAOrigin: row.origin != "", HasText: true}
	if !b.sources(row.task) {
		return r, false
	}
	name := strings.TrimSuffix(row.alias, ".wav")
	r.AudioPath, r.HasAudioPath = name+".wav", true
	r.VideoPath, r.HasVideoPath = name+".mp4", true
	if b.track == "long" && row.task != asr {
		r.TextPath, r.HasTextPath = name+".en", true
	}
	switch row.task {
	case qa:
		r.IID += "_" + strconv.Itoa(row.position)
		r.Text = b.own[row.id]
	case sum:
		r.Text = b.own[row.id]
	default:
		if b.track == "short" {
			if b.done[r.IID] { // the first segment brought the whole talk
				return r, false
			}
			b.done[r.IID] = true
			r.IDs = b.m.segments(row.task, row.talk)
			r.ID = strings.Join(r.IDs, ",")
		}
		b.talkText(&r, row)
	}
	if r.Text == "" {
		b.dropped = append(b.dropped, r.IID)
	}
	return r, r.Text != ""
}

func (b *pseudo) talkText(r *mcifxml.Reference, row mapRow) {
	transcript, translation := b.talk(row)
	if row.task == asr {
		r.Text = strings.Join(transcript, " ")
		return
	}
	r.Text = strings.Join(translation, "\n")
	r.Metadata = map[string]string{"transcript": strings.Join(transcript, "\n")}
}

// talk returns a talk's lines in English and in the language, those of which
// the pivot has both. In English there are no translations.
func (b *pseudo) talk(row mapRow) (transcript, translation []string) {
	heard := b.m.segments(asr, row.talk)
	told := b.m.segments(trans, row.talk)
	for i, id := range heard {
		line := oneLine(b.transcript[id])
		other := line
		if row.task == trans && i < len(told) {
			other = oneLine(b.translation[told[i]])
		}
		if line != "" && other != "" {
			transcript, translation = append(transcript, line), append(translation, other)
		}
	}
	b.lines, b.droppedLines = b.lines+len(heard), b.droppedLines+len(heard)-len(transcript)
	return transcript, translation
}

func oneLine(s string) string { return strings.Join(textnorm.Fields(s), " ") }

// segments are the sample ids of a talk's short segments, in order.
func (m *sampleMap) segments(task, talk string) []string {
	var rows []mapRow
	for _, r := range m.rows {
		if r.track == "short" && r.task == task && r.talk == talk {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b mapRow) int { return a.position - b.position })
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.id
	}
	return ids
}
