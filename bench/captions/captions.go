// Package captions scores captions of recordings, one caption each: a protocol describes how a
// benchmark's file is read, what a judge is asked about a caption, and how its answers are counted.
// All else is the same for all: finding the captions, the plan, the groups, the records, the
// cases that people look at.
//
// Both scorings come from the same answers. Official scoring counts them as the published
// scorer does; strict scoring reads what is clear, asks again, and leaves unjudged what it
// could not have judged: a failed call is no fault of the caption.
package captions

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/rows"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
)

//go:embed prompts/*/*.txt
var promptFiles embed.FS

// A clip is a recording and what a benchmark knows about it.
type clip struct {
	ID     string   // in the benchmark's file
	Names  []string // that its caption may go by; Read may leave it out: ID alone
	Media  omniscope.Media
	Prompt string      // what captioners are asked; "" = protocol.CaptionPrompt
	Tags   []bench.Tag // groups that it counts in

	Reference string     // a caption by people
	Events    []string   // annotated events
	Questions []question // that a caption should answer
	Source    int        // in metric.DQSources
	Buckets   []bench.Tag
}

// A question is one about a clip.
type question struct {
	ID, Text, Answer string
	Groups           []string // that it counts in
}

// A protocol holds the parts in which one benchmark differs from the others.
type protocol struct {
	About         bench.Info                  // all but Files, Aliases and Records
	Data          string                      // a description of its file, for help
	Version       string                      // of the code that reads replies: count it up when a change can alter how one is read
	Options       []bench.Option              // all of them change scores
	Prompts       string                      // the folder of its prompts
	Uses          map[string][]string         // their names, and the placeholders that each must have
	Form          rows.Layout                 // of its file
	LastWins      bool                        // the last row of a clip counts; false = a second row is an error
	CaptionPrompt func(version string) string // the question to captioners, by the version of the file; nil = each clip has its own
	Join          string                      // the text between captions of stretches of a clip, if a caption may be a list of them; "" = it is one text
	Bare          bool                        // it can be scored without captions: captions must score higher than that

	// Read reads the clips of a row. key is its name in a file of rows by name.
	Read func(row []byte, key string) ([]clip, error)
	// Wants reports whether models are asked about a caption; nil = as asking.wants does.
	Wants func(a *asking, caption string) bool
	// First are the questions that do not depend on answers. It is called for captions that Wants reports.
	First func(a *asking, c *clip, caption string) []*model.Request
	// FirstRole is the role that First goes to; nil = the judge.
	FirstRole func(a *asking, caption *string) string
	// Bound limits the calls after First, for captions that Wants reports.
	Bound func(a *asking, c *clip, caption string) bench.Bound
	// Exam are items with known answers for the judge.
	Exam func(a *asking) []bench.ExamItem
	// Score asks models about a caption; nil = the clip has no caption. wanted is the result of Wants. An error stops the run.
	Score func(ctx context.Context, a *asking, c *clip, caption *string, wanted bool, out *result) error
}

// A result is the outcome of scoring a caption.
type result struct {
	Outcome     omniscope.Outcome
	Counts      [2]metric.Counts // by scoring
	Parts       [2][]bench.Tally // of groups within the clip
	Record      any              // its line of clips.jsonl
	Good        *float64         // how good it is in strict scoring, a share; nil = nothing was scored
	Sections    []document.Section
	Verdicts    []bench.ItemVerdict
	Differences []bench.UnitDifference
	Warnings    []string
}

// differ notes that the scorings treated items of the clip differently.
func (r *result) differ(what string, items int, official, strict string) {
	if items > 0 {
		r.Differences = append(r.Differences, bench.UnitDifference{What: what, Official: official, Strict: strict, Items: items})
	}
}

// A way is how the scorings treat an item differently.
type way struct{ how, official, strict string }

// differBy counts the items that the scorings treat differently, by how; "" = they treat the item alike.
func (r *result) differBy(ways []way, items int, how func(i int) string) {
	n := make(map[string]int)
	for i := range items {
		n[how(i)]++
	}
	for _, w := range ways {
		r.differ(w.how, n[w.how], w.official, w.strict)
	}
}

func (r *result) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// absent sets the outcome of a caption that is missing or empty, also if a model judged it.
func (r *result) absent(caption *string) {
	if caption == nil {
		r.Outcome = omniscope.Missing
	} else if *caption == "" {
		r.Outcome = omniscope.Abstained
	}
}

