package mockllm

import (
	"bytes"
	"hash/fnv"
	"strconv"
)

// VDCReply answers the prompts of the benchmark vdc: questions with a short answer that depends on the
// request, and requests for a verdict with yes and a score of 3 to 5, or now and then with no.
func VDCReply() Responder {
	verdict := []byte("Predicted Answer:")
	return func(r *Request) Reply {
		h := fnv.New64a()
		h.Write(r.Body)
		n := h.Sum64() >> 8
		if !bytes.Contains(r.Body, verdict) {
			return Reply{Content: "It is number " + strconv.FormatUint(n%1000, 10) + "."}
		}
		if n%5 == 0 {
			return Reply{Content: "{'pred': 'no', 'score': " + strconv.FormatUint(n/5%2+1, 10) + "}"}
		}
		return Reply{Content: "{'pred': 'yes', 'score': " + strconv.FormatUint(n/5%3+3, 10) + "}"}
	}
}
