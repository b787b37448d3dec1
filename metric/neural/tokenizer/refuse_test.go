package tokenizer

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

type object = map[string]any

func TestUnknownTokenizerSettings(t *testing.T) {
	model := func(file object) object { return file["model"].(object) }
	set := func(key string, value any) func(object) { return func(file object) { file[key] = value } }
	added := func(key string, value any) func(object) {
		return func(file object) { file["added_tokens"].([]any)[4].(object)[key] = value }
	}
	normalizer := func(step any) func(object) { return set("normalizer", step) }
	for name, c := range map[string]struct {
		change func(object)
		says   []string
	}{
		"a key":                      {set("extra", 1), []string{"extra: it is 1; want no such key"}},
		"a version":                  {set("version", "2.0"), []string{`version: it is "2.0"; want "1.0"`}},
		"cutting on the left":        {set("truncation", object{"direction": "Left", "max_length": 5, "strategy": "LongestFirst", "stride": 0}), []string{`truncation.direction: it is "Left"; want "Right"`}},
		"another model":              {func(f object) { model(f)["type"] = "BPE" }, []string{`model.type: it is "BPE"; want "Unigram"`}},
		"a key of the model":         {func(f object) { model(f)["alpha"] = 0.5 }, []string{"model.alpha: it is 0.5"}},
		"bytes for the unknown":      {func(f object) { model(f)["byte_fallback"] = true }, []string{"model.byte_fallback: it is true; want false"}},
		"no unknown piece":           {func(f object) { model(f)["unk_id"] = nil }, []string{"model.unk_id: it is null"}},
		"an unknown piece too far":   {func(f object) { model(f)["unk_id"] = 5 }, []string{"model.unk_id: it is 5; want the id of one of the 5 pieces"}},
		"no pieces":                  {func(f object) { model(f)["vocab"] = []any{} }, []string{"model.unk_id: it is 3"}},
		"pieces of another kind":     {func(f object) { model(f)["vocab"] = object{"a": 1} }, []string{`model.vocab: it is {"a":1}; want a list`}},
		"a piece without score":      {func(f object) { model(f)["vocab"].([]any)[1] = []any{"a"} }, []string{`model.vocab[1]: it is ["a"]; want a piece and its score`}},
		"a piece with more":          {func(f object) { model(f)["vocab"].([]any)[1] = []any{"a", 1, 2} }, []string{`model.vocab[1]: it is ["a",1,2]`}},
		"a piece that is none":       {func(f object) { model(f)["vocab"].([]any)[1] = "a" }, []string{`model.vocab[1]: it is "a"`}},
		"a score that is a text":     {func(f object) { model(f)["vocab"].([]any)[1] = []any{"a", "b"} }, []string{`model.vocab[1]: it is ["a","b"]`}},
		"a score out of range":       {func(f object) { model(f)["vocab"].([]any)[1] = []any{"a", json.Number("1e999")} }, []string{`model.vocab[1]: it is ["a",1e999]`}},
		"no special piece":           {func(f object) { model(f)["vocab"].([]any)[1] = []any{"a", 0}; f["added_tokens"] = nil }, []string{"model.vocab: it has no <pad>"}},
		"no model":                   {set("model", nil), []string{"model: it is null; want an object"}},
		"an id of another piece":     {added("id", 7), []string{`added_tokens[4].id: it is 7; want 4, the id of "<mask>"`}},
		"an id that has no row":      {func(f object) { added("content", "<more>")(f); added("id", 9)(f) }, []string{`added_tokens[4].id: it is 9; want 5, the id of "<more>"`}},
		"a negative id":              {added("id", -1), []string{"added_tokens[4].id: it is -1; want the id of a token"}},
		"a flag that is none":        {added("lstrip", "yes"), []string{`added_tokens[4].lstrip: it is "yes"; want true or false`}},
		"an empty token":             {added("content", ""), []string{`added_tokens[4].content: it is ""`}},
		"a key of a token":           {added("color", "red"), []string{`added_tokens[4].color: it is "red"`}},
		"a normalizer":               {normalizer(object{"type": "BertNormalizer"}), []string{`normalizer.type: it is "BertNormalizer"; want a normalizer that is known here`}},
		"a normalizer in a list":     {normalizer(object{"type": "Sequence", "normalizers": []any{object{"type": "NFC"}, object{"type": "StripAccents"}}}), []string{`normalizer.normalizers[1].type: it is "StripAccents"`}},
		"a normalizer without type":  {normalizer(object{}), []string{"normalizer.type: it is missing; want a text"}},
		"a normalizer that is none":  {normalizer("NFC"), []string{`normalizer: it is "NFC"; want an object`}},
		"a setting of a normalizer":  {normalizer(object{"type": "NFC", "strict": true}), []string{"normalizer.strict: it is true"}},
		"a pattern":                  {normalizer(object{"type": "Replace", "pattern": object{"Regex": `\s+`}, "content": ""}), []string{`normalizer.pattern.Regex: it is "\\s+"; want " {2,}"`}},
		"an empty pattern":           {normalizer(object{"type": "Replace", "pattern": object{"String": ""}, "content": "a"}), []string{`normalizer.pattern.String: it is ""`}},
		"no pattern":                 {normalizer(object{"type": "Replace", "pattern": object{}, "content": "a"}), []string{"normalizer.pattern.String: it is missing"}},
		"a table that is no base64":  {normalizer(object{"type": "Precompiled", "precompiled_charsmap": "?"}), []string{"normalizer.precompiled_charsmap: it is not base64"}},
		"a table that is too short":  {normalizer(object{"type": "Precompiled", "precompiled_charsmap": "AAA="}), []string{"it is too short"}},
		"a table that is cut off":    {normalizer(object{"type": "Precompiled", "precompiled_charsmap": "CAAAAAAAAAA="}), []string{"its table is cut off"}},
		"a table without text":       {normalizer(object{"type": "Precompiled", "precompiled_charsmap": "BAAAAAAAAAD/"}), []string{"its texts are not UTF-8"}},
		"a pre-tokenizer":            {set("pre_tokenizer", object{"type": "ByteLevel"}), []string{`pre_tokenizer.type: it is "ByteLevel"; want a pre-tokenizer that is known here`}},
		"a mark of two characters":   {set("pre_tokenizer", object{"type": "Metaspace", "replacement": "__"}), []string{`pre_tokenizer.replacement: it is "__"; want one character`}},
		"another str_rep":            {set("pre_tokenizer", object{"type": "Metaspace", "replacement": "▁", "str_rep": "_"}), []string{`pre_tokenizer.str_rep: it is "_"; want "▁"`}},
		"another scheme":             {set("pre_tokenizer", object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "last"}), []string{`pre_tokenizer.prepend_scheme: it is "last"; want "always", "first" or "never"`}},
		"two schemes":                {set("pre_tokenizer", object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "add_prefix_space": false}), []string{`pre_tokenizer.prepend_scheme: it is "always"; want "never"`}},
		"first, behind another step": {set("pre_tokenizer", object{"type": "Sequence", "pretokenizers": []any{object{"type": "WhitespaceSplit"}, object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"}}}), []string{`pre_tokenizer.pretokenizers[1].prepend_scheme: it is "first" behind pre_tokenizer.pretokenizers[0]`}},
		"first, and normalized tokens": {func(f object) {
			added("normalized", true)(f)
			f["pre_tokenizer"] = object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"}
		}, []string{`added_tokens[4].normalized: it is true; want false, beside a Metaspace with "first"`}},
		"no template":      {set("post_processor", nil), []string{"post_processor: it is null; want a TemplateProcessing"}},
		"another template": {set("post_processor", object{"type": "RobertaProcessing"}), []string{`post_processor.type: it is "RobertaProcessing"; want "TemplateProcessing"`}},
		"a template of the second": {func(f object) {
			f["post_processor"].(object)["single"].([]any)[1] = object{"Sequence": object{"id": "B", "type_id": 0}}
		}, []string{`post_processor.single[1].Sequence.id: it is "B"; want "A"`}},
		"a template without end": {func(f object) {
			f["post_processor"].(object)["single"] = f["post_processor"].(object)["single"].([]any)[:2]
		}, []string{"post_processor.single: want <s>, the text and </s>"}},
		"a template without meaning": {func(f object) { f["post_processor"].(object)["special_tokens"] = object{} }, []string{`post_processor.single[0].SpecialToken.id: it is "<s>"; want one of the special_tokens`}},
	} {
		t.Run(name, func(t *testing.T) {
			path := writtenJSON(t, unigramFile(nil, c.change))
			_, err := OpenJSON(path)
			fixture.WantError(t, err, omniscope.Invalid, append(c.says, path)...)
		})
	}
}

func TestNotTokenizerFiles(t *testing.T) {
	whole, err := json.Marshal(unigramFile(somePieces, nil))
	fixture.OK(t, err)
	for name, text := range map[string]string{
		"cut off":     string(whole[:len(whole)/2]),
		"empty":       "",
		"not UTF-8":   "{\"version\": \"\xff\"}",
		"a list":      "[]",
		"a key twice": `{"version": "1.0", "version": "1.0"}`,
		"deep":        strings.Repeat("[", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			path := fixture.File(t, "tokenizer.json", text)
			_, err := OpenJSON(path)
			fixture.WantError(t, err, omniscope.Invalid, path)
		})
	}
	_, err = OpenJSON(filepath.Join(t.TempDir(), "none.json"))
	fixture.WantError(t, err, omniscope.NotFound, "none.json")
}

func TestBrokenRoBERTaAndBERTFiles(t *testing.T) {
	const vocab = `{"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": 4}`
	for name, c := range map[string]struct{ vocab, merges, says string }{
		"no vocabulary":         {"{", "#version: 0.2\n", "it is not JSON, or it is cut off"},
		"a list":                {"[]", "#version: 0.2\n", "the file: it is []; want an object"},
		"an id that is none":    {`{"a": 1.5}`, "#version: 0.2\n", "a: it is 1.5; want the id of a token"},
		"an id that is far off": {`{"a": 4294967295}`, "#version: 0.2\n", "a: it is 4294967295"},
		"no mask":               {`{"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}`, "#version: 0.2\n", "it has no <mask>"},
		"no heading":            {vocab, "a b\n", `line 1 is "a b"; want a heading`},
		"three pieces":          {vocab, "#version: 0.2\na b\na b c\n", `line 3 is "a b c"; want two pieces`},
		"an empty line":         {vocab, "#version: 0.2\n\na b\n", `line 2 is ""; want two pieces`},
		"cut off":               {vocab, "#version: 0.2\na b\na", "line 3 has no end"},
		"cut off at once":       {vocab, "#version: 0.2", "line 1 has no end"},
		"nothing":               {vocab, "", `line 1 is ""`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := OpenGPT2(fixture.File(t, "vocab.json", c.vocab), fixture.File(t, "merges.txt", c.merges))
			fixture.WantError(t, err, omniscope.Invalid, c.says)
		})
	}
	_, err := OpenGPT2(filepath.Join(t.TempDir(), "vocab.json"), "")
	fixture.WantError(t, err, omniscope.NotFound, "vocab.json")
	_, err = OpenGPT2(fixture.File(t, "vocab.json", vocab), filepath.Join(t.TempDir(), "merges.txt"))
	fixture.WantError(t, err, omniscope.NotFound, "merges.txt")

	_, err = OpenWordPiece(fixture.File(t, "vocab.txt", "[PAD]\n[CLS]\n[SEP]\n[MASK]\na\n"))
	fixture.WantError(t, err, omniscope.Invalid, "it has no [UNK]")
	_, err = OpenWordPiece(fixture.File(t, "vocab.txt", "\xff"))
	fixture.WantError(t, err, omniscope.Invalid, "not UTF-8")
	_, err = OpenWordPiece(filepath.Join(t.TempDir(), "vocab.txt"))
	fixture.WantError(t, err, omniscope.NotFound, "vocab.txt")
}
