package pg

import (
	"context"
	"testing"
)

// A worker that has a question does not wait for further ones: in each round two are
// asked, and nobody asks again before both are answered.
func TestQuestionsAreAnsweredWithoutFurtherOnes(t *testing.T) {
	const rounds = 400_000
	var b batcher[int, int]
	b.start(t.Context(), lookupsAtOnce, func(_ context.Context, asked []int) ([]int, error) {
		answers := make([]int, len(asked))
		for i, n := range asked {
			answers[i] = -n
		}
		return answers, nil
	})
	for n := range rounds {
		first, second := b.put(n), b.put(n+1)
		<-first.done
		<-second.done
		if first.answer != -n || second.answer != -n-1 {
			t.Fatalf("%d and %d are answered %d and %d", n, n+1, first.answer, second.answer)
		}
	}
	b.close()
}
