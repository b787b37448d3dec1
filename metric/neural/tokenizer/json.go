package tokenizer

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"omniscope/internal/jsonfast"
)

// OpenJSON opens the tokenizer.json of a Unigram model, such as XLM-R's, and
// follows it as huggingface/tokenizers does: its added tokens, its normalizers
// (Precompiled, Sequence, Strip, Replace, Prepend, Lowercase, Nmt, NFC, NFD,
// NFKC, NFKD), its pre-tokenizers (WhitespaceSplit, Metaspace, Sequence) and
// its TemplateProcessing. Anything else in the file is an error of kind Invalid
// that names the place and quotes the value. <s>, </s> and <pad> must be there.
//
// The decoder is of no use here and not looked at; padding and the length of
// texts are the caller's, as in transformers.
func OpenJSON(path string) (Tokenizer, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	if !jsonfast.Valid(text) {
		return nil, invalid(path, "it is not JSON, or it is cut off; fetch it again")
	}
	doc := &document{file: path}
	f := readFast(node{doc: doc, value: gjson.Parse(text)})
	if doc.err != nil {
		return nil, doc.err
	}
	return f, nil
}

func readFast(n node) *fast {
	file := n.record("version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder", "model")
	if file.has("version") {
		file.at("version").oneOf("1.0")
	}
	if file.has("truncation") {
		file.at("truncation").record("direction", "max_length", "strategy", "stride").onlyRight()
	}
	f := &fast{asWritten: newSplitter(nil), inNormal: newSplitter(nil)}
	f.model = file.at("model").unigram()
	names := names{f.model.pieces, vocabulary{}}
	if file.has("normalizer") {
		f.normalize = file.at("normalizer").normalizers()
	}
	if file.has("pre_tokenizer") {
		f.split = file.at("pre_tokenizer").preTokenizers()
	}
	if file.has("added_tokens") {
		f.readAdded(file.at("added_tokens"), names)
	}
	f.size = max(len(f.model.scores), names.added.size())
	f.special = file.special(names)
	f.frame = file.at("post_processor").template(f.special)
	return f
}

// onlyRight refuses to cut texts on the left.
func (r record) onlyRight() {
	if r.has("direction") {
		r.at("direction").oneOf("Right")
	}
}

// special looks up the special tokens by name.
func (r record) special(names names) specialTokens {
	ids := [3]int32{}
	for i, name := range []string{"<s>", "</s>", "<pad>"} {
		id, ok := names.id(name)
		if !ok {
			r.at("model").child("vocab", gjson.Result{}).refuse("it has no %s; take the file that belongs to the model", name)
		}
		ids[i] = id
	}
	return specialTokens{CLS: ids[0], SEP: ids[1], PAD: ids[2]}
}

// names finds the ids of pieces and of added tokens.
type names struct {
	pieces *trie
	added  vocabulary // those that are no pieces as well
}

func (n names) id(name string) (int32, bool) {
	if id := n.pieces.find([]byte(name)); id >= 0 {
		return id, true
	}
	id, ok := n.added[name]
	return id, ok
}

// unigram reads the model.
func (n node) unigram() *unigram {
	model := n.record("type", "unk_id", "vocab", "byte_fallback")
	if model.has("type") {
		model.at("type").oneOf("Unigram")
	}
	if model.has("byte_fallback") && model.at("byte_fallback").flag() {
		model.at("byte_fallback").refuseValue("false")
	}
	u := &unigram{pieces: newTrie(), unknown: model.at("unk_id").id()}
	lowest := 0.0
	vocab := model.at("vocab")
	vocab.eachItem(func(i int, item node) {
		name, score, ok := piece(item.value)
		if !ok {
			item.refuseValue("a piece and its score")
			return
		}
		if i > maxID || !u.pieces.add(name, int32(i)) {
			item.refuse("there are too many pieces")
			return
		}
		u.scores = append(u.scores, score)
		if i == 0 || score < lowest {
			lowest = score
		}
	})
	if int(u.unknown) >= len(u.scores) {
		model.at("unk_id").refuseValue("the id of one of the " + strconv.Itoa(len(u.scores)) + " pieces")
	}
	u.unknownScore = lowest - unknownPenalty
	return u
}

