package tokenizer

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// A scored is a piece and its score.
type scored struct {
	piece string
	score float64
}

// specials are the pieces that every Unigram file of these tests starts with:
// ids 0 to 3.
var specials = []scored{{"<s>", 0}, {"<pad>", 0}, {"</s>", 0}, {"<unk>", 0}}

// unigramFile is a tokenizer.json with the specials, these pieces behind them
// (ids 4 and on) and <mask> last. change, if any, changes it.
func unigramFile(pieces []scored, change func(file map[string]any)) map[string]any {
	vocab := []any{}
	for _, p := range append(specials[:4:4], append(pieces[:len(pieces):len(pieces)], scored{"<mask>", 0})...) {
		vocab = append(vocab, []any{p.piece, p.score})
	}
	token := func(content string, id int, left bool) any {
		return map[string]any{"id": id, "content": content, "single_word": false, "lstrip": left, "rstrip": false, "normalized": false, "special": true}
	}
	special := func(name string) any {
		return map[string]any{"SpecialToken": map[string]any{"id": name, "type_id": 0}}
	}
	file := map[string]any{
		"version": "1.0", "truncation": nil, "padding": nil, "normalizer": nil, "decoder": nil,
		"added_tokens": []any{token("<s>", 0, false), token("<pad>", 1, false), token("</s>", 2, false), token("<unk>", 3, false), token("<mask>", len(vocab)-1, true)},
		"pre_tokenizer": map[string]any{"type": "Sequence", "pretokenizers": []any{
			map[string]any{"type": "WhitespaceSplit"},
			map[string]any{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
		}},
		"post_processor": map[string]any{
			"type":   "TemplateProcessing",
			"single": []any{special("<s>"), map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0}}, special("</s>")},
			"pair":   []any{},
			"special_tokens": map[string]any{
				"<s>":  map[string]any{"id": "<s>", "ids": []int{0}, "tokens": []string{"<s>"}},
				"</s>": map[string]any{"id": "</s>", "ids": []int{2}, "tokens": []string{"</s>"}},
			},
		},
		"model": map[string]any{"type": "Unigram", "unk_id": 3, "vocab": vocab, "byte_fallback": false},
	}
	if change != nil {
		change(file)
	}
	return file
}

func writtenJSON(t testing.TB, value any) string {
	t.Helper()
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	fixture.OK(t, enc.Encode(value))
	return fixture.File(t, "tokenizer.json", text.String())
}

// unigramOf opens a tokenizer.json of these pieces.
func unigramOf(t testing.TB, pieces []scored, change func(map[string]any)) Tokenizer {
	t.Helper()
	return opened(t)(OpenJSON(writtenJSON(t, unigramFile(pieces, change))))
}

// charsmapOf is a precompiled_charsmap: a double array in which every node has
// 256 units to itself.
func charsmapOf(replacements map[string]string) string {
	type node struct {
		next map[byte]*node
		text *string
	}
	root := &node{next: map[byte]*node{}}
	for key, text := range replacements {
		n := root
		for _, b := range []byte(key) {
			if n.next[b] == nil {
				n.next[b] = &node{next: map[byte]*node{}}
			}
			n = n.next[b]
		}
		n.text = &text
	}
	units, texts := make([]uint32, 256), []byte{}
	var place func(n *node, at int)
	place = func(n *node, at int) {
		base := len(units)
		units = append(units, make([]uint32, 256)...)
		units[at] |= uint32(at^base) << 10
		if n.text != nil {
			units[at] |= 1 << 8
			units[base] = uint32(len(texts)) | 1<<31
			texts = append(append(texts, *n.text...), 0)
		}
		for b, child := range n.next {
			units[base^int(b)] = uint32(b)
			place(child, base^int(b))
		}
	}
	place(root, 0)
	data := binary.LittleEndian.AppendUint32(nil, uint32(4*len(units)))
	for _, u := range units {
		data = binary.LittleEndian.AppendUint32(data, u)
	}
	return base64.StdEncoding.EncodeToString(append(data, texts...))
}
