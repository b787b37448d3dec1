package tokenizer

import (
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

func slowClusterLen(text []byte) int {
	cluster, _, _, _ := uniseg.FirstGraphemeCluster(text, -1)
	return len(cluster)
}

func TestSingleCharacterClusters(t *testing.T) {
	others := []rune{'a', '\r', '\n', 0xAD, 0xA9, 0x2FF, 0x400, 0x482, 0x48A, 0x3041, 0x3096, 0x30A0, 0x30FF, 0x4E00, 0x9FFF, 0x2010, 0x2027, 0x3000, 0x3020, 0xFF01, 0xFF60}
	for r := range rune(0x10000) {
		if !standsAlone(r) {
			continue
		}
		for _, next := range others {
			for _, pair := range [][]rune{{r, next}, {next, r}} {
				text := []byte(string(pair))
				if got, want := clusterLen(text), slowClusterLen(text); got != want {
					t.Fatalf("%U: got %d bytes, want %d", pair, got, want)
				}
			}
		}
	}
	if utf8.RuneLen(0x9FFF) != 3 {
		t.Error("the pairs are not what they seem")
	}
}
