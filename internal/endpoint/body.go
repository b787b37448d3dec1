package endpoint

import (
	"fmt"
	"io"
	"net/http"

	"omniscope"
)

const (
	// MostBytes bounds an answer, so that a server gone wild cannot fill memory.
	MostBytes = 10 << 20

	// mostErrorBytes bounds what is read of an answer that only its first words
	// are wanted of. Shorter ones are read to their end, or their connection
	// could not be used again.
	mostErrorBytes = 64 << 10
)

// Beginning reads the first bytes of an answer. Those of one that breaks off
// will do.
func Beginning(resp *http.Response) []byte {
	start, _ := io.ReadAll(io.LimitReader(resp.Body, mostErrorBytes))
	return start
}

// ReadAll reads a body of the given size, -1 if that is not known. Its error for
// more than MostBytes is Malformed.
func ReadAll(body io.Reader, size int64) ([]byte, error) {
	room := int64(1) // a read that finds the end at once
	if size < 0 {
		size, room = 4<<10, 0
	}
	if size > MostBytes {
		return nil, TooLarge()
	}
	buf := make([]byte, 0, size+room)
	for {
		n, err := body.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if len(buf) > MostBytes {
			return nil, TooLarge()
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the answer broke off: %w", err)
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}

// TooLarge is the error for an answer that has more than MostBytes.
func TooLarge() error {
	return &omniscope.Error{Kind: omniscope.Malformed, Err: fmt.Errorf("the answer is larger than %d MB and was not read", MostBytes>>20)}
}
