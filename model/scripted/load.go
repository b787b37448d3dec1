package scripted

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/model"
)

// Load reads a script; the package comment describes its form. A file that is not there is an error of
// kind NotFound, one that is not a script an error of kind Invalid that says
// where.
//
// The model's Digest is the file's.
func Load(ctx context.Context, path string) (*Model, error) {
	text, digest, err := input.ReadFile(ctx, path, input.Texts)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.KindOf(err), Op: "read the model's script", Err: err}
	}
	replies, err := parse(path, text)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "read the model's script", Err: err}
	}
	return &Model{name: path, digest: digest, replies: replies}, nil
}

// parse reads a script's text, key by key: decoding into a map would take the
// last of two equal keys for the only one.
func parse(path string, text []byte) (map[string][]Reply, error) {
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, syntaxError(path, text, err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if open, _ := d.Token(); open != json.Delim('{') {
		return nil, at(path, text, d.InputOffset(), errors.New("want an object from step keys to lists of replies"))
	}
	replies := make(map[string][]Reply)
	for d.More() {
		key, _ := d.Token()
		step, line := key.(string), d.InputOffset()
		if _, twice := replies[step]; twice {
			return nil, at(path, text, line, fmt.Errorf("step %q is given twice", step))
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, at(path, text, line, err)
		}
		list, err := parseList(raw)
		if err != nil {
			return nil, at(path, text, line, fmt.Errorf("step %q: %w", step, err))
		}
		replies[step] = list
	}
	return replies, nil
}

func parseList(raw json.RawMessage) ([]Reply, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil || list == nil {
		return nil, fmt.Errorf("want a list of replies, not %s", quote(raw))
	}
	replies := make([]Reply, len(list))
	for i, r := range list {
		var err error
		if replies[i], err = parseReply(r); err != nil {
			return nil, fmt.Errorf("reply %d: %w", i+1, err)
		}
	}
	return replies, nil
}

func parseReply(raw json.RawMessage) (Reply, error) {
	switch raw[0] {
	case 'n':
		return Reply{Error: omniscope.Transient}, nil
	case '"':
		var r Reply
		err := json.Unmarshal(raw, &r.Text)
		return r, err
	case '{':
		return parseObject(raw)
	}
	return Reply{}, fmt.Errorf("want a text, null or an object, not %s", quote(raw))
}

func parseObject(raw json.RawMessage) (Reply, error) {
	var o struct {
		Text       string       `json:"text"`
		Refusal    string       `json:"refusal"`
		Finish     model.Finish `json:"finish"`
		Model      string       `json:"model"`
		TokensIn   int          `json:"tokens_in"`
		TokensOut  int          `json:"tokens_out"`
		Error      string       `json:"error"`
		RetryAfter duration     `json:"retry_after"`
		Delay      duration     `json:"delay"`
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil {
		return Reply{}, fmt.Errorf("%s: %w", quote(raw), err)
	}
	switch o.Finish {
	case "", model.Stop, model.Length, model.ContentFilter:
	default:
		return Reply{}, fmt.Errorf("finish %q is not one of stop, length, content_filter", o.Finish)
	}
	kind, err := failure(o.Error)
	if err != nil {
		return Reply{}, err
	}
	if kind != omniscope.Internal && (o.Text != "" || o.Refusal != "" || o.Finish != "") {
		return Reply{}, fmt.Errorf("%s: a call that fails has no answer", quote(raw))
	}
	return Reply{
		Text: o.Text, Refusal: o.Refusal, Finish: o.Finish, Model: o.Model, TokensIn: o.TokensIn, TokensOut: o.TokensOut,
		Error: kind, RetryAfter: time.Duration(o.RetryAfter), Delay: time.Duration(o.Delay),
	}, nil
}

// failures are the kinds of error that a model can give.
var failures = []omniscope.Kind{omniscope.Transient, omniscope.Denied, omniscope.Invalid, omniscope.Declined, omniscope.Malformed, omniscope.Unanswered}

func failure(name string) (omniscope.Kind, error) {
	if name == "" {
		return omniscope.Internal, nil
	}
	for _, kind := range failures {
		if kind.String() == name {
			return kind, nil
		}
	}
	return omniscope.Internal, fmt.Errorf("error %q is not one of transient, denied, invalid, declined, malformed, unanswered", name)
}

// A duration is written as people write it, such as "1.5s".
type duration time.Duration

func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil || v < 0 {
		return fmt.Errorf("%q is not a time such as 1.5s", text)
	}
	*d = duration(v)
	return nil
}

func syntaxError(path string, text []byte, err error) error {
	offset := int64(len(text))
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		offset = syntax.Offset
	}
	return at(path, text, offset, err)
}

// at says where in the file an error is, and quotes the line.
func at(path string, text []byte, offset int64, err error) error {
	before := text[:min(int(offset), len(text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	line, _, _ := bytes.Cut(text[start:], []byte{'\n'})
	return fmt.Errorf("%s:%d: %w: %s", path, bytes.Count(before, []byte{'\n'})+1, err, quote(bytes.TrimSpace(line)))
}

// quote shortens text to what fits an error message.
func quote(text []byte) string {
	const most = 80
	if len(text) <= most {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:most]), "") + "…"
}
