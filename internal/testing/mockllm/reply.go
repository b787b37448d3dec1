package mockllm

import (
	"bytes"
	"io"
	"math/bits"
	"net/http"
	"strconv"
	"strings"
	"time"

	"omniscope/internal/jsonfast"
)

// Reply is what to answer to one request. The zero value is a status 200
// completion with an empty text.
type Reply struct {
	Status int // HTTP status; 0 is 200

	// The completion, sent unless Raw is set.
	Content          string
	Refusal          string // when set, the content is null unless given too
	FinishReason     string // "" is "stop"
	Model            string // "" is the model asked for
	PromptTokens     int    // 0 is a quarter of the bytes of the request body
	CompletionTokens int    // 0 is a quarter of the bytes of the content

	Raw         []byte // the whole body instead of a completion
	ContentType string // "" is "application/json"
	Usage       string // JSON in place of the completion's usage; "" is two numbers and their sum
	RetryAfter  string // the value of the Retry-After header; "" is none
	Location    string // the value of the Location header; "" is none

	// Wire, when set, writes the whole response as it is to go over the
	// connection, which is closed afterwards.
	Wire func(io.Writer) error

	Delay    time.Duration // waited before the response, on top of any latency
	Drip     time.Duration // paused between chunks of 64 body bytes; 0 sends all at once
	CutAfter int           // close after that many bytes of the body; 0 sends it whole
	Close    bool          // reset the connection in place of a response

	// NoAnswer keeps a response of status 200 out of Stats.Answered: the
	// client cannot use it.
	NoAnswer bool
}

// fill puts in the defaults that depend on the request.
func (r *Reply) fill(req *Request, model string) {
	if r.Status == 0 {
		r.Status = http.StatusOK
	}
	if r.ContentType == "" {
		r.ContentType = "application/json"
	}
	if r.Raw != nil {
		return
	}
	if r.FinishReason == "" {
		r.FinishReason = "stop"
	}
	if r.Model == "" {
		r.Model = req.Model()
	}
	if r.Model == "" {
		r.Model = model
	}
	if r.PromptTokens == 0 {
		r.PromptTokens = (len(req.Body) + 3) / 4
	}
	if r.CompletionTokens == 0 {
		r.CompletionTokens = (len(r.Content) + len(r.Refusal) + 3) / 4
	}
}

// appendCompletion appends the JSON of a chat completion.
func appendCompletion(b []byte, r *Reply, n int, now time.Time) []byte {
	b = append(b, `{"id":"chatcmpl-`...)
	b = strconv.AppendInt(b, int64(n), 10)
	b = append(b, `","object":"chat.completion","created":`...)
	b = strconv.AppendInt(b, now.Unix(), 10)
	b = append(b, `,"model":`...)
	b = jsonfast.Append(b, r.Model)
	b = append(b, `,"choices":[{"index":0,"message":{"role":"assistant","content":`...)
	if r.Content == "" && r.Refusal != "" {
		b = append(b, "null"...)
	} else {
		b = jsonfast.Append(b, r.Content)
	}
	b = append(b, `,"refusal":`...)
	b = appendStringOrNull(b, r.Refusal)
	b = append(b, `},"logprobs":null,"finish_reason":`...)
	b = jsonfast.Append(b, r.FinishReason)
	b = append(b, `}],"usage":`...)
	if r.Usage != "" {
		return append(append(b, r.Usage...), '}')
	}
	b = append(b, `{"prompt_tokens":`...)
	b = strconv.AppendInt(b, int64(r.PromptTokens), 10)
	b = append(b, `,"completion_tokens":`...)
	b = strconv.AppendInt(b, int64(r.CompletionTokens), 10)
	b = append(b, `,"total_tokens":`...)
	b = strconv.AppendInt(b, int64(r.PromptTokens+r.CompletionTokens), 10)
	return append(b, `}}`...)
}

func appendStringOrNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return jsonfast.Append(b, s)
}

