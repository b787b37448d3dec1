package neural

import (
	"context"
	"fmt"

	"omniscope"
	"omniscope/metric/neural/encoder"
)

// COMET predicts how people would judge a translation, from the source, the
// translation and a reference (Rei et al. 2020 and 2022), as unbabel-comet 2.2.4
// does with wmt22-comet-da. Calls of its methods may be made from several
// goroutines and wait for each other.
type COMET struct {
	*network
	mix       []float32 // weight of each layer, the embeddings being the first
	gamma     float32
	estimator *estimator
	warnings  []string
}

// OpenCOMET opens the model folder of wmt22-comet-da, or of a model built like
// it. Other settings in hparams.yaml are Invalid. Other sizes are taken, with a
// warning.
func OpenCOMET(folder string, o Options) (*COMET, error) {
	n, err := openNetwork("comet", folder, o)
	if err != nil {
		return nil, err
	}
	c, err := openCOMET(n)
	if err != nil {
		_ = n.close()
		return nil, err
	}
	return c, nil
}

func openCOMET(n *network) (*COMET, error) {
	if n.config.Family != encoder.XLMR {
		return nil, omniscope.Invalidf("%s: config.json is of a %s, COMET needs an %s", n.folder, n.config.Family, encoder.XLMR)
	}
	h, err := readHParams(n.path("hparams.yaml"), n.file.Hyperparameters())
	if err != nil {
		return nil, err
	}
	n.rest = append(n.rest, "hparams.yaml")
	c := &COMET{network: n}
	if err := c.readMix(); err != nil {
		return nil, err
	}
	if c.estimator, err = newEstimator(n, h.hiddenSizes); err != nil {
		return nil, err
	}
	// The original asks the tokenizer for two fewer than there are positions.
	n.shown = used(c.mix)
	n.layers, n.maxTokens = n.shown[len(n.shown)-1], n.config.MaxTokens()-2
	if n.maxTokens < 2 {
		return nil, omniscope.Invalidf("%s: config.json has %d positions, which leaves none for a text", n.folder, n.config.Positions)
	}
	if c.warnings, err = n.doubts("wmt22-comet-da", xlmrLarge); err != nil {
		return nil, err
	}
	if want := [2]int{3072, 1024}; h.hiddenSizes != want && unlike("", xlmrLarge, n.config) == nil {
		c.warnings = []string{fmt.Sprintf("this is not the published wmt22-comet-da (hidden_sizes %v instead of %v): its scores compare with no published ones", h.hiddenSizes, want)}
	}
	return c, nil
}

// readMix reads how layers are mixed.
func (c *COMET) readMix() error {
	const name = "layerwise_attention."
	scores := make([]float32, c.config.Layers+1)
	for i := range scores {
		v, err := c.file.Floats(fmt.Sprintf("%sscalar_parameters.%d", name, i), 1)
		if err != nil {
			return err
		}
		scores[i] = v[0]
	}
	more := fmt.Sprintf("%sscalar_parameters.%d", name, len(scores))
	if _, ok := c.file.Tensor(more); ok {
		return omniscope.Invalidf("%s: there is %s, which is one layer more than config.json says: they are of different models", c.folder, more)
	}
	gamma, err := c.file.Floats(name+"gamma", 1)
	if err != nil {
		return err
	}
	c.gamma, c.mix = gamma[0], sparsemax(scores)
	for _, v := range append(scores, c.gamma) {
		if !finite(v) {
			return omniscope.Invalidf("%s: weights of the layers are no finite numbers: the file is damaged, get it again", c.folder)
		}
	}
	return nil
}

// Close gives the weights back. Nothing can be scored any more.
func (c *COMET) Close() error { return c.close() }

// Warnings says what a reader of the scores should know.
func (c *COMET) Warnings() []string { return c.warnings }

// Signature names all that must be equal for two scores to be comparable. It
// may read the weights to take their digest.
func (c *COMET) Signature() (string, error) {
	return c.signature("2.2.4", c.name, "")
}

// Score returns the score of each segment, mostly between 0 and 1; the score of
// a system is their mean. Texts are taken as they are (MCIF's program strips
// them first), an empty one is a text as any other, and what is behind 510
// tokens is cut off. Texts that occur more than once are encoded once.
//
// When it ends early, by ctx or an error, what was computed is in the cache.
func (c *COMET) Score(ctx context.Context, sources, hypotheses, references []string) ([]float64, error) {
	if len(sources) != len(hypotheses) || len(references) != len(hypotheses) {
		return nil, omniscope.Invalidf("COMET: %d sources, %d hypotheses and %d references: give one source and one reference for each hypothesis",
			len(sources), len(hypotheses), len(references))
	}
	done, err := c.use()
	if err != nil {
		return nil, err
	}
	defer done()
	kept, err := c.store()
	if err != nil {
		return nil, err
	}
	p := newPooling(c, kept)
	var of [3][]int
	for i := range hypotheses {
		of[0] = append(of[0], p.texts.add("source", i, sources[i]))
		of[1] = append(of[1], p.texts.add("hypothesis", i, hypotheses[i]))
		of[2] = append(of[2], p.texts.add("reference", i, references[i]))
	}
	if err := p.run(ctx); err != nil {
		return nil, fmt.Errorf("COMET: %w", err)
	}
	return c.estimate(p.of(of[0]), p.of(of[1]), p.of(of[2]))
}

func (c *COMET) estimate(sources, hypotheses, references [][]float32) ([]float64, error) {
	scores := make([]float64, len(hypotheses))
	for i, s := range c.estimator.scores(c.options.Threads, sources, hypotheses, references) {
		if !finite(s) {
			return nil, omniscope.Invalidf("COMET: segment %d, counted from 0: its score is no finite number, so the weights are damaged or of another model", i)
		}
		scores[i] = float64(s)
	}
	return scores, nil
}
