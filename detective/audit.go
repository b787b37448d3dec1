package detective

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"omniscope"
	"omniscope/detective/claims"
	"omniscope/model/judge"
	"omniscope/perceive"
	"omniscope/run"
)

// AuditSchema names the form of AuditReport.
const AuditSchema = "omniscope.audit/1"

// auditCounts count claims by support.
type auditCounts struct {
	Claims       int `json:"claims"`
	Supported    int `json:"supported"`
	Contradicted int `json:"contradicted"`
	Unsupported  int `json:"unsupported"`
	Disputed     int `json:"disputed"`  // of all of them
	Unchecked    int `json:"unchecked"` // of the unsupported: those that no observer could take up
}

// An AuditReport is an audit as one document. It has no clock in it.
type AuditReport struct {
	Schema   string             `json:"schema"`
	Run      string             `json:"run,omitempty"` // what the program calls the audit
	Clip     ClipInfo           `json:"clip"`
	Caption  string             `json:"caption"`
	Splitter string             `json:"splitter"` // who split the caption: a model, or "offline"
	Prompts  []judge.PromptInfo `json:"prompts"`
	Tools    []ToolInfo         `json:"tools"`
	Outcome  omniscope.Outcome  `json:"outcome"` // OK, or why there are no claims
	Why      string             `json:"why,omitempty"`
	Claims   []Claim            `json:"claims"`
	Ledger   Ledger             `json:"ledger"` // what the measuring tools observed
	Counts   auditCounts        `json:"counts"`

	// Rates are the shares of all claims that are supported, contradicted and
	// unsupported, from 0 to 1; nil without claims.
	Rates    map[Support]float64 `json:"rates"`
	Warnings []string            `json:"warnings"`
}

// AuditOptions are the settings of an audit.
type AuditOptions struct {
	Splitter *judge.Judge // splits the caption; nil = by its sentences and what can be measured
	Prompts  *Prompts     // nil = built in
	Once     *run.Once    // remembers the calls of tools; nil = remember nothing
	AtOnce   int          // claims that are checked at a time; 0 = 4
	Attempts int          // askings of one observer about one claim; 0 = 2
}

// Audit splits a caption, anyone's, into claims and puts each to the tools
// independently. A tool that heeds questions is asked about the claim; a tool
// that measures is asked once, and what it measured is compared with what of
// the claim can be measured: quoted words, counts and times of cuts, silence,
// predominant colours. A claim that no tool can check is
// unsupported, which is no fault of the caption. The error is non-nil when the run should stop, or the input is
// wrong.
func Audit(ctx context.Context, caption string, clip *perceive.Clip, tools []perceive.Tool, o AuditOptions) (*AuditReport, error) {
	a, err := newAudit(ctx, caption, clip, tools, o)
	if err != nil {
		return nil, err
	}
	if err := a.split(ctx); err != nil || a.report.Outcome != omniscope.OK {
		return a.report, err
	}
	if err := a.measure(ctx); err != nil {
		return nil, err
	}
	if err := a.check(ctx); err != nil {
		return nil, err
	}
	a.count()
	if own, all := a.report.PlainlyWritten(); own > 0 && 2*own >= all && !a.asked() {
		a.report.Warnings = append(a.report.Warnings, fmt.Sprintf("these tools write %d of the %d sentences from their own measurements: their support counts as consistency, not as precision", own, all))
	}
	return a.report, nil
}

// An audit is one run of Audit.
type audit struct {
	clip    *perceive.Clip
	tools   []perceive.Tool
	options AuditOptions
	report  *AuditReport
	ledgers map[string]Ledger // of the measuring tools, by name
	failed  map[string]Say    // of those that gave no answer: what they say of any claim
}

