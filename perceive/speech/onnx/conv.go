package onnx

import "fmt"

// A convolution slides kernels along one axis.
type convolution struct {
	channels, length    int // of the input
	kernels, size       int // and the width of each
	stride, before, out int // steps, zeros before the input, length of the output
}

// conv is Conv with one spatial axis, in one group, without dilation.
func conv(r *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	x, w, bias := in[0], in[1], optional(in, 2)
	c, err := convolutionOf(n, x, w)
	if err != nil {
		return nil, err
	}
	if bias != nil && (bias.Kind != float32Kind || bias.len() != c.kernels) {
		return nil, fmt.Errorf("the bias %s does not fit %s", bias, w)
	}
	out, err := r.arena.tensor(float32Kind, []int{x.Shape[0], c.kernels, c.out})
	if err != nil {
		return nil, err
	}
	for i := range x.Shape[0] {
		c.slide(x.F[i*c.channels*c.length:], w.F, out.F[i*c.kernels*c.out:(i+1)*c.kernels*c.out])
	}
	if bias != nil && c.out > 0 {
		for i := range out.F {
			out.F[i] += bias.F[i/c.out%c.kernels]
		}
	}
	return []*Tensor{out}, nil
}

func convolutionOf(n *node, x, w *Tensor) (c convolution, err error) {
	if len(x.Shape) != 3 || len(w.Shape) != 3 || x.Shape[1] != w.Shape[1] || n.int("group", 1) != 1 || n.text("auto_pad", "NOTSET") != "NOTSET" {
		return c, fmt.Errorf("a convolution of %s with %s is not supported", x, w)
	}
	for _, d := range n.ints("dilations") {
		if d != 1 {
			return c, fmt.Errorf("a dilated convolution is not supported")
		}
	}
	stride, err := n.sizes("strides", 1, 1)
	if err != nil {
		return c, err
	}
	pads, err := n.sizes("pads", 2, 0)
	if err != nil {
		return c, err
	}
	c = convolution{channels: x.Shape[1], length: x.Shape[2], kernels: w.Shape[0], size: w.Shape[2], stride: max(stride[0], 1), before: pads[0]}
	room := c.length + pads[0] + pads[1] - c.size
	if room < 0 {
		return c, fmt.Errorf("%d numbers are too few for kernels of %d", c.length, c.size)
	}
	c.out = room/c.stride + 1
	return c, nil
}

// sizes returns an attribute of some numbers, each of at least least; zeros if it is left out.
func (n *node) sizes(name string, count int, least int64) (list [2]int, err error) {
	given := n.ints(name)
	if given != nil && len(given) != count {
		return list, fmt.Errorf("the %s %v are not supported", name, given)
	}
	for i, v := range given {
		if v < least || v >= mostElements {
			return list, fmt.Errorf("the %s %v are not supported", name, given)
		}
		list[i] = int(v)
	}
	return list, nil
}

// slide is a product of the kernels, as rows, with what each of them lies on,
// as columns. For few columns it is not worth while to pack the kernels.
func (c convolution) slide(x, w, out []float32) {
	terms := c.channels * c.size
	if c.out <= fewColumns {
		under := make([]float32, terms)
		for column := range c.out {
			c.under(x, column*c.stride-c.before, func(i int, v float32) { under[i] = v })
			for row := range c.kernels {
				out[row*c.out+column] = dot(w[row*terms:(row+1)*terms], under)
			}
		}
		return
	}
	tiled[float32, float32, float32]{
		m: c.kernels, n: c.out, k: terms, width: 2, kernel: floatTile,
		rows: func(panel [][4]float32, row int) { packRows(panel, w, row, c.kernels, terms) },
		columns: func(panel [][2]float32, column int) {
			for side := range 2 {
				c.under(x, min(column+side, c.out-1)*c.stride-c.before, func(i int, v float32) { panel[i][side] = v })
			}
		},
		store: func(row, column int, values []float32) { copy(out[row*c.out+column:], values) },
	}.compute()
}

// fewColumns is what the voice detector has at most.
const fewColumns = 4

// under puts what a kernel that starts at `start` lies on.
func (c convolution) under(x []float32, start int, put func(i int, v float32)) {
	for channel := range c.channels {
		line := x[channel*c.length : (channel+1)*c.length]
		for i := range c.size {
			v := float32(0)
			if at := start + i; at >= 0 && at < len(line) {
				v = line[at]
			}
			put(channel*c.size+i, v)
		}
	}
}
