// Package tokenizer turns text into the ids that an encoder wants, as the
// published scorers do: bert_score uses the slow BERT and RoBERTa tokenizers of
// transformers, COMET the fast one of XLM-R, which is other code with other
// rules. It reads their files and makes none; what a file asks for and is not
// known here is refused, never passed over.
//
// Bytes that are no UTF-8 count as U+FFFD each; Python would not have got that
// far. Characters newer than Unicode 15 are as Go's tables have them: unassigned.
package tokenizer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"unicode/utf8"

	"omniscope"
)

// A Tokenizer turns text into ids. It is safe for concurrent use.
type Tokenizer interface {
	// Encode returns the ids of text between the special ids, at most max of
	// them: the text is cut on the right, the special ids stay. Where max holds
	// not even those, they are cut. A max of 0 or less is no limit.
	Encode(text string, max int) []int32
	// Special returns the ids that mean more than text.
	Special() specialTokens
	// Size is one more than the highest id there is: the rows that the table of
	// embeddings must have.
	Size() int
}

// specialTokens holds the ids around a text and the ids that fill rows up. Literal ones
// in a text have the same ids.
type specialTokens struct {
	CLS int32 // before the text; <s> in RoBERTa and XLM-R
	SEP int32 // behind the text; </s>
	PAD int32 // padding
}

// A frame is what stands around the ids of a text.
type frame struct{ before, after []int32 }

// longText is up to how many bytes of text the room to work in is kept for the
// next one.
const longText = 1 << 20

// room is how many ids of text have room when all may be max.
func (f frame) room(limit int) int {
	if limit <= 0 {
		return int(^uint(0) >> 1)
	}
	return max(0, limit-len(f.before)-len(f.after))
}

// open starts a list of ids. What follows may be longer than the room.
func (f frame) open(capacity int) []int32 {
	return append(make([]int32, 0, capacity+len(f.before)+len(f.after)), f.before...)
}

// full reports whether ids, from open on, have used up the room.
func (f frame) full(ids []int32, room int) bool { return len(ids)-len(f.before) >= room }

// closed cuts ids and ends them.
func (f frame) closed(ids []int32, limit int) []int32 {
	if room := f.room(limit); len(ids)-len(f.before) > room {
		ids = ids[:len(f.before)+room]
	}
	ids = append(ids, f.after...)
	if limit > 0 && len(ids) > limit {
		ids = ids[:limit]
	}
	return ids
}

// A vocabulary is the pieces of text that have ids, by name.
type vocabulary map[string]int32

// special looks up by name the tokens that the original puts in by itself.
func (v vocabulary) special(path string, names ...string) ([]added, error) {
	tokens := make([]added, len(names))
	for i, name := range names {
		id, ok := v[name]
		if !ok {
			return nil, invalid(path, "it has no %s; take the file that belongs to the model", name)
		}
		tokens[i] = added{content: name, id: id}
	}
	return tokens, nil
}

// size is one more than the highest id.
func (v vocabulary) size() int {
	size := 0
	for _, id := range v {
		size = max(size, int(id)+1)
	}
	return size
}

// readText reads a file of UTF-8.
func readText(path string) (string, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return "", invalid(path, "it is no regular file")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		kind := omniscope.Internal
		if errors.Is(err, fs.ErrNotExist) {
			kind = omniscope.NotFound
		}
		return "", &omniscope.Error{Kind: kind, Op: "read the tokenizer", Err: err}
	}
	if !utf8.Valid(text) {
		return "", invalid(path, "it is not UTF-8 text")
	}
	return string(text), nil
}

// invalid says what is wrong with the file at path.
func invalid(path, format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "read the tokenizer " + path, Err: fmt.Errorf(format, args...)}
}

// repaired is text with each byte that is no UTF-8 as U+FFFD.
func repaired(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}
