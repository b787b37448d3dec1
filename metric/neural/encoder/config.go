package encoder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"omniscope"
)

// A Family is a kind of encoder, by the name that config.json gives it.
type Family string

// The families. Their layers are the same; RoBERTa and XLM-R count positions
// from behind the padding id.
const (
	BERT    Family = "bert"
	RoBERTa Family = "roberta"
	XLMR    Family = "xlm-roberta"
)

// A Config holds the sizes of an encoder.
type Config struct {
	Family    Family
	Vocab     int     // ids are 0 to Vocab-1
	Hidden    int     // numbers for each token
	Layers    int     //
	Heads     int     // of attention, Hidden/Heads numbers each
	Inner     int     // width between the two products behind attention
	Positions int     // rows of the table of positions
	Types     int     // rows of the table of token types, of which the first is used
	Pad       int     // the id of padding
	Eps       float64 // is added to variances
}

// MaxTokens is how many tokens a sentence can have, special ones included and
// none of them padding: 512 for the usual models.
func (c Config) MaxTokens() int { return c.Positions - c.firstPosition() }

// firstPosition is where a sentence's first token lies in the table.
func (c Config) firstPosition() int {
	if c.Family == BERT {
		return 0
	}
	return c.Pad + 1
}

// configFile is what transformers writes. Pointers tell what is not there from
// what is zero.
type configFile struct {
	Family     *string  `json:"model_type"`
	Vocab      *int     `json:"vocab_size"`
	Hidden     *int     `json:"hidden_size"`
	Layers     *int     `json:"num_hidden_layers"`
	Heads      *int     `json:"num_attention_heads"`
	Inner      *int     `json:"intermediate_size"`
	Positions  *int     `json:"max_position_embeddings"`
	Types      *int     `json:"type_vocab_size"`
	Pad        *int     `json:"pad_token_id"`
	Eps        *float64 `json:"layer_norm_eps"`
	Activation *string  `json:"hidden_act"`
	Position   *string  `json:"position_embedding_type"`
	Decoder    *bool    `json:"is_decoder"`
	Crossed    *bool    `json:"add_cross_attention"`
}

// ReadConfig reads the config.json of a BERT, RoBERTa or XLM-R. What it does
// not say is as in transformers 4 (BertConfig, RobertaConfig, XLMRobertaConfig).
// A model that this package would compute wrongly is Invalid, and the error
// names the file and the field.
func ReadConfig(path string) (Config, error) {
	text, err := readSettings(path, 1<<20)
	if err != nil {
		return Config{}, err
	}
	var file configFile
	if err := json.Unmarshal(text, &file); err != nil {
		return Config{}, omniscope.Invalidf("%s: %s; use the config.json that belongs to the model's weights", path, jsonFault(err))
	}
	c, err := file.config()
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return Config{}, omniscope.Invalidf("%s: %w", path, err)
	}
	return c, nil
}

// readSettings reads a file of a model's settings: a regular one of at most so
// many bytes. What is longer is something else, and a pipe would be waited for.
func readSettings(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Op: "read the model's settings", Err: err}
	case err != nil:
		return nil, fmt.Errorf("read the model's settings: %w", err)
	case !info.Mode().IsRegular():
		return nil, omniscope.Invalidf("%s is no regular file", path)
	case info.Size() > most:
		return nil, omniscope.Invalidf("%s has %d bytes, more than %d: it is no %s", path, info.Size(), most, filepath.Base(path))
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the model's settings: %w", err)
	}
	return text, nil
}

// ReadHParams reads the hparams.yaml of a model of COMET. The published one has
// 567 bytes and no lists in lists, for which a reader of YAML needs much memory.
func ReadHParams(path string) ([]byte, error) {
	text, err := readSettings(path, 8<<10)
	if err == nil && bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > 20 {
		return nil, omniscope.Invalidf("%s has more lists than any hparams.yaml", path)
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), err
}

func jsonFault(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field != "" {
		return fmt.Sprintf("%s is a %s, want a %s", kind.Field, kind.Value, kind.Type)
	}
	return "it is not JSON: " + err.Error()
}

func (f *configFile) config() (Config, error) {
	family := Family(or(f.Family, ""))
	c := Config{Family: family, Vocab: 30522, Types: 2, Eps: 1e-12}
	switch family {
	case BERT:
	case RoBERTa:
		c.Vocab, c.Pad = 50265, 1
	case XLMR:
		c.Pad = 1
	default:
		return c, fmt.Errorf("model_type is %q, want %q, %q or %q", family, BERT, RoBERTa, XLMR)
	}
	switch {
	case or(f.Activation, "gelu") != "gelu":
		return c, fmt.Errorf("hidden_act is %q, want \"gelu\": another activation gives other numbers", *f.Activation)
	case or(f.Position, "absolute") != "absolute":
		return c, fmt.Errorf("position_embedding_type is %q, want \"absolute\"", *f.Position)
	case or(f.Decoder, false):
		return c, errors.New("is_decoder is true: this is an encoder only")
	case or(f.Crossed, false):
		return c, errors.New("add_cross_attention is true: this is an encoder only")
	}
	c.Vocab = or(f.Vocab, c.Vocab)
	c.Hidden = or(f.Hidden, 768)
	c.Layers = or(f.Layers, 12)
	c.Heads = or(f.Heads, 12)
	c.Inner = or(f.Inner, 3072)
	c.Positions = or(f.Positions, 512)
	c.Types = or(f.Types, c.Types)
	c.Pad = or(f.Pad, c.Pad)
	c.Eps = or(f.Eps, c.Eps)
	return c, nil
}

// or returns what p points at, or else instead.
func or[T any](p *T, instead T) T {
	if p == nil {
		return instead
	}
	return *p
}

// check refuses sizes that no model has: products of them must not overflow,
// and a broken file must not ask for all memory.
func (c Config) check() error {
	if !slices.Contains([]Family{BERT, RoBERTa, XLMR}, c.Family) {
		return fmt.Errorf("model_type is %q, want %q, %q or %q", c.Family, BERT, RoBERTa, XLMR)
	}
	for _, size := range []struct {
		field    string
		value    int
		from, to int
	}{
		{"vocab_size", c.Vocab, 1, 1 << 24},
		{"hidden_size", c.Hidden, 1, 1 << 14},
		{"num_hidden_layers", c.Layers, 0, 1 << 10},
		{"num_attention_heads", c.Heads, 1, 1 << 10},
		{"intermediate_size", c.Inner, 1, 1 << 16},
		{"max_position_embeddings", c.Positions, 1, 1 << 20},
		{"type_vocab_size", c.Types, 1, 1 << 10},
		{"pad_token_id", c.Pad, 0, c.Vocab - 1},
	} {
		if size.value < size.from || size.value > size.to {
			return fmt.Errorf("%s is %d, want %d to %d", size.field, size.value, size.from, size.to)
		}
	}
	switch {
	case c.Hidden%c.Heads != 0:
		return fmt.Errorf("hidden_size is %d, which num_attention_heads, %d, does not divide", c.Hidden, c.Heads)
	case c.MaxTokens() < 1:
		return fmt.Errorf("max_position_embeddings is %d, which leaves none behind pad_token_id, %d", c.Positions, c.Pad)
	case !(c.Eps > 0 && c.Eps < 1):
		return fmt.Errorf("layer_norm_eps is %v, want a small number above 0", c.Eps)
	}
	return nil
}
