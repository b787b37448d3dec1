package train

import "fmt"

// A Stage is one of the two trainings of the paper (section 4.1).
type Stage int

// The stages. Stage 2 starts from the last checkpoint of stage 1.
const (
	AudioCaptioner Stage = 1 // sound alone; the visual encoder is frozen
	OmniCaptioner  Stage = 2 // videos with their sound; nothing is frozen
)

// Valid reports whether there is such a stage.
func (s Stage) Valid() bool { return s == AudioCaptioner || s == OmniCaptioner }

func (s Stage) String() string { return fmt.Sprintf("stage %d", int(s)) }
