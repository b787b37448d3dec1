package gemini

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/tidwall/gjson"

	"omniscope/internal/jsonfast"
	"omniscope/model/exchange"
)

// readStream puts an answer together from its pieces, which some gateways always send: a stream of events, or
// a list (streamGenerateContent of ai.google.dev/api/generate-content).
func (m *Model) readStream(body []byte) (g generated, err error) {
	pieces := []string{}
	if exchange.LooksLikeStream(body) {
		for data := range exchange.Events(string(body)) {
			pieces = append(pieces, data)
		}
	} else {
		for _, piece := range gjson.ParseBytes(body).Array() {
			pieces = append(pieces, piece.Raw)
		}
	}
	for _, piece := range pieces {
		if exchange.EndsStream(piece) {
			break
		}
		if failure := exchange.Failure([]byte(piece), m.Secrets); failure != nil && gjson.Parse(piece).IsObject() && !gjson.Get(piece, "candidates.0").Exists() {
			return g, failure
		}
		if err := g.add([]byte(piece)); err != nil {
			return g, m.NotProtocol([]byte(piece), err)
		}
	}
	if len(g.Candidates) > 0 && g.Candidates[0].FinishReason == "" {
		return g, exchange.Trouble(errors.New("the stream ends before the answer does"))
	}
	return g, nil
}

// add adds a piece: the parts of its first candidate follow those before, all else replaces what came before.
func (g *generated) add(piece []byte) error {
	var before candidate
	if len(g.Candidates) > 0 {
		before = g.Candidates[0]
	}
	g.Candidates = nil
	if err := json.Unmarshal(piece, g); err != nil {
		return err
	}
	if len(g.Candidates) == 0 && (before.Content.Parts != nil || before.FinishReason != "") {
		g.Candidates = []candidate{{}}
	}
	if len(g.Candidates) > 0 {
		c := &g.Candidates[0]
		c.Content.Parts = append(before.Content.Parts, c.Content.Parts...)
		if c.FinishReason == "" {
			c.FinishReason, c.FinishMessage = before.FinishReason, before.FinishMessage
		}
	}
	return nil
}

// isStream reports whether a body is an answer in pieces.
func isStream(body []byte) bool {
	return exchange.LooksLikeStream(body) || bytes.HasPrefix(body, []byte("[")) && jsonfast.ValidBytes(body)
}
