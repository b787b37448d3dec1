package ort

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"omniscope/metric/neural/encoder"
)

// A Graph is an encoder in the ONNX format.
type Graph struct {
	Model   []byte   // the file; it names the file of the weights, and that one's folder must be told with it
	Outputs []string // what layers make, as float32 [tokens][Hidden], in the order of Record's layers
}

// The graph's inputs. There is a row for each token of all sentences, as in
// package encoder, and only attention puts the rows of a sentence side by side
// with those of others, the shorter ones filled up.
const (
	idsInput       = "ids"       // int64 [tokens]
	positionsInput = "positions" // int64 [tokens]: rows of the table
	filledInput    = "filled"    // int64 [sentences][longest]: which token stands there
	placesInput    = "places"    // int64 [tokens]: where it stands, counted through all sentences
	maskInput      = "mask"      // float32 [sentences][1][1][longest]: 0, or masked where a sentence is filled up
)

// masked is added to scores that must not count: far less than any, and finite.
const masked = -1e30

// Record makes the graph of an encoder whose weights lie in a safetensors file.
// layers are those whose hidden states come out, ascending: 0 is the output of
// the embeddings, and what lies behind the last is left out. Weights that are
// not there or have another shape are Invalid.
func Record(cfg encoder.Config, weights string, layers []int) (*Graph, error) {
	last := len(layers) - 1
	if last < 0 || layers[0] < 0 || layers[last] > cfg.Layers || !slices.IsSorted(layers) {
		return nil, invalid("layers %v are wanted of a model with %d: name them in order", layers, cfg.Layers)
	}
	file, err := readHeader(weights)
	if err != nil {
		return nil, err
	}
	source, err := encoder.Prefixed(file)
	if err != nil {
		return nil, err
	}
	r := &recorder{cfg: cfg, file: file, source: source, known: make(map[string]bool)}
	g := &Graph{}
	err = encoder.Transform(context.Background(), layers[last], r, func(layer int, h edge) error {
		if slices.Contains(layers, layer) {
			g.Outputs = append(g.Outputs, h[0])
		}
		return r.err
	})
	if err != nil {
		return nil, err
	}
	g.Model = modelProto(r.graph(g.Outputs))
	return g, nil
}

// edge is the names of tensors in the graph: one, or those of the modules of a
// place side by side.
type edge []string

// recorder does Ops by writing them down.
type recorder struct {
	cfg    encoder.Config
	file   *header
	source encoder.Source
	err    error

	nodes, stored []message
	known         map[string]bool // what is stored
	made          int
}

var _ encoder.Ops[edge] = (*recorder)(nil)

// graph is a GraphProto.
func (r *recorder) graph(outputs []string) message {
	var m message
	for _, n := range r.nodes {
		m.in(1, n)
	}
	m.text(2, "encoder")
	for _, t := range r.stored {
		m.in(5, t)
	}
	m.in(11, valueProto(idsInput, int64Type, "tokens"))
	m.in(11, valueProto(positionsInput, int64Type, "tokens"))
	m.in(11, valueProto(filledInput, int64Type, "sentences", "longest"))
	m.in(11, valueProto(placesInput, int64Type, "tokens"))
	m.in(11, valueProto(maskInput, float32Type, "sentences", 1, 1, "longest"))
	for _, name := range outputs {
		m.in(12, valueProto(name, float32Type, "tokens", r.cfg.Hidden))
	}
	return m
}

// node adds one and returns the name of what it makes.
func (r *recorder) node(operator string, inputs []string, attributes ...attribute) string {
	r.made++
	output := fmt.Sprintf("%s.%d", operator, r.made)
	r.nodes = append(r.nodes, nodeProto(operator, inputs, output, attributes...))
	return output
}

// number and row store constants.
func (r *recorder) number(v float32) string {
	name := fmt.Sprint("number ", v)
	if !r.known[name] {
		r.known[name] = true
		r.stored = append(r.stored, floatProto(name, v))
	}
	return name
}

func (r *recorder) row(list ...int64) string {
	name := fmt.Sprint("row ", list)
	if !r.known[name] {
		r.known[name] = true
		r.stored = append(r.stored, intsProto(name, list))
	}
	return name
}

