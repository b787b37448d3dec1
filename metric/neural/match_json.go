package neural

import (
	"encoding/json"
	"fmt"
	"math"
)

// MarshalJSON writes a Match as a list: tokens of the hypothesis and of the
// reference, P and R, then PZero and RZero where one of them differs. A number
// that is none is null. Numbers come back with the same bits.
func (m Match) MarshalJSON() ([]byte, error) {
	list := []any{m.HypothesisTokens, m.ReferenceTokens, orNull(m.P), orNull(m.R)}
	if !same(m.PZero, m.P) || !same(m.RZero, m.R) {
		list = append(list, orNull(m.PZero), orNull(m.RZero))
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Match) UnmarshalJSON(text []byte) error {
	var list []*float32
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	if len(list) != 4 && len(list) != 6 || list[0] == nil || list[1] == nil {
		return fmt.Errorf("a match is a list of 4 or 6 numbers, not %s", text)
	}
	*m = Match{HypothesisTokens: int(*list[0]), ReferenceTokens: int(*list[1]), P: orNaN(list[2]), R: orNaN(list[3])}
	m.PZero, m.RZero = m.P, m.R
	if len(list) == 6 {
		m.PZero, m.RZero = orNaN(list[4]), orNaN(list[5])
	}
	return nil
}

func same(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }

func orNull(v float32) *float32 {
	if v != v {
		return nil
	}
	return &v
}

func orNaN(v *float32) float32 {
	if v == nil {
		return float32(math.NaN())
	}
	return *v
}
