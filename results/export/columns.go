package export

import (
	"encoding"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/predict"
)

// Lines leave out values that are 0, false or empty. A table of any run has the same columns, and a
// count that a line leaves out is 0.

// sparse are the files of lines in which an object of a profile holds only the counts that
// are not 0: of every benchmark, and of MCIF.
var sparse = []string{strings.TrimSuffix(bench.CountsFile, ".jsonl"), "units"}

// fieldsOf lists the fields of lines that may lack empty fields, in the order of the lines.
var fieldsOf = map[string]string{
	"answers":   "id clip right chosen why strict official outcome answer",
	"audits":    "schema clip caption splitter prompts tools outcome why claims ledger counts rates warnings",
	"claims":    "clip claim text sense kinds verdict outcome planted says disputed written_by_checkers",
	"keypoints": "video_id class event verdict reason descriptions quote outcome attempts repeated",
	"pairs":     "scorer lang unit src mt ref value",
	"units":     "unit task name talk sample_ids outcome missing wer comet bertscore symptoms qa_type qa_origin hypothesis",
}

// numbers are the fields of these that are numbers, which a run may leave out of all lines.
var numbers = []string{"wer", "comet", "bertscore", "value"}

// declare adds the columns that a table has for a run before its lines are read.
func (t *table) declare(s *source) {
	if s.details {
		t.declareFields("", reflect.TypeFor[predict.Prediction]())
		return
	}
	for _, name := range strings.Fields(fieldsOf[t.Name]) {
		kind := none
		if slices.Contains(numbers, name) {
			kind = number
		}
		t.column(name, kind)
	}
	if !slices.Contains(sparse, t.Name) {
		return
	}
	if t.Name == sparse[0] {
		for _, name := range []string{"unit", "cluster", "outcome"} {
			t.column(name, text)
		}
	}
	s.counts = make(map[string][]string)
	for _, p := range s.run.Results.Scorings {
		for _, slice := range p.Slices {
			if slice.Dimension != "overall" {
				continue
			}
			s.counts[p.Name] = slices.Sorted(maps.Keys(slice.Counts))
			for _, name := range s.counts[p.Name] {
				t.column(p.Name+"."+name, whole)
			}
		}
	}
	if t.Name == sparse[0] {
		t.column("verdicts", text)
	}
}

// declareFields adds a column for each field of a struct, named as in its JSON.
func (t *table) declareFields(prefix string, of reflect.Type) {
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name = prefix + name; name == prefix || name == prefix+"-" {
			continue
		}
		typ := f.Type
		if typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		if typ.Kind() == reflect.Struct && slices.Contains(opened, name) {
			t.declareFields(name+".", typ)
		} else {
			t.column(name, kindOfType(typ))
		}
	}
}

func kindOfType(t reflect.Type) columnKind {
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return text
	}
	switch t.Kind() {
	case reflect.Bool:
		return truth
	case reflect.Int, reflect.Int64:
		return whole
	case reflect.Float64:
		return number
	}
	return text
}

// Cells of values that lines leave out.
var (
	zero  = cell{true, "0", gjson.Result{Type: gjson.Number, Raw: "0"}}
	wrong = cell{true, "false", gjson.Result{Type: gjson.False, Raw: "false"}}
)

// complete fills the cells of known values that the line leaves out, and empties the cells of unknown
// numbers that the line stores as 0.
func (t *table) complete(s *source, line []byte, row []cell) {
	for profile, names := range s.counts {
		if !s.counted(line, profile) {
			continue
		}
		for _, name := range names {
			t.absent(row, profile+"."+name, zero)
		}
	}
	if s.details {
		t.completeAnswer(line, row)
	}
}

// counted reports whether a line has the counts of a profile. In a scored unit an empty object means
// that all counts are 0, such as for a caption without claims. MCIF's published program may stop
// without counts, and an unjudged unit may have no counts.
func (s *source) counted(line []byte, profile string) bool {
	f := gjson.GetManyBytes(line, profile, "outcome")
	if !f[0].IsObject() {
		return false
	}
	if len(f[0].Map()) > 0 {
		return true
	}
	return s.run.Results.Benchmark.Name != "mcif" && (!f[1].Exists() || f[1].Str == omniscope.OK.String())
}

// completeAnswer does so for a line of the details of a run of a model.
func (t *table) completeAnswer(line []byte, row []cell) {
	var outcome omniscope.Outcome
	f := gjson.GetManyBytes(line, "outcome", "usage.tokens_in", "usage.tokens_out", "usage.cost_usd", "usage.estimated")
	if outcome.UnmarshalText([]byte(f[0].Str)) != nil {
		return
	}
	if outcome == omniscope.OK || outcome == omniscope.Abstained {
		t.absent(row, "words", zero)
	}
	if f[1].Num+f[2].Num == 0 { // no answer was counted: the tokens of an answer are counted or estimated
		t.empty(row, "usage.tokens_in")
		t.empty(row, "usage.tokens_out")
	} else {
		t.absent(row, "cut", wrong)
		t.absent(row, "usage.estimated", wrong)
		if !f[4].Bool() {
			t.absent(row, "tokens_too_few", wrong)
		}
	}
	if f[3].Num == 0 { // 0 is written where no price is known
		t.empty(row, "usage.cost_usd")
	}
}

func (t *table) absent(row []cell, name string, value cell) {
	if i, ok := t.at[name]; ok && !row[i].there {
		row[i] = value
	}
}

func (t *table) empty(row []cell, name string) {
	if i, ok := t.at[name]; ok {
		row[i] = cell{}
	}
}
