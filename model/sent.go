package model

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// SentMedia is what a request held of one kind of media that were loaded for it.
type SentMedia struct {
	Kind   PartKind `json:"kind"`
	Parts  int      `json:"parts"`
	Bytes  int64    `json:"bytes"`  // of all of them, before base64
	SHA256 string   `json:"sha256"` // of their bytes one after the other, in hex
}

// A SentMeter measures media as they are loaded. The zero value is ready to use.
type SentMeter struct {
	sent []SentMedia
	sums []hash.Hash
}

// Add measures one part.
func (m *SentMeter) Add(kind PartKind, data []byte) {
	i := 0
	for i < len(m.sent) && m.sent[i].Kind != kind {
		i++
	}
	if i == len(m.sent) {
		m.sent, m.sums = append(m.sent, SentMedia{Kind: kind}), append(m.sums, sha256.New())
	}
	m.sent[i].Parts++
	m.sent[i].Bytes += int64(len(data))
	m.sums[i].Write(data)
}

// AddLinked measures a part that the endpoint gets by an address. It is the only one of
// its kind, or the digest of all is not known.
func (m *SentMeter) AddLinked(kind PartKind, l Linked) {
	m.Add(kind, nil)
	for i := range m.sent {
		if m.sent[i].Kind != kind {
			continue
		}
		m.sent[i].Bytes += l.Bytes
		if m.sums[i] = nil; m.sent[i].Parts == 1 {
			m.sent[i].SHA256 = l.SHA256
		}
	}
}

// Sent returns what was measured, by kinds in the order in which they came.
func (m *SentMeter) Sent() []SentMedia {
	for i, sum := range m.sums {
		if sum != nil {
			m.sent[i].SHA256 = hex.EncodeToString(sum.Sum(nil))
		}
	}
	return m.sent
}
