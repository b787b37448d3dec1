package web

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"omniscope/internal/sha256hex"
)

// mostOfFile is how much of a file one answer holds where the browser asks for all from some
// byte on: half a second to four seconds of film.
const mostOfFile = 512 << 10

// SendFile sends a file, in parts where the player asks for parts. The media type is set by the
// caller. The entity tag, unless the caller set one, is another one for another file, so that a
// browser which asks again under the same address never keeps a file that was replaced, or one of
// another server that was at this port.
//
// A player that seeks asks for all from there on, and reads until it has enough. Then it can
// only cut the connection, and the next seek needs a new one. It gets a part of what it asked
// for, which HTTP allows (RFC 9110, section 15.3.7), and asks for the next over the same
// connection: seeks take half the time.
func SendFile(w http.ResponseWriter, r *http.Request, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if w.Header().Get("ETag") == "" {
		w.Header().Set("ETag", Tag(path, info))
	}
	if from, ok := openEnded(r.Header.Get("Range")); ok && from < info.Size() {
		r = r.Clone(r.Context())
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, min(from+mostOfFile, info.Size())-1))
	}
	http.ServeContent(w, r, "", info.ModTime(), f)
	return nil
}

// Tag is an entity tag of a file, by its path, size and time.
func Tag(path string, info os.FileInfo) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	return `"` + sha256hex.Of(fmt.Sprintf("%s\n%d\n%d", path, info.Size(), info.ModTime().UnixNano()))[:32] + `"`
}

// openEnded reads a range that names its first byte alone, such as "bytes=100-".
func openEnded(ranges string) (from int64, ok bool) {
	text, ok := strings.CutPrefix(ranges, "bytes=")
	if !ok {
		return 0, false
	}
	if text, ok = strings.CutSuffix(text, "-"); !ok {
		return 0, false
	}
	from, err := strconv.ParseInt(text, 10, 64)
	return from, err == nil && from >= 0
}