// tensor stores where a tensor of the model lies.
func (r *recorder) tensor(name string, shape ...int) (stored string, kind int) {
	if _, err := r.source.Floats(name, shape...); err != nil {
		if r.err == nil {
			r.err = err
		}
		return name, float32Type
	}
	p := r.file.pieces[r.file.asked]
	if !r.known[name] {
		r.known[name] = true
		r.stored = append(r.stored, externalProto(name, p, filepath.Base(r.file.path)))
	}
	return name, p.kind
}

// float turns numbers into float32, if they are none.
func (r *recorder) float(name string, kind int) string {
	if kind == float32Type {
		return name
	}
	return r.node("Cast", []string{name}, attribute{"to", float32Type})
}

// weight is a tensor of the model as float32.
func (r *recorder) weight(name string, shape ...int) string {
	return r.float(r.tensor(name, shape...))
}

// rows are those of a table, as float32.
func (r *recorder) rows(which, table string, length int) string {
	name, kind := r.tensor(table, length, r.cfg.Hidden)
	return r.float(r.node("Gather", []string{name, which}), kind)
}

func (r *recorder) Embed() edge {
	words := r.rows(idsInput, encoder.WordTable, r.cfg.Vocab)
	kind := r.rows(r.row(0), encoder.TypeTable, r.cfg.Types)
	sum := r.node("Add", []string{words, kind})
	return r.AddNorm(edge{sum}, edge{r.rows(positionsInput, encoder.PositionTable, r.cfg.Positions)}, encoder.Place{Part: encoder.Embeddings})
}

// Linear is Gemm, which takes weights as torch keeps them.
func (r *recorder) Linear(x edge, at encoder.Place, then encoder.Activation) (out edge) {
	rows, columns := r.cfg.Hidden, r.cfg.Hidden
	switch at.Part {
	case encoder.InnerUp:
		rows = r.cfg.Inner
	case encoder.InnerDown:
		columns = r.cfg.Inner
	}
	for _, module := range at.Modules() {
		w, b := r.weight(module+".weight", rows, columns), r.weight(module+".bias", rows)
		y := r.node("Gemm", []string{x[0], w, b}, attribute{"transB", 1})
		if then == encoder.GELU {
			y = r.gelu(y)
		}
		out = append(out, y)
	}
	return out
}

// gelu is written as torch exports it: runtimes know the pattern.
func (r *recorder) gelu(x string) string {
	share := r.node("Erf", []string{r.node("Div", []string{x, r.number(math.Sqrt2)})})
	share = r.node("Add", []string{share, r.number(1)})
	return r.node("Mul", []string{r.node("Mul", []string{x, share}), r.number(0.5)})
}

// Attention takes sentences and heads apart, and together again.
func (r *recorder) Attention(qkv edge) edge {
	width := r.cfg.Hidden / r.cfg.Heads
	heads := func(x string, order ...int64) string {
		x = r.node("Gather", []string{x, filledInput})
		x = r.node("Reshape", []string{x, r.row(0, 0, int64(r.cfg.Heads), int64(width))})
		return r.node("Transpose", []string{x}, attribute{"perm", order})
	}
	scale := r.number(float32(1 / math.Sqrt(float64(width))))
	query := heads(r.node("Mul", []string{qkv[0], scale}), 0, 2, 1, 3)
	scores := r.node("MatMul", []string{query, heads(qkv[1], 0, 2, 3, 1)})
	shares := r.node("Softmax", []string{r.node("Add", []string{scores, maskInput})}, attribute{"axis", -1})
	mixed := r.node("MatMul", []string{shares, heads(qkv[2], 0, 2, 1, 3)})
	mixed = r.node("Transpose", []string{mixed}, attribute{"perm", []int64{0, 2, 1, 3}})
	mixed = r.node("Reshape", []string{mixed, r.row(-1, int64(r.cfg.Hidden))})
	return edge{r.node("Gather", []string{mixed, placesInput})}
}

func (r *recorder) AddNorm(x, residual edge, at encoder.Place) edge {
	sum := r.node("Add", []string{x[0], residual[0]})
	module := at.Modules()[0]
	gamma, beta := r.weight(module+".weight", r.cfg.Hidden), r.weight(module+".bias", r.cfg.Hidden)
	return edge{r.node("LayerNormalization", []string{sum, gamma, beta}, attribute{"axis", -1}, attribute{"epsilon", float32(r.cfg.Eps)})}
}

// Free does nothing: the runtime knows who needs what.
func (r *recorder) Free(edge) {}