func newAudit(ctx context.Context, caption string, clip *perceive.Clip, tools []perceive.Tool, o AuditOptions) (*audit, error) {
	if clip == nil || clip.File == nil {
		return nil, invalid("open the clip before its caption is audited")
	}
	if err := checkTools(tools); err != nil {
		return nil, err
	}
	info, err := clipInfo(ctx, clip)
	if err != nil {
		return nil, err
	}
	if o.Prompts == nil {
		if o.Prompts, err = LoadPrompts(nil, ""); err != nil {
			return nil, err
		}
	}
	if o.AtOnce <= 0 {
		o.AtOnce = 4
	}
	if o.Attempts <= 0 {
		o.Attempts = 2
	}
	clip.Expect(tools)
	splitter := "offline"
	if o.Splitter != nil {
		splitter = o.Splitter.Name
	}
	return &audit{clip: clip, tools: tools, options: o, ledgers: make(map[string]Ledger), failed: make(map[string]Say), report: &AuditReport{
		Schema: AuditSchema, Clip: info, Caption: caption, Splitter: splitter, Prompts: AuditPrompts(o.Prompts),
		Tools: toolInfos(tools), Outcome: omniscope.OK, Claims: []Claim{}, Ledger: Ledger{}, Warnings: append([]string{}, clip.File.Warnings...),
	}}, nil
}

// measure asks the tools that measure, once each.
func (a *audit) measure(ctx context.Context) error {
	for _, tool := range a.tools {
		info := tool.Info()
		if info.Asks {
			continue
		}
		q := offlineInquiry(info.Name).Question
		said, err := callTool(ctx, a.options.Once, a.clip, a.report.Clip, tool, Inquiry{Tool: info.Name, Question: q}, clipName(a.clip)+"/audit/"+info.Name)
		if err != nil {
			return err
		}
		if said.Outcome != omniscope.OK {
			a.failed[info.Name] = Say{Tool: info.Name, Support: Unsupported, Outcome: said.Outcome, Why: said.Why}
			a.report.Warnings = append(a.report.Warnings, fmt.Sprintf("%s gave no answer (%s): %s", info.Name, said.Outcome, said.Why))
			continue
		}
		from := len(a.report.Ledger)
		a.report.Ledger.Add(1, info, q, perceive.Focus{}, said.observations())
		a.ledgers[info.Name] = a.report.Ledger[from:]
	}
	return nil
}

// check puts all claims to all observers, several claims at a time. When the
// run should stop, calls on the wire are still allowed to arrive.
func (a *audit) check(ctx context.Context) error {
	group, going := errgroup.WithContext(ctx)
	group.SetLimit(a.options.AtOnce)
	for i := range a.report.Claims {
		group.Go(func() error {
			if going.Err() != nil {
				return nil
			}
			return a.checkOne(ctx, &a.report.Claims[i])
		})
	}
	err := group.Wait()
	return cmp.Or(context.Cause(ctx), err)
}

func (a *audit) checkOne(ctx context.Context, c *Claim) error {
	for _, tool := range a.tools {
		info := tool.Info()
		if info.Asks {
			if !claims.Fits(info.Modality, c.Sense) {
				continue
			}
			say, err := a.ask(ctx, tool, c)
			if err != nil {
				return err
			}
			c.Says = append(c.Says, say)
		} else if failed, ok := a.failed[info.Name]; ok {
			if c.MayCheck(info.Modality) { // it could have checked the claim
				c.Says = append(c.Says, failed)
			}
		} else if say, able := c.Check(info.Name, a.ledgers[info.Name], claims.Stretch{StartS: a.report.Clip.StartS, LengthS: a.report.Clip.LengthS}); able {
			c.Says = append(c.Says, say)
		}
	}
	c.Decide()
	return nil
}

// ask puts a claim to an observer that heeds questions.
func (a *audit) ask(ctx context.Context, tool perceive.Tool, c *Claim) (Say, error) {
	name := tool.Info().Name
	step := fmt.Sprintf("%s/audit/%s/%s", clipName(a.clip), c.ID, name)
	return askClaim(a.options.Prompts, c.Text, name, a.options.Attempts, func(question string) (*answer, error) {
		return callTool(ctx, a.options.Once, a.clip, a.report.Clip, tool, Inquiry{Question: question}, step)
	})
}

