package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// fmaBig rounds the exact sum once.
func fmaBig(a, b, c float32) float32 {
	exact := func(x float32) *big.Float { return new(big.Float).SetPrec(700).SetFloat64(float64(x)) }
	p := exact(0).Mul(exact(a), exact(b))
	got, _ := p.Add(p, exact(c)).Float32()
	return got
}

func TestScalarMultiplyAddRoundsOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	number := func(exponents uint32) float32 {
		return math.Float32frombits(r.Uint32()&^(0xff<<23) | (127-exponents/2+r.Uint32N(exponents+1))<<23)
	}
	wrong := 0 // by rounding twice
	check := func(a, b, c float32) {
		want := fmaBig(a, b, c)
		if got := fma(a, b, c); got != want {
			t.Fatalf("%x*%x + %x is %x, want %x", a, b, c, got, want)
		}
		if float32(float64(a)*float64(b)+float64(c)) != want {
			wrong++
		}
	}
	for range 20000 {
		check(number(40), number(40), number(60))
		check(number(2)*0x1p-70, number(2)*0x1p-70, number(2)*0x1p-130) // down to denormals
		// A product just beside half of c's last place.
		check(1+0x1p-23, (1-0x1p-23)*0x1p-24, 1+float32(r.Uint32N(1<<22))*0x1p-23)
		check(1+0x1p-23, (1-0x1p-23)*0x1p-24, -1-float32(r.Uint32N(1<<22))*0x1p-23)
		check(1+0x1p-22, (1+0x1p-23)*0x1p-71, number(0)*0x1p-30)
	}
	if wrong < 1000 {
		t.Errorf("only %d cases need care", wrong)
	}
}
