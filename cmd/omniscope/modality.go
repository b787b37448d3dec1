package main

import "omniscope/internal/spelling"

// The modalities, by the name and by the letters that every command takes.
var (
	modalities      = []string{"audio-visual", "audio", "visual"}
	modalityLetters = map[string]string{"audio-visual": "av", "audio": "a", "visual": "v"}
)

// modalityOf reads a modality, as a name or as letters.
func modalityOf(text string) (string, error) {
	for name, letters := range modalityLetters {
		if text == name || text == letters {
			return name, nil
		}
	}
	return "", spelling.CheckChoice("modality", text, modalities, map[string]string{"audiovisual": "audio-visual", "both": "audio-visual", "va": "audio-visual", "sound": "audio", "video": "visual"})
}
