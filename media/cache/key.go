package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"omniscope"
)

// Versions of what the entries hold. A new rule of how something is extracted
// or stored needs a new version, so that no older entry is used. The rules of
// frames have a version of their own in media.Policy.Hash.
const (
	factsVersion  = "facts 2"
	planVersion   = "plan 2"
	framesVersion = "frames 2"
	soundVersion  = "sound 2"
)

// A key identifies an entry.
type key [sha256.Size]byte

func (k key) String() string { return hex.EncodeToString(k[:]) }

// key returns the key of what a policy makes of a span of the clip.
func (k *Clip) key(version, policy string, span omniscope.Span) key {
	return sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%s\n%d %d", version, k.Digest, k.ending, policy, span.Start, span.End))
}
