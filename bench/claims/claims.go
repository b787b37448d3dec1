// Package claims scores what captions claim: a caption is split into atomic claims, and each is
// put to observers of the clip, models and measuring tools, as package detective's audit does.
// Package detective/claims has the rules that read and check one claim. This benchmark
// needs no annotation, and sees what a cloze cannot: a detail that was invented and that nobody
// asked about (Omni-Captioner, arXiv 2510.12720, appendix E).
//
// There is no published scorer, so both scorings count the same. Captions that say which of
// their claims were planted measure the audit itself.
package claims

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/detective"
	"omniscope/detective/plant"
	"omniscope/internal/mediafiles"
	"omniscope/internal/ondisk"
	"omniscope/metric"
	"omniscope/metric/textnorm"
)

// Names of the files of lines.
const (
	claimsFile = "claims.jsonl" // a line for each claim
	auditsFile = "audits.jsonl" // a line for each clip: a detective.AuditReport
)

// version is that of the code that splits and checks: count it up when a change can alter a
// verdict.
const version = "claims2"

// New makes the benchmark.
func New() bench.Benchmark { return &benchmark{} }

type benchmark struct {
	media string // folder, or the file of one clip
	text  string // caption of that clip
	cloze string // folder with the results of Omni-Cloze
}

// Info implements bench.Benchmark.
func (*benchmark) Info() bench.Info {
	return bench.Info{
		Name: "claims", Command: "audit", Title: "Claims: what captions say, checked by observers of the clips",
		Paper: "no published protocol; see arXiv 2510.12720, appendix E", Licence: "data: your own captions and clips",
		Judge:     "any language model",
		JudgeHelp: "who splits captions into claims: PROVIDER/NAME of a language model, or offline, which takes their sentences\nand what can be measured of them. Several times for several splitters, which are compared at the end",
		About: `Check the claims of captions, anyone's, against the clips. CAPTIONS are files of captions by clip, with the
clips' folder as --media; one caption is a text file or --text, with its clip after it.

The judge splits a caption into atomic claims. Every --observer, a model that is shown the clip, and the
local tools that can measure a claim judge it as supported, contradicted, or unsupported (no observer can
decide). Without models only measurable claims are checked: quoted text and speech, numbers and times of cuts,
silence, colours; the scores then describe little of the caption. Precision is the share of supported claims among the supported and contradicted claims. Captions that
these observers wrote themselves have no precision: their claims count as consistency.
With --recall, the results of Omni-Cloze on the same captions, the table also has recall and F1.
Captions with planted claims (omniscope score plant) measure the audit: the shares of planted claims
and of other claims (false alarms) that it contradicts, for each kind of claim.`,
		Observes: true,
		Asking:   bench.Asking{OfficialAttempts: 3, Attempts: 3, AtOnce: claimsAtOnce},
		Metric:   &metric.Claims,
		StepKeys: "CLIP/audit/claims for the splitter, CLIP/audit/cN/OBSERVER for claim N",
		Records:  []string{claimsFile, auditsFile, bench.CasesFile},
		Item:     "claim",
		Files: bench.Files{
			Predictions:  "captions by clip (JSON Lines, JSON, CSV, Parquet, a folder)",
			CaptionField: "field of the caption (default: the first that is there of\n" + strings.Join(bench.CaptionFields, ", ") + ")",
		},
		Aliases: []bench.Alias{{Of: "predictions", Name: "captions"}, {Of: "judge", Name: "splitter"}},
		Examples: `  omniscope audit --text "A dog barks. There are two cuts." clip.mp4
  omniscope audit caption.txt clip.mp4 --splitter openai/gpt-4.1 --observer openai/gpt-4o --observer vllm/qwen3-omni
  omniscope audit captions.jsonl --media clips --splitter openai/gpt-4.1 --observer openai/gpt-4o --dry-run
  omniscope audit captions.jsonl --media clips --splitter openai/gpt-4.1 --observer openai/gpt-4o --recall runs/omni-cloze-mine
  omniscope score plant < true.jsonl > planted.jsonl && omniscope audit planted.jsonl --media clips --observer openai/gpt-4o`,
	}
}

