package neuralgen

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Lines are made texts: line i of each belongs together. A hypothesis is its
// reference with about every fifth word another one; a source shares nothing.
type Lines struct{ Hypotheses, References, Sources []string }

// Texts makes n lines of about so many words. In "zh" a word is two characters
// and nothing stands between them.
func Texts(n, words int, lang string, seed uint64) Lines {
	l := newLexicon(seed, 4)
	var stock []string
	for range 5000 {
		stock = append(stock, l.syllables(1+l.IntN(3)))
	}
	characters := strings.Split(common, "")
	word := func() string {
		if lang == "zh" {
			return l.pick(characters) + l.pick(characters)
		}
		return stock[int(float64(len(stock))*l.Float64()*l.Float64())] // some are frequent
	}
	line := func(words []string) string {
		if lang == "zh" {
			return strings.Join(words, "") + "。"
		}
		return capital(strings.Join(words, " ")) + "."
	}
	var out Lines
	for range n {
		long := max(1, words/2+l.IntN(words+1))
		var ref, hyp, src []string
		for range long {
			w := word()
			ref, src = append(ref, w), append(src, l.pick(stock))
			if l.IntN(5) == 0 {
				w = word()
			}
			hyp = append(hyp, w)
		}
		out.Hypotheses, out.References = append(out.Hypotheses, line(hyp)), append(out.References, line(ref))
		out.Sources = append(out.Sources, capital(strings.Join(src, " "))+".")
	}
	return out
}

// Write writes hyp.txt, ref.txt and src.txt.
func (l Lines) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	put := func(name string, lines []string) error {
		return os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(lines, "\n")+"\n"), 0o644)
	}
	return errors.Join(put("hyp.txt", l.Hypotheses), put("ref.txt", l.References), put("src.txt", l.Sources))
}
