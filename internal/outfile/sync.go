package outfile

import "os"

// SyncFolder has the names in a folder on the disk, where the system can do that.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync() // Windows cannot
	return d.Close()
}
