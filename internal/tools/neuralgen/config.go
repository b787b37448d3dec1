package neuralgen

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// architectures are the classes that config.json names.
var architectures = map[Family]string{BERT: "BertForMaskedLM", RoBERTa: "RobertaForMaskedLM", XLMR: "XLMRobertaForMaskedLM"}

// config is config.json with the fields that say what is computed.
func (s Shape) config() []byte {
	eps, pad := 1e-5, 1
	if s.Family == BERT {
		eps, pad = 1e-12, 0
	}
	text, err := json.MarshalIndent(struct {
		Architectures []string `json:"architectures"`
		ModelType     Family   `json:"model_type"`
		Vocab         int      `json:"vocab_size"`
		Hidden        int      `json:"hidden_size"`
		Layers        int      `json:"num_hidden_layers"`
		Heads         int      `json:"num_attention_heads"`
		Inner         int      `json:"intermediate_size"`
		Positions     int      `json:"max_position_embeddings"`
		Types         int      `json:"type_vocab_size"`
		Eps           float64  `json:"layer_norm_eps"`
		Pad           int      `json:"pad_token_id"`
		Act           string   `json:"hidden_act"`
		Embedding     string   `json:"position_embedding_type"`
	}{[]string{architectures[s.Family]}, s.Family, s.Vocab, s.Hidden, s.Layers, s.Heads, s.Inner, s.Positions, s.Types, eps, pad, "gelu", "absolute"}, "", "  ")
	if err != nil {
		panic(err) // a struct of plain fields
	}
	return append(text, '\n')
}

// hyperparameters is hparams.yaml as COMET 2.2 writes it, with the choices of
// wmt22-comet-da.
func (s Shape) hyperparameters() []byte {
	var sizes []string
	for _, n := range s.Estimator {
		sizes = append(sizes, strconv.Itoa(n))
	}
	return fmt.Appendf(nil, `activations: Tanh
batch_size: 4
class_identifier: regression_metric
dropout: 0.1
encoder_learning_rate: 1.0e-06
encoder_model: XLM-RoBERTa
final_activation: null
hidden_sizes:
- %s
keep_embeddings_frozen: true
layer: mix
layer_norm: false
layer_transformation: sparsemax
layerwise_decay: 0.95
learning_rate: 1.5e-05
loss: mse
nr_frozen_epochs: 0.3
optimizer: AdamW
pool: avg
pretrained_model: xlm-roberta-large
`, strings.Join(sizes, "\n- "))
}
