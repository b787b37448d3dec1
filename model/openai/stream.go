package openai

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tidwall/gjson"

	"omniscope/internal/jsonfast"
	"omniscope/model"
	"omniscope/model/exchange"
)

// Some servers send a stream of server-sent events (the protocol's "stream":
// true) whatever they are asked for, and some models answer in no other way (see
// DashScopeParts). The answer in it has been paid for, so it is put together from
// its chunks.

const eventStream = "text/event-stream"

// A streamed answer is put together from chunks.
type streamed struct {
	resp    model.Response
	usage   gjson.Result
	choices map[int64]*spoken
	ended   bool
}

// decodeStream reads a stream. broken is why it broke off, if it did, which
// does not matter where the answer was whole before.
func (m *Model) decodeStream(body []byte, broken error) (*model.Response, error) {
	s := &streamed{resp: model.Response{Streamed: true}, choices: make(map[int64]*spoken)}
	for data := range exchange.Events(string(body)) {
		if exchange.EndsStream(data) {
			s.ended = true
			break
		}
		if err := m.chunk(s, data); err != nil {
			if broken != nil {
				err = broken // a chunk that was cut
			}
			return nil, inStream(err)
		}
	}
	c := s.counting()
	s.ended = s.ended || c != nil && c.finish != ""
	switch {
	case !s.ended && broken != nil:
		return nil, inStream(broken)
	case !s.ended:
		return nil, inStream(exchange.Trouble(errors.New("it ends before the answer does")))
	case c == nil:
		return nil, inStream(exchange.Trouble(errors.New("the answer has no choices: " + m.Beginning(body))))
	}
	if err := m.complete(&s.resp, c); err != nil {
		return nil, inStream(err)
	}
	return &s.resp, nil
}

// counting is the choice that counts: the first one, unless it holds sound or pictures alone and another one a text.
func (s *streamed) counting() *spoken {
	first := s.choices[0]
	if first == nil || !first.other || !first.text.isEmpty() {
		return first
	}
	for _, index := range slices.Sorted(maps.Keys(s.choices)) {
		if c := s.choices[index]; !c.text.isEmpty() {
			return c
		}
	}
	return first
}

// finished reports whether the choice that counts has its finish reason.
func (s *streamed) finished() bool {
	c := s.counting()
	return c != nil && c.finish != ""
}

// chunk adds a chunk to the answer.
func (m *Model) chunk(s *streamed, data string) error {
	if !jsonfast.Valid(data) {
		return m.NotProtocol([]byte(data), json.Unmarshal([]byte(data), new(json.RawMessage)))
	}
	root := gjson.Parse(data)
	if usage := root.Get("usage"); usage.IsObject() {
		s.usage = usage
		m.readUsage(usage, &s.resp)
	}
	if !s.finished() && (exchange.IsError(root.Get("error")) || len(root.Get("choices").Array()) == 0) {
		of := membersOf(root.Get("choices.0"))
		ends := model.FinishOf(of.finish())
		if failure := exchange.Failure([]byte(data), m.Secrets); failure != nil && (ends == "" || ends == model.GaveUp) {
			return m.failedInside(failure, s.usage)
		}
	}
	var err error
	each(root, func(name string, value gjson.Result) {
		switch name {
		case "id":
			s.resp.ID = m.text(value)
		case "model":
			s.resp.Model = m.text(value)
		case "choices":
			value.ForEach(func(_, choice gjson.Result) bool {
				err = m.delta(s, choice)
				return err == nil
			})
		}
	})
	return err
}

// delta adds what a choice brings.
func (m *Model) delta(s *streamed, choice gjson.Result) error {
	if !choice.IsObject() {
		return nil
	}
	of := membersOf(choice)
	index := of.index.Int()
	c := s.choices[index]
	if c == nil {
		c = &spoken{}
		s.choices[index] = c
	}
	if exchange.IsError(of.failed) {
		return m.failedInside(exchange.Failure([]byte(choice.Raw), m.Secrets), s.usage)
	}
	c.finish = cmp.Or(of.finish(), c.finish)
	return m.add(c, of.message)
}

// A streamError is a failure in a stream of events.
type streamError struct{ error }

func (e streamError) Unwrap() error { return e.error }

func inStream(err error) error { return streamError{err} }

// ofStream says of a failure in a stream that none was asked for, if that is so.
func ofStream(err error, asked bool) error {
	var in streamError
	switch {
	case !errors.As(err, &in):
		return err
	case asked:
		return in.error
	}
	return fmt.Errorf("the endpoint answered with a stream of events (%s), which was not asked for: %w", eventStream, in.error)
}
