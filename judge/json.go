package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/internal/jsonfast"
)

// FindJSON returns the JSON in a reply as published scorers do: the first
// ```json block, else the whole reply, else what lies between the first bracket
// and the last that closes it. A reader that must not guess uses Objects.
func FindJSON(reply string) string {
	text := strings.TrimSpace(reply)
	if _, after, found := strings.Cut(text, "```json"); found {
		block, _, _ := strings.Cut(after, "```")
		return strings.TrimSpace(block)
	}
	if Valid(text) {
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

// Valid reports whether text is JSON. It bounds the nesting: a reply must not
// be able to use up the stack.
func Valid(text string) bool { return jsonfast.Valid(text) }

// A Member is one key of a JSON object and its value.
type Member struct {
	Key   string
	Value gjson.Result
}

// Members reads a JSON object keeping the order of its keys and every repeat
// of a key, which a map would hide.
func Members(text string) ([]Member, error) {
	if !Valid(text) {
		var v any
		return nil, describe(json.Unmarshal([]byte(text), &v))
	}
	object := gjson.Parse(text)
	if !object.IsObject() {
		return nil, errors.New("it is not a JSON object")
	}
	return membersOf(object), nil
}

func membersOf(object gjson.Result) (members []Member) {
	object.ForEach(func(key, value gjson.Result) bool {
		members = append(members, Member{Key: key.Str, Value: value})
		return true
	})
	return members
}

func describe(err error) error {
	if err == nil || errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), "unexpected end of JSON input") {
		return errors.New("the JSON ends too early")
	}
	return fmt.Errorf("it is not JSON: %w", err)
}

// Objects reads the JSON objects of a reply that may have words, a fence or a
// train of thought around them, in order; the objects within an object are
// part of it. It is an error if there is none, or if one is broken or cut off:
// what it was to say could contradict the others.
func Objects(reply string) ([][]Member, error) {
	if reply = strings.TrimSpace(reply); reply == "" {
		return nil, errors.New("it is empty")
	}
	if whole := gjson.Parse(reply); whole.IsObject() && Valid(reply) {
		return [][]Member{membersOf(whole)}, nil
	}
	text, err := afterThought(reply)
	if err != nil {
		return nil, err
	}
	var objects [][]Member
	for {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			break
		}
		text = text[start:]
		if !opensObject(text) {
			text = text[1:]
			continue
		}
		object, err := leading(text)
		if err != nil {
			return nil, err
		}
		text = text[len(object):]
		objects = append(objects, membersOf(gjson.Parse(object)))
	}
	if len(objects) == 0 {
		return nil, errors.New("it has no JSON object")
	}
	return objects, nil
}

// afterThought cuts off a train of thought between think tags, of which the
// first may be in the prompt. One that does not end holds no answer.
func afterThought(text string) (string, error) {
	const open, closing = "<think>", "</think>"
	if at := strings.LastIndex(text, closing); at >= 0 {
		text = text[at+len(closing):]
	}
	if strings.Contains(text, open) {
		return "", errors.New("it ends before its answer")
	}
	return text, nil
}

// opensObject reports whether the brace that text starts with opens a JSON
// object and is not just a brace among words.
func opensObject(text string) bool {
	rest := strings.TrimLeft(text[1:], " \t\r\n")
	return rest == "" || rest[0] == '"' || rest[0] == '}'
}

// leading returns the JSON value that text starts with.
func leading(text string) (string, error) {
	var value json.RawMessage
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&value); err != nil {
		return "", describe(err)
	}
	return text[:len(value)], nil
}
