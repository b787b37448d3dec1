// Package greet does the work of the smallest command.
package greet

import (
	"fmt"
	"io"
)

// Write writes a greeting.
func Write(w io.Writer, name string) error {
	_, err := fmt.Fprintf(w, "Hello, %s\n", name)
	return err
}
