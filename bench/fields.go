package bench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/internal/spelling"
)

// LongestID is how many bytes an id may have: it stands in messages, tables and
// names of files.
const LongestID = 1000

// NoField is the error for a row that lacks a field, given those that it has: it
// names the one that was probably meant, or else all.
func NoField(name string, there []string) error {
	if near, ok := spelling.Nearest(name, there); ok {
		if near == name {
			return fmt.Errorf("the field %q is empty", name)
		}
		return fmt.Errorf("no field %q (the row has %q: did you mean %[1]q?)", name, near)
	}
	return fmt.Errorf("no field %q (the row has %s)", name, fieldNames(there))
}

// FieldsOf are the names of a JSON object's fields, in their order.
func FieldsOf(object []byte) (names []string) {
	gjson.ParseBytes(object).ForEach(func(key, _ gjson.Result) bool {
		names = append(names, key.Str)
		return len(names) < 1000
	})
	return names
}

// fieldNames lists the first names.
func fieldNames(names []string) string {
	const most, long = 20, 80
	var out []string
	for _, n := range names[:min(len(names), most)] {
		out = append(out, strconv.Quote(n[:min(len(n), long)]))
	}
	text := strings.Join(slices.Clip(out), ", ")
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > most:
		return fmt.Sprintf("%s and %d more", text, len(names)-most)
	}
	return text
}
