package encoder

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/metric/neural/isa"
)

func TestConfigDefaults(t *testing.T) {
	for _, test := range []struct {
		text string
		want Config
		max  int
	}{
		{`{"model_type": "bert"}`, Config{BERT, 30522, 768, 12, 12, 3072, 512, 2, 0, 1e-12}, 512},
		{`{"model_type": "roberta", "pad_token_id": null}`, Config{RoBERTa, 50265, 768, 12, 12, 3072, 512, 2, 1, 1e-12}, 510},
		{`{"model_type": "xlm-roberta"}`, Config{XLMR, 30522, 768, 12, 12, 3072, 512, 2, 1, 1e-12}, 510},
		{`{"model_type": "xlm-roberta", "vocab_size": 250002, "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16,
		   "intermediate_size": 4096, "max_position_embeddings": 514, "type_vocab_size": 1, "layer_norm_eps": 1e-05, "pad_token_id": 1,
		   "hidden_act": "gelu", "position_embedding_type": "absolute", "is_decoder": false, "output_past": true, "architectures": ["XLMRobertaForMaskedLM"]}`,
			Config{XLMR, 250002, 1024, 24, 16, 4096, 514, 1, 1, 1e-5}, 512},
	} {
		got, err := ReadConfig(fixture.File(t, "config.json", test.text))
		if err != nil || got != test.want || got.MaxTokens() != test.max {
			t.Errorf("%s: got %+v, %v; want %+v", test.text, got, err, test.want)
		}
	}
}

func TestUnsupportedModels(t *testing.T) {
	for _, test := range []struct{ fields, want string }{
		{`"model_type": "deberta-v2"`, `model_type is "deberta-v2", want "bert", "roberta" or "xlm-roberta"`},
		{`"architectures": []`, `model_type is ""`},
		{`"model_type": 7`, "model_type is a number, want a string"},
		{`"model_type": "bert", "hidden_act": "gelu_new"`, `hidden_act is "gelu_new"`},
		{`"model_type": "bert", "position_embedding_type": "relative_key"`, `position_embedding_type is "relative_key"`},
		{`"model_type": "bert", "is_decoder": true`, "is_decoder is true"},
		{`"model_type": "bert", "add_cross_attention": true`, "add_cross_attention is true"},
		{`"model_type": "bert", "num_attention_heads": 7`, "hidden_size is 768, which num_attention_heads, 7, does not divide"},
		{`"model_type": "bert", "num_attention_heads": 0`, "num_attention_heads is 0"},
		{`"model_type": "bert", "hidden_size": -768`, "hidden_size is -768"},
		{`"model_type": "bert", "hidden_size": 768.5`, "hidden_size is a number 768.5, want a int"},
		{`"model_type": "bert", "hidden_size": "768"`, "hidden_size is a string"},
		{`"model_type": "bert", "vocab_size": 99999999999`, "vocab_size is 99999999999"},
		{`"model_type": "bert", "num_hidden_layers": -1`, "num_hidden_layers is -1"},
		{`"model_type": "bert", "intermediate_size": 0`, "intermediate_size is 0"},
		{`"model_type": "bert", "type_vocab_size": 0`, "type_vocab_size is 0"},
		{`"model_type": "bert", "pad_token_id": 30522`, "pad_token_id is 30522"},
		{`"model_type": "roberta", "max_position_embeddings": 2`, "max_position_embeddings is 2, which leaves none"},
		{`"model_type": "bert", "layer_norm_eps": 0`, "layer_norm_eps is 0"},
		{`"model_type": "bert", "layer_norm_eps": 1e999`, "layer_norm_eps is a number"},
		{`"model_type": "bert",`, "it is not JSON"},
	} {
		path := fixture.File(t, "config.json", "{"+test.fields+"}")
		_, err := ReadConfig(path)
		if omniscope.KindOf(err) != omniscope.Invalid || !strings.HasPrefix(fmt.Sprint(err), path+": ") || !strings.Contains(fmt.Sprint(err), test.want) {
			t.Errorf("%s: got %v, want %s", test.fields, err, test.want)
		}
	}
	if _, err := ReadConfig(fixture.File(t, "config.json", strings.Repeat(" ", 2<<20))); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("two megabytes: %v", err)
	}
	if _, err := ReadConfig(filepath.Join(t.TempDir(), "config.json")); omniscope.KindOf(err) != omniscope.NotFound {
		t.Errorf("no file: %v", err)
	}
	for _, set := range []isa.Set{isa.NEON, isa.AVX512} { // no machine has both
		if _, err := New(small(BERT), memory{}, Options{Set: set}); !slices.Contains(isa.Available(), set) && omniscope.KindOf(err) != omniscope.Invalid {
			t.Errorf("%s, which this machine does not have: %v", set, err)
		}
	}
	if _, err := New(Config{Family: BERT}, memory{}, Options{}); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("no sizes: %v", err)
	}
}

func FuzzReadConfig(f *testing.F) {
	f.Add(`{"model_type": "bert"}`)
	f.Add(`{"model_type": "roberta", "hidden_size": 1e3, "pad_token_id": -1}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ReadConfig(fixture.File(t, "config.json", text))
		if err == nil && c.check() != nil {
			t.Errorf("%q is taken, as %+v", text, c)
		}
	})
}

func TestInvalidSettingsFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "hparams.yaml")
	for what, text := range map[string]string{
		"more lists than": "q: " + strings.Repeat("[", 1000),
		"more than 8192":  strings.Repeat("#", 9000),
	} {
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o644))
		if _, err := ReadHParams(path); err == nil || !strings.Contains(err.Error(), what) || omniscope.KindOf(err) != omniscope.Invalid {
			t.Errorf("%.20q: %v, want %q", text, err, what)
		}
	}
	if _, err := readSettings(dir, 1<<20); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("a folder: %v", err)
	}
}
