package omniscope

// A Score is one number of a report and all that is needed to trust it.
// Value is nil when there is no score: nothing was judged.
type Score struct {
	Name       string    `json:"name"`
	Value      *float64  `json:"value"`
	Why        string    `json:"why,omitempty"`         // why Value is nil, and how to get a value, if known
	Interval   *Interval `json:"interval"`              // of the value, at its stated level
	NoInterval string    `json:"no_interval,omitempty"` // why a value has no interval, such as "too few clips"
	Bounds     *Bounds   `json:"bounds"`                // the value if all unscored items were wrong, or right
	N          int       `json:"n"`                     // items that were scored
	Unscored   int       `json:"unscored"`              // items that should have been scored and were not
	Clusters   int       `json:"clusters"`              // independent groups (clips) behind the n items
}

// An Interval is a confidence interval.
type Interval struct {
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Level  float64 `json:"level"`  // such as 0.95
	Method string  `json:"method"` // how it was made
}

// Bounds are the lowest and highest value a score could have taken.
type Bounds struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}
