package ort

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"omniscope/internal/neuralgen"
	"omniscope/metric/neural/encoder"
	"omniscope/metric/neural/weights"
)

// A field is one of a protocol buffer that was read: a number or bytes.
type field struct {
	number uint64
	data   []byte
}

// parse reads the fields of a message, by their numbers.
func parse(t *testing.T, m []byte) map[int][]field {
	t.Helper()
	fields := make(map[int][]field)
	for len(m) > 0 {
		tag, n := binary.Uvarint(m)
		if n <= 0 {
			t.Fatal("a tag is cut off")
		}
		m = m[n:]
		var f field
		switch tag & 7 {
		case varint:
			f.number, n = binary.Uvarint(m)
		case fixed4:
			f.number, n = uint64(binary.LittleEndian.Uint32(m)), 4
		case bytes:
			size, head := binary.Uvarint(m)
			f.data, n = m[head:head+int(size)], head+int(size)
		default:
			t.Fatalf("field %d has the wire type %d", tag>>3, tag&7)
		}
		m, fields[int(tag>>3)] = m[n:], append(fields[int(tag>>3)], f)
	}
	return fields
}

// names are strings.
func names(fields []field) (list []string) {
	for _, f := range fields {
		list = append(list, string(f.data))
	}
	return list
}

// tinyModel makes up a model and returns its folder and its sizes.
func tinyModel(t testing.TB, shape string) (string, encoder.Config) {
	t.Helper()
	s, err := neuralgen.Find(shape)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "model")
	if err := neuralgen.Write(folder, s, neuralgen.Options{Seed: 1}); err != nil {
		t.Fatal(err)
	}
	cfg, err := encoder.ReadConfig(filepath.Join(folder, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	return folder, cfg
}

func TestTheGraphIsAModelOfONNX(t *testing.T) {
	folder, cfg := tinyModel(t, "tiny-comet")
	g, err := Record(cfg, filepath.Join(folder, "model.safetensors"), []int{0, 2, 4})
	if err != nil {
		t.Fatal(err)
	}
	model := parse(t, g.Model)
	if v := model[1][0].number; v != irVersion {
		t.Errorf("the format has version %d", v)
	}
	if set := parse(t, model[8][0].data); string(set[1][0].data) != "" || set[2][0].number != opset {
		t.Errorf("the operators are %v", set)
	}
	graph := parse(t, model[7][0].data)
	counts, made := make(map[string]int), make(map[string]bool)
	for _, list := range [][]field{graph[5], graph[11]} {
		for _, f := range list {
			m := parse(t, f.data)
			name := m[8] // of a TensorProto
			if name == nil {
				name = m[1] // of a ValueInfoProto
			}
			made[string(name[0].data)] = true
		}
	}
	for _, f := range graph[1] {
		node := parse(t, f.data)
		counts[string(node[4][0].data)]++
		for _, input := range names(node[1]) {
			if !made[input] {
				t.Errorf("%s needs %q, which nothing before it makes", node[4][0].data, input)
			}
		}
		made[string(node[2][0].data)] = true
	}
	want := map[string]int{
		"Gather": 3 + 4*4, "Add": 2 + 4*(1+1+2), "Mul": 4 * (1 + 2), "Div": 4, "Erf": 4, "Gemm": 4 * 6, "MatMul": 4 * 2,
		"Softmax": 4, "Reshape": 4 * 4, "Transpose": 4 * 4, "LayerNormalization": 1 + 4*2,
	}
	for operator, n := range want {
		if counts[operator] != n {
			t.Errorf("4 layers need %d of %s, there are %d", n, operator, counts[operator])
		}
	}
	if len(counts) != len(want) {
		t.Errorf("the operators are %v", counts)
	}
	var outputs []string
	for _, f := range graph[12] {
		outputs = append(outputs, string(parse(t, f.data)[1][0].data))
	}
	if !slices.Equal(outputs, g.Outputs) || len(outputs) != 3 || slices.ContainsFunc(outputs, func(name string) bool { return !made[name] }) {
		t.Errorf("outputs are %v, told %v", outputs, g.Outputs)
	}
}

func TestWeightsStayWhereTheyAre(t *testing.T) {
	folder, cfg := tinyModel(t, "tiny-comet")
	path := filepath.Join(folder, "model.safetensors")
	g, err := Record(cfg, path, []int{cfg.Layers})
	if err != nil {
		t.Fatal(err)
	}
	stored, err := weights.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer stored.Close()
	source, err := encoder.Prefixed(stored.Under(""))
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range parse(t, parse(t, g.Model)[7][0].data)[5] {
		tensor := parse(t, f.data)
		if tensor[14] == nil {
			continue // a constant
		}
		seen++
		var shape []int
		for packed := tensor[1][0].data; len(packed) > 0; {
			side, n := binary.Uvarint(packed)
			shape, packed = append(shape, int(side)), packed[n:]
		}
		where := make(map[string]string)
		for _, f := range tensor[13] {
			entry := parse(t, f.data)
			where[string(entry[1][0].data)] = string(entry[2][0].data)
		}
		name := string(tensor[8][0].data)
		want, err := source.Floats(name, shape...)
		if err != nil {
			t.Fatal(err)
		}
		offset, _ := strconv.Atoi(where["offset"])
		if where["location"] != "model.safetensors" || where["length"] != strconv.Itoa(4*len(want)) || tensor[2][0].number != float32Type {
			t.Fatalf("%s lies at %v", name, where)
		}
		for i, v := range want {
			if math.Float32bits(v) != binary.LittleEndian.Uint32(file[offset+4*i:]) {
				t.Fatalf("%s lies elsewhere than at %d", name, offset)
			}
		}
	}
	if want := 3 + 2 + cfg.Layers*16; seen != want {
		t.Errorf("there are %d tensors, want %d", seen, want)
	}
}

func TestWhatCannotBeRecordedIsInvalid(t *testing.T) {
	folder, cfg := tinyModel(t, "tiny-comet")
	path := filepath.Join(folder, "model.safetensors")
	wide := cfg
	wide.Inner++
	deep := cfg
	deep.Layers += 3
	short := filepath.Join(t.TempDir(), "short.safetensors")
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(short, file[:len(file)-40], 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		what   string
		cfg    encoder.Config
		path   string
		layers []int
		want   string
	}{
		{"another width", wide, path, []int{1}, "has shape"},
		{"more layers than the file has", deep, path, []int{deep.Layers}, "is missing"},
		{"a layer that the model has not", cfg, path, []int{cfg.Layers + 1}, "layers"},
		{"no layers", cfg, path, nil, "layers"},
		{"layers without order", cfg, path, []int{2, 1}, "layers"},
		{"a file that was cut off", cfg, short, []int{1}, "bytes"},
		{"what is no safetensors file", cfg, filepath.Join(folder, "config.json"), []int{1}, "no whole safetensors file"},
		{"no file", cfg, path + "x", []int{1}, "read weights"},
	}
	for _, test := range tests {
		if _, err := Record(test.cfg, test.path, test.layers); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.what, err, test.want)
		}
	}
}

func TestSentencesAreFilledUp(t *testing.T) {
	f := fill([]int{0, 2, 5, 6})
	if f.sentences != 3 || f.longest != 3 {
		t.Errorf("the rectangle is %d by %d", f.sentences, f.longest)
	}
	if want := []int64{0, 1, 0, 2, 3, 4, 5, 5, 5}; !slices.Equal(f.tokens, want) {
		t.Errorf("tokens %v, want %v", f.tokens, want)
	}
	if want := []int64{0, 1, 3, 4, 5, 6}; !slices.Equal(f.places, want) {
		t.Errorf("places %v, want %v", f.places, want)
	}
	if want := []float32{0, 0, masked, 0, 0, 0, 0, masked, masked}; !slices.Equal(f.mask, want) {
		t.Errorf("mask %v, want %v", f.mask, want)
	}
}
