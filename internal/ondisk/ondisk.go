// Package ondisk reports what a path leads to at this moment. A path that cannot be
// examined, such as one in a folder without permission, leads to neither a file nor a
// folder. Code that needs the reason calls os.Stat.
package ondisk

import "os"

// Exists reports whether a path leads to anything. A link without a target does not.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// IsTaken reports whether a path is in use, even by a link without a target.
func IsTaken(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// IsFile reports whether a path leads to a regular file.
func IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// IsFolder reports whether a path leads to a folder.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
