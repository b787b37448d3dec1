package once

import (
	"context"
	"errors"
	"sync"
	"testing"
)

func TestMadeOnce(t *testing.T) {
	var v Value[int]
	calls := 0
	create := func() (int, error) {
		if calls++; calls == 1 {
			return 7, errors.New("the disk is full")
		}
		return 40 + calls, nil
	}
	if _, err := v.Do(t.Context(), create); err == nil {
		t.Error("the first failure is not told")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := v.Do(ended, create); !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("error %v after %d calls", err, calls)
	}
	var asking sync.WaitGroup
	for range 8 {
		asking.Go(func() {
			if made, err := v.Do(t.Context(), create); made != 42 || err != nil {
				t.Errorf("%d, %v", made, err)
			}
		})
	}
	asking.Wait()
	if made, err := v.Do(ended, create); made != 42 || err != nil || calls != 2 {
		t.Errorf("%d, %v after %d calls", made, err, calls)
	}
}
