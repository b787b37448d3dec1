package wrap_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"omniscope"
	"omniscope/model"
)

// provider makes a model of a function.
type provider func(ctx context.Context, req *model.Request) (*model.Response, error)

func (p provider) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	return p(ctx, req)
}

// script answers the tries of calls to it one after the other, the last reply
// again and again, and notes when each try came.
type script struct {
	replies []error // nil = an answer
	tries   []time.Time
}

func (s *script) Generate(context.Context, *model.Request) (*model.Response, error) {
	n := len(s.tries)
	s.tries = append(s.tries, time.Now())
	if err := s.replies[min(n, len(s.replies)-1)]; err != nil {
		return nil, err
	}
	return answer("a"), nil
}

func answer(text string) *model.Response {
	return &model.Response{Text: text, Finish: model.Stop, Model: "m-1", Usage: model.Usage{TokensIn: 10, TokensOut: 5}}
}

func request(step string) *model.Request {
	return &model.Request{Step: step, Attempt: 1, Model: "m", Messages: []model.Message{model.Text(model.User, "about "+step)}}
}

func failure(kind omniscope.Kind, words string) error {
	return &omniscope.Error{Kind: kind, Err: errors.New(words)}
}

func rateLimit(after time.Duration) error {
	return &omniscope.Error{Kind: omniscope.Transient, RetryAfter: after,
		Err: &model.StatusError{Status: 429, Message: "slow down"}}
}

func ask(t *testing.T, m model.Model, step string) *model.Response {
	t.Helper()
	resp, err := m.Generate(t.Context(), request(step))
	if err != nil {
		t.Fatalf("%s: %v", step, err)
	}
	return resp
}

// crowd has n callers ask at the same time and returns their errors.
func crowd(ctx context.Context, m model.Model, n int) []error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { _, errs[i] = m.Generate(ctx, request(fmt.Sprint(i))) })
	}
	all.Wait()
	return errs
}

// concurrent counts the calls inside a model and notes the order they came in.
type concurrent struct {
	mu       sync.Mutex
	now, top int
	order    []string
}

func (c *concurrent) inside() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *concurrent) came() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.order)
}

func (c *concurrent) enter(step string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now++
	c.top = max(c.top, c.now)
	c.order = append(c.order, step)
}

func (c *concurrent) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now--
}

func sortedKeys(m map[string]int64) []string { return slices.Sorted(maps.Keys(m)) }