// askClaim puts a claim to the observer of that name. A reply that cannot be
// read is asked for again, with a word of what was wrong.
func askClaim(p *Prompts, claim, name string, attempts int, call func(question string) (*answer, error)) (Say, error) {
	plain := fill(p.check, "claim", claim)
	question := plain
	for n := 1; ; n++ {
		said, err := call(question)
		if err != nil {
			return Say{}, err
		}
		if said.Outcome != omniscope.OK {
			return Say{Tool: name, Support: Unsupported, Outcome: said.Outcome, Why: said.Why}, nil
		}
		support, why, err := readSupport(said)
		if err == nil {
			return Say{Tool: name, Support: support, Outcome: omniscope.OK, Why: why}, nil
		}
		if n == attempts {
			return Say{Tool: name, Support: Unsupported, Outcome: omniscope.Unparsed, Why: err.Error()}, nil
		}
		question = plain + fmt.Sprintf("\n\nAn earlier reply could not be used: %v. Reply with the JSON object alone.", err)
	}
}

// readSupport reads {"verdict", "why"}.
func readSupport(said *answer) (Support, string, error) {
	reply := said.Text
	if reply == "" && len(said.Observations) == 1 {
		reply = said.Observations[0].What
	}
	fields, err := judge.Object(reply)
	if err != nil {
		return "", "", err
	}
	word, err := text(fields, "verdict")
	if err != nil {
		return "", "", err
	}
	why, _ := text(fields, "why")
	switch word {
	case string(Supported), string(Contradicted):
		return Support(word), why, nil
	case "cannot tell", "cannot_tell", string(Unsupported):
		return Unsupported, why, nil
	}
	return "", "", errors.New(`its "verdict" is none of supported, contradicted, cannot tell`)
}

// Authors are the observers that said something of a claim.
func (r *AuditReport) Authors() (names []string) {
	for i := range r.Claims {
		for _, s := range r.Claims[i].Says {
			at := slices.IndexFunc(r.Tools, func(t ToolInfo) bool { return t.Name == s.Tool })
			if at >= 0 && s.Outcome == omniscope.OK && !slices.Contains(names, r.Tools[at].Author()) {
				names = append(names, r.Tools[at].Author())
			}
		}
	}
	return names
}

// asked reports whether an observer that heeds questions judged a claim.
func (a *audit) asked() bool {
	return slices.ContainsFunc(a.report.Tools, func(t ToolInfo) bool { return t.Asks && slices.Contains(a.report.Authors(), t.Author()) })
}

// PlainlyWritten counts the caption's sentences (all), and the sentences that the measuring tools of this audit write
// from the same measurements without a model (own).
func (r *AuditReport) PlainlyWritten() (own, all int) {
	bare := func(sentence string) string { return strings.Join(claims.Words(sentence), " ") }
	written := make(map[string]bool)
	for _, s := range plainSentences(r.Ledger) {
		for _, one := range claims.Sentences(s.Text) {
			written[bare(one)] = true
		}
	}
	list := claims.Sentences(r.Caption)
	for _, one := range list {
		if written[bare(one)] {
			own++
		}
	}
	return own, len(list)
}

// count sums up.
func (a *audit) count() {
	n := &a.report.Counts
	of := map[Support]*int{Supported: &n.Supported, Contradicted: &n.Contradicted, Unsupported: &n.Unsupported}
	n.Claims = len(a.report.Claims)
	for i := range a.report.Claims {
		c := &a.report.Claims[i]
		*of[c.Support]++
		if len(c.Says) == 0 {
			n.Unchecked++
		}
		if c.Disputed {
			n.Disputed++
		}
	}
	if n.Claims > 0 {
		a.report.Rates = make(map[Support]float64)
		for support, count := range of {
			a.report.Rates[support] = float64(*count) / float64(n.Claims)
		}
	}
	if n.Unchecked > 0 {
		a.report.Warnings = append(a.report.Warnings, fmt.Sprintf("claims that none of the tools at hand can check: %d of %d", n.Unchecked, n.Claims))
	}
}
