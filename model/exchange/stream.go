package exchange

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"omniscope/internal/endpoint"
)

// LooksLikeStream reports whether a body is a stream of server-sent events, by how it begins: no JSON begins like that.
func LooksLikeStream(body []byte) bool {
	body = bytes.TrimLeft(body, "\r\n")
	starts := []string{"data:", "event:", "id:", "retry:", ":"}
	return slices.ContainsFunc(starts, func(start string) bool { return bytes.HasPrefix(body, []byte(start)) })
}

// readStream reads a stream to its end mark ([DONE] of the OpenAI protocol, message_stop of Anthropic's), since not every server closes it
// there. What it read of a stream that breaks off is returned with the error.
func readStream(r io.Reader) ([]byte, error) {
	var stream []byte
	line := 0 // where the incomplete line begins
	chunk := make([]byte, 8<<10)
	for {
		n, err := r.Read(chunk)
		stream = append(stream, chunk[:n]...)
		ended := false
		if i := bytes.LastIndexByte(chunk[:n], '\n'); i >= 0 {
			whole := len(stream) - n + i + 1
			ended, line = hasEnd(stream[line:whole]), whole
		}
		switch {
		case len(stream) > endpoint.MostBytes:
			return nil, endpoint.TooLarge()
		case err == io.EOF || ended:
			return stream, nil
		case err != nil:
			return stream, fmt.Errorf("the answer broke off: %w", err)
		}
	}
}

// hasEnd reports whether one of the lines is the end mark.
func hasEnd(lines []byte) bool {
	if !bytes.Contains(lines, []byte("[DONE]")) && !bytes.Contains(lines, []byte("message_stop")) {
		return false
	}
	for line := range bytes.Lines(lines) {
		name, value, _ := strings.Cut(string(line), ":")
		if name == "data" && EndsStream(value) || name == "event" && strings.TrimSpace(value) == "message_stop" {
			return true
		}
	}
	return false
}

// EndsStream reports whether the data of an event are the end mark of the OpenAI protocol.
func EndsStream(data string) bool { return strings.TrimSpace(data) == "[DONE]" }

// Events yields the data of each event, as the WHATWG's HTML standard has it
// (section 9.2.6), and of a last one that no empty line ends.
func Events(stream string) iter.Seq[string] {
	stream = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(stream)
	return func(yield func(string) bool) {
		var data []string
		for line := range strings.SplitSeq(stream+"\n\n", "\n") {
			if value, ok := strings.CutPrefix(line, "data:"); ok {
				data = append(data, strings.TrimPrefix(value, " "))
			}
			if line == "" && data != nil {
				if !yield(strings.Join(data, "\n")) {
					return
				}
				data = nil
			}
		}
	}
}
