package detective

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/perceive"
	"omniscope/run"
)

// An answer is what a tool said, as the journal keeps it, and how that ended.
type answer struct {
	Text         string                 `json:"text"`
	Observations []perceive.Observation `json:"observations,omitempty"`
	Warnings     []string               `json:"warnings,omitempty"`
	Outcome      omniscope.Outcome      `json:"outcome"`
	Why          string                 `json:"why,omitempty"`
	Frames       *media.Plan            `json:"frames,omitempty"` // the exact frames that were looked at
}

// A sight is all that shapes the answer of a tool: its key in the journal.
type sight struct {
	Tool     string  `json:"tool"`
	Version  string  `json:"version"`
	Media    string  `json:"media"` // SHA-256 of the file
	StartS   float64 `json:"start_s"`
	EndS     float64 `json:"end_s"`
	Question string  `json:"question,omitempty"` // of a tool that heeds it
	Sampling string  `json:"sampling,omitempty"` // of a tool that looks at the clip's common frames
}

// look asks a tool once: what the journal remembers is not looked for again.
// The error is non-nil when the run should stop; a tool that fails is an
// answer that says so.
func look(ctx context.Context, once *run.Once, clip *perceive.Clip, file ClipInfo, tool perceive.Tool, question, step string) (*answer, error) {
	info := tool.Info()
	s := sight{Tool: info.Name, Version: info.Version, Media: file.SHA256, StartS: file.StartS, EndS: file.EndS}
	if info.Asks {
		s.Question = question
	} else if info.Modality == omniscope.Visual {
		s.Sampling = perceive.Sampling()
	}
	request, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	observe := func(ctx context.Context, e *run.Entry) error {
		said, err := tool.Observe(ctx, clip, question)
		if err == nil && said == nil {
			err = errors.New("the tool returned no answer")
		}
		if err == nil {
			e.Outcome = omniscope.OK
			e.Result, err = encode(said)
		}
		if err != nil {
			e.Outcome = omniscope.OutcomeOf(err)
			e.Result, _ = json.Marshal(answer{Outcome: e.Outcome, Why: err.Error()})
			return &failure{err}
		}
		return nil
	}
	entry := &run.Entry{
		Key: keyOf("tool", request), Step: step, Attempt: 1, Kind: "tool", Source: info.Name + " " + info.Version,
		Request: request, Started: time.Now(),
	}
	if once == nil {
		err = observe(ctx, entry)
	} else {
		entry, _, err = once.Do(ctx, entry, observe)
	}
	var said answer
	if err != nil {
		if stops(ctx, err) {
			return nil, err
		}
		return &answer{Outcome: omniscope.OutcomeOf(err), Why: err.Error()}, nil
	}
	// What was just said is read back as well, so that a resumed investigation
	// goes by the same bytes.
	if err := json.Unmarshal(entry.Result, &said); err != nil {
		return nil, fmt.Errorf("journal entry %s: %w", entry.Key, err)
	}
	return &said, nil
}

// A failure is a tool's own error, as opposed to one of the journal.
type failure struct{ error }

func (f *failure) Unwrap() error { return f.error }

// stops reports whether err concerns the whole run: it is winding down, its
// budget is used up, a key is wrong, or the journal fails.
func stops(ctx context.Context, err error) bool {
	kind := omniscope.KindOf(err)
	cut := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || kind == omniscope.Transient
	if ctx.Err() != nil || run.Stopping(ctx).Err() != nil && cut {
		return true
	}
	if kind.EndsRun() {
		return true
	}
	_, own := err.(*failure)
	return !own
}

// encode writes an answer down. Numbers that JSON does not have are no
// measurements, and are left out.
func encode(said *perceive.Answer) ([]byte, error) {
	a := answer{Text: said.Text, Warnings: said.Warnings, Outcome: omniscope.OK, Frames: said.Frames}
	for _, o := range said.Observations {
		values := make(map[string]float64, len(o.Values))
		for name, v := range o.Values {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				values[name] = v
			}
		}
		if o.Values = nil; len(values) > 0 {
			o.Values = values
		}
		if !(o.Sure >= 0) {
			o.Sure = 0
		}
		o.Sure = min(o.Sure, 1)
		a.Observations = append(a.Observations, o)
	}
	return json.Marshal(a)
}

