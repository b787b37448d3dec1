package contamination

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/mediafiles"
	"omniscope/internal/ondisk"
	"omniscope/internal/rows"
	"omniscope/session/production"
)

// An item is one of a benchmark's.
type item struct {
	benchmark string
	id        string
	path      string // "" = its media are not here
	source    source
}

// readAgainst reads the benchmarks.
func (r *run) readAgainst(ctx context.Context) error {
	for _, a := range r.Against {
		info, err := os.Stat(a.Path)
		if err != nil {
			return omniscope.Usagef("--against %s=%s: there is no such folder or file", a.Name, a.Path)
		}
		before := len(r.items)
		switch {
		case info.IsDir():
			err = r.readMedia(a)
		case strings.EqualFold(filepath.Ext(input.WithoutPacking(a.Path)), ".txt"):
			err = r.readIDs(ctx, a)
		default:
			err = r.readItems(ctx, a)
		}
		if err != nil {
			return err
		}
		if len(r.items) == before {
			return omniscope.Invalidf("--against %s=%s: there is no media file in it", a.Name, a.Path)
		}
	}
	return nil
}

// readMedia takes the media files of a folder.
func (r *run) readMedia(a Against) error {
	found, _, err := mediafiles.In(a.Path, "")
	if err != nil {
		return err
	}
	for _, path := range found {
		below, err := filepath.Rel(a.Path, path)
		if err != nil {
			return err
		}
		id := filepath.ToSlash(below)
		r.items = append(r.items, item{a.Name, id, path, sourceOf(nil, stem(path), path, omniscope.Span{})})
	}
	return nil
}

// readItems takes the rows of a list. Media on the web, or that are not there, are not compared; their sources are.
func (r *run) readItems(ctx context.Context, a Against) error {
	list, err := production.ReadList(ctx, a.Path, a.Media, "")
	if err != nil {
		return err
	}
	for i := range list.Rows {
		row := &list.Rows[i]
		text, err := row.MarshalJSON()
		if err != nil {
			return err
		}
		it := item{benchmark: a.Name, id: row.ID, source: sourceOf(text, row.ID, row.Path, row.Span)}
		if !row.Remote() && ondisk.IsFile(row.Path) {
			it.path = row.Path
		}
		r.items = append(r.items, it)
	}
	return nil
}

// readIDs reads a text file of sources: an id, or an id with a start and an end in seconds behind commas or spaces. What stands
// behind these is left out; a start without an end means ten seconds, as in VGGSound's list.
func (r *run) readIDs(ctx context.Context, a Against) error {
	f, err := input.Open(ctx, a.Path, input.Texts)
	if err != nil {
		return err
	}
	defer f.Close()
	return rows.EachLine(f, func(n int, text []byte) error {
		line := strings.TrimSpace(strings.TrimPrefix(string(text), input.ByteOrderMark))
		if line == "" || strings.HasPrefix(line, "#") {
			return nil
		}
		s, ok := sourceLine(line)
		if !ok {
			return omniscope.Invalidf("%s:%d: this names no source: an id of at least %d characters, or an address, and perhaps a start and an end in seconds: %q", a.Path, n, leastID, line)
		}
		r.items = append(r.items, item{benchmark: a.Name, id: line, source: s})
		return nil
	})
}

func sourceLine(line string) (s source, ok bool) {
	fields := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	if m := clipOfYouTube.FindStringSubmatch(fields[0]); m != nil {
		s.add("youtube:" + m[1])
		s.span = spanFrom(m[2])
		return s, true
	}
	s.add(keyOfID(fields[0]))
	if len(fields) > 1 {
		if start, err := strconv.ParseFloat(fields[1], 64); err == nil {
			s.span = seconds(start, start+namedClip.Seconds())
		}
	}
	if len(fields) > 2 {
		if end, err := strconv.ParseFloat(fields[2], 64); err == nil {
			s.span = seconds(s.span.Start.Seconds(), end)
		}
	}
	return s, len(s.keys) > 0
}

// findSources finds clips of the same videos as items, where their stretches overlap.
func (r *run) findSources(context.Context) error {
	if !r.makes(mediaSource) {
		return nil
	}
	byKey := make(map[string][]int)
	for i := range r.items {
		for _, k := range r.items[i].source.keys {
			byKey[k] = append(byKey[k], i)
		}
	}
	for c := range r.clips {
		seen := make(map[int]bool)
		for _, k := range r.clips[c].source.keys {
			for _, i := range byKey[k] {
				it := &r.items[i]
				if seen[i] {
					continue
				}
				seen[i] = true
				r.propose(mediaSource, it.benchmark)
				if overlap(r.clips[c].source.span, it.source.span) {
					r.hits = append(r.hits, hitRecord{Clip: r.clips[c].id, Benchmark: it.benchmark, Item: it.id, Check: mediaSource, Score: 1, By: k, clip: c})
				}
			}
		}
	}
	return nil
}

func (r *run) propose(c checkName, benchmark string) {
	if r.proposed == nil {
		r.proposed = make(map[cell]int)
	}
	r.proposed[cell{c, benchmark}]++
}
