package bench

import (
	"path"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/spelling"
)

// Select returns those of all that the user wants, in their order. what names one of them in
// a message.
func Select[T any](all []T, id func(*T) string, what string, in Inputs) (out []T, err error) {
	wanted := make(map[string]bool)
	for _, name := range in.Samples {
		wanted[string(name)] = true
	}
	known := make([]string, len(all))
	for i := range all {
		known[i] = id(&all[i])
		if len(in.Samples) == 0 || wanted[known[i]] {
			delete(wanted, known[i])
			out = append(out, all[i])
		}
	}
	for name := range wanted {
		return nil, omniscope.Usagef("--sample: %s has no %s %s%s", in.Data, what, name, spelling.Hint(name, known))
	}
	if in.Limit > 0 && len(out) > in.Limit {
		out = out[:in.Limit]
	}
	return out, nil
}

// ID is an id as files have it: a text, or a number as it is written; "" = neither.
func ID(v gjson.Result) string {
	if v.Type == gjson.Number {
		return v.Raw
	}
	return v.Str
}

// Stem is the name of a recording without folder and ending.
func Stem(name string) string {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	switch ext := path.Ext(base); strings.ToLower(ext) {
	case ".mp4", ".wav", ".mp3", ".flac", ".webm", ".mkv", ".avi", ".mov", ".m4a", ".ogg":
		return base[:len(base)-len(ext)]
	}
	return base
}

// A Tag is a group that a unit counts in, such as task speech.
type Tag struct{ Dimension, Group string }

// Tags pairs dimensions with groups, such as "task", "speech". Empty groups are left out.
func Tags(pairs ...string) (tags []Tag) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			tags = append(tags, Tag{pairs[i], pairs[i+1]})
		}
	}
	return tags
}
