package annotate

import "time"

// Names that only the tests outside the package use.

type Media = media

// RetryAfter sets how long after a failure a clip is tried again.
func (m *media) RetryAfter(d time.Duration) { m.retry = d }