// claimsAtOnce is how many claims of a caption are put to observers at a time.
const claimsAtOnce = 4

// Options implements bench.Optioned.
func (b *benchmark) Options() []bench.Option {
	return []bench.Option{
		{Name: "media", Help: "folder with the clips' files, which are called as the captions call the clips; or the file of one clip", Value: bench.Text(&b.media), Path: true},
		{Name: "text", Help: "the caption itself, of the one clip", Value: bench.Text(&b.text), OneRun: "it is one caption"},
		{Name: "recall", Help: "folder with the results of Omni-Cloze on captions of the same clips, for recall and F1", Value: bench.Text(&b.cloze), Path: true,
			OneRun: "they are of one system's captions"},
	}
}

// Check implements bench.Checker.
func (b *benchmark) Check(in bench.Inputs) error {
	switch {
	case b.media == "":
		return omniscope.Usagef("name the folder with the clips' files with --media, or one clip: omniscope audit CAPTION CLIP")
	case b.text != "" && in.Predictions != "" && in.Predictions != bench.NoPredictions:
		return omniscope.Usagef("--text is the caption, and %s another one: leave one of them out", in.Predictions)
	case b.text != "" && ondisk.IsFolder(b.media):
		return omniscope.Usagef("--text is the caption of one clip, and %s is a folder: name the clip's file", b.media)
	}
	return nil
}

// A clip is a recording with a caption.
type clip struct {
	id      string // as in the file of captions
	cluster string
	row     int
	path    string // of its media; "" = no media
	planted []plant.Planted
	plants  bool     // planted claims are known, if there are any
	blanks  *cloze   // nil = the cloze has no blanks of this clip
	writers []string // observers of the investigation that wrote the caption, where its row says so
}

// Open implements bench.Benchmark.
func (b *benchmark) Open(ctx context.Context, in bench.Inputs) (bench.Evaluation, error) {
	prompts, err := detective.LoadPrompts(in.Prompts, in.PromptsName)
	if err != nil {
		return nil, err
	}
	e := &evaluation{in: in, prompts: prompts}
	if b.text != "" || !ondisk.IsFolder(b.media) && (ondisk.Exists(b.media) || mediafiles.Is(b.media)) {
		if err := e.openOne(ctx, b); err != nil {
			return nil, err
		}
	} else if err := e.openMany(ctx, b); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	if b.cloze != "" {
		if err := e.readCloze(ctx, b.cloze); err != nil {
			return nil, errors.Join(err, e.Close())
		}
	}
	return e, nil
}

// openMany opens a file of captions.
func (e *evaluation) openMany(ctx context.Context, b *benchmark) error {
	media, err := findMedia(b.media)
	if err != nil {
		return err
	}
	form := bench.Captions(e.in.CaptionField)
	form.Separate = true
	captions, warnings, err := bench.OpenSampleTexts(ctx, e.in, form, media.named, media.match)
	if err != nil {
		return err
	}
	e.captions = captions
	if err := e.readClips(); err != nil {
		return err
	}
	e.newPlan(bench.SystemName(e.in.Predictions), e.captions.Lines.Path, e.captions.Lines.Digest)
	e.plan.Warnings = warnings
	if err := e.setMedia(media); err != nil {
		return err
	}
	return e.forecastObservers()
}

// readClips reads which clips there are, and what was planted in their captions.
func (e *evaluation) readClips() (err error) {
	for i, id := range e.captions.IDs() {
		if id == "" {
			continue // the row is of no clip
		}
		if len(id) > bench.LongestID {
			return e.captions.Lines.Bad(i, nil, fmt.Errorf("the clip's id has %d bytes, more than %d", len(id), bench.LongestID))
		}
		c := clip{id: id, row: i}
		row, err := e.captions.Lines.At(i)
		if err != nil {
			return err
		}
		for _, v := range gjson.GetBytes(row, "investigation.observers").Array() {
			c.writers = append(c.writers, v.String())
		}
		if planted := gjson.GetBytes(row, "planted"); planted.Type != gjson.Null && planted.String() != "" {
			if c.planted, err = e.readPlanted(id, planted); err != nil {
				return e.captions.Lines.Bad(i, row, err)
			}
			c.plants = true
		}
		e.clips = append(e.clips, c)
	}
	if len(e.clips) == 0 {
		return omniscope.Invalidf("%s has no captions", e.in.Predictions)
	}
	e.of = len(e.clips)
	clusters := make(bench.Clusters)
	for i := range e.clips {
		clusters.Add(e.clips[i].id)
	}
	for i := range e.clips {
		e.clips[i].cluster = clusters.Of(e.clips[i].id)
	}
	in := e.in
	in.Data = in.Predictions // which has the clips
	e.clips, err = bench.Select(e.clips, func(c *clip) string { return c.id }, "clip", in)
	return err
}

