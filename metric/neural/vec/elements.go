package vec

// GELU applies x/2 * (1 + erf(x/sqrt 2)) to each element, in place, within 7
// units in the last place, and within 1e-7 where |x| <= 1. torch, which computes
// 1+erf in float32, loses digits below 0 and has none left at -6; here they are
// kept down to -12. Below, and at -Inf, the result is 0 (torch says NaN at
// -Inf).
func (v *Kernel) GELU(x []float32) {
	body, tail := split(x)
	if len(body) > 0 {
		v.gelu(body)
	}
	if len(tail) > 0 {
		last := padded(tail, 0)
		v.gelu(last[:])
		copy(tail, last[:])
	}
}

// Tanh applies tanh to each element, in place, within 1.5 units in the last
// place.
func (v *Kernel) Tanh(x []float32) {
	body, tail := split(x)
	if len(body) > 0 {
		v.tanh(body)
	}
	if len(tail) > 0 {
		last := padded(tail, 0)
		v.tanh(last[:])
		copy(tail, last[:])
	}
}

// Scale multiplies each element by s, in place.
func (v *Kernel) Scale(x []float32, s float32) {
	body, tail := split(x)
	if len(body) > 0 {
		v.scale(body, s)
	}
	if len(tail) > 0 {
		last := padded(tail, 0)
		v.scale(last[:], s)
		copy(tail, last[:])
	}
}

// Add adds src to dst.
func (v *Kernel) Add(dst, src []float32) {
	sameLength(dst, src)
	body, tail := split(dst)
	k := len(body)
	if k > 0 {
		v.add(body, src[:k])
	}
	if len(tail) > 0 {
		last, s := padded(tail, 0), padded(src[k:], 0)
		v.add(last[:], s[:])
		copy(tail, last[:])
	}
}

// AddBias adds bias to each row of x; the rows lie one behind the other and
// are as long as bias.
func (v *Kernel) AddBias(x, bias []float32) {
	n := len(bias)
	if n == 0 && len(x) > 0 || n > 0 && len(x)%n != 0 {
		panic("vec: rows of different lengths")
	}
	for ; len(x) > 0; x = x[n:] {
		v.Add(x[:n], bias)
	}
}

// AddScaled adds src*w to dst, with one rounding.
func (v *Kernel) AddScaled(dst, src []float32, w float32) {
	sameLength(dst, src)
	body, tail := split(dst)
	k := len(body)
	if k > 0 {
		v.addScaled(body, src[:k], w)
	}
	if len(tail) > 0 {
		last, s := padded(tail, 0), padded(src[k:], 0)
		v.addScaled(last[:], s[:], w)
		copy(tail, last[:])
	}
}

// MaxInto makes each element of dst the larger of dst and src, NaN if one is
// NaN; +0 is above -0. With dst -Inf at first, and the rows of a matrix as src,
// dst becomes the maxima of its columns.
func (v *Kernel) MaxInto(dst, src []float32) {
	sameLength(dst, src)
	body, tail := split(dst)
	k := len(body)
	if k > 0 {
		v.maxInto(body, src[:k])
	}
	if len(tail) > 0 {
		last, s := padded(tail, 0), padded(src[k:], 0)
		v.maxInto(last[:], s[:])
		copy(tail, last[:])
	}
}
