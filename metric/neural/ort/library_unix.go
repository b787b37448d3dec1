//go:build ort && !windows

package ort

import "github.com/ebitengine/purego"

// openLibrary loads a shared library and returns the address of a function.
func openLibrary(path, function string) (uintptr, error) {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return 0, err
	}
	return purego.Dlsym(handle, function)
}
