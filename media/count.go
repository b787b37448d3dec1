package media

import (
	"fmt"
	"math"

	"omniscope"
)

// FrameCount returns how many of total frames, shown at rate frames a second,
// the policy takes. By the rules of Qwen a video of less than two frames is an
// error of kind Invalid, as it is there.
func (p Policy) FrameCount(total int, rate float64) (int, error) {
	p = p.filled()
	if total < 1 {
		return 0, badPolicy("a video without frames")
	}
	if p.Frames > 0 && p.Count != QwenUtils {
		return min(p.Frames, total), nil
	}
	wanted := float64(p.MinFrames)
	if rate > 0 {
		wanted = float64(total) / rate * p.FPS
	}
	switch p.Count {
	case QwenUtils:
		return p.evenCount(total, wanted)
	case QwenTransformers:
		return min(max(int(wanted), p.MinFrames), p.MaxFrames, total), nil
	}
	return min(max(int(wanted), p.MinFrames), p.MaxFrames, total), nil
}

// evenCount is smart_nframes of qwen-vl-utils (QwenLM/Qwen3-VL,
// vision_process.py): frames are looked at in pairs, so their number is even.
func (p Policy) evenCount(total int, wanted float64) (int, error) {
	n := 2 * int(math.RoundToEven(float64(p.Frames)/2))
	if p.Frames == 0 {
		least, most := 2*((p.MinFrames+1)/2), 2*(min(p.MaxFrames, total)/2)
		n = 2 * int(math.Floor(min(max(wanted, float64(least)), float64(most), float64(total))/2))
	}
	if n < 2 || n > total {
		return 0, &omniscope.Error{Kind: omniscope.Invalid, Op: "sampling policy", Err: fmt.Errorf(
			"%d frames of a video of %d: the rule of Qwen takes an even number of at least 2", n, total)}
	}
	return n, nil
}

// Linspace returns n indices evenly from first to last, both included, as
// torch.linspace(first, last, n).round() does: in single precision, the second
// half counted from the end, half-way cases to the even neighbour (PyTorch,
// RangeFactories, kernel of linspace). n = 1 gives first alone.
func Linspace(first, last, n int) []int {
	indices := make([]int, n)
	if n > 0 {
		indices[0] = first
	}
	if n < 2 {
		return indices
	}
	start, end := float32(first), float32(last)
	step := (end - start) / float32(n-1)
	for i := range indices {
		// The conversions forbid fused multiply-add.
		v := start + float32(step*float32(i))
		if i >= n/2 {
			v = end - float32(step*float32(n-1-i))
		}
		indices[i] = min(max(int(math.RoundToEven(float64(v))), first), last)
	}
	return indices
}

// linspace64 is the same in double precision as NumPy computes it.
func linspace64(first, last, n int) []int {
	indices := make([]int, n)
	for i := range indices {
		indices[i] = first
		if n > 1 {
			step := float64(last-first) / float64(n-1)
			indices[i] = min(int(math.RoundToEven(float64(float64(i)*step)+float64(first))), last)
		}
	}
	if n > 1 {
		indices[n-1] = last
	}
	return indices
}
