package tokenizer

import (
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
	"golang.org/x/text/unicode/norm"

	"omniscope/internal/jsonfast"
)

// qwen is the tokenizer of Qwen2 and what came after it, Qwen2.5-Omni and Qwen3-Omni among it: byte pair encoding of words by a pattern
// of its own. It is safe for concurrent use.
type qwen struct {
	merger *merger
	added  *splitter
}

// qwenPattern is what its files cut words by. Another one is refused.
const qwenPattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`

// OpenQwen opens the tokenizer.json of a Qwen model. A file of another tokenizer is an error.
func OpenQwen(path string) (*qwen, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	if !jsonfast.Valid(text) {
		return nil, invalid(path, "it is not JSON, or it is cut off; fetch it again")
	}
	file := gjson.Parse(text)
	pattern := file.Get("pre_tokenizer.pretokenizers.0.pattern.Regex").String()
	switch model := file.Get("model"); {
	case model.Get("type").String() != "BPE" || pattern != qwenPattern:
		return nil, invalid(path, "it is no tokenizer of Qwen2 or later: its model is %q and its pattern %.60q", model.Get("type").String(), pattern)
	case file.Get("normalizer.type").String() != "NFC":
		return nil, invalid(path, "its normalizer is %q, not NFC", file.Get("normalizer.type").String())
	}
	pieces := vocabulary{}
	file.Get("model.vocab").ForEach(func(piece, id gjson.Result) bool {
		pieces[piece.String()] = int32(id.Int())
		return true
	})
	pairs, err := qwenMerges(path, file.Get("model.merges"))
	if err != nil {
		return nil, err
	}
	var tokens []added
	file.Get("added_tokens").ForEach(func(_, token gjson.Result) bool {
		tokens = append(tokens, added{content: token.Get("content").String(), id: int32(token.Get("id").Int())})
		return true
	})
	return &qwen{merger: newMerger(pieces, none, pairs), added: newSplitter(tokens)}, nil
}

// qwenMerges reads merges, which are texts with a blank between two pieces, or lists of two.
func qwenMerges(path string, list gjson.Result) (pairs [][2]string, err error) {
	list.ForEach(func(_, merge gjson.Result) bool {
		parts := merge.Array()
		left, right, ok := strings.Cut(merge.String(), " ")
		if merge.IsArray() && len(parts) == 2 {
			left, right, ok = parts[0].String(), parts[1].String(), true
		}
		if !ok {
			err = invalid(path, "merge %d is %q; want two pieces", len(pairs)+1, merge.Raw)
			return false
		}
		pairs = append(pairs, [2]string{left, right})
		return true
	})
	if err == nil && len(pairs) == 0 {
		err = invalid(path, "it has no merges")
	}
	return pairs, err
}

// Encode returns the ids of a text, without any that stand around it.
func (q *qwen) Encode(text string) (ids []int32) {
	var c chain
	text = repaired(text)
	for text != "" {
		token, at := q.added.next(text, 0)
		for rest := []byte(norm.NFC.String(text[:at])); len(rest) > 0; {
			n := qwenWord(rest)
			ids = q.merger.append(ids, rest[:n], &c)
			rest = rest[n:]
		}
		if token.content != "" {
			ids = append(ids, token.id)
		}
		text = text[at+len(token.content):]
	}
	return ids
}

// qwenWord is the length of the word that text starts with, by qwenPattern.
func qwenWord(text []byte) int {
	if n := anyContraction(text); n > 0 {
		return n
	}
	kind, n := kindOf(text)
	if kind == letter {
		return span(text, letter)
	}
	if kind == number {
		return n
	}
	newline := text[0] == '\n' || text[0] == '\r'
	if next, _ := kindOf(text[n:]); n < len(text) && !newline && next == letter {
		return n + span(text[n:], letter)
	}
	start := 0
	if text[0] == ' ' {
		start = 1
	}
	if marks := span(text[start:], other); marks > 0 {
		return start + marks + lineEnd(text[start+marks:])
	}
	return qwenSpace(text)
}

// qwenSpace is the length of the white space that text starts with: up to its last line end, else all but the last character, which
// the next word may want.
func qwenSpace(text []byte) int {
	n := span(text, white)
	for i := n; i > 0; i-- {
		if text[i-1] == '\n' || text[i-1] == '\r' {
			return i
		}
	}
	if _, last := utf8.DecodeLastRune(text[:n]); n < len(text) && last < n {
		return n - last
	}
	return n
}

// lineEnd is how many characters of line ends text starts with.
func lineEnd(text []byte) (n int) {
	for n < len(text) && (text[n] == '\n' || text[n] == '\r') {
		n++
	}
	return n
}

// anyContraction is contraction in any case. The long s, which is an s to the pattern, is one too.
func anyContraction(text []byte) int {
	if text[0] != '\'' {
		return 0
	}
	for _, ending := range [...]string{"s", "t", "re", "ve", "m", "ll", "d"} {
		if len(text) > len(ending) && strings.EqualFold(string(text[1:1+len(ending)]), ending) {
			return 1 + len(ending)
		}
	}
	if strings.HasPrefix(string(text[1:]), "ſ") {
		return 1 + len("ſ")
	}
	return 0
}