// good sets how good the caption is in strict scoring: sum of n; nothing if n is 0.
func (r *result) good(sum float64, n int) {
	if n > 0 {
		share := sum / float64(n)
		r.Good = &share
	}
}

// A record is how the lines of clips.jsonl begin.
type record struct {
	Clip    string            `json:"clip"`
	Outcome omniscope.Outcome `json:"outcome"`
}

// cell is a cell of a case's table.
func cell(text string, tone document.Tone) []document.Piece {
	return []document.Piece{{Text: text, Tone: tone}}
}

func number(n int) []document.Piece { return cell(strconv.Itoa(n), document.Plain) }

// scorings are both, in the order of the arrays by scoring.
var scorings = [...]bench.Scoring{bench.Official, bench.Strict}

// A benchmark scores captions by a protocol.
type benchmark struct {
	p protocol
	bench.LineAnswers
}

func newBenchmark(p protocol) bench.Benchmark {
	if p.Wants == nil {
		p.Wants = (*asking).wants
	}
	return &benchmark{p, bench.LineAnswers{IDField: bench.ClipFields[0], TextField: bench.CaptionFields[0]}}
}

// WriteAnswers implements bench.AnswerWriter.
func (b *benchmark) WriteAnswers(w io.Writer, a *bench.Answers) ([]string, error) {
	return nil, bench.WriteCaptionLines(w, b.IDField, b.TextField, a)
}

var (
	_ bench.Optioned     = (*benchmark)(nil)
	_ bench.AnswerWriter = (*benchmark)(nil)
)

// recordFile is where a run keeps the outcome of each clip, a line each.
const recordFile = "clips.jsonl"

// Info implements bench.Benchmark.
func (b *benchmark) Info() bench.Info {
	info := b.p.About
	info.Item, info.Examined = "caption", true
	predictions := "captions by clip (JSON Lines, JSON, CSV, Parquet, a folder)"
	if b.p.Bare {
		predictions += ",\nor none: how far it goes without"
	}
	info.Records = []string{recordFile, bench.CasesFile}
	info.Files = bench.Files{
		Predictions:  predictions,
		Data:         b.p.Data,
		DataNeeded:   true,
		CaptionField: "field of the caption (default: the first that is there of\n" + strings.Join(bench.CaptionFields, ", ") + ")",
	}
	info.Aliases = []bench.Alias{{Of: "predictions", Name: "captions"}}
	info.Examples = fmt.Sprintf(`  omniscope eval %s --data FILE --captions captions.jsonl --dry-run
  omniscope eval %[1]s --data FILE --captions captions.jsonl --limit 20
  omniscope eval %[1]s --data FILE --captions captions.jsonl --judge openai/MODEL,base-url=http://localhost:8000/v1`, info.Name)
	return info
}

// Options implements bench.Optioned.
func (b *benchmark) Options() []bench.Option { return b.p.Options }

// read reads the benchmark's file.
func (b *benchmark) read(ctx context.Context, file string) (clips []clip, digest string, again int, err error) {
	type place struct{ index, line int }
	seen := make(map[string]place)
	digest, err = rows.Read(ctx, file, b.p.Form, func(row []byte, key string, line int) error {
		read, err := b.p.Read(row, key)
		if err != nil {
			return err
		}
		for _, c := range read {
			if c.Names == nil {
				c.Names = []string{c.ID}
			}
			switch first, twice := seen[c.ID]; {
			case c.ID == "":
				return errors.New("the clip has no id, which is a text or a number")
			case len(c.ID) > bench.LongestID:
				return fmt.Errorf("the clip's id has %d bytes, and may have up to %d", len(c.ID), bench.LongestID)
			case twice && b.p.LastWins:
				again++
				clips[first.index] = c
			case twice:
				return fmt.Errorf("clip %s is there already, on line %d", c.ID, first.line)
			default:
				seen[c.ID] = place{len(clips), line}
				clips = append(clips, c)
			}
		}
		return nil
	})
	if err == nil && len(clips) == 0 {
		err = omniscope.Invalidf("%s has no clips", file)
	}
	return clips, digest, again, err
}

