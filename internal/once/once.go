// Package once makes a value once, however many ask for it.
package once

import (
	"context"
	"sync"
)

// A Value is made by the first who asks for it; others wait meanwhile. A failure, such as a
// cancelled context, is not kept: the next who asks tries again. The zero Value is ready to use.
type Value[T any] struct {
	mu   sync.Mutex
	done bool
	made T
}

// Do returns the value, which it makes if no one has.
func (v *Value[T]) Do(ctx context.Context, create func() (T, error)) (made T, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.done {
		return v.made, nil
	}
	if err := ctx.Err(); err != nil {
		return made, err
	}
	made, err = create()
	if err == nil {
		v.made, v.done = made, true
	}
	return made, err
}
