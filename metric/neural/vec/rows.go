package vec

import "math"

// Softmax makes row the softmax of row*scale, in place: exp(s-max) / sum, with
// the maximum subtracted first. Elements whose s lies more than 64 below the
// maximum become exactly 0: they are below 2e-28 of the largest, and as
// denormals, or as factors of denormal products, they would slow everything
// that follows. A row of nothing but -Inf, and a row with +Inf or NaN, is all
// NaN, as in torch.
func (v *Kernel) Softmax(row []float32, scale float32) {
	body, tail := split(row)
	var last block
	if len(tail) > 0 { // a repeated element changes no maximum
		last = padded(tail, tail[0])
	}
	m := v.scaleAndMax(body, tail, &last, scale)
	last.fill(len(tail), negInf)
	var sums block
	if len(body) > 0 {
		v.expSum(body, &sums, m)
	}
	if len(tail) > 0 {
		v.expSum(last[:], &sums, m)
	}
	total := sums.sum()
	if len(body) > 0 {
		v.div(body, total)
	}
	if len(tail) > 0 {
		v.div(last[:], total)
		copy(tail, last[:])
	}
}

// scaleAndMax is the first pass of Softmax. The tail's result stays in last.
func (v *Kernel) scaleAndMax(body, tail []float32, last *block, scale float32) float32 {
	top := lowest
	if len(body) > 0 {
		v.scaleMax(body, &top, scale)
	}
	if len(tail) > 0 {
		v.scaleMax(last[:], &top, scale)
	}
	return top.max()
}

// AddNorm makes out the LayerNorm of x+residual, one row:
// (s-mean) / sqrt(variance+eps) * gamma + beta with s = x+residual and the
// biased variance (divided by n), both in two passes. residual may be nil. out
// may be x or residual; it must not overlap them otherwise, nor gamma or beta.
func (v *Kernel) AddNorm(out, x, residual, gamma, beta []float32, eps float32) {
	sameLength(out, x)
	sameLength(out, gamma)
	sameLength(out, beta)
	var sums block
	if residual == nil {
		copy(out, x)
		v.sumRow(out, &sums)
	} else {
		sameLength(out, residual)
		v.addSumRow(out, x, residual, &sums)
	}
	n := float32(len(out))
	mean := sums.sum() / n
	body, tail := split(out)
	last := padded(tail, mean) // its distance to the mean is 0
	sums = block{}
	if len(body) > 0 {
		v.squares(body, &sums, mean)
	}
	if len(tail) > 0 {
		v.squares(last[:], &sums, mean)
	}
	inverse := 1 / float32(math.Sqrt(float64(sums.sum()/n+eps)))
	if k := len(body); k > 0 {
		v.affine(body, gamma[:k], beta[:k], mean, inverse)
	}
	if k := len(body); len(tail) > 0 {
		g, b := padded(gamma[k:], 0), padded(beta[k:], 0)
		v.affine(last[:], g[:], b[:], mean, inverse)
		copy(tail, last[:])
	}
}

func (v *Kernel) sumRow(x []float32, sums *block) {
	body, tail := split(x)
	if len(body) > 0 {
		v.sum(body, sums)
	}
	if len(tail) > 0 {
		last := padded(tail, 0)
		v.sum(last[:], sums)
	}
}

func (v *Kernel) addSumRow(out, x, y []float32, sums *block) {
	body, tail := split(out)
	k := len(body)
	if k > 0 {
		v.addSum(body, x[:k], y[:k], sums)
	}
	if len(tail) > 0 {
		var last block
		a, b := padded(x[k:], 0), padded(y[k:], 0)
		v.addSum(last[:], a[:], b[:], sums)
		copy(tail, last[:])
	}
}

// Dot is the sum of a[i]*b[i], 0 for empty rows.
func (v *Kernel) Dot(a, b []float32) float32 {
	sameLength(a, b)
	body, tail := split(a)
	k := len(body)
	var sums block
	if k > 0 {
		v.dot(body, b[:k], &sums)
	}
	if len(tail) > 0 {
		c, d := padded(tail, 0), padded(b[k:], 0)
		v.dot(c[:], d[:], &sums)
	}
	return sums.sum()
}

// Normalize divides row by its Euclidean norm. A row of zeros becomes NaN.
func (v *Kernel) Normalize(row []float32) {
	norm := float32(math.Sqrt(float64(v.Dot(row, row))))
	body, tail := split(row)
	if len(body) > 0 {
		v.div(body, norm)
	}
	if len(tail) > 0 {
		last := padded(tail, 0)
		v.div(last[:], norm)
		copy(tail, last[:])
	}
}

// Max is the largest element: NaN if there is a NaN, -Inf if row is empty; +0
// is above -0.
func (v *Kernel) Max(row []float32) float32 {
	top := lowest
	body, tail := split(row)
	if len(body) > 0 {
		v.max(body, &top)
	}
	if len(tail) > 0 {
		last := padded(tail, negInf)
		v.max(last[:], &top)
	}
	return top.max()
}
