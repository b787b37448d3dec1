package captioncheck

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// shifted is the mean difference of two frames, the second moved by (dx, dy) and
// enlarged around the middle, where both have pixels; margins of a tenth are
// left out.
func (p *picture) shifted(a, b *frame, dx, dy, scale float64) float64 {
	sum, n := 0., 0
	cx, cy := float64(p.width-1)/2, float64(p.height-1)/2
	for y := p.height / 10; y < p.height-p.height/10; y += 2 {
		for x := p.width / 10; x < p.width-p.width/10; x += 2 {
			u, v := cx+(float64(x)-cx)*scale+dx, cy+(float64(y)-cy)*scale+dy
			i, j := int(math.Floor(u)), int(math.Floor(v))
			if i < 0 || j < 0 || i+1 >= p.width || j+1 >= p.height {
				continue
			}
			fu, fv := u-float64(i), v-float64(j)
			at := func(i, j int) float64 { return float64(b.grey[j*p.width+i]) }
			value := (1-fu)*(1-fv)*at(i, j) + fu*(1-fv)*at(i+1, j) + (1-fu)*fv*at(i, j+1) + fu*fv*at(i+1, j+1)
			sum, n = sum+math.Abs(value-float64(a.grey[y*p.width+x])), n+1
		}
	}
	if n < p.width*p.height/16 {
		return math.Inf(1)
	}
	return sum / float64(n)
}

// drift is by how many widths and heights a second most of the picture moves to
// the right and down.
func (p *picture) drift(from, to float64) (right, down []float64) {
	step := min(0.4, (to-from)/2)
	for t := from; t+step <= to+1e-6 && len(right) < 12; t += max(step, (to-from)/12) {
		a, b := &p.frames[p.index(t)], &p.frames[p.index(t+step-0.01)]
		if b.at <= a.at {
			continue
		}
		best, dx, dy := math.Inf(1), 0., 0.
		for v := -p.height / 5; v <= p.height/5; v++ {
			for u := -p.width / 5; u <= p.width/5; u++ {
				// Nearer shifts come first among equals.
				if d := p.shifted(a, b, float64(u), float64(v), 1) + 0.002*math.Hypot(float64(u), float64(v)); d < best {
					best, dx, dy = d, float64(u), float64(v)
				}
			}
		}
		right = append(right, dx/float64(p.width)/(b.at-a.at))
		down = append(down, dy/float64(p.height)/(b.at-a.at))
	}
	return right, down
}

func fixed(x *claim) string {
	p := x.c.picture
	right, down := p.drift(x.from, x.to)
	if len(right) == 0 {
		return "there are too few frames to tell"
	}
	r, d := 100*quantile(right, 0.5), 100*quantile(down, 0.5)
	return unless(math.Abs(r) <= speedLow && math.Abs(d) <= speedLow, "it moves by %.1f %% and %.1f %% a second", r, d)
}

func pan(x *claim) string {
	x.said.moving = append(x.said.moving, [2]float64{x.from, x.to})
	right, down := x.c.picture.drift(x.from, x.to)
	own, sign := quantile(right, 0.5), -1.
	switch strings.ToLower(x.m[1]) {
	case "pan left":
		sign = 1
	case "tilt up":
		own, sign = quantile(down, 0.5), 1
	case "tilt down":
		own = quantile(down, 0.5)
	}
	own *= 100 * sign
	off := max(speedLow, speedOff*x.n(2))
	if x.again {
		return unless(own > 0.5, "it moves by %.1f %%", own)
	}
	return unless(math.Abs(own-x.n(2)) <= off, "it moves by %.1f %% a second that way", own)
}

