package captions

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/bm25"
	"omniscope/internal/parallel"
	"omniscope/model"
	"omniscope/model/judge"
)

// stretches separates the captions of a video's stretches.
const stretches = "\n\n"

// longestPassage is how many characters a passage may have: a stretch of 30 seconds takes fewer.
const longestPassage = 1500

// passages are the parts of captions that are searched: those of stretches that blank lines are
// between, and of longer ones as many whole sentences as fit.
func passages(text string) (out []string) {
	for _, part := range strings.Split(text, stretches) {
		for part = strings.TrimSpace(part); len(part) > longestPassage; {
			end := strings.LastIndexAny(part[:longestPassage], ".!?。！？\n")
			if end <= 0 {
				end = strings.LastIndexByte(part[:longestPassage], ' ')
			}
			if end <= 0 {
				end = longestPassage - 1
			}
			for end++; end < len(part) && part[end]&0xc0 == 0x80; end++ { // to the end of a character
			}
			out = append(out, strings.TrimSpace(part[:end]))
			part = strings.TrimSpace(part[end:])
		}
		if part != "" {
			out = append(out, part)
		}
	}
	return out
}

// A memory is what a model is given of a video's captions.
type memory struct {
	whole    string // all of it, where it fits
	passages []string
	vectors  [][]float64 // of the passages; nil = they are searched by words
}

func (b *m3bench) newMemory(caption string) *memory {
	if len(caption) <= b.limit {
		return &memory{whole: caption}
	}
	return &memory{passages: passages(caption)}
}

// best is what a question is given: everything, or the passages of the best ranks in the order
// of the video.
func (b *m3bench) best(m *memory, ranks []int) string {
	if m.passages == nil {
		return m.whole
	}
	chosen := slices.Clone(ranks[:min(b.top, len(ranks))])
	slices.Sort(chosen)
	var texts []string
	for _, i := range chosen {
		texts = append(texts, m.passages[i])
	}
	return strings.Join(texts, stretches)
}

// byWords ranks the passages without asking anybody.
func (m *memory) byWords(question string) []int { return bm25.Rank(question, m.passages) }

// embed asks for the vectors of all passages. The outcome is that of the first call that failed; an error stops the run.
func (m *memory) embed(ctx context.Context, embedder *judge.Judge, clip string) (out asked, err error) {
	m.vectors = make([][]float64, len(m.passages))
	all := make([]asked, len(m.passages))
	err = parallel.Calls(atOnce, len(m.passages), func(i int) (err error) {
		m.vectors[i], all[i], err = vector(ctx, embedder, passageStep(clip, i), m.passages[i])
		return err
	})
	out.outcome = omniscope.OK
	for _, one := range all {
		out.outcome, out.why = firstFailure(out.outcome, one.outcome), errors.Join(out.why, one.why)
	}
	return out, err
}

func passageStep(clip string, i int) string { return fmt.Sprintf("%s/passage%d", clip, i+1) }

// vector asks for the vector of a text.
func vector(ctx context.Context, embedder *judge.Judge, step, text string) ([]float64, asked, error) {
	answer, err := judge.Ask(ctx, embedder, judge.Question[[]float64]{Step: step, Embed: true, Repeat: true,
		Messages: []model.Message{model.Text(model.User, text)}, Read: readVector})
	return answer.Value, asked{outcome: answer.Outcome, why: why(answer)}, err
}

func readVector(reply string) (v []float64, err error) {
	if err := json.Unmarshal([]byte(reply), &v); err != nil || len(v) == 0 {
		return nil, errors.New("it is no list of numbers")
	}
	return v, nil
}

// byMeaning ranks the passages by the cosine of their vectors with the question's.
func (m *memory) byMeaning(question []float64) []int {
	order, near := make([]int, len(m.vectors)), make([]float64, len(m.vectors))
	for i, v := range m.vectors {
		order[i], near[i] = i, cosine(question, v)
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(near[y], near[x]) })
	return order
}

func cosine(a, b []float64) float64 {
	var product, x, y float64
	for i := range min(len(a), len(b)) {
		product, x, y = product+a[i]*b[i], x+a[i]*a[i], y+b[i]*b[i]
	}
	if x*y == 0 {
		return 0
	}
	return product / math.Sqrt(x*y)
}