// ErrorReply is an error of the shape OpenAI gives them. An empty param or
// code is null in it.
func ErrorReply(status int, message, kind, param, code string) Reply {
	return Reply{Status: status, Raw: errorBody(message, kind, param, code)}
}

func errorBody(message, kind, param, code string) []byte {
	b := append([]byte(nil), `{"error":{"message":`...)
	b = jsonfast.Append(b, message)
	b = append(b, `,"type":`...)
	b = appendStringOrNull(b, kind)
	b = append(b, `,"param":`...)
	b = appendStringOrNull(b, param)
	b = append(b, `,"code":`...)
	b = appendStringOrNull(b, code)
	return append(b, `}}`...)
}

func wrongKey() Reply {
	return ErrorReply(http.StatusUnauthorized, "Incorrect API key provided.",
		"invalid_request_error", "", "invalid_api_key")
}

func modelList(model string) Reply {
	b := append([]byte(nil), `{"object":"list","data":[{"id":`...)
	b = jsonfast.Append(b, model)
	b = append(b, `,"object":"model","created":0,"owned_by":"mockllm"}]}`...)
	return Reply{Raw: b}
}

// FixedReply answers every request with the same text.
func FixedReply(content string) Responder {
	return func(*Request) Reply { return Reply{Content: content} }
}

// ClozeReply answers requests to fill in blanks. The placeholders of a
// request are the different "[BLANK_n]" in its body, n from 1 to 1023, and
// the content of the answer is a JSON object with a member for each, such as
// {"1":"A: because ...","2":"C: because ..."}, of about size bytes when the
// letters alone make less.
//
// letter picks the letter for one blank of the request with an identity; 0
// leaves the blank out of the answer. A nil letter picks one of A to D by a
// hash of the two. As long as letter does, the answer depends on nothing but
// the request.
func ClozeReply(letter func(identity uint64, blank int) byte, size int) Responder {
	if letter == nil {
		letter = hashedLetter
	}
	const reason = "because nothing else there fits both what comes before it and what comes after it, "
	padding := strings.Repeat(reason, size/len(reason)+1)
	return func(r *Request) Reply {
		blanks, count := findBlanks(r.Body)
		const member = len(`"10":"A: ",`)
		pad := max(1, min(len(padding), size/max(1, count)-member))
		var b strings.Builder
		b.Grow(count*(member+pad) + 2)
		b.WriteByte('{')
		for n := range blanks.all {
			c := letter(r.Identity, n)
			if c == 0 {
				continue
			}
			if b.Len() > 1 {
				b.WriteByte(',')
			}
			b.WriteByte('"')
			b.WriteString(strconv.Itoa(n))
			b.WriteString(`":"`)
			b.WriteByte(c)
			b.WriteString(": ")
			b.WriteString(padding[:pad])
			b.WriteByte('"')
		}
		b.WriteByte('}')
		return Reply{Content: b.String()}
	}
}

func hashedLetter(identity uint64, blank int) byte {
	return "ABCD"[mix(identity+uint64(blank))%4]
}

// blankSet is a set of the numbers 0 to 1023.
type blankSet [16]uint64

// all calls yield with every number of the set, in rising order.
func (s blankSet) all(yield func(int) bool) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			if !yield(i*64 + bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}

// findBlanks returns the numbers of the placeholders in a body and how many
// different ones there are.
func findBlanks(body []byte) (set blankSet, count int) {
	mark := []byte("[BLANK_")
	for {
		i := bytes.Index(body, mark)
		if i < 0 {
			return set, count
		}
		body = body[i+len(mark):]
		n, ok := leadingNumber(body)
		if !ok || n < 1 || n >= len(set)*64 {
			continue
		}
		if bit := uint64(1) << (n % 64); set[n/64]&bit == 0 {
			set[n/64] |= bit
			count++
		}
	}
}

// leadingNumber reads a number that a closing bracket follows.
func leadingNumber(b []byte) (int, bool) {
	end := bytes.IndexByte(b[:min(len(b), 5)], ']')
	if end < 1 {
		return 0, false
	}
	n, err := strconv.Atoi(string(b[:end]))
	return n, err == nil
}
