package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"omniscope/internal/bytesize"
	"omniscope/internal/quantity"
	"omniscope/run/journal"
)

// A call is one that a journal remembers, as people look at it.
type call struct {
	Step     string
	Attempt  int
	Kind     string // model, tool, metric, ...
	Source   string
	Outcome  string
	When     time.Time
	Answered string // who, by its own name
	Tokens   string
	Cost     string
	Took     string
	Asked    []message
	Text     string // of the answer
	Trouble  string // why there is no answer, or what is wrong with it
	Request  string // raw, as JSON
	Result   string
}

// A message is one turn of what was asked.
type message struct {
	Role  string
	Parts []part
}

// A part is a text, or names a medium by its digest.
type part struct{ Text, Medium string }

func callOf(c *journal.Call) call {
	out := call{Step: c.Step, Attempt: c.Attempt, Kind: c.Kind, Source: c.Source, Outcome: c.Outcome.String(), When: c.Started,
		Asked: messages(c.Request), Request: indented(c.Request), Result: indented(c.Result)}
	f := gjson.GetManyBytes(c.Result, "answered", "text", "refusal", "error", "tokens_in", "tokens_out", "cost_usd", "latency_ms", "finish")
	out.Answered, out.Text = f[0].Str, f[1].Str
	if f[4].Num+f[5].Num > 0 {
		out.Tokens = fmt.Sprintf("%d tokens in, %d out", f[4].Int(), f[5].Int())
	}
	if f[6].Num > 0 {
		out.Cost = quantity.Dollars(f[6].Num)
	}
	if f[7].Num > 0 {
		out.Took = time.Duration(f[7].Num * float64(time.Millisecond)).Round(time.Millisecond).String()
	}
	var trouble []string
	if c.Damaged != nil {
		trouble = append(trouble, c.Damaged.Error())
	}
	if f[3].Str != "" {
		trouble = append(trouble, f[3].Str)
	}
	if f[2].Str != "" {
		trouble = append(trouble, "refused: "+f[2].Str)
	}
	if f[8].Str != "" && f[8].Str != "stop" {
		trouble = append(trouble, "it ended with "+f[8].Str)
	}
	out.Trouble = strings.Join(trouble, "; ")
	return out
}

func messages(request []byte) (all []message) {
	gjson.GetBytes(request, "messages").ForEach(func(_, m gjson.Result) bool {
		one := message{Role: m.Get("role").Str}
		m.Get("parts").ForEach(func(_, p gjson.Result) bool {
			if p.Get("kind").Str == "text" {
				one.Parts = append(one.Parts, part{Text: p.Get("text").Str})
			} else {
				one.Parts = append(one.Parts, part{Medium: strings.TrimSpace(p.Get("kind").Str + " " + p.Get("digest").Str)})
			}
			return true
		})
		all = append(all, one)
		return true
	})
	return all
}

// mostRaw is how much of a raw request or result a page shows.
const mostRaw = 256 << 10

// indented is JSON to be read, or the bytes as they are where it is none.
func indented(text []byte) string {
	var out bytes.Buffer
	if json.Indent(&out, text, "", "  ") != nil {
		out.Reset()
		out.Write(text)
	}
	if out.Len() > mostRaw {
		more := int64(out.Len() - mostRaw)
		out.Truncate(mostRaw)
		return strings.ToValidUTF8(out.String(), "") + "\n… " + bytesize.Format(more) + " more: `omniscope journal show` prints all"
	}
	return out.String()
}

// first is the start of a message, for its line in the list.
func (m message) first() string {
	for _, p := range m.Parts {
		if p.Text != "" {
			return p.Text
		}
	}
	return ""
}
