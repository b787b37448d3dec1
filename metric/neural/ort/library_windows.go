//go:build ort

package ort

import "syscall"

// openLibrary loads a shared library and returns the address of a function.
func openLibrary(path, function string) (uintptr, error) {
	handle, err := syscall.LoadLibrary(path)
	if err != nil {
		return 0, err
	}
	return syscall.GetProcAddress(handle, function)
}
