package labels

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/people"
)

// A maker makes projects of tasks of Label Studio.
type maker struct {
	data        string
	config      string
	rate        string
	people      int
	keepUnknown bool
}

// usualRate is the rate that Label Studio takes where none is declared.
const usualRate = "24"

// Options implements people.Maker.
func (m *maker) Options() []bench.Option {
	return []bench.Option{
		{Name: "data", Value: bench.Text(&m.data), Path: true, Help: "tasks, as Label Studio exports them (JSON)"},
		{Name: "config", Value: bench.Text(&m.config), Path: true, Help: "labelling configuration (XML): what is asked; without it, what the tasks have"},
		{Name: "frame-rate", Value: bench.Text(&m.rate), Help: "frames of a second that the frame numbers in the tasks were made with (default: as --config says, else 24)"},
		{Name: "people", Value: bench.Number(&m.people), Help: "people who do each task"},
		{Name: "keep-unknown", Value: bench.Switch(&m.keepUnknown), Help: "carry results of other types along, such as boxes; nobody sees them"},
	}
}

// Make implements people.Maker.
func (m *maker) Make(ctx context.Context) (*people.Plan, error) {
	switch {
	case m.data == "":
		return nil, omniscope.Usagef("name the tasks with --data")
	case m.people < 1:
		return nil, omniscope.Usagef("--people 0: at least one person does a task")
	}
	s := &source{config: &config{}, keepUnknown: m.keepUnknown}
	err := s.open(ctx, m)
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	p := people.Project{Kind: name, Title: "Labels", Guideline: guideline, Stages: []people.Stage{
		{Name: stage, Title: "Label", By: []people.ProjectRole{people.Annotator, people.Senior}, People: m.people, LeaseMinutes: 60}}}
	return &people.Plan{Project: p, Items: people.MadeItems(len(s.ids), s.item), Warnings: s.warnings(), Close: s.close}, nil
}

// A source is the files of a project, opened.
type source struct {
	config      *config
	declared    bool // the controls are those of the configuration
	keepUnknown bool
	lines       *rows.File
	ids         []string
	frames      int            // results whose times are made of frames
	unknown     map[string]int // results that are carried along, by their types
}

func (s *source) open(ctx context.Context, m *maker) (err error) {
	if m.config != "" {
		if s.config, err = readConfig(m.config); err != nil {
			return err
		}
		s.declared = true
	}
	if m.rate != "" {
		if rate, err := strconv.ParseFloat(m.rate, 64); err != nil || rate <= 0 {
			return omniscope.Usagef("--frame-rate %s: want a number above 0, such as 29.97", m.rate)
		}
		s.config.rate = m.rate
	}
	if s.lines, err = rows.Open(ctx, m.data); err != nil {
		return err
	}
	return s.check(ctx)
}

func (s *source) close() error {
	if s.lines == nil {
		return nil
	}
	return s.lines.Close()
}

func (s *source) warnings() (out []string) {
	if s.frames > 0 {
		out = append(out, fmt.Sprintf("the times of %d stretches are approximate: Label Studio's frames are time × the declared rate (--frame-rate), not those of the recording", s.frames))
	}
	for _, kind := range slices.Sorted(maps.Keys(s.unknown)) {
		out = append(out, fmt.Sprintf("%d results of the type %s are carried along unchanged", s.unknown[kind], kind))
	}
	return out
}

// check reads all tasks, refuses the first that is wrong, and collects what they ask.
func (s *source) check(ctx context.Context) error {
	if s.lines.Len() == 0 {
		return omniscope.Invalidf("%s has no tasks", s.lines.Path)
	}
	s.unknown = make(map[string]int)
	first := make(map[string]int)
	err := people.EachRow(ctx, s.lines, func(i int, text []byte) error {
		id, err := s.checkTask(text, i)
		if err != nil {
			return err
		}
		s.ids = append(s.ids, id)
		return people.Once(first, id, i, "task", s.lines)
	})
	if err != nil {
		return err
	}
	if len(s.config.controls) == 0 {
		return omniscope.Usagef("the tasks have no results, so that nothing is known to ask: give the labelling configuration with --config")
	}
	return nil
}

func (s *source) checkTask(text []byte, i int) (id string, err error) {
	if err := rows.CheckJSON(text); err != nil {
		return "", err
	}
	task := gjson.ParseBytes(text)
	if id = task.Get("id").String(); id == "" {
		id = fmt.Sprintf("number %d", i+1)
	}
	switch {
	case !task.IsObject():
		return id, errors.New("it is not a JSON object")
	case !task.Get("data").IsObject():
		return id, fmt.Errorf("task %s: %w", id, bench.NoField("data", bench.FieldsOf(text)))
	}
	if _, err := s.rateOf(task); err != nil {
		return id, fmt.Errorf("task %s: %w", id, err)
	}
	for _, r := range resultsOf(task) {
		if err := s.checkResult(r); err != nil {
			return id, fmt.Errorf("task %s: %w", id, err)
		}
	}
	return id, nil
}

