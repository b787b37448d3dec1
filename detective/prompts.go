package detective

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"omniscope"
	"omniscope/internal/brief"
	"omniscope/media"
	"omniscope/model/judge"
	"omniscope/perceive"
)

//go:embed prompts/*.txt
var promptFiles embed.FS

// Prompts are the templates of investigations and audits.
type Prompts struct {
	system                                                        map[omniscope.Modality]*judge.Prompt
	open, observation, conclude, describe, claims, check, confirm *judge.Prompt
}

// promptNames lists the files that a user's folder may replace.
var promptNames = []string{
	"system-audio.txt", "system-visual.txt", "system-audio-visual.txt", "open.txt", "observation.txt", "conclude.txt",
	"describe.txt", "claims.txt", "check.txt", "confirm.txt",
}

// LoadPrompts reads the templates from folder where that is given and has
// them, and takes the built-in ones for the rest.
func LoadPrompts(folder fs.FS, folderName string) (*Prompts, error) {
	if err := judge.OnlyPrompts(folder, folderName, promptNames...); err != nil {
		return nil, err
	}
	builtin, err := fs.Sub(promptFiles, "prompts")
	if err != nil {
		return nil, err
	}
	load := func(name string, needs ...string) *judge.Prompt {
		if err != nil {
			return nil
		}
		var p *judge.Prompt
		if p, err = judge.LoadPrompt(builtin, folder, folderName, name); err == nil {
			err = p.Require(needs...)
		}
		return p
	}
	p := &Prompts{system: make(map[omniscope.Modality]*judge.Prompt)}
	for _, m := range modalities {
		p.system[m] = load("system-"+string(m)+".txt", "tools", "max_calls")
	}
	p.open = load("open.txt", "remaining")
	p.observation = load("observation.txt", "observation", "remaining")
	p.conclude, p.describe = load("conclude.txt"), load("describe.txt")
	p.confirm = load("confirm.txt", "confirmations")
	p.claims, p.check = load("claims.txt", "caption"), load("check.txt", "claim")
	return p, err
}

// promptsOf names the prompts of an investigation.
func (c *Investigation) promptsOf() []judge.PromptInfo {
	p := c.Prompts
	infos := promptInfos(p.system[c.Modality], p.open, p.observation, p.conclude, p.describe)
	if c.Confirm > 0 {
		infos = append(infos, promptInfos(p.check, p.confirm)...)
	}
	return infos
}

func promptInfos(prompts ...*judge.Prompt) []judge.PromptInfo {
	infos := make([]judge.PromptInfo, len(prompts))
	for i, p := range prompts {
		infos[i] = p.Info()
	}
	return infos
}

// AuditPrompts are the prompts that an audit asks with.
func AuditPrompts(p *Prompts) []judge.PromptInfo { return promptInfos(p.claims, p.check) }

// conversation is the investigation so far as messages: system prompt, opening, and for
// each turn the inquiry and its result. An investigation that was ended early ends
// in the planner's words for that.
func (c *Investigation) conversation() Trajectory {
	t := Trajectory{
		{Role: "system", Content: fill(c.Prompts.system[c.Modality], "tools", toolList(c.Offered()), "max_calls", fmt.Sprint(c.Budget))},
		{Role: "user", Content: fill(c.Prompts.open, "clip", c.facts(), "remaining", fmt.Sprint(c.Budget))},
	}
	for i := range c.Turns {
		turn := &c.Turns[i]
		t = append(t,
			said{Role: "assistant", Content: spelled(turn.Inquiry)},
			said{Role: "user", Content: fill(c.Prompts.observation, "observation", c.describeTurn(turn), "remaining", fmt.Sprint(c.Budget-turn.Number))})
	}
	if c.Enough {
		t = append(t, said{Role: "assistant", Content: `{"done": true}`})
	}
	return t
}

// describeTurn returns the text about a turn that the planner reads.
func (c *Investigation) describeTurn(t *Turn) string {
	switch t.Outcome {
	case omniscope.OK:
	case omniscope.Abstained:
		return fmt.Sprintf("The observer of %s noticed nothing that it could report.", t.Inquiry.Tool)
	default:
		return fmt.Sprintf("The observer of %s could not answer (%s). That says nothing about the clip.", t.Inquiry.Tool, t.Outcome)
	}
	lines := make([]string, len(t.Evidence))
	for i, id := range t.Evidence {
		e := c.Ledger.Find(id)
		if lines[i] = line(e); e.Turn != t.Number {
			lines[i] += " (as before)"
		}
	}
	for _, f := range t.Closer {
		lines = append(lines, "A closer look may tell more: "+f.Words())
	}
	return strings.Join(lines, "\n")
}

// line is the evidence as planners read it. An id begins each line of a turn, and a text within the clip must not be able to
// look like one.
func line(e *Evidence) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s] ", e.ID)
	if !e.Whole() {
		b.WriteString(e.When() + ": ")
	}
	if region := e.Closer.Region; region != (media.Region{}) {
		fmt.Fprintf(&b, "in the region [%s]: ", region)
	}
	b.WriteString(brief.OneLine(e.What))
	if e.Quote != "" && !strings.Contains(e.What, e.Quote) {
		fmt.Fprintf(&b, " Letter by letter: “%s”", brief.OneLine(e.Quote))
	}
	fmt.Fprintf(&b, " (sure %.2f)", e.Sure)
	return b.String()
}

// request is the conversation with a last request of the user, who never
// speaks twice in a row: some endpoints refuse that.
func (c *Investigation) request(last *judge.Prompt) Trajectory {
	t := c.conversation()
	text := fill(last)
	if confirmed := c.describeConfirmations(); confirmed != "" {
		text = confirmed + "\n\n" + text
	}
	if end := &t[len(t)-1]; end.Role == "user" {
		end.Content += "\n\n" + text
		return t
	}
	return append(t, said{Role: "user", Content: text})
}

// fill fills a template and drops the line end that text files end in.
func fill(p *judge.Prompt, pairs ...string) string {
	return strings.TrimRight(p.Fill(pairs...), "\n")
}

// facts says what is known of the clip before anybody looks.
func (c *Investigation) facts() string {
	l := length(c.Clip)
	switch {
	case l == 0:
		return "How long the clip is nobody knows yet."
	case c.Clip.Span.Start > 0:
		return fmt.Sprintf("The clip lasts %.1f s: it is the stretch of a longer file from %.1f s on, and all times are those of the file.", l.Seconds(), c.Clip.Span.Start.Seconds())
	}
	return fmt.Sprintf("The clip lasts %.1f s.", l.Seconds())
}

func toolList(tools []perceive.Tool) string {
	lines := make([]string, len(tools))
	for i, t := range tools {
		info := t.Info()
		lines[i] = fmt.Sprintf("- %s: %s", info.Name, brief.OneLine(info.About))
		if !info.Asks {
			lines[i] = strings.TrimRight(lines[i], ".") + ". It measures the same whatever it is asked, so once is enough."
		}
	}
	return strings.Join(lines, "\n")
}
