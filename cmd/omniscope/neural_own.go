//go:build !ort

package main

import (
	"os"

	"omniscope/metric/neural"
	"omniscope/metric/neural/ort"
)

// neuralRuntime is none. Who asks for one must not believe to have it.
func neuralRuntime() (*neural.Runtime, error) {
	if os.Getenv(ort.LibraryEnv) != "" {
		return nil, usagef("%s is set, and this program was built without -tags ort: build it with that tag, or unset %[1]s", ort.LibraryEnv)
	}
	return nil, nil
}
