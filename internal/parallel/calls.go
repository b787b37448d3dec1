package parallel

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Calls does n pieces that make calls, atOnce at a time, and returns the first error, after
// which it begins no other. It cancels none: a call on the wire is paid for, and awaited.
func Calls(atOnce, n int, do func(i int) error) error {
	group, going := errgroup.WithContext(context.Background())
	group.SetLimit(atOnce)
	for i := range n {
		group.Go(func() error {
			if going.Err() != nil {
				return nil
			}
			return do(i)
		})
	}
	return group.Wait()
}
