package mcifxml

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"omniscope"
	"omniscope/internal/sha256hex"
	"omniscope/metric/textnorm"
)

// ReadOutput reads what a system answered to a task, or to the first task of
// the file if track and lang are "". A file that is not XML is a *SyntaxError,
// one without the task a *TaskError, both within an *omniscope.Error.
func ReadOutput(ctx context.Context, path, track, lang string, o Options) (*Output, error) {
	f, err := load(ctx, path, o, nil)
	if err != nil {
		return nil, err
	}
	return f.output(track, lang)
}

func (f *file) output(track, lang string) (*Output, error) {
	task, err := f.task(track, lang)
	if err != nil {
		return nil, err
	}
	out := &Output{Path: f.path, Root: f.name(), SHA256: f.sha256, RawSHA256: f.rawSHA256}
	if f.mended != nil {
		out.Refused = f.mended
	}
	out.Track, _ = task.attr("track")
	out.Lang, _ = task.attr("text_lang")
	edges := 0
	task.each("sample", func(n *node) bool {
		if f.cut[n] {
			return true
		}
		line := f.line(n)
		id, ok := n.attr("id")
		if !ok {
			out.Refused = f.withoutID(line, out.Refused)
			return true
		}
		s := Sample{ID: id, Text: textnorm.Strip(n.text), File: f.path, Line: line}
		if len(s.Text) < len(n.text) {
			edges++
		}
		out.Samples = append(out.Samples, s)
		return true
	})
	out.Digest = Digest(out.Samples)
	out.Problems = append(f.problems, look(out, edges)...)
	return out, nil
}

// withoutID reports a sample without an id, and returns the first such error.
func (f *file) withoutID(line int, first error) error {
	e := &AttributeError{File: f.path, Line: line, Element: "sample", Attribute: "id"}
	f.problems = append(f.problems, Problem{Kind: MissingID, File: f.path, Line: line, Count: 1,
		What: "the sample has no id and is left out; the published evaluation refuses the file"})
	if first == nil {
		return e
	}
	return first
}

// Digest returns the SHA-256 of ids and texts in their order: of each sample
// the id, U+001F, the text and U+001E. It is the same for files that differ in
// form only.
func Digest(samples []Sample) string {
	h := sha256.New()
	for _, s := range samples {
		h.Write([]byte(s.ID + "\x1f" + s.Text + "\x1e"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// ReadOutputs reads the parts of one system's answers to a task and joins them
// in the order given. Parts that answer the same sample, or different tasks,
// are refused. Whether the parts are all there is for the caller to say. The
// hash of several files is that of their hashes, each with a line feed.
func ReadOutputs(ctx context.Context, paths []string, track, lang string, o Options) (*Output, error) {
	if len(paths) == 0 {
		return nil, omniscope.Usagef("no file of answers was named")
	}
	joined, err := ReadOutput(ctx, paths[0], track, lang, o)
	if err != nil || len(paths) == 1 {
		return joined, err
	}
	var stored, raw strings.Builder
	owners := map[string]Sample{}
	for i, path := range paths {
		part := joined
		if i > 0 {
			if part, err = ReadOutput(ctx, path, joined.Track, joined.Lang, o); err != nil {
				return nil, err
			}
		}
		stored.WriteString(part.SHA256 + "\n")
		raw.WriteString(part.RawSHA256 + "\n")
		for _, s := range part.Samples {
			if twin, ok := owners[s.ID]; ok {
				return nil, overlap(twin, s)
			}
		}
		for _, s := range part.Samples {
			owners[s.ID] = s
		}
		if i > 0 {
			joined.Samples = append(joined.Samples, part.Samples...)
			joined.Problems = append(joined.Problems, part.Problems...)
			if joined.Refused == nil {
				joined.Refused = part.Refused
			}
		}
	}
	joined.SHA256, joined.RawSHA256 = sha256hex.Of([]byte(stored.String())), sha256hex.Of([]byte(raw.String()))
	joined.Digest = Digest(joined.Samples)
	return joined, nil
}

func overlap(a, b Sample) error {
	return omniscope.Invalidf(
		"%s answers sample %q, and %s does too: parts of one output must not share samples; leave one of the files out",
		place(b.File, b.Line, 0), b.ID, place(a.File, a.Line, 0))
}
