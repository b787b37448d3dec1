package caption

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"omniscope/media"
	"omniscope/model/wrap"
	"omniscope/session"
	"omniscope/session/catalog"
	"omniscope/session/production"
	"omniscope/session/tools"
)

// A Forecast estimates what investigations take, before anything is asked. What is asked depends on the answers, so that the tokens
// in have no bound.
type Forecast struct {
	Rows     int      `json:"rows"`
	Passes   []string `json:"passes"`
	Remote   int      `json:"remote"`  // rows that have to be fetched
	Missing  int      `json:"missing"` // files that are not there
	Captions int      `json:"captions"`
	Done     int      `json:"done"` // of those captions

	// Calls of models at most, with every asking again: each inquiry asks the detective and one observer, a claim to confirm
	// another one, and each caption is asked for once.
	Calls int `json:"calls_at_most"`
	// Transcribes means that transcriptions come in addition: a call for each stretch of speech.
	Transcribes bool `json:"transcribes,omitempty"`

	Models   []modelForecast `json:"models"`
	CostUSD  *float64        `json:"cost_usd"` // of what is expected; nil = not all prices are known
	Seconds  float64         `json:"seconds"`  // of a clip, on average
	Measured int             `json:"measured"` // clips that the average is of; 0 = it is assumed
}

// A modelForecast estimates what one model takes.
type modelForecast struct {
	Model        string   `json:"model"`
	Calls        int      `json:"calls"`
	TokensIn     int      `json:"tokens_in"`
	TokensOut    int      `json:"tokens_out"`
	TokensOutMax *int     `json:"tokens_out_at_most"` // of all calls that there may be; nil = answers have no limit
	CostUSD      *float64 `json:"cost_usd"`           // of what is expected; nil = the price is not known
}

// What a forecast assumes. Forecast.Text states it.
const (
	answerTokens = 300 // of an answer
	frameTokens  = 500 // of a frame as observers get it
	soundTokens  = 25  // of a second of sound
	mostFrames   = 48  // of a clip, one a second
	clipSeconds  = 30  // of a clip that cannot be measured
	mostMeasured = 10  // clips that are measured
)

// ForecastFiles forecasts the investigation of files.
func ForecastFiles(ctx context.Context, s *Spec, o *Options) (*Forecast, error) {
	o.Ready(session.ClipCalls())
	s.complete()
	n := len(o.Files)
	f := &Forecast{Rows: n, Passes: []string{s.Modality}, Captions: n}
	for _, path := range o.Files {
		if _, err := os.Stat(path); err != nil {
			f.Missing++
		}
	}
	return f, f.fill(ctx, s, o.Calls, n-f.Missing, o.Files)
}

// ForecastList reads what is there of a list's captions, and forecasts the rest.
func ForecastList(ctx context.Context, s *Spec, o *ListOptions) (*Forecast, error) {
	o.Ready(session.ClipCalls())
	s.complete()
	flags, err := s.flags()
	if err != nil {
		return nil, err
	}
	o.Out = cmp.Or(o.Out, s.listOut(o.Calls, o.List, flags))
	f := &Forecast{Rows: len(o.List.Rows), Passes: s.Passes, Captions: len(o.List.Rows) * len(s.Passes) * (1 + len(s.ConcludeAt))}
	f.Missing, _ = o.List.Missing()
	var files []string
	for i := range o.List.Rows {
		if row := &o.List.Rows[i]; row.Remote() {
			f.Remote++
		} else {
			files = append(files, row.Path)
		}
	}
	left := len(o.List.Rows) * len(s.Passes) // investigations
	if _, err := os.Stat(o.Out); err == nil {
		if f.Done, left, err = captionsThere(o, s, flags); err != nil {
			return nil, err
		}
	}
	return f, f.fill(ctx, s, o.Calls, left, files)
}

// fill forecasts so many investigations.
func (f *Forecast) fill(ctx context.Context, s *Spec, c *session.Calls, left int, files []string) error {
	prices, err := catalog.Prices(ctx, c.Prices)
	if err != nil {
		return err
	}
	f.measure(ctx, files)
	captions := 1 + len(s.ConcludeAt) // of an investigation
	roles := &tools.Roles{Roles: s.Roles}
	if s.Detective != session.Offline {
		role := roles.Role(session.Detective, s.Detective, nil)
		calls, most := left*(s.Inquiries+captions), left*(s.Inquiries+captions)*max(role.Attempts, 1)
		f.add(modelForecast{Model: s.Detective, Calls: calls, TokensIn: left * detectiveTokens(s, captions), TokensOut: calls * answerTokens}, most, role.MaxTokens, prices)
	}
	for i, name := range s.Observers {
		role := roles.Role(session.Observer, name, nil)
		calls := left * (s.Inquiries + s.Confirm*captions) / len(s.Observers)
		most := 0
		if i == 0 { // any of them may be asked
			most = left * (s.Inquiries + 2*s.Confirm*captions)
		}
		f.add(modelForecast{Model: name, Calls: calls, TokensIn: calls * f.clipTokens(s), TokensOut: calls * answerTokens}, most, role.MaxTokens, prices)
	}
	f.Transcribes = s.ASR != "" && left > 0
	if !slices.ContainsFunc(f.Models, func(m modelForecast) bool { return m.CostUSD == nil }) {
		f.CostUSD = new(float64)
		for _, m := range f.Models {
			*f.CostUSD += *m.CostUSD
		}
	}
	return nil
}

