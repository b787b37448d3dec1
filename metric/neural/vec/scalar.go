package vec

import "math"

// The functions below say what the kernels compute, operation by operation;
// the assembly does the same on vectors. A conversion to float32 around a
// product keeps the compiler from fusing it with an addition.

// fma is a*b+c with one rounding. The product of two float32 is exact in
// float64, so only a sum that float64 rounds to halfway between two float32
// can come out wrong.
func fma(a, b, c float32) float32 {
	s := float64(a)*float64(b) + float64(c)
	if math.Float64bits(s)&(1<<29-1) == 1<<28 || s < 1e-37 && s > -1e-37 {
		return fmaExact(a, b, c, s)
	}
	return float32(s)
}

// fmaExact makes the last bit of the sum odd when float64 dropped something;
// rounding on to float32 is then the same as rounding once. Source: Boldo and
// Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms
// using rounding to odd (2008).
func fmaExact(a, b, c float32, s float64) float32 {
	p, q := float64(a)*float64(b), float64(c)
	rest := s - p
	lost := (p - (s - rest)) + (q - rest)
	if bits := math.Float64bits(s); lost != 0 && bits&1 == 0 {
		if (lost > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
		s = math.Float64frombits(bits)
	}
	return float32(s)
}

// power is exp(y - low), where low is what y is too small by: y/ln 2 = n + r
// and exp(r) is a polynomial. y is at least -80 and at most 80; from outside
// comes nonsense, from NaN NaN.
func power(y, low float32) float32 {
	t := fma(y, log2e, magic)
	n := t - magic
	r := fma(n, minusLn2High, y)
	r = fma(n, minusLn2Low, r)
	r -= low
	p := float32(exp4)
	p = fma(p, r, exp3)
	p = fma(p, r, exp2)
	p = fma(p, r, exp1)
	p = fma(p, r, exp0)
	p = fma(p, r, 1)
	p = fma(p, r, 1)
	return float32(p * math.Float32frombits(math.Float32bits(t)<<23))
}

func expSumScalar(x []float32, sums *block, m float32) {
	for i, e := range x {
		y := e - m
		e = power(y, 0)
		if y < expLimit {
			e = 0
		}
		x[i] = e
		sums[i%lanes] += e
	}
}

// geluScalar computes max(x, 0) - a*Q(a) with a = |x| and Q(a) the upper tail
// of the normal distribution, which is exp(-a*a/2) times w times a polynomial
// in w = 1/(1+0.26a): no cancellation for negative x.
func geluScalar(x []float32) {
	for i, e := range x {
		a := math.Float32frombits(math.Float32bits(e) &^ (1 << 31))
		h := float32(a * -0.5)
		y := float32(h * a)
		low := fma(-h, a, y)
		w := 1 / fma(a, tailScale, 1)
		g := float32(a * w)
		g = float32(g * tailPolynomial(w))
		g = float32(g * power(y, low))
		if a > tailLimit {
			g = 0
		}
		x[i] = max(e, 0) - g
	}
}

func tailPolynomial(w float32) float32 {
	q := float32(tail8)
	q = fma(q, w, tail7)
	q = fma(q, w, tail6)
	q = fma(q, w, tail5)
	q = fma(q, w, tail4)
	q = fma(q, w, tail3)
	q = fma(q, w, tail2)
	q = fma(q, w, tail1)
	return fma(q, w, tail0)
}

// tanhScalar takes a polynomial near 0 and 1 - 2/(exp(2a)+1) elsewhere.
func tanhScalar(x []float32) {
	for i, e := range x {
		a := math.Float32frombits(math.Float32bits(e) &^ (1 << 31))
		s := float32(a * a)
		p := float32(tanh4)
		p = fma(p, s, tanh3)
		p = fma(p, s, tanh2)
		p = fma(p, s, tanh1)
		p = fma(p, s, tanh0)
		small := fma(float32(p*s), a, a)
		b := min(a, tanhLimit)
		large := 1 - 2/(power(b+b, 0)+1)
		if a < tanhSmall {
			large = small
		}
		x[i] = math.Float32frombits(math.Float32bits(large) | math.Float32bits(e)&(1<<31))
	}
}

func scaleMaxScalar(x []float32, top *block, s float32) {
	for i, e := range x {
		e = float32(e * s)
		x[i] = e
		top[i%lanes] = max(top[i%lanes], e)
	}
}

func maxScalar(x []float32, top *block) {
	for i, e := range x {
		top[i%lanes] = max(top[i%lanes], e)
	}
}

func maxIntoScalar(dst, src []float32) {
	for i, e := range src {
		dst[i] = max(dst[i], e)
	}
}

func divScalar(x []float32, s float32) {
	for i := range x {
		x[i] /= s
	}
}

func scaleScalar(x []float32, s float32) {
	for i := range x {
		x[i] *= s
	}
}

func addScalar(dst, src []float32) {
	for i, e := range src {
		dst[i] += e
	}
}

func addScaledScalar(dst, src []float32, w float32) {
	for i, e := range src {
		dst[i] = fma(e, w, dst[i])
	}
}

func sumScalar(x []float32, sums *block) {
	for i, e := range x {
		sums[i%lanes] += e
	}
}

func addSumScalar(out, x, y []float32, sums *block) {
	for i, e := range x {
		e += y[i]
		out[i] = e
		sums[i%lanes] += e
	}
}

func squaresScalar(x []float32, sums *block, mean float32) {
	for i, e := range x {
		d := e - mean
		sums[i%lanes] = fma(d, d, sums[i%lanes])
	}
}

func affineScalar(x, gamma, beta []float32, mean, inverse float32) {
	for i, e := range x {
		x[i] = fma(float32((e-mean)*inverse), gamma[i], beta[i])
	}
}

func dotScalar(a, b []float32, sums *block) {
	for i, e := range a {
		sums[i%lanes] = fma(e, b[i], sums[i%lanes])
	}
}