// A way is the course of one investigation, with the failures on it. Failures
// of observers are never reused as answers; but an investigation that was
// killed must find them again, or it would take another way and pay for it.
// They are kept under keys of their own, which hold the course so far and
// which round it is: a new round begins once an investigation with failures
// has ended, so that the next run asks again.
type way struct {
	once  *run.Once
	clip  ClipInfo
	start []byte // all that tells this investigation from others
	round int
}

// course is the description of an investigation and its turns so far.
type course struct {
	Clip     ClipInfo               `json:"clip"`
	Planner  string                 `json:"planner"`
	Prompts  []omniscope.PromptInfo `json:"prompts"`
	Modality omniscope.Modality     `json:"modality"`
	Tools    []ToolInfo             `json:"tools"`
	Budget   int                    `json:"budget"`
}

// begin finds out which round this is.
func (w *way) begin(ctx context.Context, c *Case, planner string) (err error) {
	clip := w.clip
	clip.Path = "" // a file that was moved is the same clip
	w.start, err = json.Marshal(course{clip, planner, c.Prompts.infos(c.Modality), c.Modality, toolInfos(c.Offered()), c.Budget})
	if err != nil || w.once == nil {
		return err
	}
	for ; ; w.round++ {
		if known, err := w.once.Journal.Lookup(ctx, w.endKey(), ""); known == nil || err != nil {
			return err
		}
	}
}

func (w *way) endKey() run.Key { return keyOf("end", w.start, []byte(strconv.Itoa(w.round))) }

// end closes the round if anything failed on the way.
func (w *way) end(ctx context.Context, c *Case) error {
	for i := range c.Turns {
		if o := c.Turns[i].Outcome; o != omniscope.OK && o != omniscope.Abstained && w.once != nil {
			return w.mark(ctx, w.endKey(), c.name()+"/end", w.start)
		}
	}
	return nil
}

// observe asks a tool unless it is remembered to have failed here.
func (w *way) observe(ctx context.Context, c *Case, tool perceive.Tool, question, step string) (*answer, error) {
	if w.once == nil {
		return look(ctx, nil, c.Clip, w.clip, tool, question, step)
	}
	turns, err := json.Marshal(c.Turns)
	if err != nil {
		return nil, err
	}
	key := keyOf("failure", w.start, []byte(strconv.Itoa(w.round)), turns, []byte(step), []byte(question))
	known, err := w.once.Journal.Lookup(ctx, key, "")
	if err != nil {
		return nil, err
	}
	if known != nil {
		var said answer
		return &said, json.Unmarshal(known.Result, &said)
	}
	said, err := look(ctx, w.once, c.Clip, w.clip, tool, question, step)
	if err != nil || said.Outcome == omniscope.OK {
		return said, err
	}
	result, err := json.Marshal(said)
	if err != nil {
		return nil, err
	}
	return said, w.mark(ctx, key, step, result)
}

// mark writes down something about the investigation itself.
func (w *way) mark(ctx context.Context, key run.Key, step string, result []byte) error {
	return w.once.Journal.Append(context.WithoutCancel(ctx), &run.Entry{
		Key: key, Step: step, Attempt: 1, Kind: "investigation", Source: "detective", Outcome: omniscope.OK,
		Request: w.start, Result: result, Started: time.Now(),
	})
}

// keyOf is the key of parts; the first names what it is a key of.
func keyOf(what string, parts ...[]byte) run.Key {
	h := sha256.New()
	fmt.Fprintf(h, "detective/%s/1", what)
	for _, p := range parts {
		fmt.Fprintf(h, "\x00%d\x00", len(p))
		h.Write(p)
	}
	return run.Key(h.Sum(nil)[:len(run.Key{})])
}
