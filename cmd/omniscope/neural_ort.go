//go:build ort

package main

import (
	"omniscope/metric/neural"
	"omniscope/metric/neural/encoder"
	"omniscope/metric/neural/ort"
)

// neuralRuntime is ONNX Runtime where the environment names its library, else
// nil: the program's own arithmetic.
func neuralRuntime() (*neural.Runtime, error) {
	r, err := ort.FromEnvironment()
	if r == nil || err != nil {
		return nil, err
	}
	return &neural.Runtime{Name: r.Name(), Load: func(c encoder.Config, weights string, layers []int, threads int) (neural.Forwarder, error) {
		return r.Load(c, weights, layers, threads)
	}}, nil
}
