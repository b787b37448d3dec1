package verify

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/metric/neural/weights"
)

// Names of files, as the library transformers writes them.
const (
	single  = "model.safetensors"
	index   = "model.safetensors.index.json"
	adapter = "adapter_model.safetensors"
)

// A model is the tensors of one or more files, by their names without "thinker.".
type model struct {
	path    string
	files   []*weights.File
	tensors map[string]tensor
}

type tensor struct {
	weights.Tensor
	file string
}

// open reads which tensors there are, not their numbers.
func open(path string) (*model, error) {
	m := &model{path: path, tensors: make(map[string]tensor)}
	if err := m.open(); err != nil {
		m.close()
		return nil, err
	}
	if len(m.tensors) == 0 {
		m.close()
		return nil, omniscope.Invalidf("%s holds no tensors", path)
	}
	return m, nil
}

func (m *model) open() error {
	info, err := os.Stat(m.path)
	switch {
	case err != nil:
		return &omniscope.Error{Kind: omniscope.NotFound, Err: err}
	case strings.HasSuffix(m.path, index):
		return m.openShards(m.path)
	case !info.IsDir() && strings.HasSuffix(m.path, ".safetensors"):
		return m.add(m.path, nil)
	case !info.IsDir():
		return omniscope.Invalidf("%s is neither a folder nor a .safetensors file: name the folder of the model", m.path)
	}
	has := func(name string) bool { _, err := os.Stat(filepath.Join(m.path, name)); return err == nil }
	switch {
	case has(single) && has(index):
		return omniscope.Invalidf("%s holds %s and %s, of which one is of another model: remove it", m.path, single, index)
	case has(index):
		return m.openShards(filepath.Join(m.path, index))
	case has(single):
		return m.add(filepath.Join(m.path, single), nil)
	case has(adapter):
		return omniscope.Invalidf("%s holds an adapter (%s), not a model: the recipe trains all weights, so the trainer was started with other settings (ms-swift: --tuner_type full)", m.path, adapter)
	}
	return omniscope.NotFoundf("%s holds neither %s nor %s: name the folder of a model or checkpoint", m.path, single, index)
}

// openShards opens the files that an index names, each of which must hold what the index says.
func (m *model) openShards(path string) error {
	shards, err := readIndex(path)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(shards)) {
		shard := filepath.Join(filepath.Dir(path), name)
		if _, err := os.Stat(shard); errors.Is(err, os.ErrNotExist) {
			return omniscope.Invalidf("%s is missing, which %s names for tensor %s and %d others: copy the checkpoint again", shard, path, shards[name][0], len(shards[name])-1)
		}
		if err := m.add(shard, shards[name]); err != nil {
			return err
		}
	}
	return nil
}

// readIndex returns the names of the tensors of each shard, sorted.
func readIndex(path string) (map[string][]string, error) {
	const most = 64 << 20
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, err
	}
	var read struct {
		Shards map[string]string `json:"weight_map"`
	}
	if err := json.Unmarshal(text, &read); err != nil || len(text) > most {
		return nil, omniscope.Invalidf("%s cannot be read, copy it again: %w", path, err)
	}
	if len(read.Shards) == 0 {
		return nil, omniscope.Invalidf("%s has no weight_map: it is no index of shards", path)
	}
	shards := make(map[string][]string)
	for _, name := range slices.Sorted(maps.Keys(read.Shards)) {
		file := read.Shards[name]
		if file == "" || file != filepath.Base(file) || strings.HasPrefix(file, ".") {
			return nil, omniscope.Invalidf("%s: tensor %s lies in %q, which is not the name of a file beside it", path, name, file)
		}
		shards[file] = append(shards[file], name)
	}
	return shards, nil
}

// add takes the tensors of a file in. expected are the names that it must have; nil = any.
func (m *model) add(path string, expected []string) error {
	f, err := weights.Open(path)
	if err != nil {
		return err
	}
	m.files = append(m.files, f)
	for _, name := range expected {
		if _, ok := f.Tensor(name); !ok {
			return omniscope.Invalidf("%s lacks tensor %s, which the index says is in it: copy the checkpoint again", path, name)
		}
	}
	for _, name := range f.Names() {
		t, _ := f.Tensor(name)
		plain := strings.TrimPrefix(name, "thinker.")
		if other, ok := m.tensors[plain]; ok {
			return omniscope.Invalidf("tensor %s is in %s and, as %s, in %s: one of the files is of another model", name, path, other.Name, other.file)
		}
		m.tensors[plain] = tensor{t, path}
	}
	return nil
}

func (m *model) close() {
	for _, f := range m.files {
		f.Close()
	}
}
