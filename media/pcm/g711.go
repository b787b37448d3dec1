package pcm

// Samples of the companded codes of ITU-T G.711, 16 bits wide.
var aLaw, muLaw = func() (a, mu [256]int16) {
	for code := range 256 {
		a[code], mu[code] = fromALaw(byte(code)), fromMuLaw(byte(code))
	}
	return a, mu
}()

// fromALaw is table 1a of G.711: every other bit is inverted; a sign (1 =
// positive), three bits of the segment and four of the step in it.
func fromALaw(code byte) int16 {
	code ^= 0x55
	segment, step := int(code>>4&7), int(code&15)
	v := step<<4 + 8
	if segment > 0 {
		v = (v + 0x100) << (segment - 1)
	}
	if code&0x80 == 0 {
		v = -v
	}
	return int16(v)
}

// fromMuLaw is table 2a of G.711: all bits are inverted; a sign (1 = negative),
// three bits of the segment and four of the step in it.
func fromMuLaw(code byte) int16 {
	code = ^code
	const bias = 0x84
	v := (int(code&15)<<3+bias)<<(code>>4&7) - bias
	if code&0x80 != 0 {
		v = -v
	}
	return int16(v)
}