// Open implements bench.Benchmark.
func (b *benchmark) Open(ctx context.Context, in bench.Inputs) (bench.Evaluation, error) {
	if in.Judge == nil {
		return nil, omniscope.Usagef("%s is scored by a judge: name one with --judge; the published one is %s", b.p.About.Name, b.p.About.Judge)
	}
	bare := b.p.Bare && in.Predictions == bench.NoPredictions
	e := &evaluation{p: b.p, in: in, asking: asking{judge: in.Judge, roles: in.Roles, scoring: in.Scoring, bare: bare}}
	if err := e.openPrompts(); err != nil {
		return nil, err
	}
	clips, digest, again, err := b.read(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	e.clusters = make(bench.Clusters)
	for i := range clips {
		e.clusters.Add(clips[i].ID)
	}
	if e.clips, err = bench.Select(clips, func(c *clip) string { return c.ID }, "clip", in); err != nil {
		return nil, err
	}
	e.newPlan(digest, len(clips))
	if again > 0 {
		e.plan.Warn("%d clips are there twice in %s: the last counts, as in the published scorer", again, in.Data)
	}
	if bare {
		e.plan.Protocol += "|bare"
		return e, nil
	}
	form := bench.Captions(in.CaptionField)
	form.Join, form.Separate = b.p.Join, true
	var named []bench.Named
	for i := range clips {
		named = append(named, bench.Named{ID: clips[i].Names[0], Media: clips[i].Names})
	}
	match := func(t *bench.TextFile) ([]string, error) {
		return t.Match(in, len(e.clips), func(i int) []string { return e.clips[i].Names }, "captions", "clip", "")
	}
	captions, warnings, err := bench.OpenSampleTexts(ctx, in, form, func() ([]bench.Named, error) { return named, nil }, match)
	if err != nil {
		return nil, err
	}
	e.captions = captions
	e.plan.Inputs[e.captions.Lines.Path] = e.captions.Lines.Digest
	e.plan.Warnings = append(e.plan.Warnings, warnings...)
	return e, nil
}

func (e *evaluation) openPrompts() (err error) {
	builtin, err := fs.Sub(promptFiles, "prompts/"+e.p.Prompts)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(e.p.Uses))
	e.asking.prompts = make(map[string]*judge.Prompt)
	for _, name := range names {
		p, err := judge.LoadPrompt(builtin, e.in.Prompts, e.in.PromptsName, name)
		if err != nil {
			return err
		}
		if err := p.Require(e.p.Uses[name]...); err != nil {
			return err
		}
		e.asking.prompts[name], e.prompts = p, append(e.prompts, p.Info())
	}
	return judge.OnlyPrompts(e.in.Prompts, e.in.PromptsName, names...)
}

func (e *evaluation) newPlan(digest string, of int) {
	sum := sha256.New()
	fmt.Fprintln(sum, digest)
	for i := range e.clips {
		fmt.Fprintf(sum, "%q\n", e.clips[i].ID)
	}
	e.plan = &bench.Plan{
		System: cmp.Or(e.in.System, bench.SystemName(e.in.Predictions)), Units: len(e.clips), Of: of,
		Steps:    func(i int) string { return e.clips[i].ID },
		Inputs:   map[string]string{e.in.Data: digest},
		Prompts:  e.prompts,
		Protocol: e.p.Version, Data: hex.EncodeToString(sum.Sum(nil)[:6]),
	}
	for _, o := range e.p.Options {
		e.plan.Protocol += "|" + o.Name + ":" + o.Value.String()
	}
	e.plan.WarnUnknown(e.p.About.Name, e.in.Data, digest)
}

// Samples implements bench.Dataset.
func (b *benchmark) Samples(ctx context.Context, path string) iter.Seq2[omniscope.Sample, error] {
	return func(yield func(omniscope.Sample, error) bool) {
		clips, digest, _, err := b.read(ctx, path)
		if err != nil {
			yield(omniscope.Sample{}, err)
			return
		}
		release, _ := bench.ReleaseOf(b.p.About.Name, digest)
		for _, c := range clips {
			s := omniscope.Sample{ID: omniscope.SampleID(c.ID), Media: c.Media, Prompt: c.Prompt}
			if s.Prompt == "" && b.p.CaptionPrompt != nil {
				s.Prompt = b.p.CaptionPrompt(release.Name)
			}
			if !yield(s, nil) {
				return
			}
		}
	}
}
