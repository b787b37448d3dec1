package capricorn

import (
	"context"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/people"
)

// An origin is a line of provenance.jsonl: a final keypoint, and where it comes from.
type origin struct {
	VideoID string `json:"video_id"`
	provenanceStep
	Vision []vote `json:"vision"` // who said that it can be seen without sound, and who did not
}

// A provenanceStep is what one person made of a keypoint: the lead's, with the seniors' below it, theirs
// with the annotators', and theirs with drafts.
type provenanceStep struct {
	Stage   string            `json:"stage"` // or draft
	Person  string            `json:"person"`
	Event   int64             `json:"event,omitempty"` // of the log, which set the answer; a draft has none
	Key     string            `json:"key,omitempty"`   // of the answer
	Class   string            `json:"class"`
	Text    string            `json:"text"`
	Span    []float64         `json:"span"`              // start and end in seconds; null = none
	Changed []string          `json:"changed,omitempty"` // fields that none of those below has like this
	From    []*provenanceStep `json:"from,omitempty"`    // nothing = this person, or the draft, proposed it

	Evidence []string `json:"evidence,omitempty"` // of a draft, in its investigation
}

// A vote says whether a keypoint can be seen without sound.
type vote struct {
	Stage  string `json:"stage"`
	Person string `json:"person"`
	Event  int64  `json:"event"`
	Keep   bool   `json:"keep"`
}

func writeProvenance(ctx context.Context, w *people.Workplace, to io.Writer) error {
	out := people.Lines(to)
	return eachFinal(ctx, w, func(f *final) error {
		t := &tracer{ctx: ctx, w: w, item: f.item.ID, video: f.video, tasks: make(map[string]people.TaskID),
			answers: make(map[people.TaskID]map[string]people.Current), sections: make(map[string]*people.Section)}
		for i := range f.points {
			o := origin{VideoID: f.item.ID, Vision: []vote{}}
			step, err := t.step(f.task, f.points[i].key)
			if err != nil {
				return err
			}
			o.provenanceStep = *step
			for _, d := range slices.Concat(f.votes, f.settled) {
				if err := t.vote(&o, d.TaskID, f.points[i].key); err != nil {
					return err
				}
			}
			if err := out.Encode(&o); err != nil {
				return err
			}
		}
		return nil
	})
}

// A tracer follows the keypoints of one video back through the log.
type tracer struct {
	ctx      context.Context
	w        *people.Workplace
	item     string
	video    *video
	tasks    map[string]people.TaskID // by the event that submitted them, as text
	answers  map[people.TaskID]map[string]people.Current
	sections map[string]*people.Section // by stage, as it was shown
}

func (t *tracer) answer(id people.TaskID, key string) (a people.Current, ok bool, err error) {
	if t.answers[id] == nil {
		if t.answers[id], err = t.w.Answers(t.ctx, id); err != nil {
			return a, false, err
		}
	}
	a, ok = t.answers[id][key]
	return a, ok, nil
}

func (t *tracer) vote(o *origin, id people.TaskID, key string) error {
	a, ok, err := t.answer(id, key)
	if err == nil && ok {
		o.Vision = append(o.Vision, vote{Stage: id.Stage, Person: id.Person, Event: a.Seq, Keep: a.Value.Text(fieldKeep) == keep})
	}
	return err
}

// step is an answer with all that it was made from.
func (t *tracer) step(id people.TaskID, key string) (*provenanceStep, error) {
	a, ok, err := t.answer(id, key)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, omniscope.Invalidf("%s: a keypoint was made from the answer %s, which is not in the log", id, key)
	}
	p := newPoint(key, a.Value)
	s := &provenanceStep{Stage: id.Stage, Person: id.Person, Event: a.Seq, Key: key, Class: p.class, Text: p.text}
	if p.timed {
		s.Span = []float64{p.span.Start, p.span.End}
	}
	refs, err := t.sources(id.Stage, key, a.Value)
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		from, err := t.follow(ref)
		if err != nil {
			return nil, err
		}
		s.From = append(s.From, from)
	}
	s.Changed = s.changed()
	return s, nil
}

// sources are the answers that an answer was made from. The form is made again only where the
// answer does not say it by itself.
func (t *tracer) sources(stage, key string, v people.Value) ([]string, error) {
	from := v.From()
	if len(from) > 0 && !slices.ContainsFunc(from, func(ref string) bool { return !isRef(ref) }) {
		return from, nil
	}
	if t.sections[stage] == nil {
		c, err := t.w.WorkItem(t.ctx, t.item, stage)
		if err != nil {
			return nil, err
		}
		form, err := t.w.Kind().Form(c)
		if err != nil {
			return nil, err
		}
		t.sections[stage] = sectionOf(form)
	}
	return sources(t.sections[stage], key, v), nil
}

// follow finds what a source names: a draft, or an answer by the event that submitted its task.
func (t *tracer) follow(ref string) (*provenanceStep, error) {
	if number, ok := strings.CutPrefix(ref, draftRef); ok {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > len(t.video.Drafts) {
			return nil, omniscope.Invalidf("video %s has no draft %q", t.item, number)
		}
		return t.video.Drafts[n-1].step(), nil
	}
	parts := strings.SplitN(ref, "/", 3) // stage, event, key
	seq, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return nil, omniscope.Invalidf("video %s: %q names no answer", t.item, ref)
	}
	id, ok := t.tasks[parts[1]]
	if !ok {
		for e, err := range t.w.Events(t.ctx, seq-1) {
			if err != nil {
				return nil, err
			}
			id = e.Task
			break
		}
		t.tasks[parts[1]] = id
	}
	if id.Item != t.item || id.Stage != parts[0] {
		return nil, omniscope.Invalidf("video %s: %q names an answer of another video or stage", t.item, ref)
	}
	return t.step(id, parts[2])
}

func (d *draft) step() *provenanceStep {
	s := &provenanceStep{Stage: "draft", Person: d.By, Text: d.Text, Evidence: d.Evidence}
	if d.Start != nil && d.End != nil {
		s.Span = []float64{*d.Start, *d.End}
	}
	return s
}

// changed are the fields that none of the sources has like this.
func (s *provenanceStep) changed() (fields []string) {
	if len(s.From) == 0 {
		return nil
	}
	for _, f := range []struct {
		name string
		of   func(*provenanceStep) any
	}{
		{fieldClass, func(s *provenanceStep) any { return s.Class }},
		{fieldText, func(s *provenanceStep) any { return s.Text }},
		{fieldSpan, func(s *provenanceStep) any { return s.Span }},
	} {
		if !slices.ContainsFunc(s.From, func(from *provenanceStep) bool { return reflect.DeepEqual(f.of(from), f.of(s)) }) {
			fields = append(fields, f.name)
		}
	}
	return fields
}
