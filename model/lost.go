package model

import (
	"errors"
	"net/http"

	"omniscope"
)

// Lost counts tries that brought nothing usable and that the endpoint may
// charge for all the same: answers that cannot be read, and requests that were
// sent and not answered in time. Tries that were refused are none of them.
// Tokens and cost are estimates, unless the endpoint said how many.
type Lost struct {
	Tries     int     `json:"tries"`
	TokensIn  int     `json:"tokens_in"`
	TokensOut int     `json:"tokens_out"`
	CostUSD   float64 `json:"cost_usd"`
}

// Plus adds up.
func (l Lost) Plus(more Lost) Lost {
	return Lost{l.Tries + more.Tries, l.TokensIn + more.TokensIn, l.TokensOut + more.TokensOut, l.CostUSD + more.CostUSD}
}

// A LostError is a failure that may have to be paid for. It has the words and
// the kind of its cause.
type LostError struct {
	Lost Lost
	Err  error
}

func (e *LostError) Error() string { return e.Err.Error() }

func (e *LostError) Unwrap() error { return e.Err }

// A TriedError is a failure after some tries. It has the words and the kind of
// its cause.
type TriedError struct {
	Tries       int // times the call was sent
	RateLimited int // of them, those refused with 429
	Err         error
}

func (e *TriedError) Error() string { return e.Err.Error() }

func (e *TriedError) Unwrap() error { return e.Err }

// LostIn returns what err may have cost, zero if nothing.
func LostIn(err error) Lost {
	var e *LostError
	if errors.As(err, &e) {
		return e.Lost
	}
	return Lost{}
}

// WithLost returns err as one that cost what is lost; err itself if nothing is.
func WithLost(lost Lost, err error) error {
	if lost.Tries == 0 || err == nil {
		return err
	}
	return &LostError{Lost: lost, Err: err}
}

// MarkLost marks the failure of a request that may have to be paid for. sent says
// that all of it was sent: a server that does not answer in time, breaks off or
// sends an unreadable answer has often done its work. accepted says that the
// status of its answer was 200, whatever is inside. An error that has its loss, as where
// the endpoint counted the tokens, stays as it is.
func MarkLost(err error, sent, accepted bool) error {
	if LostIn(err).Tries > 0 {
		return err
	}
	var status *StatusError
	if errors.As(err, &status) {
		kind := omniscope.KindOf(err)
		if kind == omniscope.Denied || kind == omniscope.Declined {
			return err // before any answer
		}
		sent = mayCharge(status.Status) || accepted && (status.Status < 400 || status.Status >= 500)
	}
	if !sent {
		return err
	}
	return WithLost(Lost{Tries: 1}, err)
}

// mayCharge reports whether a request that was answered with a status may be
// charged. These are the statuses of proxies that stopped waiting for the answer
// of the server behind them, or could not read it. (408 is among them as
// OpenRouter uses it; 520, 524, 598 and 599 are those of CDNs.)
func mayCharge(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusGatewayTimeout, 520, 524, 598, 599:
		return true
	}
	return false
}
