package stats

import (
	"errors"
	"fmt"
	"math"
)

// Ties says what a tie means to bradleyTerry.
type Ties int

// Kinds of ties.
const (
	Davidson Ties = iota // an outcome of its own, more likely between equals
	HalfWins             // half a win of each
)

// standings are ratings by bradleyTerry.
type standings struct {
	Ratings []float64 // on the scale of Elo; their mean is 1000
	Tie     float64   // ν: of two equal systems a battle is tied with chance ν/(2+ν); 0 with HalfWins and without ties, infinite with ties alone
}

// errNotRated is the error of battles that do not compare all systems.
var errNotRated = errors.New("the battles do not rate all systems")

// A notRatedError is an errNotRated that lists the systems.
type notRatedError struct {
	Group []int // these never won or tied against the others, or were never compared with them
}

func (e *notRatedError) Error() string {
	return fmt.Sprintf("%v: systems %v never won or tied against the others, or were never compared with them", errNotRated, e.Group)
}

// Unwrap makes it an errNotRated.
func (e *notRatedError) Unwrap() error { return errNotRated }

// bradleyTerry returns the ratings of n systems that make the battles most likely. With
// πᵢ = 10^(Rᵢ/400) system i wins against j with chance
//
//	πᵢ / (πᵢ + πⱼ + ν√(πᵢπⱼ))
//
// and they tie with chance ν√(πᵢπⱼ) over the same. With HalfWins, and without ties, ν is
// 0. The mean of the ratings is set to 1000: no system is the anchor, and so none lacks
// an interval. The order of battles does not matter. Sources: R. A. Bradley and M. E.
// Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952); R. R.
// Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison
// experiments", JASA 65 (1970).
//
// It is an error, errNotRated, if the systems fall into two groups of which one never
// won or tied against the other: any distance between them would be as likely as a
// larger one. A notRatedError gives one such group. Battles of a system with
// itself are left out.
func bradleyTerry(n int, battles []Battle, ties Ties) (*standings, error) {
	t := newTally(n)
	for _, b := range battles {
		t.add(b, 1)
	}
	return t.fit(ties, nil)
}

// A tally counts battles: counts[(i·n+j)·3+r] those of i and j with result r.
type tally struct {
	n      int
	counts []int32
}

func newTally(n int) *tally { return &tally{n, make([]int32, n*n*3)} }

// cell is the place of a battle in the counts.
func (t *tally) cell(b Battle) int { return (b.A*t.n+b.B)*3 + int(b.Result) }

func (t *tally) add(b Battle, times int32) { t.counts[t.cell(b)] += times }

// A pairing is all battles of two systems, i before j.
type pairing struct {
	i, j            int
	wins, lost, tie float64 // of i
}

func (t *tally) pairings() (all []pairing, ties float64) {
	for i := range t.n {
		for j := i + 1; j < t.n; j++ {
			there, back := t.counts[(i*t.n+j)*3:][:3], t.counts[(j*t.n+i)*3:][:3]
			p := pairing{i, j, float64(there[WonByA] + back[WonByB]), float64(there[WonByB] + back[WonByA]), float64(there[Tied] + back[Tied])}
			if p.wins+p.lost+p.tie > 0 {
				all = append(all, p)
				ties += p.tie
			}
		}
	}
	return all, ties
}

// decided is how many battles were won.
func decided(pairings []pairing) (n float64) {
	for _, p := range pairings {
		n += p.wins + p.lost
	}
	return n
}

// fit finds the likeliest ratings by Newton's method, from a start if there is one.
func (t *tally) fit(ties Ties, start *standings) (*standings, error) {
	pairings, tied := t.pairings()
	if group := apart(t.n, pairings); group != nil {
		return nil, &notRatedError{group}
	}
	if decided(pairings) == 0 && ties == Davidson { // all are equal, and a tie is certain
		s := &standings{Ratings: make([]float64, t.n), Tie: math.Inf(1)}
		for i := range s.Ratings {
			s.Ratings[i] = 1000
		}
		return s, nil
	}
	f := &fitter{n: t.n, pairings: pairings, ties: ties == Davidson && tied > 0}
	f.begin(start)
	if err := f.climb(); err != nil {
		return nil, err
	}
	return f.standings(), nil
}

// apart finds a group of systems that never won or tied against the others; nil if
// there is none.
func apart(n int, pairings []pairing) []int {
	beaten, beats := make([][]int, n), make([][]int, n)
	for _, p := range pairings {
		if p.wins+p.tie > 0 {
			beats[p.i], beaten[p.j] = append(beats[p.i], p.j), append(beaten[p.j], p.i)
		}
		if p.lost+p.tie > 0 {
			beats[p.j], beaten[p.i] = append(beats[p.j], p.i), append(beaten[p.i], p.j)
		}
	}
	if n == 0 {
		return nil
	}
	if up := reached(0, beaten); len(up) < n { // who is above system 0, by whichever way
		return complement(n, up)
	}
	if down := reached(0, beats); len(down) < n {
		return down
	}
	return nil
}

// reached are the systems that the edges lead to from one, itself among them.
func reached(from int, edges [][]int) []int {
	seen := map[int]bool{from: true}
	list := []int{from}
	for next := 0; next < len(list); next++ {
		for _, to := range edges[list[next]] {
			if !seen[to] {
				seen[to] = true
				list = append(list, to)
			}
		}
	}
	return list
}

func complement(n int, list []int) (others []int) {
	in := make([]bool, n)
	for _, i := range list {
		in[i] = true
	}
	for i := range n {
		if !in[i] {
			others = append(others, i)
		}
	}
	return others
}

