// Package ort computes encoders by ONNX Runtime in place of package encoder: an
// optional runtime, for graphics cards. The transformer is the one of package
// encoder; here its operations are recorded as a graph in the ONNX format, whose
// weights stay where they are, in model.safetensors.
//
// Only a build with -tags ort has New, which loads the library while the program
// runs: such a program is not static. Without the tag a graph can be made, and
// nothing can run it.
//
// The numbers are those of package encoder within float32's noise. Other than
// there, they may depend on the batch and the number of threads.
package ort

// The environment variables that say which runtime is used.
const (
	LibraryEnv  = "OMNISCOPE_ORT"          // the library's file; empty: none
	ProviderEnv = "OMNISCOPE_ORT_PROVIDER" // cpu, which is the default, or cuda
)
