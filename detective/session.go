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
	"omniscope/model/judge"
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
	Closer       []perceive.Focus       `json:"closer,omitempty"`
	Model        string                 `json:"model,omitempty"`   // see perceive.Answer
	Dropped      []string               `json:"dropped,omitempty"` // likewise
}

// A toolKey holds everything that shapes a tool's answer. Its digest is the key
// in the journal.
type toolKey struct {
	Tool     string         `json:"tool"`
	Version  string         `json:"version"`
	Media    string         `json:"media"` // SHA-256 of the file
	StartS   float64        `json:"start_s"`
	EndS     float64        `json:"end_s"`
	Question string         `json:"question,omitempty"` // of a tool that heeds it
	Sampling string         `json:"sampling,omitempty"` // of a tool that looks at the clip's common frames
	Closer   perceive.Focus `json:"closer,omitzero"`    // what a closer look is at
}

// callTool calls a tool, or returns its remembered answer from the journal. The
// error is non-nil when the run should stop; if only the tool fails, the answer
// carries the outcome and the reason.
func callTool(ctx context.Context, once *run.Once, clip *perceive.Clip, file ClipInfo, tool perceive.Tool, q Inquiry, step string) (*answer, error) {
	info, question := tool.Info(), q.Question
	clip, err := clip.LookCloser(q.Focus)
	if err != nil {
		return &answer{Outcome: omniscope.OutcomeOf(err), Why: err.Error()}, nil
	}
	s := toolKey{Tool: info.Name, Version: info.Version, Media: file.SHA256, StartS: file.StartS, EndS: file.EndS, Closer: q.Focus}
	if info.Asks {
		s.Question = question
	} else if info.Modality == omniscope.Visual {
		s.Sampling = clip.Sampling()
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
			e.Result, err = encodeAnswer(said, clip)
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
	remembered := false
	if once == nil {
		err = observe(ctx, entry)
	} else {
		entry, remembered, err = once.Do(ctx, entry, observe)
	}
	var said answer
	if err != nil {
		if stops(ctx, err) {
			return nil, err
		}
		return &answer{Outcome: omniscope.OutcomeOf(err), Why: err.Error()}, nil
	}
	// Decode new answers from the journal's bytes too, so that a resumed
	// investigation sees exactly the same answer.
	if err := json.Unmarshal(entry.Result, &said); err != nil {
		return nil, fmt.Errorf("journal entry %s: %w", entry.Key, err)
	}
	if r, ok := tool.(perceive.Rememberer); ok && remembered {
		r.Remembered(&perceive.Answer{Model: said.Model, Dropped: said.Dropped})
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
	interrupted := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || kind == omniscope.Transient
	if ctx.Err() != nil || run.Stopping(ctx).Err() != nil && interrupted {
		return true
	}
	if kind.EndsRun() {
		return true
	}
	_, own := err.(*failure)
	return !own
}

// encodeAnswer writes an answer as JSON, without values that JSON cannot hold
// (NaN and infinities). What is so throughout a closer look is so for its stretch.
func encodeAnswer(said *perceive.Answer, clip *perceive.Clip) ([]byte, error) {
	a := answer{Text: said.Text, Warnings: said.Warnings, Outcome: omniscope.OK, Frames: said.Frames, Closer: said.Closer, Model: said.Model, Dropped: said.Dropped}
	for _, o := range said.Observations {
		if o.Span == (omniscope.Span{}) && clip.Focus.Stretch() {
			o.Span = clip.Span
		}
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

// A session tracks one investigation, so that a resumed run repeats recorded
// tool failures. Without them it would choose other turns and pay for them.
// Failures have their own keys in the journal, made of the session key, the
// round and the turns so far. When an investigation with failures ends, its
// round ends too, and the next run calls the failed tools again.
type session struct {
	once  *run.Once
	clip  ClipInfo
	start []byte // the sessionKey as JSON
	round int

	failed  bool // a call of the round did
	unmoved Move // the planner's answer without a usable move, if it ended the investigation
}

// A sessionKey holds everything that identifies an investigation.
type sessionKey struct {
	Clip     ClipInfo           `json:"clip"`
	Planner  string             `json:"planner"`
	Prompts  []judge.PromptInfo `json:"prompts"`
	Modality omniscope.Modality `json:"modality"`
	Tools    []ToolInfo         `json:"tools"`
	Budget   int                `json:"budget"`

	EnoughAfter int `json:"enough_after,omitempty"`
	Confirm     int `json:"confirm,omitempty"`
}

// findRound finds the first round that has not ended.
func (w *session) findRound(ctx context.Context, c *Investigation, planner string) (err error) {
	clip := w.clip
	clip.Path = "" // a file that was moved is the same clip
	w.start, err = json.Marshal(sessionKey{clip, planner, c.promptsOf(), c.Modality, toolInfos(c.Offered()), c.Budget, c.EnoughAfter, c.Confirm})
	if err != nil || w.once == nil {
		return err
	}
	for ; ; w.round++ {
		if known, err := w.once.Journal.Lookup(ctx, w.endKey(), ""); known == nil || err != nil {
			return err
		}
	}
}

func (w *session) endKey() run.Key { return keyOf("end", w.start, []byte(strconv.Itoa(w.round))) }

// closeRound marks the round as ended if any call failed, of a turn or of a confirmation.
func (w *session) closeRound(ctx context.Context, c *Investigation) error {
	if !w.failed || w.once == nil {
		return nil
	}
	return w.journalEvent(ctx, w.endKey(), c.name()+"/end", w.start)
}

// callOrReplayFailure calls a tool, or returns its failure that an earlier run
// recorded at the same point.
func (w *session) callOrReplayFailure(ctx context.Context, c *Investigation, tool perceive.Tool, q Inquiry, step string) (*answer, error) {
	if w.once == nil {
		return callTool(ctx, nil, c.Clip, w.clip, tool, q, step)
	}
	turns, err := json.Marshal(c.Turns)
	if err != nil {
		return nil, err
	}
	asked := q.Question
	if !q.Whole() {
		asked = spelled(q)
	}
	key := keyOf("failure", w.start, []byte(strconv.Itoa(w.round)), turns, []byte(step), []byte(asked))
	known, err := w.once.Journal.Lookup(ctx, key, "")
	if err != nil {
		return nil, err
	}
	if known != nil {
		var said answer
		err := json.Unmarshal(known.Result, &said)
		w.failed = w.failed || said.Outcome != omniscope.Abstained
		return &said, err
	}
	said, err := callTool(ctx, w.once, c.Clip, w.clip, tool, q, step)
	if err != nil || said.Outcome == omniscope.OK {
		return said, err
	}
	w.failed = w.failed || said.Outcome != omniscope.Abstained
	result, err := json.Marshal(said)
	if err != nil {
		return nil, err
	}
	return said, w.journalEvent(ctx, key, step, result)
}

// journalEvent writes an entry about the investigation itself.
func (w *session) journalEvent(ctx context.Context, key run.Key, step string, result []byte) error {
	return w.once.Journal.Append(context.WithoutCancel(ctx), &run.Entry{
		Key: key, Step: step, Attempt: 1, Kind: "investigation", Source: "detective", Outcome: omniscope.OK,
		Request: w.start, Result: result, Started: time.Now(),
	})
}

// keyOf hashes parts to a key; what separates kinds of keys.
func keyOf(what string, parts ...[]byte) run.Key {
	h := sha256.New()
	fmt.Fprintf(h, "detective/%s/1", what)
	for _, p := range parts {
		fmt.Fprintf(h, "\x00%d\x00", len(p))
		h.Write(p)
	}
	return run.Key(h.Sum(nil)[:len(run.Key{})])
}
