package choice_test

import (
	"testing"

	"omniscope/bench/choice"
	"omniscope/internal/testing/choicetest"
)

const mmarRows = `{"id": "v_0_5", "audio_path": "./audio/v_0_5.wav", "question": "?", "choices": ["near to far", "far to near"], "answer": "far to near", "modality": "sound", "category": "Signal Layer", "sub-category": "x", "language": "zh"}
{"id": "w_0_5", "audio_path": "./audio/w_0_5.wav", "question": "?", "choices": ["a dog", "a cat"], "answer": "a cat", "modality": "mix-sound-speech", "category": "Semantic Layer", "sub-category": "y", "language": null}
`

// TestWordsInAnyOrder shows what the published scorer does not tell apart: the order of
// words.
func TestWordsInAnyOrder(t *testing.T) {
	answers := `{"id": "v_0_5", "answer_prediction": "near to far"}` + "\n" + `{"id": "w_0_5", "answer_prediction": "B. a cat"}`
	choicetest.Check(t, choice.MMAR(), mmarRows, answers, "2 0 0 0 0", "1 1 0 0 0", "modality=mix-sound-speech", "language=zh", "category=Signal Layer")
}