// readPlanted reads what `omniscope score plant` notes of a clip's caption.
func (e *evaluation) readPlanted(clip string, list gjson.Result) (planted []plant.Planted, err error) {
	if list.Type == gjson.String { // in a table
		list = gjson.Parse(list.Str)
	}
	if err := json.Unmarshal([]byte(list.Raw), &planted); err != nil || !list.IsArray() {
		return nil, fmt.Errorf(`"planted" is not a list of planted claims, as omniscope score plant writes it`)
	}
	caption, err := e.captions.Get(clip)
	if err != nil {
		return nil, err
	}
	for _, p := range planted {
		switch {
		case p.Kind == "" || p.To == "" || p.Sentence == "":
			return nil, fmt.Errorf(`a planted claim lacks its "kind", "to" or "sentence"`)
		case caption == nil || !strings.Contains(*caption, p.Sentence):
			return nil, fmt.Errorf("the caption does not have the planted sentence %q", p.Sentence)
		case plant.Of(p.Sentence, p.Sentence, []plant.Planted{p}) < 0:
			return nil, fmt.Errorf("the planted sentence %q does not have the planted words %q", p.Sentence, p.To)
		case p.Reason == "" && !plant.Sure(p.Sentence):
			return nil, fmt.Errorf(`the planted sentence %q may be true whatever was planted, as of a bound, a negation, an alternative or a possibility: plant the claims again by omniscope score plant, or give in "reason" why it is false`, p.Sentence)
		}
	}
	return planted, nil
}

// newPlan describes the run. path and digest identify the captions.
func (e *evaluation) newPlan(system, path, digest string) {
	sum := sha256.New()
	for i := range e.clips {
		fmt.Fprintf(sum, "%q\n", e.clips[i].id)
	}
	e.plan = &bench.Plan{
		System: cmp.Or(e.in.System, system), Units: len(e.clips), Of: e.of,
		Steps:    func(i int) string { return e.clips[i].id + "/audit/claims" },
		Inputs:   map[string]string{path: digest},
		Prompts:  detective.AuditPrompts(e.prompts),
		Protocol: version, Data: hex.EncodeToString(sum.Sum(nil)[:6]),
		Baseline: e.in.Judge == nil && (e.in.Observers == nil || e.in.Observers.Models() == 0),
	}
}

// wordsPerClaim is a guess at how finely a model splits captions, for forecasts.
const wordsPerClaim = 8

// forecastObservers guesses how many calls the observers will take.
func (e *evaluation) forecastObservers() error {
	models := 0
	if e.in.Observers != nil {
		models = e.in.Observers.Models()
	}
	if models == 0 {
		return nil
	}
	claims := 0
	for i := range e.clips {
		c := &e.clips[i]
		caption, err := e.caption(c)
		if err != nil {
			return err
		}
		switch {
		case caption == nil || c.path == "":
		case e.in.Judge == nil:
			claims += detective.PlainClaims(*caption)
		default:
			claims += (textnorm.CountWords(*caption) + wordsPerClaim - 1) / wordsPerClaim
		}
	}
	guess := "one for each claim"
	if e.in.Judge != nil {
		guess = fmt.Sprintf("one for each claim, if a caption has one for each %d words", wordsPerClaim)
	}
	e.plan.Follow = claims * models
	e.plan.Further = fmt.Sprintf("about %d of %d observers, %s, less those that are remembered", e.plan.Follow, models, guess)
	return nil
}
