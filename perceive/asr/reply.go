package asr

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"omniscope"
	"omniscope/model"
)

// A reply is what servers answer: json has the text alone, verbose_json the
// segments as well.
type reply struct {
	Text     *string `json:"text"`
	Segments []struct {
		Start    float64  `json:"start"` // seconds
		End      *float64 `json:"end"`   // nil: the server gives no times
		Text     string   `json:"text"`
		LogProb  *float64 `json:"avg_logprob"`
		NoSpeech *float64 `json:"no_speech_prob"`
		Packed   *float64 `json:"compression_ratio"`
	} `json:"segments"`
	LogProbs []struct {
		LogProb *float64 `json:"logprob"`
	} `json:"logprobs"`

	// Of the server of whisper.cpp: the language that it writes in, English unless its settings
	// name another, and the one that it hears.
	Language string  `json:"language"`
	Hears    string  `json:"detected_language"`
	HearsFor float64 `json:"detected_language_probability"`
}

// leastHeard is the probability from which on the language that a server hears is believed.
const leastHeard = 0.5

// foreign returns the language that the server hears and does not write in, "" if both are
// the same.
func (r *reply) foreign() string {
	if r.Language == "" || r.Hears == "" || r.HearsFor < leastHeard || strings.EqualFold(r.Language, r.Hears) {
		return ""
	}
	return r.Hears
}

// usageIn is what the server says that an answer took; 0 = it says nothing, or nothing that can be true. Servers of models that
// are paid for by time tell seconds instead.
func usageIn(body []byte) (u model.Usage) {
	var r struct {
		Usage struct {
			TokensIn  float64 `json:"input_tokens"`
			TokensOut float64 `json:"output_tokens"`
		} `json:"usage"`
	}
	const most = 1 << 24
	if json.Unmarshal(body, &r) == nil && r.Usage.TokensIn >= 0 && r.Usage.TokensIn < most && r.Usage.TokensOut >= 0 && r.Usage.TokensOut < most {
		u.TokensIn, u.TokensOut = int(r.Usage.TokensIn), int(r.Usage.TokensOut)
	}
	return u
}

// slack is how far beyond the end of the sound a segment may be said to begin:
// engines look at fixed windows.
const slack = 2 * time.Second

// readReply reads the answer to a sound of some length. What is no answer of
// the protocol is Malformed.
func readReply(body []byte, length time.Duration) ([]Segment, error) {
	var r reply
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, malformed(fmt.Errorf("the answer is not the JSON of the protocol: %w", err))
	}
	if r.Text == nil && r.Segments == nil {
		return nil, malformed(errors.New("the answer has neither text nor segments"))
	}
	if len(r.Segments) == 0 {
		if r.Text == nil || strings.TrimSpace(*r.Text) == "" {
			return nil, nil
		}
		return []Segment{{End: length, Text: *r.Text, Sure: r.tokens()}}, nil
	}
	segments := make([]Segment, len(r.Segments))
	for i, s := range r.Segments {
		start, end := inSeconds(s.Start), length
		if s.End != nil {
			end = inSeconds(*s.End)
		}
		if start < 0 || end < start || start > length+slack {
			return nil, malformed(fmt.Errorf("segment %d goes from %g to %g s of %.1f s of sound", i+1, s.Start, end.Seconds(), length.Seconds()))
		}
		segments[i] = Segment{Start: start, End: end, Text: s.Text, Foreign: r.foreign()}
		if s.LogProb != nil {
			sure := &segments[i].Sure
			sure.Known, sure.LogProb = true, math.Min(0, *s.LogProb)
			if s.NoSpeech != nil {
				sure.NoSpeech = *s.NoSpeech
			}
			if s.Packed != nil {
				sure.Packed = *s.Packed
			}
		}
	}
	return joinedWords(segments), nil
}

// joinedWords joins segments that end within a word: the server of whisper.cpp cuts after 60
// letters, wherever that is, even within a letter. Segments begin with a blank there; one
// without it continues the one before.
func joinedWords(list []Segment) []Segment {
	blank := func(s Segment) bool { return strings.HasPrefix(s.Text, " ") }
	if !slices.ContainsFunc(list, blank) {
		return list // of another server, or of a language without blanks
	}
	var out []Segment
	for i, s := range list {
		if i == 0 || s.Text == "" || blank(s) || !cutWithin(out[len(out)-1].Text, s.Text) {
			out = append(out, s)
			continue
		}
		last := &out[len(out)-1]
		weight := float64(len(s.Text)) / float64(len(s.Text)+len(last.Text))
		last.Sure.Known = last.Sure.Known && s.Sure.Known
		last.Sure.LogProb += weight * (s.Sure.LogProb - last.Sure.LogProb)
		last.Sure.NoSpeech, last.Sure.Packed = max(last.Sure.NoSpeech, s.Sure.NoSpeech), max(last.Sure.Packed, s.Sure.Packed)
		last.End, last.Text = max(last.End, s.End), last.Text+s.Text
	}
	return out
}

// cutWithin reports whether one text may be cut off from another within a word: letters,
// or halves of a letter, on both sides.
func cutWithin(before, after string) bool {
	part := func(r rune) bool {
		return r == utf8.RuneError || unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '’' || r == '-'
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return part(last) && (part(first) || unicode.IsPunct(first))
}

// inSeconds is a duration; a number that no sound is long enough for is -1.
func inSeconds(s float64) time.Duration {
	if math.Abs(s) > 1e6 {
		return -1
	}
	return time.Duration(s * float64(time.Second))
}

// tokens is the mean over the tokens, where the server tells them.
func (r *reply) tokens() (s Sureness) {
	n := 0.0
	for _, t := range r.LogProbs {
		if t.LogProb != nil {
			s.LogProb += math.Min(0, *t.LogProb)
			n++
		}
	}
	if n > 0 {
		s.Known, s.LogProb = true, s.LogProb/n
	}
	return s
}

func malformed(err error) error {
	return &omniscope.Error{Kind: omniscope.Malformed, Op: "asr", Err: err}
}
