package contamination

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"unicode"

	"omniscope/internal/rows"
)

// gramWords is how many words in a row two texts share to be hinted at.
const gramWords = 13

// texts are those of benchmarks, by their 13-grams, and which clips share some. It keeps eight bytes a gram, and no text.
type texts struct {
	items []textItem
	grams map[uint64][]int32 // items by the hash of a gram
	found map[[2]int]*sharing
}

type textItem struct {
	benchmark, id string
	grams         int // different ones
}

// A sharing is what a clip's texts share with an item.
type sharing struct {
	grams map[uint64]bool
	first string // shared gram
}

// eachGram calls do with the hash of each 13 words in a row, and with the words. Words are what letters, marks and digits make, in small
// letters.
func eachGram(text string, do func(gram uint64, words []string)) {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	})
	for i := 0; i+gramWords <= len(words); i++ {
		h := fnv.New64a()
		for _, w := range words[i : i+gramWords] {
			h.Write([]byte(w))
			h.Write([]byte{' '})
		}
		do(h.Sum64(), words[i:i+gramWords])
	}
}

// readTexts reads the texts of benchmarks.
func (r *run) readTexts(ctx context.Context) error {
	r.texts = &texts{grams: make(map[uint64][]int32), found: make(map[[2]int]*sharing)}
	if !r.makes(text) {
		return nil
	}
	for _, named := range r.AgainstTexts {
		name, file, found := strings.Cut(named, "=")
		if !found {
			name, file = stem(named), named
		}
		err := eachText(ctx, file, func(id, text string) error {
			r.texts.add(textItem{benchmark: name, id: id}, text)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachText calls do with each row of JSON Lines with id and text.
func eachText(ctx context.Context, file string, do func(id, text string) error) error {
	_, err := rows.InOrder(ctx, file, func(_ *rows.File, _ int, text []byte) error {
		var row textRow
		switch err := json.Unmarshal(bytes.TrimSpace(text), &row); {
		case err != nil:
			return err
		case len(row.ID) == 0 || row.Text == nil:
			return errors.New(`a row has the fields "id" and "text"`)
		}
		return do(row.id(), *row.Text)
	})
	return err
}

func (t *texts) add(item textItem, text string) {
	n := int32(len(t.items))
	eachGram(text, func(gram uint64, _ []string) {
		if !slices.Contains(t.grams[gram], n) {
			t.grams[gram] = append(t.grams[gram], n)
			item.grams++
		}
	})
	t.items = append(t.items, item)
}

// look notes what a clip's text shares with the benchmarks'.
func (t *texts) look(clip int, text string) {
	if len(t.items) == 0 {
		return
	}
	eachGram(text, func(gram uint64, words []string) {
		for _, item := range t.grams[gram] {
			at := [2]int{clip, int(item)}
			if t.found[at] == nil {
				t.found[at] = &sharing{grams: make(map[uint64]bool), first: strings.Join(words, " ")}
			}
			t.found[at].grams[gram] = true
		}
	})
}

// readTranscripts looks the texts of training clips up that stand in files of their own.
func (r *run) readTranscripts(ctx context.Context, ids map[string]string) error {
	if len(r.Texts) == 0 || !r.makes(text) {
		return nil
	}
	at, unknown := make(map[string]int, len(r.clips)), 0
	for i := range r.clips {
		at[r.clips[i].id] = i
	}
	for _, file := range r.Texts {
		err := eachText(ctx, file, func(id, text string) error {
			if _, there := ids[id]; there {
				r.texts.look(at[id], text)
			} else {
				unknown++
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if unknown > 0 {
		r.warnings = append(r.warnings, fmt.Sprintf("%d texts of --texts are of no clip of %s", unknown, r.List))
	}
	return nil
}

// findTexts makes hints of what texts share.
func (r *run) findTexts(context.Context) error {
	byClip := func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) }
	for _, pair := range slices.SortedFunc(maps.Keys(r.texts.found), byClip) {
		s, item := r.texts.found[pair], r.texts.items[pair[1]]
		r.hits = append(r.hits, hitRecord{
			Clip: r.clips[pair[0]].id, Benchmark: item.benchmark, Item: item.id, Check: text, Score: round(float64(len(s.grams))/float64(item.grams), 4),
			By: fmt.Sprintf("%d shared 13-grams, such as: %s", len(s.grams), s.first), Hint: true, clip: pair[0],
		})
		r.propose(text, item.benchmark)
	}
	return nil
}