// add adds a model that is called most times at most, with a limit of tokens for each answer.
func (f *Forecast) add(m modelForecast, most, limit int, prices map[string]wrap.Price) {
	f.Calls += most
	if limit > 0 {
		out := max(most, m.Calls) * limit
		m.TokensOutMax = &out
	}
	price, known := prices[m.Model]
	if provider, _, err := catalog.SplitModel(m.Model); err == nil && provider.Local() {
		known = true // it costs nothing, unless a price is named
	}
	if known {
		cost := price.Cost(m.TokensIn, m.TokensOut)
		m.CostUSD = &cost
	}
	f.Models = append(f.Models, m)
}

// detectiveTokens are the tokens of the questions to the detective about a clip: each has the prompt and all questions and answers before.
func detectiveTokens(s *Spec, captions int) (tokens int) {
	const prompt = 900
	for n := range s.Inquiries + captions {
		tokens += prompt + min(n, s.Inquiries)*2*answerTokens
	}
	return tokens
}

// clipTokens are the tokens of a question to an observer: the media of a clip.
func (f *Forecast) clipTokens(s *Spec) int {
	tokens := answerTokens
	if s.Modality != "a" {
		tokens += min(int(f.Seconds), mostFrames) * frameTokens
	}
	if s.Modality != "v" {
		tokens += int(f.Seconds * soundTokens)
	}
	return tokens
}

// measure measures how long some of the clips are.
func (f *Forecast) measure(ctx context.Context, files []string) {
	f.Seconds = clipSeconds
	sum := 0.0
	step := max(len(files)/mostMeasured, 1)
	for i := 0; i < len(files); i += step {
		if clip, err := media.Probe(ctx, files[i]); err == nil && clip.End() > 0 {
			sum, f.Measured = sum+clip.End().Seconds(), f.Measured+1
		}
	}
	if f.Measured > 0 {
		f.Seconds = sum / float64(f.Measured)
	}
}

// captionsThere counts the captions that are there, and the investigations of which some are not.
func captionsThere(o *ListOptions, s *Spec, flags string) (there, left int, err error) {
	passes := passesOf(s)
	var folders []string
	for i := range passes {
		folders = append(folders, passes[i].folders()...)
	}
	out, err := production.ReadOutput(o.Out, o.List, folders, flags, o.Force)
	if err != nil {
		return 0, 0, err
	}
	for _, folder := range folders {
		there += out.Count(folder)
	}
	for row := range o.List.Rows {
		for i := range passes {
			if slices.ContainsFunc(passes[i].folders(), func(folder string) bool { return !out.Done(row, folder) }) {
				left++
			}
		}
	}
	return there, left, nil
}

// Text is the forecast in words.
func (f *Forecast) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, passes %s: %s, %d of them there already\n", count(f.Rows, "clip"), strings.Join(f.Passes, ", "), count(f.Captions, "caption"), f.Done)
	if f.Remote > 0 {
		fmt.Fprintf(&b, "%d files have to be fetched\n", f.Remote)
	}
	if f.Missing > 0 {
		fmt.Fprintf(&b, "%d files are not there\n", f.Missing)
	}
	fmt.Fprintf(&b, "calls of models: at most %d\n", f.Calls)
	for _, m := range f.Models {
		most, cost := "no limit", "price not known"
		if m.TokensOutMax != nil {
			most = fmt.Sprintf("at most %d", *m.TokensOutMax)
		}
		if m.CostUSD != nil {
			cost = fmt.Sprintf("about $%.2f", *m.CostUSD)
		}
		fmt.Fprintf(&b, "  %s: about %d calls, %d tokens in, %d out (%s), %s\n", m.Model, m.Calls, m.TokensIn, m.TokensOut, most, cost)
	}
	if f.Transcribes {
		b.WriteString("in addition, a transcription of each stretch of speech\n")
	}
	switch {
	case f.Calls == 0 && !f.Transcribes:
		b.WriteString("no model is asked: it costs nothing\n")
		return b.String()
	case f.CostUSD != nil:
		fmt.Fprintf(&b, "expected: $%.2f; at most: no bound, because answers decide what is asked next: set one with --max-cost\n", *f.CostUSD)
	default:
		b.WriteString("dollars: not known, because not all prices are: name them with --prices\n")
	}
	length := fmt.Sprintf("%.0f s a clip (average of %d)", f.Seconds, f.Measured)
	if f.Measured == 0 {
		length = fmt.Sprintf("%.0f s a clip", f.Seconds)
	}
	fmt.Fprintf(&b, "assumed: every inquiry is used, %s, %d tokens a frame and %d a second of sound, %d an answer\n", length, frameTokens, soundTokens, answerTokens)
	b.WriteString("--list with --pilot 20 investigates 20 of the clips and forecasts calls, tokens, dollars and hours of the rest\n")
	return b.String()
}
