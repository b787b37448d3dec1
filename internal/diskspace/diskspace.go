// Package diskspace says how much can still be written to a disk.
package diskspace

// Free is how many bytes can be written in a folder, false if the system does
// not say.
func Free(folder string) (bytes int64, ok bool) { return free(folder) }
