package symptoms

import (
	"fmt"

	"omniscope/internal/langid"
)

// foreignShare is the share of other languages among the sentences whose
// language is known: an answer half of which is foreign is no answer in the
// language asked for, and talks and slides quote other languages.
const foreignShare = 0.5

// notAnswerable has MCIF's fixed answers to questions that the talk does not
// answer, without their full stops. They are too short for package langid.
var notAnswerable = map[string]string{
	"not answerable": "en", "nicht zu beantworten": "de", "non è possibile rispondere": "it", "无法回答": "zh",
}

func findWrongLanguage(g *Given) (Symptom, bool) {
	if g.Lang == "" {
		return Symptom{}, false
	}
	if lang := notAnswerable[plain(g.Text)]; lang != "" {
		return Symptom{Value: 1, Threshold: foreignShare, Evidence: lang + ": " + quote(g.Text)}, lang != g.Lang
	}
	guess := langid.Detect(g.Text)
	if guess.Fits(g.Lang) {
		return Symptom{}, false
	}
	share := 1.0 // Mix may know no sentence of a text that is known as a whole
	mix := langid.Mix(g.Text)
	if known := 1 - mix[""]; known > 1e-9 {
		share = 1 - mix[g.Lang]/known
	}
	return Symptom{Value: share, Threshold: foreignShare, Evidence: fmt.Sprintf("%s: %s", guess.Lang, quote(g.Text))}, share >= foreignShare
}

func findFixedAnswer(g *Given) (Symptom, bool) {
	if g.Task != QA || g.Reference == "" || notAnswerable[plain(g.Text)] == "" || notAnswerable[plain(g.Reference)] != "" {
		return Symptom{}, false
	}
	return Symptom{Value: 1, Threshold: 1, Evidence: quote(g.Text)}, true
}
