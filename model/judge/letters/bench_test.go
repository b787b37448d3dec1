package letters

import (
	"strings"
	"testing"
)

// BenchmarkRead reads answers of some length, such as models write that think in the answer.
func BenchmarkRead(b *testing.B) {
	const thought = "The recording begins with a long passage in which nobody speaks, and something is heard that may come from the street. "
	for name, reply := range map[string]string{
		"letter":                  "B",
		"announced":               strings.Repeat(thought, 25) + "\nSo the answer is B.",
		"no option":               strings.Repeat(thought, 25),
		"words":                   strings.Repeat(thought, 12) + "I hear a passing train. " + strings.Repeat(thought, 12),
		"many lines":              strings.Repeat(thought+"\n", 25) + "\nSo the answer is B.",
		"tagged":                  strings.Repeat(thought, 25) + "<answer>B</answer>",
		"no option in many lines": strings.Repeat(thought+"\n", 25),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(reply)))
			for b.Loop() {
				Read(reply, usual)
			}
		})
	}
}
