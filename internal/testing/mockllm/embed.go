package mockllm

import (
	"encoding/json"
	"hash/fnv"
	"math"
	"strings"
	"unicode"
)

// vectorOf answers a request for a vector: the words of the input, each counted at a place that
// its hash says, so that texts with words in common are near each other.
func vectorOf(r *Request) []byte {
	var asked struct{ Model, Input string }
	if json.Unmarshal(r.Body, &asked) != nil {
		asked.Input = ""
	}
	vector := make([]float64, 64)
	norm := 0.0
	for _, w := range strings.FieldsFunc(strings.ToLower(asked.Input), func(r rune) bool { return !unicode.IsLetter(r) }) {
		h := fnv.New32a()
		h.Write([]byte(w))
		vector[h.Sum32()%64]++
	}
	for _, v := range vector {
		norm += v * v
	}
	for i := range vector {
		vector[i] /= math.Sqrt(max(norm, 1))
	}
	body, _ := json.Marshal(map[string]any{ // numbers and texts only: cannot fail
		"object": "list", "model": asked.Model,
		"data":  []any{map[string]any{"object": "embedding", "index": 0, "embedding": vector}},
		"usage": map[string]int{"prompt_tokens": (len(asked.Input) + 3) / 4, "total_tokens": (len(asked.Input) + 3) / 4},
	})
	return body
}
