package tokenizer

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// madeUp are pieces as many and about as long as those of XLM-R, and a text of
// words that they make.
func madeUp() (pieces []scored, text string) {
	const all = 250_002 - 5 // with the special ones
	letters := []rune("etaoinshrdlucmfwypvbgkjqxzäöüßéèñçабвгдежзиклмнопрстуфхцчшщыьэюя的一是不了在人有我他这中大来上国")
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[string]bool{}
	add := func(piece string) {
		if !seen[piece] {
			seen[piece] = true
			pieces = append(pieces, scored{piece, float64(float32(-5 - math.Log(float64(len(pieces)+1))))})
		}
	}
	add("▁")
	for _, r := range letters {
		add(string(r))
	}
	for len(pieces) < all {
		var piece strings.Builder
		if random.IntN(3) > 0 {
			piece.WriteString("▁")
		}
		for range 2 + random.IntN(8) {
			at := random.Float64()
			piece.WriteRune(letters[int(at*at*float64(len(letters)))])
		}
		add(piece.String())
	}
	var words strings.Builder
	for words.Len() < 1<<20 {
		at := random.Float64()
		words.WriteString(strings.ReplaceAll(pieces[int(at*at*at*float64(len(pieces)))].piece, "▁", " "))
		if random.IntN(9) == 0 {
			words.WriteString(", ")
		}
	}
	return pieces, words.String()
}

func BenchmarkOpenJSON(b *testing.B) {
	pieces, _ := madeUp()
	path := writtenJSON(b, unigramFile(pieces, nil))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var tok Tokenizer
	for b.Loop() {
		tok = opened(b)(OpenJSON(path))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/(1<<20), "MiB-kept")
	runtime.KeepAlive(tok)
}

func BenchmarkEncode(b *testing.B) {
	pieces, text := madeUp()
	names, plain := []string{}, []string{}
	for _, p := range pieces[:50_000] {
		names = append(names, strings.ReplaceAll(p.piece, "▁", "Ġ"))
		plain = append(plain, strings.ReplaceAll("##"+p.piece, "##▁", ""))
	}
	for name, tok := range map[string]Tokenizer{
		"Unigram": unigramOf(b, pieces, func(file map[string]any) {
			file["normalizer"] = map[string]any{"type": "Precompiled", "precompiled_charsmap": charsmapOf(map[string]string{"ﬁ": "fi", "\t": " "})}
		}),
		"bytepairs": gpt2Of(b, names, leadingPairs(names)...),
		"WordPiece": wordPieceOf(b, plain...),
	} {
		lines := strings.Split(text, ", ")
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				for _, line := range lines {
					tok.Encode(line, 512)
				}
			}
		})
		b.Run(name+"/OneWord", func(b *testing.B) {
			word := strings.ReplaceAll(strings.ReplaceAll(text, " ", ""), ",", "")
			b.SetBytes(int64(len(word)))
			for b.Loop() {
				tok.Encode(word, 0)
			}
		})
	}
}

// leadingPairs are merges that make the beginnings of pieces, byte by byte.
func leadingPairs(pieces []string) (merges []string) {
	letters := byteAlphabet()
	seen := map[string]bool{}
	for _, piece := range pieces {
		left := ""
		for _, b := range []byte(strings.TrimPrefix(piece, "Ġ")) {
			right := string(letters[b])
			if merge := left + " " + right; left != "" && !seen[merge] {
				seen[merge] = true
				merges = append(merges, merge)
			}
			left += right
		}
	}
	return merges
}

func BenchmarkOpenWordPiece(b *testing.B) {
	pieces, _ := madeUp()
	lines := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
	for _, p := range pieces[:119_542] {
		lines = append(lines, p.piece)
	}
	path := fixture.File(b, "vocab.txt", strings.Join(lines, "\n")+"\n")
	for b.Loop() {
		opened(b)(OpenWordPiece(path))
	}
}

func BenchmarkOpenGPT2(b *testing.B) {
	pieces, _ := madeUp()
	vocab := map[string]int{"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": 4}
	for i, p := range pieces[:50_260] {
		vocab[p.piece] = 5 + i
	}
	text, err := json.Marshal(vocab)
	fixture.OK(b, err)
	merges := leadingPairs(strings.Split("the of and in to", " "))
	for i := range 50_000 {
		merges = append(merges, pieces[i].piece+" "+pieces[i+1].piece)
	}
	vocabFile := fixture.File(b, "vocab.json", string(text))
	mergesFile := fixture.File(b, "merges.txt", "#version: 0.2\n"+strings.Join(merges, "\n")+"\n")
	for b.Loop() {
		opened(b)(OpenGPT2(vocabFile, mergesFile))
	}
}
