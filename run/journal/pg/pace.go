package pg

import (
	"context"
	"omniscope/internal/pgtext"
	"time"

	"omniscope/run"
)

var _ run.Pacer = (*Journal)(nil)

// Turns implements run.Pacer, by the server's clock.
func (j *Journal) Turns(ctx context.Context, place string, n int, interval time.Duration) (wait time.Duration, err error) {
	err = j.store.do(ctx, "take a turn at "+place, func(ctx context.Context) error {
		var seconds float64
		err := j.store.loose.QueryRow(ctx, `INSERT INTO pace AS p VALUES($1, clock_timestamp() + $2::float8 * interval '1 second')
			ON CONFLICT (place) DO UPDATE SET next = greatest(p.next, clock_timestamp()) + $2::float8 * interval '1 second'
			RETURNING extract(epoch FROM p.next - clock_timestamp())::float8 - $2::float8`, pgtext.Encode(place), (time.Duration(n) * interval).Seconds()).Scan(&seconds)
		wait = time.Duration(seconds * float64(time.Second))
		return err
	})
	return wait, err
}
