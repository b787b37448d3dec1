package suite

import (
	"omniscope"
	"omniscope/bench/document"
	"omniscope/bench/predict"
)

// A state is how far a run came.
type state string

// The states.
const (
	done    state = "done"
	failed  state = "failed"   // it ended with an error; the next ones were done
	LeftOut state = "left out" // its point of the sweep is not allowed
	Waiting state = "waiting"  // the command ended before it
)

// An Outcome is what came of a run.
type Outcome struct {
	Run
	State   state
	Why     string // it is not done
	Sent    sent
	Results []*document.Results // of each judge
}

// sent says what the model was sent and answered, all samples together. Means are
// over the samples that have the medium.
type sent struct {
	Samples, Answered   int
	Frames, Pixels      float64 // mean number of frames, and pixels of one
	Seconds             float64 // mean seconds of sound
	Words               float64 // mean of the answers
	Inquiries           float64 // mean of the detective's
	TokensIn, TokensOut int     // that the endpoint counted, or we estimated
	CostUSD             float64
	Unpriced            bool // tokens of some answers have no price
}

// cost is what a run's answers and their judging cost, in US dollars. It reports false where that is not known, or nothing.
func (o *Outcome) cost() (usd float64, known bool) {
	usd, known = o.Sent.CostUSD, !o.Sent.Unpriced
	for _, r := range o.Results {
		switch u := r.Usage; {
		case u.CostUSD != nil:
			usd += *u.CostUSD
		case u.Calls > 0:
			known = false
		}
	}
	return usd, known && usd > 0
}

// SentOf adds predictions up.
func SentOf(all []*predict.Prediction) (s sent) {
	var frames, pixels, seconds, words, inquiries mean
	for _, p := range all {
		if s.Samples++; p.Outcome == omniscope.OK {
			s.Answered++
			words.add(float64(p.Length()))
		}
		if f := p.Sent.Frames; f != nil {
			frames.add(float64(f.Count))
			pixels.add(float64(f.Width * f.Height))
		}
		if sound := p.Sent.Sound; sound != nil {
			seconds.add(sound.Seconds)
		}
		if p.Inquiries > 0 {
			inquiries.add(float64(p.Inquiries))
		}
		if u := p.Usage; u != nil {
			s.TokensIn, s.TokensOut = s.TokensIn+u.TokensIn, s.TokensOut+u.TokensOut
			s.CostUSD, s.Unpriced = s.CostUSD+u.CostUSD, s.Unpriced || u.CostUSD == 0 && u.TokensIn+u.TokensOut > 0
		}
	}
	s.Frames, s.Pixels, s.Seconds = frames.value(), pixels.value(), seconds.value()
	s.Words, s.Inquiries = words.value(), inquiries.value()
	return s
}

// Took replaces the sums of answers by what the run took, blind twins and lost tries included. Where answers of other runs were
// used the sums stay, since these were paid for elsewhere, and only lost tries are added.
func (s *sent) Took(u *document.UsageInfo) {
	if u.Remembered > 0 {
		s.TokensIn, s.TokensOut = s.TokensIn+u.Lost.TokensIn, s.TokensOut+u.Lost.TokensOut
		if s.Unpriced = s.Unpriced || u.Lost.Tries > 0 && u.Lost.CostUSD == nil; u.Lost.CostUSD != nil {
			s.CostUSD += *u.Lost.CostUSD
		}
		return
	}
	s.TokensIn, s.TokensOut, s.Unpriced = u.TokensIn, u.TokensOut, u.CostUSD == nil
	if u.CostUSD != nil {
		s.CostUSD = *u.CostUSD
	}
}

// A mean is a sum and how many were added.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v float64) { m.sum, m.n = m.sum+v, m.n+1 }

func (m *mean) value() float64 { return m.sum / float64(max(m.n, 1)) }
