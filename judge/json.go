package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// FindJSON returns the JSON in a reply: the first ```json block, else the whole
// reply, else what lies between the first bracket and the last that closes it.
func FindJSON(reply string) string {
	text := strings.TrimSpace(reply)
	if _, after, found := strings.Cut(text, "```json"); found {
		block, _, _ := strings.Cut(after, "```")
		return strings.TrimSpace(block)
	}
	if json.Valid([]byte(text)) {
		return text
	}
	start := strings.IndexAny(text, "{[")
	if start < 0 {
		return text
	}
	closing := "}"
	if text[start] == '[' {
		closing = "]"
	}
	end := strings.LastIndex(text, closing)
	if end < start {
		return text
	}
	return text[start : end+1]
}

// A Member is one key of a JSON object and its raw value.
type Member struct {
	Key   string
	Value json.RawMessage
}

// Members reads a JSON object keeping the order of its keys and every repeat
// of a key, which a map would hide.
func Members(text string) ([]Member, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	open, err := dec.Token()
	if err != nil {
		return nil, describe(err)
	}
	if open != json.Delim('{') {
		return nil, errors.New("it is not a JSON object")
	}
	var members []Member
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, describe(err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, describe(err)
		}
		members = append(members, Member{Key: key.(string), Value: value})
	}
	if _, err := dec.Token(); err != nil {
		return nil, describe(err)
	}
	if strings.TrimSpace(text[dec.InputOffset():]) != "" {
		return nil, errors.New("there is text after the JSON object")
	}
	return members, nil
}

func describe(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the JSON ends too early")
	}
	return fmt.Errorf("it is not JSON: %w", err)
}
