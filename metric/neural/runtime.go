package neural

import (
	"context"

	"omniscope/metric/neural/encoder"
)

// A Runtime computes hidden states in place of package encoder, such as
// metric/neural/ort. Where it is not told which instructions to use and how
// sentences of a batch touch each other, nobody knows the bits: scores agree
// with those of package encoder within float32's noise, and each runtime's are
// remembered apart.
type Runtime struct {
	// Name says which arithmetic it is: runtime, version and device. It is part
	// of signatures and of the cache's keys.
	Name string
	// Load makes ready the encoder of a config and a safetensors file. Of the
	// layers, those that are listed, ascending, must be shown; none is needed
	// behind the last.
	Load func(c encoder.Config, weights string, layers []int, threads int) (Forwarder, error)
}

// A Forwarder runs sentences of ids through the layers, as encoder.Encoder does.
// What is an io.Closer is closed when it is not used any more.
type Forwarder interface {
	Forward(ctx context.Context, ids [][]int32, visit func(layer int, h encoder.Hidden) error) error
}

// forwarder loads the encoder that the options ask for.
func (n *network) forwarder() (Forwarder, error) {
	if r := n.options.Runtime; r != nil {
		return r.Load(n.config, n.path(weightsFile), n.shown, n.options.Threads)
	}
	return encoder.New(n.config, n.source, encoder.Options{Layers: n.layers, Threads: n.options.Threads, Set: n.options.Set})
}