// piece reads ["piece", score].
func piece(v gjson.Result) (name string, score float64, ok bool) {
	if !v.IsArray() {
		return "", 0, false
	}
	i := 0
	v.ForEach(func(_, part gjson.Result) bool {
		switch {
		case i == 0 && part.Type == gjson.String:
			name = part.Str
		case i == 1 && part.Type == gjson.Number:
			score = serdeFloat(part.Raw)
			ok = !math.IsInf(score, 0)
		default:
			ok = false
			return false
		}
		i++
		return true
	})
	return name, score, ok
}

// readAdded reads the added tokens, and adds those that are no pieces to names.
func (f *fast) readAdded(list node, names names) {
	var written, normal []added
	list.eachItem(func(_ int, item node) {
		r := item.record("id", "content", "single_word", "lstrip", "rstrip", "normalized", "special")
		t := added{content: r.at("content").text(), id: r.at("id").id(), left: r.at("lstrip").flag(), right: r.at("rstrip").flag(), word: r.at("single_word").flag()}
		r.at("special").flag() // says how ids are turned into text
		if t.content == "" {
			r.at("content").refuseValue("a text that is not empty")
		}
		// The original numbers added tokens itself and only warns where the file
		// has other numbers.
		id, known := names.id(t.content)
		if !known {
			id = int32(max(len(f.model.scores), names.added.size()))
			names.added[t.content] = id
		}
		if t.id != id {
			r.at("id").refuseValue(fmt.Sprintf("%d, the id of %q", id, t.content))
		}
		if r.at("normalized").flag() && list.doc.first {
			r.at("normalized").refuseValue(`false, beside a Metaspace with "first"`)
		}
		if r.at("normalized").flag() {
			t.content = f.normalized(t.content)
			normal = append(normal, t)
		} else {
			written = append(written, t)
		}
	})
	f.asWritten, f.inNormal = newSplitter(written), newSplitter(normal)
}

func (f *fast) normalized(text string) string {
	for _, normalize := range f.normalize {
		if text != "" {
			text = string(normalize(nil, []byte(text)))
		}
	}
	return text
}

// template reads what stands around a single text, which must be <s> and </s>:
// nothing else is known to be right for the encoder.
func (n node) template(special specialTokens) frame {
	if n.value.Type == gjson.Null {
		n.refuseValue(`a TemplateProcessing with "<s>" and "</s>"`)
		return frame{}
	}
	r := n.record("type", "single", "pair", "special_tokens")
	r.at("type").oneOf("TemplateProcessing")
	known := map[string][]int32{}
	r.at("special_tokens").eachMember(func(key string, value node) {
		value.record("id", "ids", "tokens").at("ids").eachItem(func(_ int, item node) {
			known[key] = append(known[key], item.id())
		})
	})
	f, texts := frame{}, 0
	r.at("single").eachItem(func(_ int, item node) {
		part := item.record("SpecialToken", "Sequence")
		if part.has("Sequence") {
			part.at("Sequence").record("id", "type_id").at("id").oneOf("A")
			texts++
			return
		}
		name := part.at("SpecialToken").record("id", "type_id").at("id")
		ids, ok := known[name.text()]
		switch {
		case !ok:
			name.refuseValue("one of the special_tokens")
		case texts == 0:
			f.before = append(f.before, ids...)
		default:
			f.after = append(f.after, ids...)
		}
	})
	if texts != 1 || !slices.Equal(f.before, []int32{special.CLS}) || !slices.Equal(f.after, []int32{special.SEP}) {
		r.at("single").refuse("want <s>, the text and </s>, and their ids")
	}
	return f
}
