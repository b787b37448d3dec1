package capricorn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/rows"
)

// A past holds the result files of an earlier run, ours or the published
// scripts'. Videos found in them are not asked about again.
type past struct {
	stage1, stage2 *rows.File
	first, second  map[string]int // line by video
	inputs         map[string]string
}

// openPast opens the result files of a folder. For an empty name it returns an
// empty past.
func openPast(ctx context.Context, dir string) (*past, error) {
	p := &past{first: make(map[string]int), second: make(map[string]int), inputs: make(map[string]string)}
	if dir == "" {
		return p, nil
	}
	var err error
	if p.stage1, err = p.open(ctx, filepath.Join(dir, stage1File), "main_sbj_info", p.first); err == nil && p.stage1 == nil {
		err = omniscope.NotFoundf("%s holds no %s to continue from", dir, stage1File)
	}
	if err == nil {
		p.stage2, err = p.open(ctx, filepath.Join(dir, stage2File), "categorization_info", p.second)
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// open indexes a result file, if it exists. The published scripts write a line
// when a video is done, so the last line may be cut off. It is skipped, as the
// published scripts skip it.
func (p *past) open(ctx context.Context, path, key string, at map[string]int) (*rows.File, error) {
	lines, err := rows.Open(ctx, path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p.inputs[path] = lines.Digest
	if err := index(ctx, lines, key, at); err != nil {
		return nil, errors.Join(err, lines.Close())
	}
	return lines, nil
}

func index(ctx context.Context, lines *rows.File, key string, at map[string]int) error {
	for i := range lines.Len() {
		text, err := lines.At(i)
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return err
		}
		if rows.CheckJSON(text) != nil && i == lines.Len()-1 {
			continue
		}
		id, err := idOf(text)
		if err == nil && !gjson.GetBytes(text, key).IsObject() {
			err = fmt.Errorf("has no object %s", key)
		}
		if err != nil {
			return lines.Bad(i, text, err)
		}
		at[id] = i
	}
	return nil
}

// fill copies the earlier run's judgements to a unit's events. An event whose
// judgement failed there is asked about again.
func (p *past) fill(u *unit) {
	i, ok := p.first[u.v.id]
	if !ok {
		return
	}
	text, err := p.stage1.At(i)
	if err != nil {
		return // the file was readable when it was opened; asking again costs only money
	}
	known := pastEvents(gjson.ParseBytes(text))
	for k, ev := range u.v.events {
		if ev.nameless() && ev.ofSubjects() {
			continue // the published scorer drops it: a row with its text is another event
		}
		if list := known[ev.text]; len(list) > 0 {
			u.judged[k] = list[0]
			known[ev.text] = list[1:]
		}
	}
}

// pastEvents returns the judgements of a row by the event's text, in order:
// several if the text occurs several times. A failed judgement has asked unset.
func pastEvents(row gjson.Result) map[string][]judgement {
	known := make(map[string][]judgement)
	row.Get("main_sbj_info").ForEach(func(subject, events gjson.Result) bool {
		turn := make(map[string]int)
		events.ForEach(func(_, e gjson.Result) bool {
			text := e.Get("event").Str
			n := turn[text]
			turn[text]++
			if n == len(known[text]) {
				j := pastJudgement(e)
				j.descriptions = make(map[string]*description)
				known[text] = append(known[text], j)
			}
			known[text][n].descriptions[subject.Str] = descriptionOf(e.Get(descriptionsKey))
			return true
		})
		return true
	})
	row.Get("other_event_judge").ForEach(func(_, e gjson.Result) bool {
		text := e.Get("event").Str
		known[text] = append(known[text], pastJudgement(e))
		return true
	})
	return known
}

func pastJudgement(e gjson.Result) judgement {
	v, ok := verdictNamed(e.Get("judgement").Str)
	if !ok || v == omniscope.Unjudged {
		return judgement{}
	}
	j := judgement{asked: true, outcome: omniscope.OK, verdict: v}
	j.reason, j.reasonJSON = reasonOf(e.Get("reason"))
	return j
}

// group returns the earlier run's grouping of a subject's descriptions. It is
// nil if there is none, or if the earlier descriptions differ.
func (p *past) group(video, subject string, descriptions []*description) *grouping {
	i, ok := p.second[video]
	if !ok {
		return nil
	}
	text, err := p.stage2.At(i)
	if err != nil {
		return nil
	}
	var info gjson.Result
	gjson.GetBytes(text, "categorization_info").ForEach(func(key, value gjson.Result) bool {
		if key.Str == subject {
			info = value
		}
		return true
	})
	groups := info.Get("gpt_categorization")
	if !groups.IsObject() || !sameDescriptions(descriptionsIn(info.Get("sbj_captions")), descriptions) {
		return nil
	}
	g := &grouping{descriptions: descriptions, asked: true}
	groups.ForEach(func(name, list gjson.Result) bool {
		g.groups = append(g.groups, group{name: name.Str, descriptions: descriptionsIn(list)})
		return true
	})
	return g
}

func descriptionsIn(list gjson.Result) (out []*description) {
	for _, d := range list.Array() {
		out = append(out, descriptionOf(d))
	}
	return out
}

// Close closes the files.
func (p *past) Close() error {
	var err error
	for _, l := range []*rows.File{p.stage1, p.stage2} {
		if l != nil {
			err = errors.Join(err, l.Close())
		}
	}
	return err
}
