package bench

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/rows"
)

// A Named is a sample, with the names by which rows of predictions may call it.
type Named struct {
	ID    string
	Media []string // names of its recording, which may have folders and endings
}

// NamedSamples are the samples of a benchmark's file.
func NamedSamples(samples func(yield func(omniscope.Sample, error) bool)) (all []Named, err error) {
	for s, err := range samples {
		if err != nil {
			return nil, err
		}
		n := Named{ID: string(s.ID)}
		for _, path := range []string{s.Media.Video, s.Media.Audio} {
			if path != "" {
				n.Media = append(n.Media, path)
			}
		}
		if n.Media == nil {
			n.Media = []string{n.ID} // files are often called so
		}
		all = append(all, n)
	}
	return all, nil
}

// RowIDs are the samples that the rows of a file are of, where no field of the benchmark's own names them.
type RowIDs struct {
	Of []string // sample by row; "" = the row is of no sample
	As string   // the field they were taken from, for the user
}

// idFields are tried, in this order, for the name of a row's sample.
var idFields = []string{"id", "uuid", "video_id", "path", "video", "audio", "video_path", "audio_path", "clip", "audio_id"}

// mostFields is how many fields of the first row are tried.
const mostFields = 50

// FindIDs finds the field of the rows that names samples of data: by their ids, or by the names of their media. Each row must be
// of a sample of its own. A field that the user names (Inputs.IDField) may have rows of no sample. unnamed is why the benchmark's
// own fields name no sample; nil = they were not tried.
func FindIDs(lines *rows.File, in Inputs, samples []Named, unnamed error) (*RowIDs, error) {
	x := newSampleIndex(samples)
	if lines.Len() == 0 {
		return nil, cmp.Or(unnamed, omniscope.Invalidf("%s has no rows", lines.Path))
	}
	first, err := lines.At(0)
	if err != nil {
		return nil, err
	}
	there := FieldsOf(first)
	if in.IDField != "" {
		return x.named(lines, in.IDField, there)
	}
	var near *fieldIDs // the field by which most rows match
	for _, name := range slices.Concat(idFields, there[:min(len(there), mostFields)]) {
		f, err := x.try(lines, name)
		if err != nil {
			return nil, err
		}
		if f.fits(lines.Len()) && slices.Contains(idFields, name) {
			return f.ids(), nil
		}
		if f.matched > 0 && f.clash == "" && (near == nil || f.matched > near.matched) {
			near = f
		}
	}
	return nil, x.noField(lines, there, near, unnamed)
}

// noField is the error where no field of the rows names samples. there has the fields of the first row.
func (x *sampleIndex) noField(lines *rows.File, there []string, near *fieldIDs, unnamed error) error {
	text := "; ids of samples are such as " + x.examples()
	if fields := fieldNames(there); !strings.Contains(unnamed.Error(), fields) {
		text += ", and the rows have " + fields
	}
	if near != nil {
		text += fmt.Sprintf("; %q names samples in %d of %d rows: take it with --id-field %s", near.field, near.matched, lines.Len(), near.field)
	}
	return fmt.Errorf("%w%s", unnamed, text)
}

// named reads the field that the user names.
func (x *sampleIndex) named(lines *rows.File, field string, there []string) (*RowIDs, error) {
	f, err := x.try(lines, field)
	switch {
	case err != nil:
		return nil, err
	case f.rows == 0:
		return nil, omniscope.Usagef("--id-field %s: %s: %w", field, lines.Place(0), NoField(field, there))
	case f.clash != "":
		return nil, omniscope.Usagef("--id-field %s: %s", field, f.clash)
	case f.matched == 0:
		return nil, omniscope.Usagef("--id-field %s: %s is not a sample; ids are such as %s", field, strconv.Quote(f.first), x.examples())
	}
	return f.ids(), nil
}

// An unnamedError is of rows that name no sample by a benchmark's own fields.
type unnamedError struct{ error }

func (e unnamedError) Unwrap() error { return e.error }

// Unnamed marks an error of rows that name no sample by a benchmark's own fields: other fields may.
func Unnamed(err error) error { return unnamedError{err} }

// IsUnnamed reports whether an error is Unnamed.
func IsUnnamed(err error) bool {
	var unnamed unnamedError
	return errors.As(err, &unnamed)
}

// A sampleIndex finds samples by the names that rows have for them.
type sampleIndex struct {
	samples []Named
	byID    map[string]int
	media   *recordingIndex
	of      []int // samples by recording of media; severalSamples = the recording has several samples
}

const (
	noSample       = -1
	severalSamples = -2
)

