package wav

import (
	"encoding/hex"
	"testing"
)

func TestHeader(t *testing.T) {
	// RIFF, size, WAVE, fmt, 16, 1, 2 channels, 44100 Hz, 176400 B/s, 4 B, 16 bits, data, 1000
	const want = "52494646" + "0c040000" + "57415645" + "666d7420" + "10000000" + "0100" + "0200" + "44ac0000" + "10b10200" + "0400" + "1000" + "64617461" + "e8030000"
	if got := hex.EncodeToString(Header(44100, 2, 1000)); got != want || len(got) != 2*HeaderBytes {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
