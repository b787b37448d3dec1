package detective

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/internal/jsonfast"
	"omniscope/media"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/perceive"
)

var moveSchema = &model.Schema{Name: "move", JSON: json.RawMessage(`{"type":"object","properties":{` +
	`"tool":{"type":"string"},"question":{"type":"string"},"done":{"type":"boolean"},` +
	`"from_s":{"type":"number"},"to_s":{"type":"number"},"region":{"type":"array","items":{"type":"number"}}}}`)}

var captionSchema = &model.Schema{Name: "caption", JSON: json.RawMessage(`{"type":"object","properties":{` +
	`"sentences":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"},"evidence":{"type":"array","items":{"type":"string"}}},"required":["text","evidence"]}},` +
	`"contradictions":{"type":"array","items":{"type":"object","properties":{"evidence":{"type":"array","items":{"type":"string"}},"what":{"type":"string"}},"required":["evidence","what"]}}},` +
	`"required":["sentences","contradictions"]}`)}

// spelled is an inquiry as the protocol has it.
func spelled(q Inquiry) string {
	b := jsonfast.Append([]byte(`{"tool": `), q.Tool)
	b = jsonfast.Append(append(b, `, "question": `...), q.Question)
	if q.Stretch() {
		b = fmt.Appendf(b, `, "from_s": %v`, q.FromS)
	}
	if q.ToS > 0 {
		b = fmt.Appendf(b, `, "to_s": %v`, q.ToS)
	}
	if r := q.Region; r != (media.Region{}) {
		b = fmt.Appendf(b, `, "region": [%v, %v, %v, %v]`, r[0], r[1], r[2], r[3])
	}
	return string(append(b, '}'))
}

// readMove reads a planner's turn: {"tool", "question"} or {"done": true}. The
// released pipeline spells the tool's key "tool_name".
func (c *Investigation) readMove(reply string) (Move, error) {
	fields, err := judge.Object(reply)
	if err != nil {
		return Move{}, err
	}
	name, err := text(fields, "tool")
	if _, released := fields["tool_name"]; released && err == nil && name == "" {
		name, err = text(fields, "tool_name")
	}
	if err != nil {
		return Move{}, err
	}
	question, err := text(fields, "question")
	if err != nil {
		return Move{}, err
	}
	if fields["done"].Type == gjson.True {
		return c.readDone(name, question)
	}
	tool := c.named(name)
	switch {
	case name == "":
		return Move{}, errors.New(`it names no "tool"`)
	case tool == "":
		return Move{}, fmt.Errorf("there is no tool %q; the tools are: %s", name, strings.Join(c.toolNames(), ", "))
	case question == "":
		return Move{}, errors.New(`its "question" is empty`)
	}
	q := Inquiry{Tool: tool, Question: question}
	if q.Focus, err = readFocus(fields); err != nil {
		return Move{}, err
	}
	q = q.fit(c.tool(tool).Info())
	return Move{Inquiry: q}, c.Clip.Has(q.Focus)
}

// readFocus reads what an inquiry wants a closer look at, if anything.
func readFocus(fields map[string]gjson.Result) (f perceive.Focus, err error) {
	for key, to := range map[string]*float64{"from_s": &f.FromS, "to_s": &f.ToS} {
		switch v := fields[key]; v.Type {
		case gjson.Null:
		case gjson.Number:
			*to = v.Num
		default:
			return f, fmt.Errorf("its %q is not a number of seconds", key)
		}
	}
	switch v := fields["region"]; {
	case v.Type == gjson.Null || v.IsArray() && len(v.Array()) == 0:
	case !v.IsArray() || len(v.Array()) != len(f.Region) || slices.ContainsFunc(v.Array(), func(n gjson.Result) bool { return n.Type != gjson.Number }):
		return f, errors.New(`its "region" is not [left, top, right, bottom] in shares of the picture from 0 to 1`)
	default:
		for i, n := range v.Array() {
			f.Region[i] = n.Num
		}
		if f.Region == (media.Region{0, 0, 1, 1}) {
			f.Region = media.Region{}
		}
	}
	return f, nil
}

func (c *Investigation) readDone(name, question string) (Move, error) {
	switch {
	case name != "" || question != "":
		return Move{}, errors.New("it says both that you are done and what you ask")
	case len(c.Ledger) == 0:
		return Move{}, errors.New("nothing has been observed yet, so you cannot be done: ask a question")
	}
	return Move{Done: true}, nil
}

