package textnorm

// A Scheme is a published way to normalise a text. Its error is that of the
// published program, on a number that is too long.
type Scheme func(text string) (string, error)

// The names of the schemes.
const (
	WhisperEnglish = "whisper-en"
	WhisperBasic   = "whisper-basic"
)

// Schemes are all schemes by name.
var Schemes = map[string]Scheme{
	WhisperEnglish: English,
	WhisperBasic:   func(text string) (string, error) { return Basic(text), nil },
}

// SchemeFor is the name of the scheme that MCIF takes for a language.
func SchemeFor(language string) string {
	if language == "en" {
		return WhisperEnglish
	}
	return WhisperBasic
}
