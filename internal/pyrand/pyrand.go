// Package pyrand draws the random numbers that Python's module random draws from the same seed, so that
// an order or a name that a Python program drew can be drawn again. It is no source of secrets.
//
// The generator is the Mersenne Twister MT19937 of M. Matsumoto and T. Nishimura (1998), with the seeding and the
// draws of CPython 3.
package pyrand

import "math/bits"

const (
	words = 624 // of the state
	shift = 397 // distance of the words that are mixed
)

// A Rand is a generator. It is not safe for concurrent use.
type Rand struct {
	state [words]uint32
	next  int // the next word of the state to return; words = the state is used up
}

// New is random.Random(seed).
func New(seed uint64) *Rand {
	r := &Rand{}
	r.Seed(seed)
	return r
}

// Seed is random.seed(seed): what is drawn next depends on the seed alone.
func (r *Rand) Seed(seed uint64) {
	key := []uint32{uint32(seed)}
	if high := uint32(seed >> 32); high != 0 {
		key = append(key, high)
	}
	r.seedKey(key)
}

// seedKey is init_by_array of the generator's authors.
func (r *Rand) seedKey(key []uint32) {
	r.state[0] = 19650218
	for i := 1; i < words; i++ {
		before := r.state[i-1]
		r.state[i] = 1812433253*(before^before>>30) + uint32(i)
	}
	i := 1
	step := func(factor, add uint32, subtract bool) {
		before := r.state[i-1]
		mixed := r.state[i] ^ (before^before>>30)*factor
		if subtract {
			r.state[i] = mixed - add
		} else {
			r.state[i] = mixed + add
		}
		if i++; i == words {
			r.state[0], i = r.state[words-1], 1
		}
	}
	for k := range max(words, len(key)) {
		j := k % len(key)
		step(1664525, key[j]+uint32(j), false)
	}
	for range words - 1 {
		step(1566083941, uint32(i), true)
	}
	r.state[0] = 1 << 31
	r.next = words
}

// Uint32 is 32 random bits: random.getrandbits(32).
func (r *Rand) Uint32() uint32 {
	if r.next == words {
		r.refill()
	}
	y := r.state[r.next]
	r.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

func (r *Rand) refill() {
	for i := range words {
		y := r.state[i]&(1<<31) | r.state[(i+1)%words]&(1<<31-1)
		r.state[i] = r.state[(i+shift)%words] ^ y>>1
		if y&1 == 1 {
			r.state[i] ^= 0x9908b0df
		}
	}
	r.next = 0
}

// Float64 is a number in [0, 1) with 53 random bits: random.random().
func (r *Rand) Float64() float64 {
	a, b := r.Uint32()>>5, r.Uint32()>>6
	return (float64(a)*(1<<26) + float64(b)) / (1 << 53)
}

// IntN is a number from 0 to n-1: the index that random.choice draws of n things. It panics unless n is
// from 1 to 2^32-1.
func (r *Rand) IntN(n int) int {
	if n < 1 || uint64(n) > 1<<32-1 {
		panic("pyrand: IntN of a number out of range")
	}
	drop := 32 - bits.Len32(uint32(n))
	for {
		if k := r.Uint32() >> drop; k < uint32(n) {
			return int(k)
		}
	}
}

// Shuffle is random.shuffle of n things, of which swap exchanges two.
func (r *Rand) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, r.IntN(i+1))
	}
}

// Letters is "".join(random.choices(alphabet, k=n)).
func (r *Rand) Letters(alphabet string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[int(r.Float64()*float64(len(alphabet)))]
	}
	return string(out)
}
