package fake

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// FixedReply answers every request with the same text.
func FixedReply(content string) Responder {
	return func(*Request) Reply { return Reply{Content: content} }
}

// ClozeReply answers requests to fill in blanks. The placeholders of a
// request are the different "[BLANK_n]" in its body, n from 1 to 999, and
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
		letter = func(identity uint64, blank int) byte { return "ABCD"[mix(identity+uint64(blank))%4] }
	}
	const reason = "because nothing else there fits both what comes before it and what comes after it, "
	padding := strings.Repeat(reason, size/len(reason)+1)
	return func(r *Request) Reply {
		blanks := findBlanks(r.Body)
		const member = len(`"10":"A: ",`)
		pad := max(1, min(len(padding), size/max(1, len(blanks))-member))
		var b strings.Builder
		b.Grow(len(blanks)*(member+pad) + 2)
		b.WriteByte('{')
		for _, n := range blanks {
			c := letter(r.Identity, n)
			if c == 0 {
				continue
			}
			if b.Len() > 1 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"%d":"%c: %s"`, n, c, padding[:pad])
		}
		b.WriteByte('}')
		return Reply{Content: b.String()}
	}
}

// findBlanks returns the different numbers of the placeholders in a body, in order.
func findBlanks(body []byte) (numbers []int) {
	mark := []byte("[BLANK_")
	for {
		_, rest, ok := bytes.Cut(body, mark)
		if !ok {
			slices.Sort(numbers)
			return slices.Compact(numbers)
		}
		body = rest
		digits, _, ok := bytes.Cut(body[:min(len(body), len("999]"))], []byte("]"))
		if n, err := strconv.Atoi(string(digits)); ok && err == nil && n > 0 {
			numbers = append(numbers, n)
		}
	}
}

// VDCReply answers the prompts of VDC: questions with a short answer that depends on the
// request, and requests for a verdict with yes and a score of 3 to 5, or now and then with no.
func VDCReply() Responder {
	return func(r *Request) Reply {
		h := fnv.New64a()
		h.Write(r.Body)
		n := h.Sum64() >> 8
		switch {
		case !r.Contains("Predicted Answer:"):
			return Reply{Content: fmt.Sprintf("It is number %d.", n%1000)}
		case n%5 == 0:
			return Reply{Content: fmt.Sprintf("{'pred': 'no', 'score': %d}", n/5%2+1)}
		}
		return Reply{Content: fmt.Sprintf("{'pred': 'yes', 'score': %d}", n/5%3+3)}
	}
}

var evidenceID = regexp.MustCompile(`\[(o[0-9]+)\]`)

// DetectiveReply plays a detective and the models that it asks, by the words of the prompts of
// package detective. The detective puts so many questions, to observers in turn, and has enough
// then; its caption has a sentence for each observation. A model that is shown media answers with
// a sentence of 20 words and a confidence, which depend on a hash of the request.
func DetectiveReply(observers []string, inquiries int) Responder {
	return func(r *Request) Reply {
		asked := bytes.Count(r.Body, []byte(`"role":"assistant"`))
		switch {
		case !r.Contains("You are a detective."):
			hash := hashBody(r.Body)
			return Reply{Content: fmt.Sprintf("Thing number %d is there, and it moves from the left to the right while the light behind it grows, as far as anybody can tell.\nconfidence: 0.%d", hash%1000, 5+hash%5)}
		case r.Contains("No more inquiries."):
			return Reply{Content: conclusion(r.Body)}
		case asked >= inquiries:
			return Reply{Content: `{"done": true}`}
		}
		return Reply{Content: fmt.Sprintf(`{"tool": %q, "question": "What is there to tell of detail %d?"}`, observers[asked%len(observers)], asked+1)}
	}
}

func conclusion(body []byte) string {
	var sentences []string
	for _, found := range evidenceID.FindAllSubmatch(body, -1) {
		text := fmt.Sprintf(`{"text":"What observation %s tells is there.","evidence":["%s"]}`, found[1][1:], found[1])
		if !slices.Contains(sentences, text) {
			sentences = append(sentences, text)
		}
	}
	if sentences == nil {
		return `{"sentences":null,"contradictions":[]}`
	}
	return `{"sentences":[` + strings.Join(sentences, ",") + `],"contradictions":[]}`
}
