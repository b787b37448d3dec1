package neural

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"omniscope/internal/testing/fixture"
)

func TestMatchJSONRoundTrip(t *testing.T) {
	nan, negativeZero := float32(math.NaN()), float32(math.Copysign(0, -1))
	matches := []Match{
		{HypothesisTokens: 2, ReferenceTokens: 512},
		{3, 4, nan, nan, 0.5, 0.5},
		{3, 4, 1, 1, 1, 1},
		{3, 4, negativeZero, 0, -1, 0},
		{3, 4, -0.25, 0.125, 0.5, 0.625},
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		p, r := 1-random.Float32(), 1-random.Float32()
		matches = append(matches, Match{511, 512, p, p, r, r}, Match{511, 512, -p, p, -r, r})
	}
	bits := func(m Match) [6]uint32 {
		return [6]uint32{uint32(m.HypothesisTokens), uint32(m.ReferenceTokens), math.Float32bits(m.P), math.Float32bits(m.PZero), math.Float32bits(m.R), math.Float32bits(m.RZero)}
	}
	for _, m := range matches {
		text, err := json.Marshal(m)
		fixture.OK(t, err)
		var back Match
		fixture.OK(t, json.Unmarshal(text, &back))
		if bits(m) != bits(back) {
			t.Errorf("%+v became %s and then %+v", m, text, back)
		}
		if same(m.P, m.PZero) && len(text) > 64 {
			t.Errorf("%s takes %d bytes", text, len(text))
		}
	}
}

func TestInvalidMatches(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `[1,2,3]`, `[1,2,3,4,5]`, `[null,2,0.5,0.5]`, `["1",2,0.5,0.5]`, `0.5`, `null`} {
		var m Match
		if err := json.Unmarshal([]byte(text), &m); err == nil {
			t.Errorf("%s is read as %+v", text, m)
		}
	}
}

func TestPaddedMatchesOfficialBatch(t *testing.T) {
	b := &BERTScore{lang: languages[0]}
	matches := []Match{{3, 9, -0.25, 0.125, 0.5, 0.625}, {8, 4, 0.75, 0.875, -0.5, 0.25}, {8, 9, 0.1, 0.2, 0.3, 0.4}}
	for i, score := range b.Official(matches) {
		m := matches[i]
		if want := b.Padded(m, m.HypothesisTokens < 8, m.ReferenceTokens < 9); score != want {
			t.Errorf("%+v scores %+v, want %+v", m, score, want)
		}
	}
	if b.Padded(matches[0], false, false) != b.Strict(matches)[0] || b.Padded(matches[0], true, true) == b.Strict(matches)[0] {
		t.Error("padding makes the wrong difference")
	}
}
