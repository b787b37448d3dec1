package endpoint

import "github.com/tidwall/gjson"

// Tokens reads a count of tokens, and reports whether it can be one.
func Tokens(v gjson.Result) (int, bool) {
	if v.Type != gjson.Number || v.Num < 0 || v.Num >= 1<<31 || v.Num != float64(int(v.Num)) {
		return 0, false
	}
	return int(v.Num), true
}
