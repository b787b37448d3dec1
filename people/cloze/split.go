package cloze

import "omniscope/internal/sentences"

// split cuts a description into sentences.
func split(text string) (out []sentence) {
	for _, s := range sentences.Cut(text) {
		out = append(out, sentence{Text: s.Text, Before: s.Before})
	}
	return out
}
