//go:build ort

package ort

import (
	"errors"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// A function is the index of one in OrtApi, a table that only ever grows
// (onnxruntime_c_api.h, "struct OrtApi").
type function uintptr

// The functions that are used here.
const (
	getErrorMessage                  function = 2
	createEnv                        function = 3
	createSessionFromArray           function = 8
	run                              function = 9
	createSessionOptions             function = 10
	disableMemPattern                function = 17
	setSessionGraphOptimizationLevel function = 23
	setIntraOpNumThreads             function = 24
	createRunOptions                 function = 39
	runOptionsSetTerminate           function = 46
	createTensorWithDataAsOrtValue   function = 49
	getTensorMutableData             function = 51
	createCPUMemoryInfo              function = 69
	releaseStatus                    function = 93
	releaseMemoryInfo                function = 94
	releaseSession                   function = 95
	releaseValue                     function = 96
	releaseRunOptions                function = 97
	releaseSessionOptions            function = 100
	getAvailableProviders            function = 125
	releaseAvailableProviders        function = 126
	addSessionConfigEntry            function = 130
	appendCUDA                       function = 204
	createCUDAProviderOptions        function = 205
	updateCUDAProviderOptions        function = 206
	releaseCUDAProviderOptions       function = 208
)

// apiVersion is the oldest that has all that is used: 18 brought the setting of
// the folder where weights lie. A newer library gives out older versions.
const apiVersion = 18

// An api is the table of functions of a loaded library.
type api struct{ table unsafe.Pointer }

// handle is an object of the library, or any pointer to its memory.
type handle = unsafe.Pointer

// at returns the function's address.
func (a api) at(f function) uintptr {
	return *(*uintptr)(unsafe.Add(a.table, uintptr(f)*unsafe.Sizeof(uintptr(0))))
}

// call calls a function that returns an OrtStatus, and releases that. Arguments
// that point to Go's memory must be pinned.
func (a api) call(f function, arguments ...uintptr) error {
	status, _, _ := purego.SyscallN(a.at(f), arguments...)
	if status == 0 {
		return nil
	}
	defer a.release(releaseStatus, foreign(status))
	message, _, _ := purego.SyscallN(a.at(getErrorMessage), status)
	return errors.New(strings.TrimSpace(goString(foreign(message))))
}

// make calls a function whose last argument is where to put what it makes.
func (a api) make(f function, arguments ...uintptr) (handle, error) {
	var pins runtime.Pinner
	defer pins.Unpin()
	out := new(handle)
	err := a.call(f, append(arguments, pinned(&pins, out))...)
	return *out, err
}

// release gives an object back; nil is none.
func (a api) release(f function, h handle) {
	if h != nil {
		purego.SyscallN(a.at(f), uintptr(h))
	}
}

// pinned returns the address of what p points at, which stays where it is until
// the pins are taken off.
func pinned[T any](pins *runtime.Pinner, p *T) uintptr {
	pins.Pin(p)
	return uintptr(unsafe.Pointer(p))
}

// text returns the address of a copy of s as C has strings.
func text(pins *runtime.Pinner, s string) uintptr {
	return pinned(pins, &append([]byte(s), 0)[0])
}

// list returns the address of numbers, nil if there are none.
func list[T any](pins *runtime.Pinner, values []T) uintptr {
	if len(values) == 0 {
		return 0
	}
	return pinned(pins, &values[0])
}

// foreign is an address that C returned, which is not of Go's memory.
func foreign(address uintptr) handle { return *(*handle)(unsafe.Pointer(&address)) }

// goString copies a string of C.
func goString(s handle) string {
	if s == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(s, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(s), n))
}
