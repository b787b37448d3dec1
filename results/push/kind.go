package push

import (
	"bytes"
	"net/http"
	"strings"
	"unicode/utf8"
)

const (
	parquetKind = "a Parquet table"
	packedKind  = "packed: unpack it, as what is in it cannot be checked"
)

// magics are beginnings of files that package net/http does not know.
var magics = []struct {
	at   int
	text string
	kind string
}{
	{0, "PAR1", parquetKind},
	{0, "SQLite format 3\x00", "a database, such as a journal of calls"},
	{0, "\x37\x7f\x06\x82", "a part of a database"}, // the write-ahead log of SQLite, and its other byte order
	{0, "\x37\x7f\x06\x83", "a part of a database"},
	{0, "fLaC", "sound"},
	{0, "\x1aE\xdf\xa3", "a film"},
	{0, "FLV\x01", "a film"},
	{0, "#!AMR", "sound"},
	{0, "caff\x00", "sound"},
	{0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", "a film"},
	{0, "\x00\x00\x01\xba", "a film"},
	{0, "\x00\x00\x01\xb3", "a film"},
	{4, "ftyp", "a film, sound or picture"},
	{4, "moov", "a film"},
	{0, "\x28\xb5\x2f\xfd", packedKind},
	{0, "BZh", packedKind},
	{0, "\xfd7zXZ\x00", packedKind},
	{0, "7z\xbc\xaf\x27\x1c", packedKind},
	{257, "ustar", packedKind},
	{0, "ARROW1", "an Arrow table: write it as Parquet"},
	{0, "%PDF-", "a PDF page: what is in it cannot be checked"},
}

// sniffed are kinds by the beginning of the type that package net/http detects.
var sniffed = []struct{ prefix, kind string }{
	{"audio/", "sound"}, {"video/", "a film"}, {"image/", "a picture"}, {"application/ogg", "sound or a film"},
	{"application/x-gzip", packedKind}, {"application/zip", packedKind}, {"application/x-rar", packedKind},
}

// kindOf says what a file is by its first bytes; "" = it may be a text.
func kindOf(head []byte) string {
	for _, m := range magics {
		if bytes.HasPrefix(head[min(m.at, len(head)):], []byte(m.text)) {
			return m.kind
		}
	}
	zero := bytes.IndexByte(head, 0) >= 0
	if !zero && utf8.Valid(head) {
		return "" // a text may start with "BM" or "ID3"
	}
	detected := http.DetectContentType(head)
	for _, s := range sniffed {
		if strings.HasPrefix(detected, s.prefix) {
			return s.kind
		}
	}
	switch {
	case zero && isFrame(head):
		return "sound"
	case zero && len(head) > 376 && head[0] == 'G' && head[188] == 'G' && head[376] == 'G':
		return "a film" // MPEG transport stream
	}
	return ""
}

// isFrame reports whether a frame of MPEG audio, without a tag, is at the beginning.
func isFrame(head []byte) bool {
	return len(head) > 1 && head[0] == 0xff && head[1]&0xe0 == 0xe0 && head[1] != 0xff && head[1] != 0xfe
}
