package neural

import (
	"context"
	"fmt"

	"omniscope"
)

// BERTScore compares texts by the cosines of their tokens' vectors (Zhang et
// al., BERTScore: Evaluating Text Generation with BERT, ICLR 2020), with model,
// layer and baseline of bert_score 0.3.13. Calls of its methods may be made from
// several goroutines and wait for each other.
type BERTScore struct {
	*network
	lang     language
	warnings []string
}

// OpenBERTScore opens the model folder of a language: en, de, it or zh. A model
// of other sizes than the published one is taken, with a warning, as long as it
// has the layer that is compared.
func OpenBERTScore(folder, lang string, o Options) (*BERTScore, error) {
	l, err := languageOf(lang)
	if err != nil {
		return nil, err
	}
	n, err := openNetwork("bertscore", folder, o)
	if err != nil {
		return nil, err
	}
	if n.config.Family != l.sizes.Family || n.config.Layers < l.layer {
		_ = n.close()
		return nil, omniscope.Invalidf("%s: a %s with %d layers; for language %q BERTScore needs %s, a %s, whose layer %d it compares",
			folder, n.config.Family, n.config.Layers, lang, l.model, l.sizes.Family, l.layer)
	}
	n.layers, n.shown, n.maxTokens = l.layer, []int{l.layer}, min(512, n.config.MaxTokens())
	warnings, err := n.doubts(l.model, l.sizes)
	if err != nil {
		_ = n.close()
		return nil, err
	}
	return &BERTScore{n, l, warnings}, nil
}

// Close gives the weights back. Nothing can be scored any more.
func (b *BERTScore) Close() error { return b.close() }

// Warnings says what a reader of the scores should know.
func (b *BERTScore) Warnings() []string { return b.warnings }

// Signature names all that must be equal for two scores to be comparable.
// scoring is how their batches were treated: "official" or "strict". It may
// read the weights to take their digest.
func (b *BERTScore) Signature(scoring string) (string, error) {
	model := fmt.Sprintf("%s L%d|rescaled:%s", b.lang.model, b.lang.layer, b.lang.code)
	return b.signature("0.3.13", model, scoring)
}

// Score is Official or Strict of Match.
func (b *BERTScore) Score(ctx context.Context, hypotheses, references []string, official bool) ([]PairScore, error) {
	matches, err := b.Match(ctx, hypotheses, references)
	if err != nil {
		return nil, err
	}
	if official {
		return b.Official(matches), nil
	}
	return b.Strict(matches), nil
}

// Match compares each hypothesis with its reference. Space around a text, as
// Python has it, does not count, and a text is cut behind 512 tokens. Texts and
// pairs that occur more than once are computed once.
//
// When it ends early, by ctx or an error, what was computed is in the cache.
func (b *BERTScore) Match(ctx context.Context, hypotheses, references []string) ([]Match, error) {
	if len(hypotheses) != len(references) {
		return nil, omniscope.Invalidf("BERTScore: %d hypotheses and %d references: give one reference for each", len(hypotheses), len(references))
	}
	done, err := b.use()
	if err != nil {
		return nil, err
	}
	defer done()
	kept, err := b.store()
	if err != nil {
		return nil, err
	}
	w := newMatching(b, kept, hypotheses, references)
	if err := w.run(ctx); err != nil {
		return nil, fmt.Errorf("BERTScore: %w", err)
	}
	matches := make([]Match, len(w.of))
	for i, p := range w.of {
		matches[i] = w.pairs[p].found
	}
	return matches, nil
}
