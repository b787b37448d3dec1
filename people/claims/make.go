package claims

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/input"
	"omniscope/internal/rows"
	"omniscope/people"
)

// schema names the form of the machine's audits that can be read.
const schema = "omniscope.audit/1"

// leaseMinutes is how long a caption is kept for somebody who took it.
const leaseMinutes = 60

// A maker makes projects of claims. Its fields are its options.
type maker struct {
	Audits []string // files
	People int      // who check each caption
	Seed   int
}

// newMaker makes a maker with the defaults.
func newMaker() *maker { return &maker{People: 2} }

// Options implements people.Maker.
func (m *maker) Options() []bench.Option {
	return []bench.Option{
		{Name: "audits", Help: "file with audits of captions: audits.jsonl of omniscope audit; repeatable", Value: bench.Texts(&m.Audits), Path: true},
		{Name: "people", Help: "how many people check each caption, before a senior settles what they differ on", Value: bench.Number(&m.People)},
		{Name: "seed", Help: "seed of the intervals", Value: bench.Number(&m.Seed)},
	}
}

// Make implements people.Maker.
func (m *maker) Make(ctx context.Context) (*people.Plan, error) {
	switch {
	case len(m.Audits) == 0:
		return nil, omniscope.Usagef("name a file of audits with --audits: run `omniscope audit` first, and give its audits.jsonl")
	case m.People < 1:
		return nil, omniscope.Usagef("--people %d: at least one person checks each caption", m.People)
	}
	r := &reader{there: make(map[string]string), without: make(map[string]int)}
	for _, path := range m.Audits {
		if err := r.file(ctx, path); err != nil {
			return nil, err
		}
	}
	if len(r.audits) == 0 {
		return nil, omniscope.Invalidf("no audit in %s has claims", strings.Join(m.Audits, ", "))
	}
	stages := []people.Stage{{Name: check, Title: "Check", People: m.People, LeaseMinutes: leaseMinutes, By: []people.ProjectRole{people.Annotator, people.Senior, people.Lead}}}
	if m.People > 1 {
		stages = append(stages, people.Stage{Name: settle, Title: "Settle", People: 1, LeaseMinutes: leaseMinutes, By: []people.ProjectRole{people.Senior, people.Lead},
			After: check, Apart: []string{check}})
	}
	return &people.Plan{
		Project: people.Project{
			Kind: name, Title: "Claims",
			Guideline: "Judge each claim by the clip alone, not by what is likely. Supported: the clip shows or says it. Contradicted: the clip shows or says otherwise. " +
				"Cannot tell: neither. A claim of which one part is wrong is contradicted.",
			Stages:   stages,
			Settings: map[string]string{people.SettingSeed: strconv.Itoa(m.Seed)},
		},
		Warnings: r.warnings(),
		Items: people.MadeItems(len(r.audits), func(i int) (*people.Item, any, error) {
			a := r.audits[i]
			return &people.Item{ID: fmt.Sprintf("a%d", i+1), Clip: bench.Stem(a.Clip), Media: []people.Media{a.media}}, a, nil
		}),
	}, nil
}

// A reader reads audits of the machine.
type reader struct {
	audits  []*auditReport
	there   map[string]string // the place of an audit in its file, by clip and caption
	without map[string]int    // audits without claims, by their outcome
	unnamed int               // audits without the SHA-256 of their file
}

// file reads a file of audits: one after the other, each on one line or on many, or a list of them.
func (r *reader) file(ctx context.Context, path string) error {
	text, _, err := input.ReadFile(ctx, path, input.Texts)
	if err != nil {
		return err
	}
	in := json.NewDecoder(bytes.NewReader(text))
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) {
		_, _ = in.Token() // it is there
	}
	line, counted, any := 1, 0, false
	for ; in.More(); any = true {
		// A value begins after the one before, blanks, and the comma of a list.
		end := int(in.InputOffset())
		start := len(text) - len(bytes.TrimLeft(text[end:], " \t\r\n,"))
		line, counted = line+bytes.Count(text[counted:start], []byte("\n")), start
		var one json.RawMessage
		err := in.Decode(&one)
		if err != nil {
			err = fmt.Errorf("not JSON: %w", err)
		} else {
			err = r.add(one, fmt.Sprintf("%s:%d", path, line))
		}
		if err != nil {
			first, _, _ := bytes.Cut(text[start:], []byte("\n"))
			return omniscope.Invalidf("%s:%d: %w: %s", path, line, err, rows.Quote(first))
		}
	}
	if !any {
		return omniscope.Invalidf("%s has no audits of captions", path)
	}
	return nil
}

