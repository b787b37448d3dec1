// Package model is the one way to talk to a language model: a Request of
// messages whose parts are text, image, audio or video, and a Response.
//
// Adapters live in the sub-packages (openai, scripted), behaviour around them
// in model/wrap, the suite every adapter passes in internal/testing/modeltest. Prompts
// and the reading of answers are not here: see package judge.
package model

import (
	"context"
	"encoding/json"
	"time"

	"omniscope"
)

// A Model answers requests. It is safe for concurrent use.
//
// An error is an *omniscope.Error whose kind says what to do: Transient may be
// tried again, Denied and Invalid may not, Declined is a filter's refusal
// before any answer, Malformed a reply outside the protocol. An answer that is
// merely cut off or refused in words is a Response, not an error.
type Model interface {
	Generate(ctx context.Context, req *Request) (*Response, error)
}

// A Prober is a Model that can say, without cost, whether it is reachable.
type Prober interface {
	Probe(ctx context.Context) error
}

// A Request is one call. Step and Attempt name it for people and scripts;
// all else shapes the answer.
type Request struct {
	Step     string // readable key of the call, such as a sample's id; no part of a model's cache key
	Attempt  int    // 1 for the first asking; a repaired question is a new attempt
	Model    string // the model's name at its endpoint, without the provider
	Messages []Message
	Params   Params
	Schema   *Schema // wanted form of the answer; nil = free text
	Embed    bool    // the answer is the vector of the one message's text, as a JSON list of numbers
	Streak   *Streak // is told when the answer comes; no part of the call; nil = nobody is
}

// A Message is one turn.
type Message struct {
	Role  MessageRole
	Parts []Part
}

// A MessageRole is the speaker: the "role" of a message in the APIs of all providers.
type MessageRole string

// The roles.
const (
	System    MessageRole = "system"
	User      MessageRole = "user"
	Assistant MessageRole = "assistant"
)

// Text makes a message of one text part.
func Text(role MessageRole, text string) Message {
	return Message{Role: role, Parts: []Part{{Kind: TextPart, Text: text}}}
}

// A PartKind says what a part holds.
type PartKind string

// The kinds of parts.
const (
	TextPart  PartKind = "text"
	ImagePart PartKind = "image"
	AudioPart PartKind = "audio"
	VideoPart PartKind = "video"
)

// A Part is a stretch of text or one piece of media. Media is Data, or a URL
// the endpoint can open itself; Digest (of the source and the sampling policy)
// stands for the bytes in cache keys and journals.
//
// Media that are dear to make have Load in place of Data: package wrap calls it
// when a call is really made, and not for one that is remembered. Digest is then
// needed. Link in place of Load gives the endpoint an address, likewise when a call is
// made: where that is, and how the bytes travel, is not part of what was asked.
type Part struct {
	Kind   PartKind
	Text   string
	MIME   string // such as image/jpeg, audio/wav, video/mp4
	Data   []byte
	URL    string
	Digest string
	Load   func(context.Context) ([]byte, error) `json:"-"`
	Link   func(context.Context) (Linked, error) `json:"-"`
}

// Linked are media that an endpoint gets by an address.
type Linked struct {
	URL    string
	Bytes  int64
	SHA256 string // of the bytes, in hex
}

// Params shape the sampling of an answer. A nil or zero field is not sent.
type Params struct {
	Temperature *float64                   `json:"temperature,omitempty"`
	TopP        *float64                   `json:"top_p,omitempty"`
	MaxTokens   int                        `json:"max_tokens,omitempty"`
	Seed        *int64                     `json:"seed,omitempty"`
	Stop        []string                   `json:"stop,omitempty"`
	Extra       map[string]json.RawMessage `json:"extra,omitempty"` // sent as further fields of the body
	Route       string                     `json:"route,omitempty"` // digest of the headers that choose who answers; not sent
}

// A Schema is the JSON schema an answer should satisfy. Where an endpoint has
// no structured output the prompt must ask for the form as well; the reader of
// the answer validates it in either case.
type Schema struct {
	Name string          `json:"name"`
	JSON json.RawMessage `json:"schema"`
}

// A Response is an answer that was paid for.
type Response struct {
	Text    string
	Refusal string // the refusal's words, where the protocol marks it as one
	Finish  Finish
	// ToolCalls names the tools that the model called, Reasoning says that it
	// thought and wrote no text: neither is an answer.
	ToolCalls   []string
	Reasoning   bool
	Model       string // the name the endpoint says answered
	ID          string // the endpoint's own id of the call, for its support desk
	Usage       Usage
	Latency     time.Duration // of the try that succeeded
	Tries       int           // how often the call was sent; 1 = no retry
	RateLimited int           // tries that were refused because there were too many
	Cached      bool          // remembered from the journal, not paid again
	// DroppedOptions names the options that the endpoint refused, or does not have,
	// and that were therefore left out of the request.
	DroppedOptions []string
	Streamed       bool        // it came as a stream of events, which was not asked for
	Lost           Lost        // the tries before the one that succeeded, as far as they may have to be paid for
	Sent           []SentMedia // media that were loaded for the request, as they were when it was answered
	Report         Report      // what else the endpoint said of tokens; not remembered
	Awaited        bool        // by the request's streak; not remembered
}

// Usage counts the tokens of an answer, as the endpoint reports them. From an
// adapter, 0 is a number that it could not read; package wrap puts estimates in
// place of these and of numbers that cannot be true.
type Usage struct {
	TokensIn  int     `json:"tokens_in"`
	Cached    int     `json:"tokens_cached,omitempty"` // of TokensIn, read from the provider's cache of prompts
	TokensOut int     `json:"tokens_out"`
	CostUSD   float64 `json:"cost_usd"`
	Estimated bool    `json:"estimated,omitempty"` // tokens are estimates, at least in part
	Reported  string  `json:"reported,omitempty"`  // what the endpoint said instead
}

// A Report is what an endpoint says of tokens beside two plain numbers.
type Report struct {
	Odd       string // its words, where they are not two whole numbers of tokens
	Total     int    // tokens in and out together
	Reasoning int    // tokens out that the text does not show
	Audio     int    // tokens in that are sound; 0 = it does not say
}

// Outcome classes a response before anyone reads its text.
func (r *Response) Outcome() omniscope.Outcome {
	switch {
	case r.Refusal != "" || r.Finish == ContentFilter:
		return omniscope.Refused
	case r.Finish == GaveUp: // a remembered answer of an older version: adapters return an error now
		return omniscope.Failed
	case r.Finish == Length || r.Finish == repetition:
		return omniscope.Truncated
	}
	return omniscope.OK
}
