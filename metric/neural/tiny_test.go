package neural

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/metric/neural/encoder"
	"omniscope/metric/neural/isa"
)

// A tensor is one of a model that a test makes up.
type tensor struct {
	shape   []int
	numbers []float32
}

// A checkpoint is the tensors of a model.
type checkpoint map[string]tensor

// write writes a safetensors file.
func (c checkpoint) write(t *testing.T, folder string) {
	t.Helper()
	header := map[string]any{}
	var data []byte
	for _, name := range slices.Sorted(maps.Keys(c)) {
		start := len(data)
		for _, v := range c[name].numbers {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		header[name] = map[string]any{"dtype": "F32", "shape": c[name].shape, "data_offsets": []int{start, len(data)}}
	}
	text, err := json.Marshal(header)
	fixture.OK(t, err)
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	writeFile(t, folder, weightsFile, append(append(file, text...), data...))
}

func writeFile(t *testing.T, folder, name string, content []byte) {
	t.Helper()
	fixture.OK(t, os.WriteFile(filepath.Join(folder, name), content, 0o644))
}

// tiny are the sizes of the models that tests make up.
func tiny(family encoder.Family, vocab, layers int) encoder.Config {
	c := encoder.Config{Family: family, Vocab: vocab, Hidden: 12, Layers: layers, Heads: 3, Inner: 20, Positions: 40, Types: 1, Pad: 1, Eps: 1e-5}
	if family == encoder.BERT {
		c.Pad, c.Types = 0, 2
	}
	return c
}

// invented returns weights of an encoder under a prefix, and writes its
// config.json.
func invented(t *testing.T, folder, prefix string, c encoder.Config) checkpoint {
	t.Helper()
	writeFile(t, folder, "config.json", fmt.Appendf(nil, `{"model_type": %q, "vocab_size": %d, "hidden_size": %d, "num_hidden_layers": %d,
		"num_attention_heads": %d, "intermediate_size": %d, "max_position_embeddings": %d, "type_vocab_size": %d, "pad_token_id": %d, "layer_norm_eps": %g}`,
		c.Family, c.Vocab, c.Hidden, c.Layers, c.Heads, c.Inner, c.Positions, c.Types, c.Pad, c.Eps))
	all := checkpoint{}
	random := rand.New(rand.NewPCG(7, uint64(c.Vocab)))
	all.add(random, prefix+encoder.WordTable, 1, c.Vocab, c.Hidden)
	all.add(random, prefix+encoder.PositionTable, 0.3, c.Positions, c.Hidden)
	all.add(random, prefix+encoder.TypeTable, 0.3, c.Types, c.Hidden)
	all.norm(random, prefix+"embeddings.LayerNorm", c.Hidden)
	for layer := range c.Layers {
		at := fmt.Sprintf("%sencoder.layer.%d.", prefix, layer)
		for _, name := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
			all.linear(random, at+name, c.Hidden, c.Hidden)
		}
		all.linear(random, at+"intermediate.dense", c.Inner, c.Hidden)
		all.linear(random, at+"output.dense", c.Hidden, c.Inner)
		all.norm(random, at+"attention.output.LayerNorm", c.Hidden)
		all.norm(random, at+"output.LayerNorm", c.Hidden)
	}
	return all
}

func (c checkpoint) add(random *rand.Rand, name string, size float64, shape ...int) {
	n := 1
	for _, side := range shape {
		n *= side
	}
	numbers := make([]float32, n)
	for i := range numbers {
		numbers[i] = float32(size * random.NormFloat64())
	}
	c[name] = tensor{shape, numbers}
}

func (c checkpoint) linear(random *rand.Rand, name string, out, in int) {
	c.add(random, name+".weight", 0.5, out, in)
	c.add(random, name+".bias", 0.1, out)
}

func (c checkpoint) norm(random *rand.Rand, name string, size int) {
	c.add(random, name+".weight", 0.1, size)
	for i := range c[name+".weight"].numbers {
		c[name+".weight"].numbers[i]++
	}
	c.add(random, name+".bias", 0.1, size)
}

