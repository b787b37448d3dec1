package predict

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"omniscope"
	"omniscope/model"
	"omniscope/model/judge"
)

// A blind is the blind twin of a sample: what the model answered to the same prompt
// without the media. Where that is as good as the answer, the media may not have been
// perceived.
type blind struct {
	Outcome    omniscope.Outcome `json:"outcome"`
	Text       string            `json:"text,omitempty"` // as it was answered
	Why        string            `json:"why,omitempty"`  // Outcome is not OK
	Similarity float64           `json:"similarity"`     // to the answer with the media, from 0 to 1: see similarity
	Same       bool              `json:"same,omitempty"` // it is the answer with the media, or nearly
	Declined   bool              `json:"declined,omitempty"`
	TokensIn   int               `json:"tokens_in,omitempty"` // of the prompt, as the endpoint counted; 0 = it did not
}

// CanBeBlind reports whether a request without media can be sent at all: it needs a
// prompt, and media that can be left out.
func (s *System) CanBeBlind() bool { return s.Modality != Text && s.Profile.Prompt != NoPrompt }

// BlindTwins draws which samples have a blind twin, by the seed and their ids: a share
// of all, at least one, and at most so many; 0 = no limit. It returns their places.
func BlindTwins(samples []omniscope.Sample, share float64, most int, seed uint64) []int {
	if share <= 0 || len(samples) == 0 {
		return nil
	}
	drawn := make([]int, len(samples))
	for i := range drawn {
		drawn[i] = i
	}
	slices.SortFunc(drawn, func(a, b int) int {
		return cmp.Or(cmp.Compare(hash(seed, "blind "+samples[a].ID), hash(seed, "blind "+samples[b].ID)), a-b)
	})
	n := max(1, int(math.Round(min(share, 1)*float64(len(samples)))))
	if most > 0 {
		n = min(n, most)
	}
	drawn = drawn[:n]
	slices.Sort(drawn)
	return drawn
}

// blindQuestion is the question about a sample without its media.
func (s *System) blindQuestion(sample *omniscope.Sample) judge.Question[string] {
	return s.question(string(sample.ID)+" (blind)", sample, &showing{}, s.Profile.promptFor(sample, s.Seed))
}

// AskBlind asks the prompt of a sample without its media, and compares the answer with
// the one in p. A twin is never an answer, and its failure fails nothing: even a
// budget that is used up leaves the answers as they are. An error is one that the
// whole run should stop for.
func (s *System) AskBlind(ctx context.Context, sample *omniscope.Sample, p *Prediction) error {
	asker := *s.Asker
	asker.Streak = nil // of answers to samples
	answer, err := judge.Ask(ctx, &asker, s.blindQuestion(sample))
	switch {
	case err != nil && (ctx.Err() != nil || !omniscope.KindOf(err).EndsRun()):
		return err
	case err != nil:
		p.Blind = &blind{Outcome: omniscope.Failed, Why: err.Error()}
		return nil
	}
	last := answer.Attempts[len(answer.Attempts)-1]
	b := &blind{Outcome: answer.Outcome, Text: answer.Value}
	if last.Err != nil {
		b.Why = last.Err.Error()
	}
	if r := last.Response; r != nil && !r.Usage.Estimated {
		b.TokensIn = r.Usage.TokensIn
	}
	if r := last.Response; r != nil && b.Outcome != omniscope.OK {
		b.Text = r.Text
		if b.Outcome == omniscope.Unparsed && r.Reason() == model.Empty {
			b.Outcome = omniscope.Abstained
		}
	}
	b.compare(p.Answer)
	p.Blind = b
	return nil
}

// compare says how like the answer with the media the twin is.
func (b *blind) compare(answer string) {
	switch b.Outcome {
	case omniscope.OK:
		b.Similarity, b.Same = similarity(answer, b.Text)
		b.Declined = !b.Same && declines(b.Text)
	case omniscope.Refused, omniscope.Abstained:
		b.Declined = true
	}
}

// BlindCounts are what the blind twins of a run came to.
type BlindCounts struct {
	Asked    int // those that were answered or declined
	Same     int
	Declined int
	Failed   int // without an answer that could be compared
}

// Add counts a twin; nil is none.
func (c *BlindCounts) Add(b *blind) {
	switch {
	case b == nil:
	case b.Outcome != omniscope.OK && !b.Declined:
		c.Failed++
	default:
		c.Asked++
		if b.Same {
			c.Same++
		}
		if b.Declined {
			c.Declined++
		}
	}
}

// perceivedShare is the share of twins above which a warning says that media may not
// have been perceived.
const perceivedShare = 0.5

// Warning returns a warning if the answers are no better than the answers without media, else "".
func (c *BlindCounts) Warning() string {
	if float64(c.Same) <= perceivedShare*float64(c.Asked) {
		return ""
	}
	return fmt.Sprintf("%d of %d samples were answered without their media as they were with them: the media may not have been perceived; `omniscope probe` finds out", c.Same, c.Asked)
}

// String returns the counts in words.
func (c *BlindCounts) String() string {
	text := fmt.Sprintf("%d (%d answered as with the media, %d declined)", c.Asked, c.Same, c.Declined)
	if c.Failed > 0 {
		text += fmt.Sprintf("; %d not answered", c.Failed)
	}
	return text
}
