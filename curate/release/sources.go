package release

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/bench"
	"omniscope/internal/rows"
)

// A source is where an item's media come from, as `omniscope curate collect` writes it.
type source struct {
	id          string
	licence     string
	url         string
	origin      string // the collection or site it was taken from
	attribution string
	digest      string // SHA-256 of the file
	file        string
	group       string // the recording that clips are cut from: such clips stay in one split
	start, end  float64
	category    string
	fields      string // the whole line
}

// sourceOf reads a source from a line, or from a row that names its own.
func sourceOf(id string, v gjson.Result) *source {
	first := func(names ...string) string {
		for _, name := range names {
			if text := strings.TrimSpace(rows.ID(v.Get(name))); text != "" {
				return text
			}
		}
		return ""
	}
	src := &source{id: id, licence: first("licence", "license"), url: first("source_url", "url"), origin: first("origin"), file: first("source_file", "file", "path"),
		attribution: first("attribution"), digest: first("sha256", "digest"), group: first("source_id"), category: first("category"),
		start: v.Get("span.start").Num, end: v.Get("span.end").Num}
	if span := v.Get("span"); span.IsArray() { // as `omniscope curate collect` writes it
		src.start, src.end = span.Get("0").Num, span.Get("1").Num
	}
	src.group = cmp.Or(src.group, src.url, src.digest, src.id)
	return src
}

// joinSources finds the source of each item.
func (s *set) joinSources(ctx context.Context) error {
	if s.o.Sources == "" {
		return s.eachItem(func(it *item, row gjson.Result) error {
			it.source = sourceOf(it.stem(), row)
			it.useSource()
			return nil
		})
	}
	sources := make(map[string]*source)
	err := byID(ctx, s.o.Sources, func(id string, line gjson.Result) {
		src := sourceOf(id, line)
		src.fields = line.Raw
		sources[id] = src
	})
	if err != nil {
		return err
	}
	for _, it := range s.items {
		if it.source = sources[it.stem()]; it.source == nil {
			it.source = sources[it.id]
		}
		if it.source == nil { // has no licence, then
			it.source = &source{id: it.stem(), group: it.stem()}
		}
		it.useSource()
	}
	return nil
}

// useSource takes from the source what the row does not say, and notes its digest.
func (it *item) useSource() {
	it.parts.Source = it.source.sum()
	it.category = cmp.Or(it.category, it.source.category)
	if length := it.source.end - it.source.start; it.seconds == 0 && length > 0 {
		it.seconds = length
	}
}

func (s *set) eachItem(do func(it *item, row gjson.Result) error) (err error) {
	var text []byte
	for _, it := range s.items {
		if text, err = s.rows.AppendTo(text[:0], it.row); err != nil {
			return err
		}
		if err := do(it, gjson.ParseBytes(text)); err != nil {
			return err
		}
	}
	return nil
}

// joinProvenance finds what is known of how each item was made, by the item's id or its source's.
func (s *set) joinProvenance(ctx context.Context) error {
	if s.o.Provenance == "" {
		return nil
	}
	known := make(map[string]string)
	if err := byID(ctx, s.o.Provenance, func(id string, line gjson.Result) { known[id] = line.Raw }); err != nil {
		return err
	}
	var without []string
	for _, it := range s.items {
		if it.provenance = known[it.id]; it.provenance == "" {
			it.provenance = known[it.stem()]
		}
		if it.provenance == "" {
			without = append(without, it.id)
		}
	}
	if len(without) > 0 {
		s.warn("%d items are not in %s: %s", len(without), s.o.Provenance, list(without))
	}
	return nil
}

// byID reads JSON Lines whose field id is there once.
func byID(ctx context.Context, path string, do func(id string, line gjson.Result)) error {
	seen := make(map[string]int)
	_, err := rows.InOrder(ctx, path, func(f *rows.File, i int, text []byte) error {
		if err := rows.CheckJSON(text); err != nil {
			return err
		}
		id := rows.ID(gjson.GetBytes(text, "id"))
		if id == "" {
			return bench.NoField("id", bench.FieldsOf(text))
		}
		if first, twice := seen[id]; twice {
			return fmt.Errorf("the id %q is in %s already", id, f.LineName(first))
		}
		seen[id] = i
		do(id, gjson.ParseBytes(text))
		return nil
	})
	return cmp.Or(err, ctx.Err())
}
