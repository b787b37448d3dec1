// Package collect chooses clips for a benchmark from files of media: it measures each file, applies rules
// that are data, leaves out copies of each other and of media of other benchmarks, chooses one segment of each file, and
// gives a reason for each file that it leaves out. It fetches nothing, asks no model, and judges no content.
//
// What was measured of a file is remembered under the file's digest, so that a run that was stopped goes on, and
// a run with other rules decodes nothing again.
package collect
