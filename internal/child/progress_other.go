//go:build !linux

package child

// BytesRead returns how many bytes a process and those of its group have read
// so far, from files and pipes; 0 where the system does not tell.
func BytesRead(int) int64 { return 0 }
