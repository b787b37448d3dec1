package neural

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"omniscope"
	"omniscope/internal/parallel"
	"omniscope/metric/neural/encoder"
	"omniscope/metric/neural/tokenizer"
	"omniscope/metric/neural/weights"
)

// A network is the encoder of a model folder and its tokenizer.
type network struct {
	what      string // "bertscore" or "comet"
	folder    string
	name      string // of the model, for people
	config    encoder.Config
	file      *weights.File
	source    encoder.Source
	tokenizer tokenizer.Tokenizer
	rest      []string // files that shape numbers, beside weights and tokenizer
	words     []string // the tokenizer's files
	options   Options

	layers    int   // how many are computed
	shown     []int // those that are looked at, ascending; layers is the last
	maxTokens int

	using  sync.RWMutex
	closed bool

	load    sync.Once
	encoder *encoder.Encoder
	loadErr error

	digest  sync.Once
	id      identity
	weights string // SHA-256
	idErr   error
}

// openNetwork opens a model folder. Its weights are packed when the first text
// is encoded: where all is remembered they are not needed.
func openNetwork(what, folder string, o Options) (*network, error) {
	o, err := o.checked()
	if err != nil {
		return nil, err
	}
	n := &network{what: what, folder: folder, options: o, rest: []string{"config.json"}}
	if n.config, err = encoder.ReadConfig(n.path("config.json")); err != nil {
		return nil, err
	}
	if err := n.openTokenizer(); err != nil {
		return nil, err
	}
	if size := n.tokenizer.Size(); size > n.config.Vocab {
		return nil, omniscope.Invalidf("%s: the tokenizer has ids up to %d, and the encoder a vocabulary of %d: they are of different models", folder, size-1, n.config.Vocab)
	}
	if n.file, err = weights.Open(n.path(weightsFile)); err != nil {
		return nil, err
	}
	if n.source, err = encoder.Prefixed(n.file.Under("")); err != nil {
		n.file.Close()
		return nil, err
	}
	if n.name = path.Base(readModelFile(folder).Name); n.name == "." {
		n.name = filepath.Base(folder)
	}
	return n, nil
}

func (n *network) path(name string) string { return filepath.Join(n.folder, name) }

func (n *network) openTokenizer() (err error) {
	switch n.config.Family {
	case encoder.BERT:
		n.words = []string{"vocab.txt"}
		n.tokenizer, err = tokenizer.OpenWordPiece(n.path("vocab.txt"))
	case encoder.RoBERTa:
		n.words = []string{"vocab.json", "merges.txt"}
		n.tokenizer, err = tokenizer.OpenGPT2(n.path("vocab.json"), n.path("merges.txt"))
	default:
		n.words = []string{"tokenizer.json"}
		n.tokenizer, err = tokenizer.OpenJSON(n.path("tokenizer.json"))
	}
	return err
}

// identity is what keys of the cache and signatures are made of.
func (n *network) identity() (identity, error) {
	n.digest.Do(func() {
		n.id = identity{what: n.what, layer: n.layers, maxTokens: n.maxTokens, arithmetic: n.options.arithmetic()}
		var rest string
		var err error
		if n.weights, err = weightsDigest(n.folder, n.options.Cache); err == nil {
			if rest, err = hashFiles(n.paths(n.rest)...); err == nil {
				n.id.tokenizer, err = hashFiles(n.paths(n.words)...)
			}
		}
		if n.id.model = n.weights + " " + rest; err != nil {
			n.idErr = unreadable(err)
		}
	})
	return n.id, n.idErr
}

func (n *network) paths(names []string) []string {
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = n.path(name)
	}
	return paths
}

// store is where the cache keeps this network's values, nil without a cache.
func (n *network) store() (*store, error) {
	if n.options.Cache == nil {
		return nil, nil
	}
	id, err := n.identity()
	if err != nil {
		return nil, err
	}
	return n.options.Cache.store(id), nil
}

// Identity is all that shapes the numbers of a text or pair beside the texts:
// network and tokenizer by the digests of their files, layer, longest text and
// arithmetic. Numbers of equal identities have equal bits. It may read the
// weights to take their digest.
func (n *network) Identity() (string, error) {
	id, err := n.identity()
	if err != nil {
		return "", err
	}
	return string(id.header()), nil
}

// signature is made of what the metrics add, and of what they share.
func (n *network) signature(version, model, scoring string) (string, error) {
	id, err := n.identity()
	if err != nil {
		return "", err
	}
	parts := []string{n.what + ":" + version, "model:" + model, "weights:" + n.weights[:12], "tokenizer:" + id.tokenizer[:12], "engine:" + id.arithmetic}
	if scoring != "" {
		parts = append(parts, scoring)
	}
	return strings.Join(parts, "|"), nil
}

// tokenize returns the ids of texts.
func (n *network) tokenize(texts []string) [][]int32 {
	ids := make([][]int32, len(texts))
	parallel.Do(n.options.Threads, len(texts), func(_, i int) { ids[i] = n.tokenizer.Encode(texts[i], n.maxTokens) })
	return ids
}

// loaded packs the weights, once.
func (n *network) loaded() (*encoder.Encoder, error) {
	n.load.Do(func() {
		n.encoder, n.loadErr = encoder.New(n.config, n.source, encoder.Options{Layers: n.layers, Threads: n.options.Threads, Set: n.options.Set})
	})
	return n.encoder, n.loadErr
}

// A visitor sees the hidden states of a batch, layer by layer; sentence s of h
// has the ids of text batch[s].
type visitor interface {
	visit(batch []int, layer int, h encoder.Hidden) error
	// finish is called when a batch has been seen whole.
	finish(batch []int) error
}

// encode runs the texts that are listed through the network.
func (n *network) encode(ctx context.Context, ids [][]int32, texts []int, v visitor, p *progress) error {
	if len(texts) == 0 {
		return nil
	}
	enc, err := n.loaded()
	if err != nil {
		return err
	}
	lengths := make([]int, len(texts))
	for i, t := range texts {
		lengths[i] = len(ids[t])
	}
	for _, chosen := range encoder.Batches(lengths, encoder.BatchTokens) {
		batch, sentences, tokens := make([]int, len(chosen)), make([][]int32, len(chosen)), 0
		for s, i := range chosen {
			batch[s], sentences[s] = texts[i], ids[texts[i]]
			tokens += lengths[i]
		}
		if err := enc.Forward(ctx, sentences, func(layer int, h encoder.Hidden) error { return v.visit(batch, layer, h) }); err != nil {
			return err
		}
		if err := v.finish(batch); err != nil {
			return err
		}
		p.add(tokens)
	}
	return nil
}

// close waits for those who use the network: mapped weights must not be read
// any more.
func (n *network) close() error {
	n.using.Lock()
	defer n.using.Unlock()
	n.closed = true
	n.encoder = nil // a caller that keeps n does not keep a gigabyte
	return n.file.Close()
}

// use keeps the network from being closed until done.
func (n *network) use() (done func(), err error) {
	n.using.RLock()
	if n.closed {
		n.using.RUnlock()
		return nil, fmt.Errorf("%s was closed", n.folder)
	}
	return n.using.RUnlock, nil
}