// A fitter maximises the likelihood over θ = ln π, and over ln ν where there are ties.
type fitter struct {
	n        int
	pairings []pairing
	ties     bool

	at     []float64 // θ of each system, then ln ν
	slope  []float64
	curve  []float64 // the negative second derivatives, row by row
	height float64   // likelihood at the start of a step
}

func (f *fitter) size() int {
	if f.ties {
		return f.n + 1
	}
	return f.n
}

const perElo = math.Ln10 / 400

func (f *fitter) begin(start *standings) {
	m := f.size()
	f.at, f.slope, f.curve = make([]float64, m), make([]float64, m), make([]float64, m*m)
	if start == nil {
		return
	}
	for i, r := range start.Ratings {
		f.at[i] = (r - 1000) * perElo
	}
	if f.ties && start.Tie > 0 && !math.IsInf(start.Tie, 1) {
		f.at[f.n] = math.Log(start.Tie)
	}
}

// chances of a pairing: that i wins, and that it is a tie.
func (f *fitter) chances(p *pairing, at []float64) (win, tie, lose float64) {
	half := (at[p.i] - at[p.j]) / 2
	up, down, nu := math.Exp(half), math.Exp(-half), 0.0
	if f.ties {
		nu = math.Exp(at[f.n])
	}
	all := up + down + nu
	return up / all, nu / all, down / all
}

// likelihood is the logarithm of the battles' chance.
func (f *fitter) likelihood(at []float64) float64 {
	sum := 0.0
	for k := range f.pairings {
		p := &f.pairings[k]
		half := (at[p.i] - at[p.j]) / 2
		largest := math.Abs(half) // so that no exponential overflows
		all := math.Exp(half-largest) + math.Exp(-half-largest)
		tie := 0.0
		if f.ties {
			all += math.Exp(at[f.n] - largest)
			tie = p.tie * at[f.n]
		}
		games := p.wins + p.lost + p.tie
		sum += (p.wins-p.lost)*half + tie - games*(math.Log(all)+largest)
	}
	return sum
}

// derive computes the first and second derivatives.
func (f *fitter) derive() {
	clear(f.slope)
	clear(f.curve)
	m := f.size()
	for k := range f.pairings {
		p := &f.pairings[k]
		games := p.wins + p.lost + p.tie
		win, tie, _ := f.chances(p, f.at)
		mean := win + tie/2 // of i's score
		slope := p.wins + p.tie/2 - games*mean
		f.slope[p.i] += slope
		f.slope[p.j] -= slope
		curve := games * (win + tie/4 - mean*mean)
		f.curve[p.i*m+p.i] += curve
		f.curve[p.j*m+p.j] += curve
		f.curve[p.i*m+p.j] -= curve
		f.curve[p.j*m+p.i] -= curve
		if f.ties {
			f.slope[f.n] += p.tie - games*tie
			f.curve[f.n*m+f.n] += games * tie * (1 - tie)
			both := games * (tie/2 - mean*tie)
			f.curve[f.n*m+p.i] += both
			f.curve[f.n*m+p.j] -= both
			f.curve[p.i*m+f.n] += both
			f.curve[p.j*m+f.n] -= both
		}
	}
	// All θ moved together change nothing: this holds their sum where it is.
	for i := range f.n {
		for j := range f.n {
			f.curve[i*m+j]++
		}
	}
}

// climb goes up to the maximum, which is the only one.
func (f *fitter) climb() error {
	next := make([]float64, f.size())
	f.height = f.likelihood(f.at)
	for range 100 {
		f.derive()
		step := f.slope
		if !solve(f.curve, step) {
			break
		}
		largest := 0.0
		for _, d := range step {
			largest = max(largest, math.Abs(d))
		}
		if largest < 1e-6 { // the next one would be its square, and the likelihood cannot tell
			for i, d := range step {
				f.at[i] += d
			}
			return nil
		}
		if !f.advance(step, next, largest) {
			break
		}
	}
	return fmt.Errorf("%w: no maximum of the likelihood was found", errNotRated)
}

// advance goes a step, or such a part of it that leads up.
func (f *fitter) advance(step, next []float64, largest float64) bool {
	for share := min(1, 8/largest); share > 1e-9; share /= 2 {
		for i, d := range step {
			next[i] = f.at[i] + share*d
		}
		if l := f.likelihood(next); l >= f.height {
			copy(f.at, next)
			f.height = l
			return true
		}
	}
	return false
}

func (f *fitter) standings() *standings {
	s := &standings{Ratings: make([]float64, f.n)}
	mean := 0.0
	for _, theta := range f.at[:f.n] {
		mean += theta / float64(f.n)
	}
	for i, theta := range f.at[:f.n] {
		s.Ratings[i] = 1000 + (theta-mean)/perElo
	}
	if f.ties {
		s.Tie = math.Exp(f.at[f.n])
	}
	return s
}

// solve replaces b by the x of A·x = b, for A symmetric and positive definite, by
// Cholesky's factors, which are left in A's lower half. It reports whether A is so.
func solve(a, b []float64) bool {
	m := len(b)
	for i := range m {
		row := a[i*m : i*m+i+1]
		for j := range row {
			sum := row[j] - dot(row[:j], a[j*m:j*m+j])
			if j < i {
				row[j] = sum / a[j*m+j]
				continue
			}
			if sum <= 0 {
				return false
			}
			row[i] = math.Sqrt(sum)
		}
	}
	for i := range m {
		b[i] = (b[i] - dot(a[i*m:i*m+i], b[:i])) / a[i*m+i]
	}
	for i := m - 1; i >= 0; i-- {
		b[i] /= a[i*m+i]
		for j := range i {
			b[j] -= a[i*m+j] * b[i]
		}
	}
	return true
}