// text reads a field that is a text or not there.
func text(fields map[string]gjson.Result, key string) (string, error) {
	v, ok := fields[key]
	if !ok || v.Type == gjson.Null {
		return "", nil
	}
	if v.Type != gjson.String {
		return "", fmt.Errorf("its %q is not a text", key)
	}
	return strings.TrimSpace(v.Str), nil
}

// filled reads a field that is a text with something in it.
func filled(fields map[string]gjson.Result, key string) (string, error) {
	s, err := text(fields, key)
	if err == nil && s == "" {
		err = fmt.Errorf("it has no %q", key)
	}
	return s, err
}

func (c *Investigation) toolNames() []string {
	var names []string
	for _, t := range c.Offered() {
		names = append(names, t.Info().Name)
	}
	return names
}

// named finds a tool's name in any letter case, if only one tool fits.
func (c *Investigation) named(name string) string {
	var found []string
	for _, n := range c.toolNames() {
		if n == name {
			return n
		}
		if strings.EqualFold(n, name) {
			found = append(found, n)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return ""
}

// A captionReader reads a conclusion and checks its evidence.
type captionReader struct {
	ledger Ledger
	mended *Caption // of the last reply that was right but for unknown ids, without them
}

func (r *captionReader) read(reply string) (*Caption, error) {
	fields, err := judge.Object(reply)
	if err != nil {
		return nil, err
	}
	list := fields["sentences"]
	if !list.IsArray() || len(list.Array()) == 0 {
		return nil, errors.New(`it has no list of "sentences"`)
	}
	var sentences []Sentence
	var unknown []string
	for i, item := range list.Array() {
		s, err := readSentence(item)
		if err != nil {
			return nil, fmt.Errorf("sentence %d: %w", i+1, err)
		}
		s.Evidence, unknown = r.known(s.Evidence, unknown)
		sentences = append(sentences, s)
	}
	caption := newCaption(sentences)
	for i, item := range fields["contradictions"].Array() {
		x, err := readContradiction(item)
		if err != nil {
			return nil, fmt.Errorf("contradiction %d: %w", i+1, err)
		}
		if x.Evidence, unknown = r.known(x.Evidence, unknown); len(x.Evidence) > 1 {
			caption.Contradictions = append(caption.Contradictions, x)
		}
	}
	if len(unknown) == 0 {
		return caption, nil
	}
	caption.Warnings = []string{"the planner named evidence that does not exist, which was left out: " + strings.Join(unknown, ", ")}
	r.mended = caption
	return nil, fmt.Errorf("it names evidence that does not exist: %s; the ids go from o1 to o%d", strings.Join(unknown, ", "), len(r.ledger))
}

// known keeps the ids that the ledger has, each once, and adds the others to
// unknown.
func (r *captionReader) known(ids, unknown []string) (kept, all []string) {
	for _, id := range ids {
		switch {
		case r.ledger.Find(id) == nil:
			if !slices.Contains(unknown, id) {
				unknown = append(unknown, id)
			}
		case !slices.Contains(kept, id):
			kept = append(kept, id)
		}
	}
	return kept, unknown
}

func readSentence(item gjson.Result) (Sentence, error) {
	fields := item.Map()
	words, err := filled(fields, "text")
	if err != nil {
		return Sentence{}, err
	}
	ids, err := idList(fields["evidence"])
	return Sentence{Text: words, Evidence: ids}, err
}

func readContradiction(item gjson.Result) (Contradiction, error) {
	fields := item.Map()
	what, err := text(fields, "what")
	if err != nil {
		return Contradiction{}, err
	}
	ids, err := idList(fields["evidence"])
	return Contradiction{Evidence: ids, What: what, By: byPlanner}, err
}

// idList reads a list of ids, which may be missing and may have brackets, as
// ids have where the planner reads them.
func idList(v gjson.Result) ([]string, error) {
	if !v.Exists() || v.Type == gjson.Null {
		return nil, nil
	}
	if !v.IsArray() {
		return nil, errors.New(`its "evidence" is not a list`)
	}
	var ids []string
	for _, item := range v.Array() {
		if item.Type != gjson.String {
			return nil, errors.New(`its "evidence" is not a list of ids such as "o1"`)
		}
		ids = append(ids, strings.Trim(strings.TrimSpace(item.Str), "[]"))
	}
	return ids, nil
}
