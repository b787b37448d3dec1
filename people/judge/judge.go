// Package judge has Answer the calls of a run, instead of a model: with
// --judge people/FOLDER a run is given what people have answered in the project of that folder.
// What they have not answered yet is pending, and noted in the folder, so that the project can
// take it up (see Import). The same command, run again, is given what was answered meanwhile.
package judge

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/rows"
	"omniscope/internal/sha256hex"
	"omniscope/model"
	"omniscope/people"
)

// Name is the name of this kind of work, stage the name of its only stage.
const (
	Name  = "judge"
	stage = "reply"
)

// replyKey is the key of a reply among a task's answers, replyField its field.
const (
	replyKey   = "reply"
	replyField = "text"
)

// A pendingCall is one call of a run that people answer.
type pendingCall struct {
	Step     string    `json:"step"` // as the benchmark names it
	Attempt  int       `json:"attempt"`
	Messages []message `json:"messages"`
	JSON     bool      `json:"json,omitempty"` // the reply is to be a JSON object
}

// A message is one text of a call.
type message struct {
	Role model.MessageRole `json:"role"`
	Text string            `json:"text"`
}

// asksForJSON finds prompts that ask for a JSON object, and not those of texts that mention JSON.
var asksForJSON = regexp.MustCompile("(?i)\\bJSON (object|format)|\\b(as|in|valid) (an? )?JSON\\b|```json")

// callOf makes a call of a request. People answer texts only.
func callOf(req *model.Request) (*pendingCall, error) {
	c := &pendingCall{Step: req.Step, Attempt: req.Attempt, JSON: req.Schema != nil}
	for _, m := range req.Messages {
		var text strings.Builder
		for _, p := range m.Parts {
			if p.Kind != model.TextPart {
				return nil, omniscope.Usagef("call %s holds %s: people judge texts only", req.Step, p.Kind)
			}
			text.WriteString(p.Text)
		}
		c.Messages = append(c.Messages, message{m.Role, text.String()})
		c.JSON = c.JSON || m.Role == model.User && asksForJSON.MatchString(text.String())
	}
	if req.Embed {
		return nil, omniscope.Usagef("call %s asks for a vector: people judge texts only", req.Step)
	}
	return c, nil
}

// item is the call as something to work on. Its id is the same for the same call of any run.
func (c *pendingCall) item() (*people.Item, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	clip, _, _ := strings.Cut(c.Step, "/")
	return &people.Item{ID: "call-" + sha256hex.Of(text)[:16], Clip: clip, Payload: text}, nil
}

var readCall = people.Payload[pendingCall]("call")

// Kind is this kind of work.
var Kind = people.ByStage(people.Kind{
	Info: people.Info{Name: Name, About: "people answer the calls of a run, in the place of a model",
		Examples: `  omniscope people new judge jury
  omniscope eval omni-cloze --data cloze.jsonl --predictions ours.jsonl --judge people/jury
  omniscope people serve jury
  omniscope people import judge jury --pending jury/pending.jsonl`,
		Long: `People judge in the place of a model: a project is the judge of runs that name it as --judge people/FOLDER.
The run's calls are noted in the folder and become items of the project when it is served, or with
'omniscope people import judge FOLDER --pending FOLDER/pending.jsonl'. What nobody has answered is
pending: counted, and never scored. Run the same command again when there are answers. A run keeps the
answers that it was given; --fresh takes those that people have changed since.`},
	Maker:   func() people.Maker { return newMaker() },
	Exports: []people.Export{{Name: "replies", File: "replies.jsonl", About: "each reply with the call it answers", Write: people.Writing(replyRecords, people.WriteLines)}},
	Tables:  tables,
}, readCall, map[string]people.StageWork[pendingCall]{stage: {Form: form, Complete: func(_ *people.WorkItem, call *pendingCall, answers map[string]people.Value) error {
	_, err := call.reply(answers[replyKey].Text(replyField))
	return err
}}})

func form(_ *people.WorkItem, call *pendingCall) (*people.Form, error) {
	f := &people.Form{}
	for _, m := range call.Messages {
		f.Texts = append(f.Texts, people.Text{Title: titleOf(m.Role), Body: m.Text})
	}
	help := "In the form that the text above asks for."
	if call.JSON {
		help = `A JSON object as the text above asks for, such as {"1": "A", "2": "E"}; or a line for each entry: its number or name, then the answer, such as "1 A".`
	}
	f.Sections = []people.Section{{Name: replyKey, Title: "Reply", Help: help, Cards: []people.Card{{}},
		Fields: []people.Field{{Name: replyField, Label: "Reply", Type: people.Prose}}}}
	return f, nil
}

func titleOf(r model.MessageRole) string {
	switch r {
	case model.System:
		return "Instructions"
	case model.Assistant:
		return "An earlier reply"
	}
	return "Question"
}

