package mockllm

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
)

var (
	errMalformed = errors.New("malformed HTTP request")
	errTooLarge  = errors.New("request body too large")

	continueLine = []byte("HTTP/1.1 100 Continue\r\n\r\n")
)

// head is what a request's first lines say. It is used again for every
// request of a connection, so that reading one allocates nothing.
type head struct {
	method, path   []byte
	token          []byte // what follows "Authorization: Bearer "
	length         int64  // of the body in bytes, when not chunked
	chunked        bool
	close          bool // the connection ends after this request
	expectContinue bool // the client waits to be asked for the body
}

func (h *head) is(method, path string) bool {
	return string(h.method) == method && string(h.path) == path
}

// read reads a request line and the headers after it.
func (h *head) read(in *bufio.Reader) error {
	line, err := readLine(in)
	if err != nil {
		return err
	}
	method, rest, ok := bytes.Cut(line, []byte(" "))
	target, proto, ok2 := bytes.Cut(rest, []byte(" "))
	if !ok || !ok2 || !bytes.HasPrefix(proto, []byte("HTTP/1.")) {
		return fmt.Errorf("%w: no request line", errMalformed)
	}
	path, _, _ := bytes.Cut(target, []byte("?"))
	*h = head{
		method: append(h.method[:0], method...),
		path:   append(h.path[:0], path...),
		token:  h.token[:0],
		close:  string(proto) == "HTTP/1.0",
	}
	for {
		line, err := readLine(in)
		if err != nil || len(line) == 0 {
			return unexpected(err)
		}
		if err := h.field(line); err != nil {
			return err
		}
	}
}

// field takes in one header line.
func (h *head) field(line []byte) error {
	name, value, ok := bytes.Cut(line, []byte(":"))
	if !ok {
		return fmt.Errorf("%w: header without a colon", errMalformed)
	}
	value = bytes.TrimSpace(value)
	switch {
	case equalFold(name, "Content-Length"):
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("%w: Content-Length", errMalformed)
		}
		h.length = n
	case equalFold(name, "Transfer-Encoding"):
		h.chunked = equalFold(value, "chunked")
	case equalFold(name, "Connection"):
		h.close = h.close || equalFold(value, "close")
	case equalFold(name, "Expect"):
		h.expectContinue = equalFold(value, "100-continue")
	case equalFold(name, "Authorization"):
		if scheme, token, ok := bytes.Cut(value, []byte(" ")); ok && equalFold(scheme, "Bearer") {
			h.token = append(h.token, token...)
		}
	}
	return nil
}

// equalFold compares lengths first: most headers are of no interest, and most
// of those differ in length from the ones that are.
func equalFold(b []byte, s string) bool {
	return len(b) == len(s) && bytes.EqualFold(b, []byte(s))
}

// readLine returns the next line without its end. It is valid until the next
// read.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return nil, fmt.Errorf("%w: line too long", errMalformed)
	}
	if err != nil {
		return nil, err
	}
	return bytes.TrimRight(line, "\r\n"), nil
}

// unexpected marks the end of input as too early.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// readBody appends the request body to buf. Of a body over limit bytes the
// rest is read and thrown away, so that the client reads its error instead of
// failing to write, and the error is errTooLarge.
func (h *head) readBody(in *bufio.Reader, buf []byte, limit int64) ([]byte, error) {
	if h.chunked {
		return readChunks(in, buf, limit)
	}
	return readPart(in, buf, h.length, limit)
}

func readPart(in *bufio.Reader, buf []byte, n, limit int64) ([]byte, error) {
	if int64(len(buf))+n > limit {
		if _, err := io.CopyN(io.Discard, in, n); err != nil {
			return buf, unexpected(err)
		}
		return buf, errTooLarge
	}
	have := len(buf)
	buf = slices.Grow(buf, int(n))[:have+int(n)]
	_, err := io.ReadFull(in, buf[have:])
	return buf, unexpected(err)
}

func readChunks(in *bufio.Reader, buf []byte, limit int64) ([]byte, error) {
	var tooLarge error
	for {
		line, err := readLine(in)
		if err != nil {
			return buf, unexpected(err)
		}
		digits, _, _ := bytes.Cut(line, []byte(";"))
		n, err := strconv.ParseInt(string(bytes.TrimSpace(digits)), 16, 64)
		if err != nil || n < 0 {
			return buf, fmt.Errorf("%w: chunk size", errMalformed)
		}
		if n == 0 {
			return buf, errors.Join(skipTrailer(in), tooLarge)
		}
		buf, err = readPart(in, buf, n, limit)
		if errors.Is(err, errTooLarge) {
			tooLarge = err
		} else if err != nil {
			return buf, err
		}
		if _, err := readLine(in); err != nil { // the line end after a chunk
			return buf, unexpected(err)
		}
	}
}

func skipTrailer(in *bufio.Reader) error {
	for {
		line, err := readLine(in)
		if err != nil || len(line) == 0 {
			return unexpected(err)
		}
	}
}

// lengthDigits is the room left for the value of Content-Length. The head is
// written before the length of the body is known; spaces in front of a header
// value mean nothing.
const lengthDigits = 11

// appendResponse appends a whole response to b, and returns it with the
// number of bytes before its body.
func appendResponse(b []byte, r *Reply, n int, closing bool) (out []byte, headLen int) {
	start := len(b)
	now := time.Now()
	b = append(b, "HTTP/1.1 "...)
	b = strconv.AppendInt(b, int64(r.Status), 10)
	b = append(b, ' ')
	b = append(b, http.StatusText(r.Status)...)
	b = append(b, "\r\nDate: "...)
	b = now.UTC().AppendFormat(b, http.TimeFormat)
	b = append(b, "\r\nContent-Type: "...)
	b = append(b, r.ContentType...)
	if r.RetryAfter != "" {
		b = append(b, "\r\nRetry-After: "...)
		b = append(b, r.RetryAfter...)
	}
	if closing || r.CutAfter > 0 {
		b = append(b, "\r\nConnection: close"...)
	}
	b = append(b, "\r\nContent-Length: "...)
	lengthAt := len(b)
	b = append(b, "           \r\n\r\n"...)
	bodyAt := len(b)
	if r.Raw != nil {
		b = append(b, r.Raw...)
	} else {
		b = appendCompletion(b, r, n, now)
	}
	var digits [20]byte
	length := strconv.AppendInt(digits[:0], int64(len(b)-bodyAt), 10)
	copy(b[lengthAt+lengthDigits-len(length):], length)
	return b, bodyAt - start
}
