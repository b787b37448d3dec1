package harness

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/rows"
)

// eachRow calls do for each row of JSON Lines, a JSON list or a table, with the line that it begins
// on. Bare NaN and Infinity, which Python's json writes and JSON does not have, are null.
func eachRow(ctx context.Context, path string, do func(line int, row gjson.Result) error) error {
	_, err := EachRowOf(ctx, path, do)
	return err
}

// EachRowOf is eachRow, and returns the file's digest.
func EachRowOf(ctx context.Context, path string, do func(line int, row gjson.Result) error) (digest string, err error) {
	f, err := input.Open(ctx, path, input.Rows)
	if err != nil {
		return "", err
	}
	defer f.Close()
	form, err := rows.FormOf(f)
	if err != nil {
		return "", err
	}
	each := func(line int, text []byte) error {
		text = withoutNaN(text)
		if err := rows.CheckJSON(text); err != nil {
			return badRow(f.Path, line, text, err)
		}
		return do(line, gjson.ParseBytes(text))
	}
	if form == rows.Tab {
		form = rows.QuotedTab
	}
	err = rows.Each(f, form, each)
	return f.Digest(), err
}

func badRow(path string, line int, text []byte, err error) error {
	hint := ""
	if strings.Contains(err.Error(), "unexpected end") {
		hint = "; the row is cut off, as where its writer was stopped: take it out to import the others, and count its sample as missing"
	}
	return omniscope.Invalidf("%s:%d: %w%s: %s", path, line, err, hint, rows.Quote(text))
}

// ReadDocument reads a file that is one JSON object. It is in memory several times while it is
// read, so that it may have a quarter of what a text that is held in memory may.
func ReadDocument(ctx context.Context, path string) (v gjson.Result, digest string, err error) {
	f, err := input.Open(ctx, path, input.Texts)
	if err != nil {
		return v, "", err
	}
	defer f.Close()
	from, err := f.Reader()
	if err != nil {
		return v, "", err
	}
	most := int64(f.Limits().Size) / 4
	text, err := io.ReadAll(io.LimitReader(from, most+1))
	if err == nil && int64(len(text)) > most {
		err = omniscope.Invalidf("%s has more than %d MiB, as one object: raise %s, or, if it is of Inspect, write it as .eval with `inspect log convert`", f.Path, most>>20, input.SizeFlag)
	}
	if err != nil {
		return v, "", err
	}
	if v, err = Object(text); err != nil {
		err = omniscope.Invalidf("%s: %w: %s", f.Path, err, rows.Quote(text))
	}
	return v, f.Digest(), err
}

// Object reads one JSON object, in which bare NaN and Infinity are null.
func Object(text []byte) (gjson.Result, error) {
	text = withoutNaN(text)
	if err := rows.CheckJSON(text); err != nil {
		return gjson.Result{}, err
	}
	v := gjson.ParseBytes(text)
	if !v.IsObject() {
		return v, errors.New("it is no JSON object")
	}
	return v, nil
}

// withoutNaN puts null in place of bare NaN, Infinity and -Infinity.
func withoutNaN(text []byte) []byte {
	if !bytes.Contains(text, []byte("NaN")) && !bytes.Contains(text, []byte("Infinity")) {
		return text
	}
	out := make([]byte, 0, len(text))
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\' && i+1 < len(text):
			out = append(out, c, text[i+1])
			i++
			continue
		case c == '"':
			quoted = !quoted
		case quoted:
		default:
			if n := bareNumber(text[i:]); n > 0 {
				out = append(out, "null"...)
				i += n - 1
				continue
			}
		}
		out = append(out, text[i])
	}
	return out
}

// bareNumber is how long one of Python's words for numbers is that a text begins with; 0 = it
// begins with none.
func bareNumber(text []byte) int {
	for _, word := range []string{"NaN", "-Infinity", "Infinity"} {
		if bytes.HasPrefix(text, []byte(word)) {
			return len(word)
		}
	}
	return 0
}

// LongestField is how long a value may be that a sample keeps, in bytes: ids and questions are short.
const LongestField = 4096

// mostFields is how many fields a sample keeps.
const mostFields = 300

// deepest is how many objects deep fields are looked for.
const deepest = 4

// Fields are the short texts and numbers of an object, by path.
func Fields(to map[string]string, prefix string, object gjson.Result) {
	fields(to, prefix, object, deepest)
}

func fields(to map[string]string, prefix string, object gjson.Result, depth int) {
	object.ForEach(func(key, v gjson.Result) bool {
		path := prefix + key.Str
		switch {
		case v.IsObject() && depth > 1:
			fields(to, path+".", v, depth-1)
		case v.Type == gjson.String && len(v.Str) <= LongestField:
			to[path] = v.Str
		case v.Type == gjson.Number && len(v.Raw) <= LongestField:
			to[path] = v.Raw
		}
		return len(to) < mostFields
	})
}

// scoreNames are what scores are called within the metrics of samples.
var scoreNames = []string{"score", "acc", "accuracy", "overall", "correct", "hit", "exact_match"}

// scores are the numbers of an object that are scores: those with a score's name, and any where
// all is set.
func scores(to map[string]float64, prefix string, object gjson.Result, all bool) {
	object.ForEach(func(key, v gjson.Result) bool {
		path := prefix + key.Str
		switch {
		case v.IsObject():
			scores(to, path+".", v, false)
		case (v.Type == gjson.Number || v.IsBool()) && (all || slices.Contains(scoreNames, key.Str)) && !math.IsNaN(v.Num) && !isFilling(key.Str, v):
			to[path] = v.Num
			if v.Type == gjson.True {
				to[path] = 1
			}
		}
		return true
	})
}

// oneModel makes sure that files are of one model, of which name returns the name.
func oneModel(paths []string, name func(path string) string) (string, error) {
	for _, path := range paths[1:] {
		if a, b := name(paths[0]), name(path); a != b {
			return "", omniscope.Invalidf("%s is of the model %q and %s of %q: import each by itself", paths[0], a, path, b)
		}
	}
	return name(paths[0]), nil
}

// errNoText is the error for a log of a task that compared likelihoods.
var errNoText = errors.New("the task compared likelihoods of given texts, so that the log has no answer that a model wrote: run a task that generates text")
