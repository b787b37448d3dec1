package encoder

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// recorder notes operations as a graph for another engine would: values are
// names. It fails a test in which one is used after Free.
type recorder struct {
	t     *testing.T
	nodes []string
	alive map[string]bool
	most  int // values at the same time
}

func (r *recorder) node(operation string, weights []string, inputs ...string) string {
	for _, in := range inputs {
		if !r.alive[in] {
			r.t.Errorf("%s of %s, which is free", operation, in)
		}
	}
	name := fmt.Sprint("v", len(r.nodes))
	r.nodes = append(r.nodes, strings.Join(append([]string{name, "=", operation, "(" + strings.Join(inputs, ", ") + ")"}, weights...), " "))
	r.alive[name] = true
	r.most = max(r.most, len(r.alive))
	return name
}

func (r *recorder) Embed() string { return r.node("embed", Place{}.Modules()) }

func (r *recorder) Linear(x string, at Place, then activation) string {
	return r.node([]string{"linear", "linear+gelu"}[then], at.Modules(), x)
}

func (r *recorder) Attention(qkv string) string { return r.node("attention", nil, qkv) }

func (r *recorder) AddNorm(x, residual string, at Place) string {
	return r.node("norm", at.Modules(), x, residual)
}

func (r *recorder) Free(v string) {
	if !r.alive[v] {
		r.t.Errorf("%s is freed twice", v)
	}
	delete(r.alive, v)
}

func TestRecordTransformer(t *testing.T) {
	r := &recorder{t: t, alive: make(map[string]bool)}
	var seen []string
	err := transform(context.Background(), 2, r, func(layer int, h string) error {
		seen = append(seen, fmt.Sprintf("%d:%s", layer, h))
		return nil
	})
	if err != nil || len(r.alive) != 0 || r.most != 3 {
		t.Errorf("%v are left, %d at the same time, %v", r.alive, r.most, err)
	}
	if got := strings.Join(seen, " "); got != "0:v0 1:v7 2:v14" {
		t.Errorf("the layers are %s", got)
	}
	const want = `v7 = norm (v6, v4) encoder.layer.0.output.LayerNorm
v8 = linear (v7) encoder.layer.1.attention.self.query encoder.layer.1.attention.self.key encoder.layer.1.attention.self.value
v9 = attention (v8)
v10 = linear (v9) encoder.layer.1.attention.output.dense
v11 = norm (v10, v7) encoder.layer.1.attention.output.LayerNorm
v12 = linear+gelu (v11) encoder.layer.1.intermediate.dense
v13 = linear (v12) encoder.layer.1.output.dense
v14 = norm (v13, v11) encoder.layer.1.output.LayerNorm`
	if got := strings.Join(r.nodes[7:], "\n"); got != want {
		t.Errorf("the last layer is\n%s\nwant\n%s", got, want)
	}
}
