//go:build ort

package ort

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"unsafe"

	"omniscope"
	"omniscope/metric/neural/encoder"
)

// Load makes an encoder of a model's sizes and its safetensors file, which must
// stay as it is while the encoder is used. layers are those that Forward shows,
// ascending; those behind the last are not computed. threads are the library's
// own, for one call; 0 = as many as Go uses.
func (r *Runtime) Load(cfg encoder.Config, weights string, layers []int, threads int) (*Encoder, error) {
	weights, err := filepath.Abs(weights)
	if err != nil {
		return nil, fail("find the weights", err)
	}
	g, err := Record(cfg, weights, layers)
	if err != nil {
		return nil, err
	}
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	options, err := r.sessionOptions(filepath.Dir(weights), threads)
	if err != nil {
		return nil, err
	}
	defer r.api.release(releaseSessionOptions, options)
	e := &Encoder{runtime: r, cfg: cfg, layers: layers, outputs: g.Outputs}
	if e.session, err = r.session(options, g.Model); err != nil {
		return nil, fail("load "+weights+" into ONNX Runtime", err)
	}
	const arena, anyUse = 1, 0 // OrtArenaAllocator, OrtMemTypeDefault
	if e.memory, err = r.api.make(createCPUMemoryInfo, arena, anyUse); err != nil {
		e.Close()
		return nil, fail("load "+weights+" into ONNX Runtime", err)
	}
	return e, nil
}

// session makes a model ready to run.
func (r *Runtime) session(options handle, model []byte) (handle, error) {
	var pins runtime.Pinner
	defer pins.Unpin()
	return r.api.make(createSessionFromArray, uintptr(r.env), list(&pins, model), uintptr(len(model)), uintptr(options))
}

// sessionOptions say how to compute. No memory is planned ahead, as no batch is
// like the one before.
func (r *Runtime) sessionOptions(folder string, threads int) (handle, error) {
	const all = 99 // ORT_ENABLE_ALL
	options, err := r.api.make(createSessionOptions)
	if err != nil {
		return nil, fail("set up ONNX Runtime", err)
	}
	var pins runtime.Pinner
	defer pins.Unpin()
	for _, set := range []func() error{
		func() error { return r.api.call(setSessionGraphOptimizationLevel, uintptr(options), all) },
		func() error { return r.api.call(setIntraOpNumThreads, uintptr(options), uintptr(threads)) },
		func() error { return r.api.call(disableMemPattern, uintptr(options)) },
		func() error {
			return r.api.call(addSessionConfigEntry, uintptr(options), text(&pins, "session.model_external_initializers_file_folder_path"), text(&pins, folder))
		},
	} {
		if err := set(); err != nil {
			r.api.release(releaseSessionOptions, options)
			return nil, fail("set up ONNX Runtime", err)
		}
	}
	if r.provider == "cuda" {
		if err := r.addCUDA(options); err != nil {
			r.api.release(releaseSessionOptions, options)
			return nil, &omniscope.Error{Kind: omniscope.NotFound, Op: "compute by CUDA",
				Err: fmt.Errorf("%w; beside libonnxruntime.so there must be libonnxruntime_providers_cuda.so and libonnxruntime_providers_shared.so of version %s, and CUDA and cuDNN must be installed: see %s, or set %s to cpu",
					err, r.version, "onnxruntime.ai/docs/execution-providers/CUDA-ExecutionProvider.html", ProviderEnv)}
		}
	}
	return options, nil
}

// addCUDA has the graph computed by the first card. Without a word, products
// would be of 10 bits of mantissa (TF32).
func (r *Runtime) addCUDA(options handle) error {
	cuda, err := r.api.make(createCUDAProviderOptions)
	if err != nil {
		return err
	}
	defer r.api.release(releaseCUDAProviderOptions, cuda)
	var pins runtime.Pinner
	defer pins.Unpin()
	keys := []uintptr{text(&pins, "use_tf32")}
	values := []uintptr{text(&pins, "0")}
	if err := r.api.call(updateCUDAProviderOptions, uintptr(cuda), list(&pins, keys), list(&pins, values), uintptr(len(keys))); err != nil {
		return err
	}
	return r.api.call(appendCUDA, uintptr(options), uintptr(cuda))
}

// tensor makes a value of numbers that stay where they are until the pins are
// taken off.
func (e *Encoder) tensor(pins *runtime.Pinner, data uintptr, size uintptr, kind uintptr, shape ...int64) (handle, error) {
	return e.runtime.api.make(createTensorWithDataAsOrtValue, uintptr(e.memory), data, size, list(pins, shape), uintptr(len(shape)), kind)
}

// run runs the graph. It is ended by ctx. The values it returns are to be
// released.
func (e *Encoder) run(ctx context.Context, inputs []handle) ([]handle, error) {
	api := e.runtime.api
	options, err := api.make(createRunOptions)
	if err != nil {
		return nil, err
	}
	defer api.release(releaseRunOptions, options)
	told := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(told)
		_ = api.call(runOptionsSetTerminate, uintptr(options)) // the run ends by itself then, later
	})
	var pins runtime.Pinner
	defer pins.Unpin()
	outputs := make([]handle, len(e.outputs))
	err = api.call(run, uintptr(e.session), uintptr(options),
		list(&pins, texts(&pins, inputNames)), list(&pins, inputs), uintptr(len(inputs)),
		list(&pins, texts(&pins, e.outputs)), uintptr(len(outputs)), list(&pins, outputs))
	if !stop() {
		<-told // options are released now
	}
	if ended := ctx.Err(); ended != nil && err != nil {
		err = ended
	}
	return outputs, err
}

// texts are the addresses of strings.
func texts(pins *runtime.Pinner, names []string) []uintptr {
	addresses := make([]uintptr, len(names))
	for i, name := range names {
		addresses[i] = text(pins, name)
	}
	return addresses
}

// floats are the numbers of a tensor, which belong to the value.
func (e *Encoder) floats(value handle, n int) ([]float32, error) {
	data, err := e.runtime.api.make(getTensorMutableData, uintptr(value))
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*float32)(data), n), nil
}
