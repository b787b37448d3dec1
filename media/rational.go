package media

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// A Rational is an exact fraction, such as the frame rate 30000/1001. The zero
// value stands for "not known".
type Rational struct{ Num, Den int64 }

// Known reports whether r is a fraction with a value other than zero.
func (r Rational) Known() bool { return r.Num != 0 && r.Den != 0 }

// Float returns the nearest float64, 0 if r is not known.
func (r Rational) Float() float64 {
	if !r.Known() {
		return 0
	}
	return float64(r.Num) / float64(r.Den)
}

func (r Rational) String() string { return fmt.Sprintf("%d/%d", r.Num, r.Den) }

// MarshalText writes r as NUM/DEN.
func (r Rational) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (r *Rational) UnmarshalText(text []byte) error {
	v, ok := parseRational(string(text), "/")
	if !ok {
		return fmt.Errorf("%q is no fraction NUM/DEN", text)
	}
	*r = v
	return nil
}

// parseRational reads NUM/DEN with another sign between them. What has no
// value, such as 0/0, gives the zero Rational.
func parseRational(s, sign string) (Rational, bool) {
	a, b, ok := strings.Cut(s, sign)
	num, err := strconv.ParseInt(a, 10, 64)
	den, err2 := strconv.ParseInt(b, 10, 64)
	if !ok || err != nil || err2 != nil {
		return Rational{}, false
	}
	if num == 0 || den == 0 {
		return Rational{}, true
	}
	return Rational{num, den}, true
}

// durationOf returns ticks of a time base as a duration, rounded to the
// nearest nanosecond, half away from zero.
func durationOf(ticks int64, base Rational) time.Duration {
	if !base.Known() {
		return 0
	}
	n := new(big.Int).Mul(big.NewInt(ticks), big.NewInt(base.Num))
	n.Mul(n, big.NewInt(2*int64(time.Second)))
	d := big.NewInt(base.Den)
	if n.Sign() < 0 {
		n.Sub(n, d)
	} else {
		n.Add(n, d)
	}
	return time.Duration(n.Quo(n, d.Mul(d, big.NewInt(2))).Int64())
}

// parseSeconds reads seconds with a decimal point, exactly to the nanosecond.
func parseSeconds(s string) (time.Duration, bool) {
	r, ok := new(big.Rat).SetString(s)
	if !ok || strings.ContainsAny(s, "/eE") {
		return 0, false
	}
	r.Mul(r, big.NewRat(int64(time.Second), 1))
	q := new(big.Int).Quo(r.Num(), r.Denom())
	return time.Duration(q.Int64()), q.IsInt64()
}

// seconds writes d as ffmpeg reads it.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', 9, 64)
}
