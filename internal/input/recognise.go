package input

import (
	"bytes"
	"os"
	"strings"
	"unicode/utf8"

	"omniscope"
	"omniscope/internal/ondisk"
)

// A form is a kind of file that is no input here, by how it begins.
type form struct {
	at     int
	starts string
	what   string
	advice string
	text   bool // it is text as well
}

var forms = []form{
	{0, parquetMagic, "a Parquet file", "write it as JSON Lines, such as with pandas: df.to_json(path, orient=\"records\", lines=True)", false},
	{0, "ARROW1", "an Arrow file", "write it as JSON Lines", false},
	{0, "PK\x03\x04", "a ZIP archive", "unpack it and name the file in it", false},
	{0, "SQLite format 3\x00", "an SQLite database", "name a text file", false},
	{0, "\xfd7zXZ\x00", "an XZ file", "unpack it with `xz -d`", false},
	{0, "\x28\xb5\x2f\xfd", "a Zstandard file", "unpack it with `zstd -d`", false},
	{0, "7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it and name the file in it", false},
	{0, "Rar!\x1a\x07", "a RAR archive", "unpack it and name the file in it", false},
	{257, "ustar", "a tar archive", "unpack it and name the file in it", false},
	{4, "ftyp", "an MP4 or QuickTime file", "name a text file", false},
	{0, "\x1aE\xdf\xa3", "a Matroska or WebM file", "name a text file", false},
	{0, "RIFF", "a RIFF file, such as WAV or AVI", "name a text file", false},
	{0, "OggS", "an Ogg file", "name a text file", false},
	{0, "fLaC", "a FLAC file", "name a text file", false},
	{0, "ID3", "an MP3 file", "name a text file", false},
	{0, "\x89PNG", "a PNG picture", "name a text file", false},
	{0, "\xff\xd8\xff", "a JPEG picture", "name a text file", false},
	{0, "GIF8", "a GIF picture", "name a text file", false},
	{0, "%PDF-", "a PDF document", "name a text file", true},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document, such as .xls", "save it as CSV", false},
	{0, "\x93NUMPY", "a NumPy array", "write it as JSON Lines", false},
	{0, "\x89HDF\r\n", "an HDF5 file", "write it as JSON Lines", false},
	{0, "\x7fELF", "a program", "name a text file", false},
	{0, "\xff\xfe\x00\x00", "text in UTF-32", "save it as UTF-8", false},
	{0, "\x00\x00\xfe\xff", "text in UTF-32", "save it as UTF-8", false},
	{0, "version https://git-lfs.github.com", "a Git LFS pointer and not the file itself", "get that with `git lfs pull`", true},
}

// recognise returns an error where a file is plainly of another kind than what
// it was opened for.
func (f *File) recognise(head []byte) error {
	if f.want == XML || f.want == zipFile {
		return nil // XML's parser refuses in words that are part of what it reproduces, OpenArchive in its own
	}
	if f.wantsRows() && isParquet(head) {
		if packing(f.head) != "" {
			return omniscope.Invalidf("%s is a packed Parquet file: unpack it once, as Parquet packs its columns itself", f.Path)
		}
		return nil
	}
	what, advice := formOf(head)
	if what == "" && f.want == Rows {
		what, advice = notRows(head)
	}
	if what == "" {
		return nil
	}
	return omniscope.Invalidf("%s is %s: %s", f.Path, what, advice)
}

// parquetMagic is how a Parquet file begins and ends.
const parquetMagic = "PAR1"

// IsParquet reports whether the file is Parquet and was opened for its rows.
func (f *File) IsParquet() bool { return f.wantsRows() && isParquet(f.head) }

func (f *File) wantsRows() bool { return f.want == Rows || f.want == HeldRows }

// IsParquet reports whether a path names a regular file that begins as Parquet does.
func IsParquet(path string) bool {
	if !ondisk.IsFile(path) {
		return false // opening it says what is wrong
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := headOf(f)
	return err == nil && isParquet(head)
}

// isParquet reports whether a file begins as a Parquet file does, and is no text.
func isParquet(head []byte) bool {
	return bytes.HasPrefix(head, []byte(parquetMagic)) && !isText(head)
}

func isText(head []byte) bool {
	return bytes.IndexByte(head, 0) < 0 && utf8.Valid(head[:max(0, len(head)-utf8.UTFMax)])
}

func formOf(head []byte) (what, advice string) {
	text := isText(head)
	for _, k := range forms {
		if text && !k.text {
			continue // a text may begin with the same letters
		}
		if len(head) >= k.at && bytes.HasPrefix(head[k.at:], []byte(k.starts)) {
			if k.starts == "PK\x03\x04" && isWorkbook(head) {
				return "an Excel workbook", "save it as CSV or JSON Lines"
			}
			return k.what, k.advice
		}
	}
	if isBinary(head) {
		return "no text but binary data", "name a text file"
	}
	return "", ""
}

func isWorkbook(head []byte) bool {
	return bytes.Contains(head, []byte("xl/")) || bytes.Contains(head, []byte("[Content_Types].xml"))
}

// notRows knows texts that are neither JSON nor a table.
func notRows(head []byte) (what, advice string) {
	start := strings.ToLower(string(bytes.TrimSpace(bytes.TrimPrefix(head, byteOrderMark))))
	for _, mark := range []string{"<!doctype html", "<html"} {
		if strings.HasPrefix(start, mark) {
			return "an HTML page", "a download may have brought an error page or a login instead of the file: get it again"
		}
	}
	switch {
	case strings.HasPrefix(start, "<"):
		return "XML or HTML", "give JSON Lines, a JSON list or a table"
	case firstLine(start) == "{":
		return "JSON with rows of several lines", "write each row on one line, such as with `jq -c .`, or all as one list"
	case len(head) > 3 && (head[0] == 0 && head[1] != 0 || head[1] == 0 && head[0] != 0 && head[3] == 0):
		return "UTF-16 without a byte order mark", "save it as UTF-8"
	}
	return "", ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

// isBinary reports whether so many of the bytes are control characters that this
// is no text: of noise one in nine is. NUL may stand in texts.
func isBinary(head []byte) bool {
	if packing(head) != "" || wideOrder(head) != nil || len(head) < 64 {
		return false
	}
	control := 0
	for _, b := range head {
		if b < ' ' && b != 0 && (b < '\t' || b > '\r') && b != 0x1b {
			control++
		}
	}
	return control*25 > len(head)
}
