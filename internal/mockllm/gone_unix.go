//go:build unix

package mockllm

import "syscall"

// clientGone reports whether the client has closed the connection. A first
// write to a closed connection succeeds all the same, so without the look an
// answer to a client that gave up or was killed would count as answered.
func (c *conn) clientGone() bool {
	if c.raw == nil || c.in.Buffered() > 0 {
		return false
	}
	c.gone = true
	err := c.raw.Read(c.look)
	return c.gone || err != nil
}

// peek sets gone unless there is something to read, or may yet be.
func (c *conn) peek(fd uintptr) bool {
	n, _, err := syscall.Recvfrom(int(fd), c.peeked[:], syscall.MSG_PEEK)
	c.gone = n <= 0 && err != syscall.EAGAIN && err != syscall.EINTR
	return true // looked once: do not wait for input
}
