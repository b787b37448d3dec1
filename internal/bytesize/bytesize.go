// Package bytesize writes numbers of bytes for people.
package bytesize

import "fmt"

// Format writes a number of bytes as the hub's pages do: in powers of a thousand.
func Format(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.2f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1e3)
}
