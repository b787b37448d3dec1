package benchtest

import (
	"testing"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/run/local"
)

// Exam opens an evaluation and has its judge examined.
func Exam(t *testing.T, b bench.Benchmark, in bench.Inputs) *document.ExamInfo {
	t.Helper()
	items, err := opened(t, b, in).(bench.Examiner).Exam()
	fixture.OK(t, err)
	x, err := bench.Examine(t.Context(), &local.Engine{Workers: 10}, items)
	fixture.OK(t, err)
	return x
}