// zoom: one picture enlarged by as much as the claim says is more like the next than one enlarged by half
// or twice as much, or made smaller. Blocks that rest explains better, such as words over the picture, speak
// for no rate.
func zoom(x *claim) string {
	p := x.c.picture
	x.said.moving = append(x.said.moving, [2]float64{x.from, x.to})
	growth := 1 + x.n(2)/100
	if strings.EqualFold(x.m[1], "out") {
		growth = 1 / growth
	}
	rates := []float64{growth, math.Sqrt(growth), growth * growth, 1 / growth}
	apart := make([]float64, len(rates))
	better, all := 0, 0
	for t := x.from; t+0.3 <= x.to+0.02; t += 0.2 {
		a, b := &p.frames[p.index(t)], &p.frames[p.index(t+0.29)]
		blocks := p.movingBlocks(a, b, rates)
		all += len(blocks)
		for i, rate := range rates {
			sum, n := p.grown(a, b, blocks, rate)
			apart[i] += sum
			if i == 0 {
				better += n
			}
		}
	}
	if all == 0 || zoomShare*float64(all) > float64(better) {
		return fmt.Sprintf("in %d of %d blocks it explains more than rest", better, all)
	}
	for i, rate := range rates[1:] {
		if apart[i+1] <= apart[0] {
			return fmt.Sprintf("%+.1f %% a second explains it better", 100*(rate-1))
		}
	}
	return ""
}

// zoomShare is the least share of the blocks that a zoom explains better than rest; words cover up to half.
const zoomShare = 0.3

// A block is a part of a picture, and how far it is from the same part of the next.
type block struct {
	box  [4]float64
	rest float64
}

// movingBlocks are the blocks that change from a to b and stay in the picture at all rates.
func (p *picture) movingBlocks(a, b *frame, rates []float64) (list []block) {
	width, height := float64(p.width)/8, float64(p.height)/6
	for i := range 48 {
		u, v := float64(i%8), float64(i/8)
		own := block{box: [4]float64{u * width, v * height, (u + 1) * width, (v + 1) * height}}
		own.rest = p.blockApart(a, b, own.box, 0, 0, 1)
		leaves := slices.ContainsFunc(rates, func(rate float64) bool {
			return math.IsInf(p.blockApart(a, b, own.box, 0, 0, math.Pow(rate, b.at-a.at)), 1)
		})
		if own.rest >= 3 && !leaves { // else there is nothing to see there, or nothing that moves
			list = append(list, own)
		}
	}
	return list
}

// grown is by how much the blocks of a differ from b when the picture grows at a rate, or rests where that fits
// better, and in how many blocks the growth fits clearly better. The picture may also move a little.
func (p *picture) grown(a, b *frame, blocks []block, rate float64) (least float64, better int) {
	least = math.Inf(1)
	for dy := -1.; dy <= 1; dy += 0.5 {
		for dx := -1.; dx <= 1; dx += 0.5 {
			sum, n := 0., 0
			for _, own := range blocks {
				apart := p.blockApart(a, b, own.box, dx, dy, math.Pow(rate, b.at-a.at))
				sum += min(apart, own.rest)
				if apart < 0.9*own.rest {
					n++
				}
			}
			if sum < least {
				least, better = sum, n
			}
		}
	}
	return least, better
}

// blockApart is the mean difference of a block of a from b, moved and enlarged
// around the middle of the picture; infinite if it leaves the picture.
func (p *picture) blockApart(a, b *frame, box [4]float64, dx, dy, scale float64) float64 {
	sum, n := 0., 0
	cx, cy := float64(p.width-1)/2, float64(p.height-1)/2
	for y := math.Ceil(box[1]); y < box[3]; y++ {
		for x := math.Ceil(box[0]); x < box[2]; x++ {
			u, v := cx+(x-cx)*scale+dx, cy+(y-cy)*scale+dy
			i, j := int(math.Floor(u)), int(math.Floor(v))
			if i < 0 || j < 0 || i+1 >= p.width || j+1 >= p.height {
				return math.Inf(1)
			}
			fu, fv := u-float64(i), v-float64(j)
			at := func(i, j int) float64 { return float64(b.grey[j*p.width+i]) }
			value := (1-fu)*(1-fv)*at(i, j) + fu*(1-fv)*at(i+1, j) + (1-fu)*fv*at(i, j+1) + fu*fv*at(i+1, j+1)
			sum, n = sum+math.Abs(value-float64(a.grey[int(y)*p.width+int(x)])), n+1
		}
	}
	return sum / float64(max(1, n))
}
