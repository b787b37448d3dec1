package tokenizer

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// A charsmap is SentencePiece's table of replacements, as its model files and
// tokenizer.json hold it: a double array (Darts) and the texts it points into,
// each ended by a zero byte.
type charsmap struct {
	units []uint32
	texts []byte
	ascii [utf8.RuneSelf]replacement // what stands for one ASCII character
}

// A replacement is a text, and whether there is one: it may be empty.
type replacement struct {
	text []byte
	ok   bool
}

// decodeCharsmap reads the base64 text of precompiled_charsmap.
func decodeCharsmap(text string) (*charsmap, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("it is not base64")
	}
	if len(data) < 4 {
		return nil, errors.New("it is too short")
	}
	size := uint64(binary.LittleEndian.Uint32(data))
	data = data[4:]
	if size == 0 || size%4 != 0 || size > uint64(len(data)) {
		return nil, errors.New("its table is cut off")
	}
	c := &charsmap{units: make([]uint32, size/4), texts: data[size:]}
	if !utf8.Valid(c.texts) {
		return nil, errors.New("its texts are not UTF-8")
	}
	for i := range c.units {
		c.units[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	for b := range c.ascii {
		c.ascii[b] = c.lookup([]byte{byte(b)})
	}
	return c, nil
}

// lookup returns what stands for the shortest beginning of key that has a
// replacement. SentencePiece takes the longest; huggingface/tokenizers does not.
func (c *charsmap) lookup(key []byte) replacement {
	offset := func(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
	at := offset(c.units[0])
	for _, b := range key {
		at ^= uint32(b)
		if b == 0 || int(at) >= len(c.units) {
			break
		}
		unit := c.units[at]
		if unit&(1<<31|0xff) != uint32(b) {
			break
		}
		if at ^= offset(unit); unit>>8&1 == 1 && int(at) < len(c.units) {
			return c.text(c.units[at] &^ (1 << 31))
		}
	}
	return replacement{}
}

// text is the text that starts at an index.
func (c *charsmap) text(at uint32) replacement {
	if uint64(at) > uint64(len(c.texts)) {
		return replacement{}
	}
	text := c.texts[at:]
	if end := bytes.IndexByte(text, 0); end >= 0 {
		text = text[:end]
	}
	return replacement{text, true}
}

// append appends src with its replacements. A grapheme cluster of less than six
// bytes is looked up as a whole, and then replaced as a whole even where only its
// beginning was found; the characters of others, and of those not found, are
// looked up one by one.
func (c *charsmap) append(dst, src []byte) []byte {
	const whole = 6
	for len(src) > 0 {
		n := clusterLen(src)
		if n == 1 {
			dst = c.appendOne(dst, src[:1])
		} else if found := c.wholly(src[:n], whole); found.ok {
			dst = append(dst, found.text...)
		} else {
			dst = c.appendEach(dst, src[:n])
		}
		src = src[n:]
	}
	return dst
}

func (c *charsmap) wholly(cluster []byte, limit int) replacement {
	if len(cluster) >= limit {
		return replacement{}
	}
	return c.lookup(cluster)
}

func (c *charsmap) appendEach(dst, cluster []byte) []byte {
	for len(cluster) > 0 {
		_, n := utf8.DecodeRune(cluster)
		dst = c.appendOne(dst, cluster[:n])
		cluster = cluster[n:]
	}
	return dst
}

func (c *charsmap) appendOne(dst, char []byte) []byte {
	var found replacement
	if len(char) == 1 && char[0] < utf8.RuneSelf {
		found = c.ascii[char[0]]
	} else {
		found = c.lookup(char)
	}
	if found.ok {
		return append(dst, found.text...)
	}
	return append(dst, char...)
}

// clusterLen is the length in bytes of the extended grapheme cluster that text
// starts with (UAX 29).
func clusterLen(text []byte) int {
	r, n := utf8.DecodeRune(text)
	if n == len(text) {
		return n
	}
	if standsAlone(r) {
		if next, _ := utf8.DecodeRune(text[n:]); standsAlone(next) && !(r == '\r' && next == '\n') {
			return n
		}
	}
	cluster, _, _, _ := uniseg.FirstGraphemeCluster(text, -1)
	return len(cluster)
}

// standsAlone reports whether two such characters are two clusters, except
// for a line end. It is for speed and knows the commonest: none of them joins, combines,
// comes before its base, or is a part of Hangul, of a flag or of an Indic
// conjunct.
func standsAlone(r rune) bool {
	switch {
	case r < 0x300: // Latin
		return true
	case 0x3041 <= r && r <= 0x3096, 0x30A0 <= r && r <= 0x30FF, 0x4E00 <= r && r <= 0x9FFF: // Kana, Han
		return true
	}
	return 0x400 <= r && r <= 0x482 || 0x48A <= r && r <= 0x52F || // Cyrillic
		0x2010 <= r && r <= 0x2027 || 0x3000 <= r && r <= 0x3020 || 0xFF01 <= r && r <= 0xFF60 // punctuation
}
