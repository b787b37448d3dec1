package bm25

import (
	"fmt"
	"testing"
)

func TestRank(t *testing.T) {
	texts := []string{"The dog barks at the door.", "A cat sleeps; a cat purrs.", "The dog and the cat run home together in the evening rain.", "狗在门口叫"}
	for query, want := range map[string]string{
		"Which DOG barks?":     "[0 2 1 3]", // barks is rarer than dog
		"cat":                  "[1 2 0 3]", // twice, in a shorter text
		"evening rain":         "[2 0 1 3]",
		"门口的狗":                 "[3 0 1 2]",
		"nothing of it":        "[0 1 2 3]",
		"":                     "[0 1 2 3]",
		"the the the together": "[2 0 1 3]",
	} {
		if got := fmt.Sprint(Rank(query, texts)); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	if got := Rank("x", nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