// reply is what a person wrote as a model would write it.
func (c *pendingCall) reply(text string) (string, error) {
	if !c.JSON || isObject(text) {
		return text, nil
	}
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return "", omniscope.Usagef("the reply is no valid JSON object: %v", rows.CheckJSON([]byte(text)))
	}
	var b strings.Builder
	for n, line := range nonEmpty(text) {
		name, answer, ok := strings.Cut(line, " ")
		name, answer = strings.TrimRight(name, ".:="), strings.TrimSpace(answer)
		if !ok || name == "" || answer == "" {
			return "", omniscope.Usagef("line %d, %q: write a number or name, a space, and the answer", n+1, line)
		}
		if n > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s: %s", quoted(name), quoted(answer))
	}
	if b.Len() == 0 {
		return "", omniscope.Usagef("the reply is empty")
	}
	return "{" + b.String() + "}", nil
}

func isObject(text string) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal([]byte(text), &object) == nil && object != nil
}

func nonEmpty(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func quoted(text string) string {
	b, _ := json.Marshal(text) // a text always has a form
	return string(b)
}

// An answeredCall call is one with a reply of one person.
type answeredCall struct {
	pendingCall
	Item   string `json:"item"`
	Person string `json:"person"`
	Reply  string `json:"reply"`
	seq    int64
}

// replyRecords are all that were submitted, by call and in the order in which they were given.
func replyRecords(ctx context.Context, w *people.Workplace) (out []answeredCall, err error) {
	err = people.EachDone(ctx, w, readCall, func(item *people.Item, call *pendingCall, done map[string][]people.Done) error {
		for _, d := range done[stage] {
			text, err := call.reply(d.Answers[replyKey].Text(replyField))
			if err != nil {
				return fmt.Errorf("%s: %w", d.TaskID, err)
			}
			out = append(out, answeredCall{pendingCall: *call, Item: item.ID, Person: d.Person, Reply: text, seq: d.Seq})
		}
		return nil
	}, stage)
	return out, err
}

// byItem are replies by the item that they answer.
func byItem(all []answeredCall) map[string][]answeredCall {
	out := make(map[string][]answeredCall)
	for _, a := range all {
		out[a.Item] = append(out[a.Item], a)
	}
	return out
}

// tables are how far the calls are answered, and how far people agree who answered the same call.
func tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	all, err := replyRecords(ctx, w)
	if err != nil {
		return nil, err
	}
	answered := byItem(all)
	calls := len(w.Items())
	t := omniscope.Table{Name: "calls", Title: "Calls", Columns: []string{"what", "value", "95% interval", "of"}, Numbers: []int{1},
		Note: "Agreement is on the entries of a reply that is JSON, by what stands before a colon; else on the whole reply."}
	t.Rows = [][]string{{"calls", fmt.Sprint(calls), "", ""}, {"answered", fmt.Sprint(len(answered)), "", ""}, {"pending", fmt.Sprint(calls - len(answered)), "", ""}}
	twice := people.NewFigure(2)
	for _, id := range slices.Sorted(maps.Keys(answered)) {
		if replies := answered[id]; len(replies) > 1 {
			same, all := agreeing(replies)
			twice.Add(id, 1, same, all)
		}
	}
	of := "calls"
	if twice.N < people.Fewest {
		of = "calls that two people answered"
	}
	t.Rows = append(t.Rows, twice.Row("raw agreement", people.Share, of, 0))
	return []omniscope.Table{t}, nil
}

// agreeing counts pairs of entries, and those that are the same.
func agreeing(replies []answeredCall) (same, all float64) {
	for i, a := range replies {
		for _, b := range replies[i+1:] {
			first, second := a.entries(), b.entries()
			for name, value := range first {
				if other, there := second[name]; there {
					all++
					if value == other {
						same++
					}
				}
			}
		}
	}
	return same, all
}

// entries are what a reply says, by name.
func (a *answeredCall) entries() map[string]string {
	var object map[string]any
	if !a.JSON || json.Unmarshal([]byte(a.Reply), &object) != nil {
		return map[string]string{"": strings.ToLower(strings.Join(strings.Fields(a.Reply), " "))}
	}
	out := make(map[string]string, len(object))
	for name, value := range object {
		head, _, _ := strings.Cut(fmt.Sprint(value), ":")
		out[name] = strings.ToLower(strings.TrimSpace(head))
	}
	return out
}

// chosen is the reply that counts of several: that of most people, else the first.
func chosen(replies []answeredCall) string {
	times := make(map[string]int)
	for _, a := range replies {
		times[a.Reply]++
	}
	return slices.MaxFunc(replies, func(a, b answeredCall) int {
		return cmp.Or(cmp.Compare(times[a.Reply], times[b.Reply]), cmp.Compare(b.seq, a.seq))
	}).Reply
}
