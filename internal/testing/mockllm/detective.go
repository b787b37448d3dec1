package mockllm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// The prompts of package detective are known by these words.
var (
	openingDetective = []byte("You are a detective.")
	askConclusion    = []byte("No more inquiries.")
	saysAssistant    = []byte(`"role":"assistant"`)
)

var evidenceID = regexp.MustCompile(`\[(o[0-9]+)\]`)

// DetectiveReply plays a detective and the models that it asks. The detective puts so many
// questions, to observers in turn, and has enough then; its caption has a sentence for each
// observation. A model that is shown media answers with a sentence of 20 words and how sure
// it is, which depend on a hash of what it is asked and shown.
func DetectiveReply(observers []string, inquiries int) Responder {
	return func(r *Request) Reply {
		if !bytes.Contains(r.Body, openingDetective) {
			hash := HashBody(r.Body)
			return Reply{Content: fmt.Sprintf("Thing number %d is there, and it moves from the left to the right while the light behind it grows, as far as anybody can tell.\nconfidence: 0.%d", hash%1000, 5+hash%5)}
		}
		asked := bytes.Count(r.Body, saysAssistant)
		switch {
		case bytes.Contains(r.Body, askConclusion):
			return Reply{Content: conclusion(r.Body)}
		case asked >= inquiries:
			return Reply{Content: `{"done": true}`}
		}
		return Reply{Content: fmt.Sprintf(`{"tool": %q, "question": "What is there to tell of detail %d?"}`, observers[asked%len(observers)], asked+1)}
	}
}

func conclusion(body []byte) string {
	type sentence struct {
		Text     string   `json:"text"`
		Evidence []string `json:"evidence"`
	}
	var all struct {
		Sentences      []sentence `json:"sentences"`
		Contradictions []struct{} `json:"contradictions"`
	}
	all.Contradictions = []struct{}{}
	seen := make(map[string]bool)
	for _, found := range evidenceID.FindAllSubmatch(body, -1) {
		id := string(found[1])
		if seen[id] {
			continue
		}
		seen[id] = true
		all.Sentences = append(all.Sentences, sentence{"What observation " + strings.TrimPrefix(id, "o") + " tells is there.", []string{id}})
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // texts always encode
	}
	return string(text)
}
