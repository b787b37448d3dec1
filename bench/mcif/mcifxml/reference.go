package mcifxml

import (
	"context"
	"fmt"
	"strings"
)

// fields are the elements that may be within a sample of a test set.
var fields = []string{"audio_path", "video_path", "text_path", "instruction", "reference", "metadata", "transcript"}

// ReadReferences reads what is right for a task, or for the first task of the
// file if track and lang are "". Its errors are those of ReadOutput. A sample
// that lacks its id, iid or task is left out; one without a reference is not.
func ReadReferences(ctx context.Context, path, track, lang string, o Options) (*References, error) {
	f, err := load(ctx, path, o, fields)
	if err != nil {
		return nil, err
	}
	task, err := f.task(track, lang)
	if err != nil {
		return nil, err
	}
	refs := &References{Path: path, Root: f.name(), SHA256: f.sha256, RawSHA256: f.rawSHA256, mended: f.mended}
	refs.Track, _ = task.attr("track")
	refs.Lang, _ = task.attr("text_lang")
	task.each("sample", func(n *node) bool {
		if f.cut[n] {
			return true
		}
		r, bad := f.reference(n)
		leftOut := !has(n, "task") || !has(n, "id") || !has(n, "iid")
		if bad != nil {
			refs.lacking = append(refs.lacking, lacking{r, bad, leftOut})
			f.reportLacking(r, bad, leftOut)
		}
		if !leftOut {
			refs.Samples = append(refs.Samples, r)
		}
		return true
	})
	f.lookAtReferences(refs)
	refs.Problems = f.problems
	return refs, nil
}

func has(n *node, attribute string) bool {
	_, ok := n.attr(attribute)
	return ok
}

func (f *file) reportLacking(r Reference, bad *AttributeError, leftOut bool) {
	fate := "cannot be scored"
	if leftOut {
		fate = "is left out"
	}
	f.report(Problem{Kind: badReference, Line: bad.Line, Count: 1, ID: r.ID, What: bad.complaint() + " and " + fate + "; the published evaluation refuses the file"})
}

// reference reads a sample. bad is what the published evaluation, which reads
// task, id, reference and iid in this order, stops at.
func (f *file) reference(n *node) (r Reference, bad *AttributeError) {
	r.File, r.Line = f.path, f.line(n)
	for _, a := range []struct {
		name string
		to   *string
	}{{"task", &r.Task}, {"id", &r.ID}, {"iid", &r.IID}} {
		value, ok := n.attr(a.name)
		if !ok && bad == nil {
			bad = &AttributeError{File: f.path, Line: r.Line, Element: "sample", Attribute: a.name}
		}
		*a.to = value
	}
	r.IDs = strings.Split(r.ID, ",")
	r.QAType, r.HasQAType = n.attr("qa_type")
	r.QAOrigin, r.HasQAOrigin = n.attr("qa_origin")
	r.AudioPath, r.HasAudioPath = textOf(n, "audio_path")
	r.VideoPath, r.HasVideoPath = textOf(n, "video_path")
	r.TextPath, r.HasTextPath = textOf(n, "text_path")
	n.each("metadata", func(m *node) bool {
		for _, kid := range m.kids {
			r.describe(kid)
		}
		return true
	})
	if !r.HasQAType {
		r.QAType, r.HasQAType = r.Metadata["qa_type"]
	}
	if !r.HasQAOrigin {
		r.QAOrigin, r.HasQAOrigin = r.Metadata["qa_origin"]
	}
	text, ok := textOf(n, "reference")
	if !ok && (bad == nil || bad.Attribute == "iid") {
		bad = &AttributeError{File: f.path, Line: r.Line, Element: "reference"}
	}
	r.Text, r.HasText, r.absent = text, text != "", !ok
	return r, bad
}

// describe keeps the text of an element and of those in it; the last of a tag
// counts.
func (r *Reference) describe(n *node) {
	if r.Metadata == nil {
		r.Metadata = map[string]string{}
	}
	r.Metadata[n.tag] = n.text
	for _, kid := range n.kids {
		r.describe(kid)
	}
}

// textOf returns the text of the first element with the tag.
func textOf(n *node, tag string) (text string, found bool) {
	if n = n.first(tag); n != nil {
		return n.text, true
	}
	return "", false
}

// lookAtReferences finds what is odd about references.
func (f *file) lookAtReferences(refs *References) {
	type key struct{ task, name string }
	byIID, byID := map[key]int{}, map[string]int{}
	for _, r := range refs.Samples {
		if line, ok := byIID[key{r.Task, r.IID}]; ok {
			f.report(Problem{Kind: DuplicateID, Line: r.Line, ID: r.ID, Count: 1,
				What: fmt.Sprintf("the iid %q is there already, on line %d: the published evaluation takes the last", r.IID, line)})
		}
		byIID[key{r.Task, r.IID}] = r.Line
		for _, id := range r.IDs {
			if line, ok := byID[id]; ok {
				f.report(Problem{Kind: DuplicateID, Line: r.Line, ID: id, Count: 1,
					What: fmt.Sprintf("sample %q is there already, on line %d: its answer is scored twice", id, line)})
			}
			byID[id] = r.Line
		}
		if strings.TrimSpace(r.Text) == "" && !r.absent {
			f.report(Problem{Kind: badReference, Line: r.Line, ID: r.ID, Count: 1, What: fmt.Sprintf("the reference of sample %q is empty", r.ID)})
		}
	}
}

// ReadDefinitions reads what a test set asks in a task, or in the first task of
// the file if track and lang are "". Its errors are those of ReadOutput. A
// sample without an id is left out.
func ReadDefinitions(ctx context.Context, path, track, lang string, o Options) (*Definitions, error) {
	f, err := load(ctx, path, o, fields)
	if err != nil {
		return nil, err
	}
	task, err := f.task(track, lang)
	if err != nil {
		return nil, err
	}
	defs := &Definitions{Path: path, Root: f.name(), SHA256: f.sha256, RawSHA256: f.rawSHA256}
	defs.Track, _ = task.attr("track")
	defs.Lang, _ = task.attr("text_lang")
	seen := map[string]int{}
	task.each("sample", func(n *node) bool {
		d := Definition{File: f.path, Line: f.line(n)}
		id, ok := n.attr("id")
		if !ok {
			f.report(Problem{Kind: MissingID, Line: d.Line, Count: 1, What: "the sample has no id and is left out"})
		}
		if f.cut[n] || !ok {
			return true
		}
		if line, ok := seen[id]; ok {
			f.report(Problem{Kind: DuplicateID, Line: d.Line, ID: id, Count: 1, What: fmt.Sprintf("sample %q is there already, on line %d", id, line)})
		}
		seen[id] = d.Line
		d.ID = id
		d.AudioPath, d.HasAudioPath = textOf(n, "audio_path")
		d.VideoPath, d.HasVideoPath = textOf(n, "video_path")
		d.TextPath, d.HasTextPath = textOf(n, "text_path")
		d.Instruction, _ = textOf(n, "instruction")
		defs.Samples = append(defs.Samples, d)
		return true
	})
	defs.Problems = f.problems
	return defs, nil
}
