package session

import (
	"fmt"
	"strings"
	"time"

	"omniscope/model"
)

// state describes the calls so far, for a display of progress.
func (m *Models) state() (parts []string) {
	for _, one := range m.All {
		parts = append(parts, one.state()...)
	}
	return append(parts, lastErrors(m.Shared.Reaches.All()...)...)
}

func (m *Model) state() (parts []string) {
	t := m.Meter
	if m.Price != nil {
		parts = append(parts, fmt.Sprintf("$%.2f", t.CostUSD()))
	}
	for _, c := range []struct {
		n    int64
		what string
	}{{t.Remembered.Load(), "remembered"}, {t.Retries.Load(), "retries"}, {t.RateLimited.Load(), "429s"}, {t.LostTries.Load(), "unusable"}, {t.Failed.Load(), "failed"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if m.Limiter != nil {
		s := m.Limiter.State()
		parts = append(parts, fmt.Sprintf("%d of %d calls", s.InUse, s.Limit)+m.heldUpBy(s.InUse >= s.Limit))
		if s.Paused > 0 {
			parts = append(parts, "paused "+s.Paused.Round(time.Second).String())
		}
	}
	return parts
}

// heldUpBy names what limits the calls of a model that is given media: the
// endpoint, or preparing the media.
func (m *Model) heldUpBy(full bool) string {
	if m.ready == nil {
		return ""
	}
	r, ok := m.ready.State()
	switch {
	case !ok:
		return ""
	case full || r.Waiting > 0:
		return " (limit: endpoint)"
	case r.Rate > 0:
		return fmt.Sprintf(" (limit: preparing media, %.0f files/s)", r.Rate)
	}
	return " (limit: preparing media)"
}

// lastErrors describes the last error reply of each endpoint, with its age.
func lastErrors(reaches ...*model.Reach) (parts []string) {
	for _, r := range reaches {
		if last, age := r.LastError(); last != "" {
			parts = append(parts, fmt.Sprintf("last error %s ago: %s", age.Round(time.Second), shortened(last)))
		}
	}
	return parts
}

// shortened keeps an error fit for a line that says other things, too.
func shortened(text string) string {
	const most = 160
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
