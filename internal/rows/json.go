package rows

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tidwall/gjson"

	"omniscope/internal/jsonfast"
)

// CheckJSON returns nil if text is JSON, else what is wrong and at which character.
func CheckJSON(text []byte) error {
	if jsonfast.ValidBytes(text) {
		return nil
	}
	var v any
	err := json.Unmarshal(text, &v)
	if err == nil {
		return nil
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON at character %d: %w", syntax.Offset, err)
	}
	return fmt.Errorf("not JSON: %v", err)
}

// ID returns a field that is an id: a string, or a number as it is written. Of anything else
// it returns "".
func ID(v gjson.Result) string {
	switch v.Type {
	case gjson.String:
		return v.Str
	case gjson.Number:
		return v.Raw
	}
	return ""
}