func newSampleIndex(samples []Named) *sampleIndex {
	x := &sampleIndex{samples: samples, byID: make(map[string]int, len(samples)), media: &recordingIndex{byStem: make(map[string][]int)}}
	for i, s := range samples {
		x.byID[s.ID] = i
		for _, name := range s.Media {
			switch there := x.media.add(name); {
			case there < 0:
				x.of = append(x.of, i)
			case x.of[there] != i:
				x.of[there] = severalSamples
			}
		}
	}
	return x
}

// examples are the first ids, for messages.
func (x *sampleIndex) examples() string {
	var first []string
	for _, s := range x.samples[:min(3, len(x.samples))] {
		text := strconv.Quote(s.ID)
		if len(s.Media) > 0 && s.Media[0] != s.ID {
			text += fmt.Sprintf(" (media %q)", s.Media[0])
		}
		first = append(first, text)
	}
	return strings.Join(first, ", ")
}

// A fieldIDs are the samples that a field of the rows names.
type fieldIDs struct {
	index   *sampleIndex
	field   string
	media   bool   // by the names of media
	of      []int  // sample by row
	rows    int    // that have the field
	matched int    // rows of a sample
	first   string // value that is of no sample
	clash   string // why the field does not distinguish the samples; "" = it does
}

// try reads a field as ids, and as names of media if they match more rows.
func (x *sampleIndex) try(lines *rows.File, field string) (*fieldIDs, error) {
	ids, media := &fieldIDs{index: x, field: field}, &fieldIDs{index: x, field: field, media: true}
	seen := [2]map[int]int{make(map[int]int), make(map[int]int)} // rows by sample
	var text []byte
	for i := range lines.Len() {
		var err error
		if text, err = lines.AppendTo(text[:0], i); err != nil {
			return nil, err
		}
		if err := rows.CheckJSON(text); err != nil {
			return nil, lines.Bad(i, text, err)
		}
		value := ""
		if v := textOf(gjson.GetBytes(text, gjson.Escape(field))); v.Type == gjson.String || v.Type == gjson.Number {
			value = ID(v)
		}
		for k, f := range []*fieldIDs{ids, media} {
			f.add(lines, i, value, seen[k])
		}
	}
	if media.matched > ids.matched || ids.matched == 0 && media.clash != "" {
		return media, nil
	}
	return ids, nil
}

// add adds the value of a row; "" = the row has no such field.
func (f *fieldIDs) add(lines *rows.File, row int, value string, seen map[int]int) {
	sample := noSample
	if value != "" {
		f.rows++
		sample = f.sample(value)
	}
	if sample == severalSamples {
		if f.clash == "" {
			f.clash = fmt.Sprintf("%s: %q may be several samples", lines.Place(row), value)
		}
		sample = noSample
	}
	f.of = append(f.of, sample)
	if sample == noSample {
		if f.first == "" {
			f.first = value
		}
		return
	}
	f.matched++
	if earlier, twice := seen[sample]; twice && f.clash == "" {
		f.clash = fmt.Sprintf("%s and %s are both of %s", lines.Place(earlier), lines.Place(row), f.index.samples[sample].ID)
	}
	seen[sample] = row
}

func (f *fieldIDs) sample(value string) int {
	if f.media {
		return f.index.byMedia(value)
	}
	if i, ok := f.index.byID[value]; ok {
		return i
	}
	return noSample
}

// byMedia is the sample of a recording.
func (x *sampleIndex) byMedia(name string) int {
	if i, ok := x.media.find(name); ok {
		return x.of[i]
	}
	if slices.ContainsFunc(x.media.byStem[Stem(name)], func(i int) bool { return mayBeSame(x.media.keys[i], recordingKey(name)) }) {
		return severalSamples // without its folder it may be of several recordings
	}
	return noSample
}

// fits reports whether each row is of a sample of its own.
func (f *fieldIDs) fits(rows int) bool { return f.matched == rows && f.clash == "" }

// ids are the samples by row.
func (f *fieldIDs) ids() *RowIDs {
	as := "ids"
	if f.media {
		as = "names of the media"
	}
	out := &RowIDs{As: fmt.Sprintf("ids: taken from %q as %s", f.field, as)}
	if f.matched < len(f.of) {
		out.As += fmt.Sprintf(" (%d of %d rows; the others are left out)", f.matched, len(f.of))
	}
	for _, sample := range f.of {
		id := ""
		if sample >= 0 {
			id = f.index.samples[sample].ID
		}
		out.Of = append(out.Of, id)
	}
	return out
}
