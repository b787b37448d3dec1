//go:build !unix

package mockllm

// clientGone would report whether the client has closed the connection; there
// is no portable way to look without reading.
func (c *conn) clientGone() bool {
	return false
}

func (c *conn) peek(uintptr) bool { return true }