// checkResult refuses a result that cannot be worked on, and notes what it asks.
func (s *source) checkResult(r gjson.Result) error {
	kind, known := typeOf(r)
	name := r.Get("from_name").Str
	switch {
	case !known && s.keepUnknown:
		s.unknown[string(kind)]++
		return nil
	case !known:
		return fmt.Errorf("a result of the type %q, or of a form of it that is not known: take it along unchanged with --keep-unknown", kind)
	case name == "":
		return errors.New("a result has no from_name")
	}
	if kind == timeline {
		s.frames++
	}
	at := slices.IndexFunc(s.config.controls, func(c controlTag) bool { return c.Name == name })
	if at < 0 {
		if s.declared {
			return fmt.Errorf("a result is of %q, which --config does not have", name)
		}
		at = len(s.config.controls)
		s.config.controls = append(s.config.controls, controlTag{Name: name, To: r.Get("to_name").Str, Type: kind, Most: map[controlType]int{ratingTag: usualStars}[kind]})
	}
	c := &s.config.controls[at]
	if c.Type != kind {
		return fmt.Errorf("a result of %q is of the type %s, and not %s like others", name, kind, c.Type)
	}
	return s.checkOptions(c, r)
}

func (s *source) checkOptions(c *controlTag, r gjson.Result) error {
	chosen := options(r)
	for _, o := range chosen {
		switch {
		case slices.Contains(c.Options, o):
		case s.declared:
			return fmt.Errorf("%q is not one of the labels of %q: %s", o, c.Name, strings.Join(c.Options, ", "))
		default:
			c.Options = append(c.Options, o)
		}
	}
	switch c.Type {
	case choices:
		return s.checkChosen(c, len(chosen))
	case ratingTag:
		return s.checkRating(c, r.Get("value.rating").Float())
	}
	return nil
}

func (s *source) checkChosen(c *controlTag, chosen int) error {
	switch {
	case chosen < 2 || c.Many:
	case s.declared:
		return fmt.Errorf("%d of the choices of %q are chosen, but --config allows one", chosen, c.Name)
	default:
		c.Many = true
	}
	return nil
}

func (s *source) checkRating(c *controlTag, rating float64) error {
	if rating != float64(int(rating)) || rating < 1 || s.declared && int(rating) > c.Most {
		return fmt.Errorf("%g is no rating of %q, from 1 to %d", rating, c.Name, c.Most)
	}
	c.Most = max(c.Most, int(rating))
	return nil
}

// rateOf is how many frames of a second a task declares.
func (s *source) rateOf(task gjson.Result) (float64, error) {
	text := s.config.rate
	if text == "" {
		text = usualRate
	}
	if field, ok := strings.CutPrefix(text, "$"); ok {
		text = task.Get("data." + gjson.Escape(field)).String()
	}
	rate, err := strconv.ParseFloat(text, 64)
	if err != nil || rate <= 0 {
		return 0, fmt.Errorf("the frame rate is %q: give it with --frame-rate", text)
	}
	return rate, nil
}

func (s *source) item(i int) (*people.Item, any, error) {
	text, err := s.lines.At(i)
	if err != nil {
		return nil, nil, err
	}
	task := gjson.ParseBytes(text)
	t := &taskRecord{Raw: string(bytes.TrimSpace(text)), Controls: s.config.controls}
	if t.Rate, err = s.rateOf(task); err != nil {
		return nil, nil, s.lines.Bad(i, text, err)
	}
	item := &people.Item{ID: s.ids[i], Clip: s.ids[i]}
	if file := s.mediaOf(task.Get("data")); file != "" {
		item.Media, item.Clip = []people.Media{{File: file}}, file
	}
	return item, t, nil
}

// mediaOf is the file of a task: that of the field which the configuration names, else the first field
// that has the name of a recording. "" = it has none.
func (s *source) mediaOf(data gjson.Result) (file string) {
	for _, field := range s.config.media {
		if v := data.Get(gjson.Escape(field)); v.Type == gjson.String {
			return fileOf(v.Str)
		}
	}
	data.ForEach(func(_, v gjson.Result) bool {
		if name := fileOf(v.Str); v.Type == gjson.String && bench.Stem(name) != path.Base(name) {
			file = name
		}
		return file == ""
	})
	return file
}

// fileOf is the name of a file that Label Studio serves: the path below its data folder, or the last
// part of another address.
func fileOf(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return address
	case u.Query().Get("d") != "": // /data/local-files/?d=folder/file.mp4
		return u.Query().Get("d")
	case u.Scheme != "":
		return path.Base(u.Path)
	}
	return strings.TrimPrefix(strings.TrimPrefix(address, "/data/"), "/")
}