// germanWords is the vocabulary of the model for German that tests make up.
var germanWords = strings.Fields("[PAD] [UNK] [CLS] [SEP] [MASK] a b c d e ##a ##b ##c ##d ##e das Haus Meer ist blau gross . ,")

// germanModel makes up a model for BERTScore in German. change may be nil.
func germanModel(t *testing.T, change func(c *encoder.Config, w checkpoint)) (folder string) {
	t.Helper()
	folder = t.TempDir()
	c := tiny(encoder.BERT, len(germanWords), 10)
	w := invented(t, folder, "bert.", c)
	if change != nil {
		if change(&c, w); c.Layers != 10 {
			w = invented(t, folder, "bert.", c)
		}
	}
	w.write(t, folder)
	writeFile(t, folder, "vocab.txt", []byte(strings.Join(germanWords, "\n")+"\n"))
	return folder
}

func openGerman(t *testing.T, folder string, o Options) *BERTScore {
	t.Helper()
	o.Set = isa.Best()
	b, err := OpenBERTScore(folder, "de", o)
	fixture.OK(t, err)
	t.Cleanup(func() { b.Close() })
	return b
}

// cometPieces is the vocabulary of the COMET model that tests make up.
var cometPieces = append([]string{"<s>", "<pad>", "</s>", "<unk>", "▁"}, strings.Split("abcdefgh", "")...)

const cometParameters = `class_identifier: regression_metric
encoder_model: XLM-RoBERTa
pretrained_model: invented
pool: avg
layer: mix
layer_transformation: sparsemax
layer_norm: false
activations: Tanh
final_activation: null
hidden_sizes: [9, 5]
learning_rate: 1.5e-05
`

// cometModel makes up a COMET model. change may be nil.
func cometModel(t *testing.T, change func(w checkpoint)) (folder string) {
	t.Helper()
	folder = t.TempDir()
	c := tiny(encoder.XLMR, len(cometPieces), 4)
	w := invented(t, folder, "encoder.model.", c)
	for layer, score := range []float32{0.3, -2, 0.2, 0.4, -3} {
		w[fmt.Sprintf("layerwise_attention.scalar_parameters.%d", layer)] = tensor{[]int{1}, []float32{score}}
	}
	w["layerwise_attention.gamma"] = tensor{[]int{1}, []float32{1.25}}
	random := rand.New(rand.NewPCG(1, 2))
	w.linear(random, "estimator.ff.0", 9, 6*c.Hidden)
	w.linear(random, "estimator.ff.3", 5, 9)
	w.linear(random, "estimator.ff.6", 1, 5)
	if change != nil {
		change(w)
	}
	w.write(t, folder)
	writeFile(t, folder, "hparams.yaml", []byte(cometParameters))
	var vocab [][2]any
	for i, piece := range cometPieces {
		vocab = append(vocab, [2]any{piece, -float64(i)})
	}
	text, err := json.Marshal(map[string]any{
		"version": "1.0",
		"added_tokens": []map[string]any{
			{"id": 1, "content": "<pad>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
		},
		"pre_tokenizer": map[string]any{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
		"post_processor": map[string]any{"type": "TemplateProcessing",
			"single": []any{special("<s>"), map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0}}, special("</s>")},
			"pair":   []any{},
			"special_tokens": map[string]any{
				"<s>":  map[string]any{"id": "<s>", "ids": []int{0}, "tokens": []string{"<s>"}},
				"</s>": map[string]any{"id": "</s>", "ids": []int{2}, "tokens": []string{"</s>"}},
			}},
		"model": map[string]any{"type": "Unigram", "unk_id": 3, "vocab": vocab},
	})
	fixture.OK(t, err)
	writeFile(t, folder, "tokenizer.json", text)
	return folder
}

func special(name string) map[string]any {
	return map[string]any{"SpecialToken": map[string]any{"id": name, "type_id": 0}}
}

func openInvented(t *testing.T, folder string, o Options) *COMET {
	t.Helper()
	o.Set = isa.Best()
	c, err := OpenCOMET(folder, o)
	fixture.OK(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}
