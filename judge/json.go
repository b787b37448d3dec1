package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

// FindJSON returns the JSON in a reply: the first ```json block, else the whole
// reply, else what lies between the first bracket and the last that closes it.
func FindJSON(reply string) string {
	text := strings.TrimSpace(reply)
	if _, after, found := strings.Cut(text, "```json"); found {
		block, _, _ := strings.Cut(after, "```")
		return strings.TrimSpace(block)
	}
	if gjson.Valid(text) {
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

// A Member is one key of a JSON object and its value.
type Member struct {
	Key   string
	Value gjson.Result
}

// Members reads a JSON object keeping the order of its keys and every repeat
// of a key, which a map would hide.
func Members(text string) ([]Member, error) {
	if !gjson.Valid(text) {
		var v any
		return nil, describe(json.Unmarshal([]byte(text), &v))
	}
	object := gjson.Parse(text)
	if !object.IsObject() {
		return nil, errors.New("it is not a JSON object")
	}
	var members []Member
	object.ForEach(func(key, value gjson.Result) bool {
		members = append(members, Member{Key: key.Str, Value: value})
		return true
	})
	return members, nil
}

func describe(err error) error {
	if err == nil || strings.Contains(err.Error(), "unexpected end of JSON input") {
		return errors.New("the JSON ends too early")
	}
	return fmt.Errorf("it is not JSON: %w", err)
}
