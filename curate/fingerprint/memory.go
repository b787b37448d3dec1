package fingerprint

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
	"omniscope/media"
)

// A Memory keeps fingerprints in a folder, each under the digest of its file, so that no file is decoded
// twice. It is safe for concurrent use.
type Memory struct{ Dir string }

// OfFile returns the fingerprint of a file, from the folder if it is there.
func (m *Memory) OfFile(ctx context.Context, path string) (*Fingerprint, error) {
	digest, err := sha256hex.File(path)
	if err != nil {
		return nil, err
	}
	if p := m.Load(digest); p != nil {
		return p, nil
	}
	f, err := media.Probe(ctx, path)
	if err != nil {
		return nil, err
	}
	p, err := of(ctx, f)
	if err != nil {
		return nil, err
	}
	return p, m.Save(p)
}

// Load returns the fingerprint of the file with a digest; nil if there is none, or none of this version.
func (m *Memory) Load(digest string) *Fingerprint {
	text, err := os.ReadFile(m.path(digest))
	p := &Fingerprint{}
	if err != nil || json.Unmarshal(text, p) != nil || p.Version != Version || p.File != digest {
		return nil
	}
	return p
}

// Save keeps a fingerprint.
func (m *Memory) Save(p *Fingerprint) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return outfile.WriteShared(m.path(p.File), text)
}

func (m *Memory) path(digest string) string {
	return filepath.Join(m.Dir, digest[:2], digest+".json")
}
