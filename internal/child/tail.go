package child

import (
	"strings"
	"sync"
)

// A Tail keeps the end of what a program writes, such as to standard error. It is safe for concurrent use.
type Tail struct {
	mu   sync.Mutex
	text []byte
}

const longestTail = 2000

func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if len(t.text) > longestTail {
		t.text = append([]byte(nil), t.text[len(t.text)-longestTail:]...)
	}
	return len(p), nil
}

// Last is the last line that has something in it, with single spaces.
func (t *Tail) Last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	return strings.Join(strings.Fields(lines[len(lines)-1]), " ")
}

// Lines are the last lines that have something in them, at most n, with single spaces.
func (t *Tail) Lines(n int) (lines []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range strings.SplitSeq(string(t.text), "\n") {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return lines[max(0, len(lines)-n):]
}