// A report is what of an audit of the machine is needed here.
type report struct {
	Schema string `json:"schema"`
	Clip   struct {
		ID     string  `json:"id"`
		Path   string  `json:"path"`
		SHA256 string  `json:"sha256"`
		StartS float64 `json:"start_s"`
		EndS   float64 `json:"end_s"`
	} `json:"clip"`
	Caption string            `json:"caption"`
	Outcome omniscope.Outcome `json:"outcome"`
	Claims  []struct {
		ID       string   `json:"id"`
		Text     string   `json:"text"`
		Decision decision `json:"verdict"`
		Says     []struct {
			Outcome omniscope.Outcome `json:"outcome"`
		} `json:"says"`
	} `json:"claims"`
}

func (r *reader) add(text []byte, at string) error {
	var in report
	if err := json.Unmarshal(text, &in); err != nil {
		return errors.New("this is not an audit of a caption, as omniscope audit writes them to audits.jsonl")
	}
	switch {
	case in.Schema != schema:
		return fmt.Errorf("this is not an audit of a caption: its schema is %q, not %q", in.Schema, schema)
	case in.Clip.ID == "":
		return errors.New("the audit has no clip")
	case in.Clip.SHA256 != "" && !isSHA256(in.Clip.SHA256):
		return fmt.Errorf("the clip's sha256 is %q: it has 64 hexadecimal digits", in.Clip.SHA256)
	case in.Outcome != omniscope.OK || len(in.Claims) == 0:
		why := in.Outcome.String()
		if in.Outcome == omniscope.OK {
			why = "no claims"
		}
		r.without[why]++
		return nil
	}
	key := fmt.Sprintf("%s %v %v %s", in.Clip.ID, in.Clip.StartS, in.Clip.EndS, in.Caption)
	if before, ok := r.there[key]; ok {
		return fmt.Errorf("the audit of this caption of %s is there already, at %s", in.Clip.ID, before)
	}
	a := &auditReport{Clip: in.Clip.ID, StartS: in.Clip.StartS, EndS: in.Clip.EndS, Caption: in.Caption,
		media: people.Media{File: filepath.ToSlash(cmp.Or(in.Clip.Path, in.Clip.ID)), SHA256: strings.ToLower(in.Clip.SHA256)}}
	if err := a.addClaims(&in); err != nil {
		return err
	}
	if a.media.SHA256 == "" {
		r.unnamed++
	}
	r.there[key], r.audits = at, append(r.audits, a)
	return nil
}

func isSHA256(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == sha256.Size
}

func (a *auditReport) addClaims(in *report) error {
	for _, c := range in.Claims {
		switch {
		case c.ID == "" || strings.TrimSpace(c.Text) == "":
			return errors.New("a claim lacks its id or text")
		case slices.ContainsFunc(a.Claims, func(o claimRecord) bool { return o.ID == c.ID }):
			return fmt.Errorf("two claims are called %s", c.ID)
		case !slices.Contains(decisionValues, c.Decision):
			return fmt.Errorf("the verdict of claim %s is %q: it is one of supported, contradicted, unsupported", c.ID, c.Decision)
		}
		claim := claimRecord{ID: c.ID, Text: c.Text, Machine: c.Decision}
		failed := len(c.Says) > 0
		for _, s := range c.Says {
			failed = failed && s.Outcome != omniscope.OK
		}
		if failed { // as audit has it: not judged
			claim.Machine = none
		}
		a.Claims = append(a.Claims, claim)
	}
	return nil
}

func (r *reader) warnings() (out []string) {
	if r.unnamed > 0 {
		out = append(out, fmt.Sprintf("%d of %d audits do not name the SHA-256 of their clip: people are shown the file of its name, whichever it is", r.unnamed, len(r.audits)))
	}
	total, whys := 0, []string(nil)
	for why, n := range r.without {
		total += n
		whys = append(whys, fmt.Sprintf("%s: %d", why, n))
	}
	if total == 0 {
		return out
	}
	slices.Sort(whys)
	return append(out, fmt.Sprintf("%d of %d audits are left out, as they have no claims (%s)", total, total+len(r.audits), strings.Join(whys, ", ")))
}
