//go:build ort

package ort

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"omniscope"
)

// providers are what ONNX Runtime calls what it can compute on.
var providers = map[string]string{"cpu": "CPUExecutionProvider", "cuda": "CUDAExecutionProvider"}

// A Runtime is the library, and what it is to compute on. It stays loaded until
// the program ends.
type Runtime struct {
	api      api
	env      handle
	version  string
	provider string
}

// FromEnvironment opens the library that LibraryEnv names. It is nil where the
// variable is not set.
func FromEnvironment() (*Runtime, error) {
	path := os.Getenv(LibraryEnv)
	if path == "" {
		return nil, nil
	}
	provider := os.Getenv(ProviderEnv)
	if provider == "" {
		provider = "cpu"
	}
	return Open(path, provider)
}

// Open loads ONNX Runtime 1.18 or newer from a shared library. provider is cpu
// or cuda; that the library was built for it is looked at here, whether it finds
// all it needs not before Load.
func Open(path, provider string) (*Runtime, error) {
	want, ok := providers[provider]
	if !ok {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Err: fmt.Errorf("%s is %q: give cpu or cuda", ProviderEnv, provider)}
	}
	base, err := openLibrary(path, "OrtGetApiBase")
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Op: "load ONNX Runtime",
			Err: fmt.Errorf("%w; set %s to libonnxruntime.so (scripts/ort.sh fetches it); without it leave out -tags ort", err, LibraryEnv)}
	}
	r := &Runtime{provider: provider}
	if err := r.open(base); err != nil {
		return nil, fail("open ONNX Runtime "+path, err)
	}
	available, err := r.available()
	if err != nil {
		return nil, fail("open ONNX Runtime "+path, err)
	}
	if !slices.Contains(available, want) {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Err: fmt.Errorf("%s %s was built without %s, it has %s: set %s to another library, or %s to cpu",
			path, r.version, want, strings.Join(available, ", "), LibraryEnv, ProviderEnv)}
	}
	return r, nil
}

// open asks for the functions, and makes the environment of sessions. base is
// OrtGetApiBase; OrtApiBase is two functions, GetApi and GetVersionString.
func (r *Runtime) open(base uintptr) error {
	address, _, _ := purego.SyscallN(base)
	if address == 0 {
		return fmt.Errorf("OrtGetApiBase gives nothing")
	}
	functions := (*[2]uintptr)(foreign(address))
	version, _, _ := purego.SyscallN(functions[1])
	r.version = goString(foreign(version))
	if !atLeast(r.version, apiVersion) {
		return tooOld(r.version)
	}
	table, _, _ := purego.SyscallN(functions[0], apiVersion)
	if table == 0 {
		return tooOld(r.version)
	}
	r.api = api{foreign(table)}
	const errorsOnly = 3 // ORT_LOGGING_LEVEL_ERROR
	var pins runtime.Pinner
	defer pins.Unpin()
	var err error
	r.env, err = r.api.make(createEnv, errorsOnly, text(&pins, "omniscope"))
	return err
}

func tooOld(version string) error {
	return fmt.Errorf("it is version %q, needed is 1.%d or newer: scripts/ort.sh fetches one", version, apiVersion)
}

// atLeast reports whether a version such as 1.30.0 has a minor number from
// minor on. The library would say so on stderr.
func atLeast(version string, minor int) bool {
	var major, has int
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &has); n != 2 {
		return false
	}
	return major > 1 || major == 1 && has >= minor
}

// available are the providers that the library was built with.
func (r *Runtime) available() (names []string, err error) {
	var pins runtime.Pinner
	defer pins.Unpin()
	list, n := new(*handle), new(int32)
	if err := r.api.call(getAvailableProviders, pinned(&pins, list), pinned(&pins, n)); err != nil {
		return nil, err
	}
	for _, name := range unsafe.Slice(*list, *n) {
		names = append(names, goString(name))
	}
	return names, r.api.call(releaseAvailableProviders, uintptr(unsafe.Pointer(*list)), uintptr(*n))
}

// Name says which arithmetic it is: the library's version and what it computes
// on.
func (r *Runtime) Name() string { return "onnxruntime/" + r.version + " " + r.provider }

func fail(op string, err error) error {
	return &omniscope.Error{Kind: omniscope.Internal, Op: op, Err: err}
}
