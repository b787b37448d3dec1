package ref

// Names for the tests.
const (
	Plain  = asIs
	Quoted = quoted
	JSON   = asJSON
)

type Form = form
