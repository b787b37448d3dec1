package tokenizer

import "unicode/utf8"

// normalizers reads a normalizer; a Sequence is several.
func (n node) normalizers() []normalizer {
	switch kind := n.kind(); kind {
	case "Sequence":
		return sequence(n.record("type", "normalizers").at("normalizers"), node.normalizers)
	case "Precompiled":
		table := n.record("type", "precompiled_charsmap").at("precompiled_charsmap")
		c, err := decodeCharsmap(table.text())
		if err != nil {
			table.refuse("%v", err)
			return nil
		}
		return []normalizer{c.append}
	case "Strip":
		r := n.record("type", "strip_left", "strip_right")
		if r.at("strip_left").flag() {
			n.blur()
		}
		return []normalizer{stripper(r.at("strip_left").flag(), r.at("strip_right").flag())}
	case "Replace":
		return n.replace()
	case "Prepend":
		n.blur()
		return []normalizer{prepender(n.record("type", "prepend").at("prepend").text())}
	default:
		n.record("type")
		if kind == "Nmt" {
			n.blur()
		}
		if plain, ok := plainNormalizers[kind]; ok {
			return []normalizer{plain}
		}
		n.child("type", n.value.Get("type")).refuseValue("a normalizer that is known here: Sequence, Precompiled, Strip, Replace, Prepend, Lowercase, Nmt, NFC, NFD, NFKC or NFKD")
	}
	return nil
}

// plainNormalizers have nothing to set.
var plainNormalizers = map[string]normalizer{
	"Lowercase": lower,
	"Nmt":       nmt,
	"NFC":       canonical.append,
	"NFD":       canonicalApart.append,
	"NFKC":      compatible.append,
	"NFKD":      compatibleApart.append,
}

func (n node) replace() []normalizer {
	n.blur()
	r := n.record("type", "pattern", "content")
	with := r.at("content").text()
	pattern := r.at("pattern").record("String", "Regex")
	if pattern.has("Regex") {
		pattern.at("Regex").oneOf(manySpaces)
		return []normalizer{spacesReplacer(with)}
	}
	old := pattern.at("String")
	if old.text() == "" {
		old.refuseValue("a text that is not empty")
		return nil
	}
	return []normalizer{replacer(old.text(), with)}
}

// preTokenizers reads a pre-tokenizer; a Sequence is several.
func (n node) preTokenizers() []preTokenizer {
	switch n.kind() {
	case "Sequence":
		return sequence(n.record("type", "pretokenizers").at("pretokenizers"), node.preTokenizers)
	case "WhitespaceSplit":
		n.record("type")
		n.blur()
		return []preTokenizer{splitSpace}
	case "Metaspace":
		return n.metaspace()
	}
	n.child("type", n.value.Get("type")).refuseValue("a pre-tokenizer that is known here: Sequence, WhitespaceSplit or Metaspace")
	return nil
}

// metaspace reads Metaspace, also as older files have it: with add_prefix_space
// and str_rep, without prepend_scheme and split.
func (n node) metaspace() []preTokenizer {
	r := n.record("type", "replacement", "prepend_scheme", "split", "add_prefix_space", "str_rep")
	mark := r.at("replacement").text()
	if utf8.RuneCountInString(mark) != 1 {
		r.at("replacement").refuseValue("one character")
	}
	if r.has("str_rep") {
		r.at("str_rep").oneOf(mark)
	}
	prepend, split := always, true
	if r.has("split") {
		split = r.at("split").flag()
	}
	if r.has("prepend_scheme") {
		prepend = r.at("prepend_scheme").oneOf(always, first, never)
	}
	if r.has("add_prefix_space") && !r.at("add_prefix_space").flag() {
		if r.has("prepend_scheme") {
			r.at("prepend_scheme").oneOf(never)
		}
		prepend = never
	}
	if prepend == first {
		n.doc.first = true
		if n.doc.blurs != "" {
			r.at("prepend_scheme").refuse("it is %q behind %s; that is not known here, for in the original it depends on where in the text a word came from", first, n.doc.blurs)
		}
	}
	n.blur()
	return []preTokenizer{metaspace(mark, prepend, split)}
}

// blur notes that behind this step it is not known any more what starts where the
// text does.
func (n node) blur() {
	if n.doc.blurs == "" {
		n.doc.blurs = n.path
	}
}

// kind is the type of a normalizer or pre-tokenizer.
func (n node) kind() string {
	if !n.value.IsObject() {
		n.refuseValue("an object")
		return ""
	}
	return n.child("type", n.value.Get("type")).text()
}

// sequence reads a list of steps.
func sequence[T any](list node, read func(node) []T) (steps []T) {
	list.eachItem(func(_ int, item node) { steps = append(steps, read(item)...) })
	return steps
}
