package gemm

import "unsafe"

const scalarColumns = 4

// scalar is the machine without vectors.
var scalar = machine{
	columns: scalarColumns,
	tiles:   []tile{{1, scalarTile1}, {2, scalarTile2}},
	peak:    scalarPeak,
	flop:    2 * 2 * scalarColumns,
}

// The conversions of products keep compilers that could fuse them with the sum
// from doing so: the bits are the same everywhere.

func scalarTile1(out *float32, ldo int, a, b *float32, k int, bias *float32, more int, _ *float32, _ int) {
	y := (*[scalarColumns]float32)(unsafe.Pointer(out))
	var s0, s1, s2, s3 float32
	if more != 0 {
		s0, s1, s2, s3 = y[0], y[1], y[2], y[3]
	}
	panel := unsafe.Slice(b, k*scalarColumns)
	for _, v := range unsafe.Slice(a, k) {
		w := (*[scalarColumns]float32)(panel)
		panel = panel[scalarColumns:]
		s0 += float32(v * w[0])
		s1 += float32(v * w[1])
		s2 += float32(v * w[2])
		s3 += float32(v * w[3])
	}
	finish(y, s0, s1, s2, s3, bias)
}

func scalarTile2(out *float32, ldo int, a, b *float32, k int, bias *float32, more int, _ *float32, _ int) {
	rows := unsafe.Slice(out, ldo+scalarColumns)
	y, z := (*[scalarColumns]float32)(rows), (*[scalarColumns]float32)(rows[ldo:])
	var s0, s1, s2, s3, t0, t1, t2, t3 float32
	if more != 0 {
		s0, s1, s2, s3 = y[0], y[1], y[2], y[3]
		t0, t1, t2, t3 = z[0], z[1], z[2], z[3]
	}
	panel := unsafe.Slice(b, k*scalarColumns)
	x := unsafe.Slice(a, stride+k)
	second := x[stride:]
	for i, v := range x[:k] {
		u := second[i]
		w := (*[scalarColumns]float32)(panel)
		panel = panel[scalarColumns:]
		s0 += float32(v * w[0])
		s1 += float32(v * w[1])
		s2 += float32(v * w[2])
		s3 += float32(v * w[3])
		t0 += float32(u * w[0])
		t1 += float32(u * w[1])
		t2 += float32(u * w[2])
		t3 += float32(u * w[3])
	}
	finish(y, s0, s1, s2, s3, bias)
	finish(z, t0, t1, t2, t3, bias)
}

// finish stores a row of a tile.
func finish(y *[scalarColumns]float32, s0, s1, s2, s3 float32, bias *float32) {
	if bias != nil {
		b := (*[scalarColumns]float32)(unsafe.Pointer(bias))
		s0, s1, s2, s3 = s0+b[0], s1+b[1], s2+b[2], s3+b[3]
	}
	*y = [scalarColumns]float32{s0, s1, s2, s3}
}
