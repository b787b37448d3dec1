package release

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"omniscope"
	"omniscope/internal/sha256hex"
)

// versionFile says which version a release is, and what its items are.
const (
	versionFile   = "VERSION.json"
	versionSchema = "omniscope/release/1"
)

// A releaseVersion is what VERSION.json holds.
type releaseVersion struct {
	Schema  string  `json:"schema"`
	Name    string  `json:"name"`
	Version string  `json:"version"`
	Digest  string  `json:"digest"` // SHA-256 of "ID\x00DIGEST\n" of the items, by id
	Items   []entry `json:"items"`  // by id
}

// An entry is an item of a version.
type entry struct {
	ID     string `json:"id"`
	Split  string `json:"split"`
	Digest string `json:"digest"` // SHA-256 of ["ID","SPLIT","ROW","SOURCE","MEDIA"]
	parts
}

// parts are what an item consists of, as SHA-256.
type parts struct {
	Row    string `json:"row"`             // the line of JSON, without its end
	Source string `json:"source"`          // what the release says of the source
	Media  string `json:"media,omitempty"` // the file, where it is in the release
}

func (e *entry) sum() string {
	return digestOf(e.ID, e.Split, e.Row, e.Source, e.Media)
}

// digestOf is the SHA-256 of a JSON list of texts, so that none can be taken for a part of another.
func digestOf(texts ...string) string {
	text, _ := json.Marshal(texts) // texts always can be
	return sha256hex.Of(text)
}

// sum is the digest of what the release says of a source.
func (src *source) sum() string {
	return digestOf(src.id, src.licence, src.url, src.origin, src.attribution, src.digest,
		strconv.FormatFloat(src.start, 'g', -1, 64), strconv.FormatFloat(src.end, 'g', -1, 64))
}

func newVersion(name, version string, items []*item) *releaseVersion {
	v := &releaseVersion{Schema: versionSchema, Name: name, Version: version, Items: make([]entry, 0, len(items))}
	for _, it := range items {
		e := entry{ID: it.id, Split: it.split, parts: it.parts}
		e.Digest = e.sum()
		v.Items = append(v.Items, e)
	}
	slices.SortFunc(v.Items, func(a, b entry) int { return cmp.Compare(a.ID, b.ID) })
	sum := sha256.New()
	for _, e := range v.Items {
		fmt.Fprintf(sum, "%s\x00%s\n", e.ID, e.Digest)
	}
	v.Digest = hex.EncodeToString(sum.Sum(nil))
	return v
}

// readVersion reads the version of an earlier release.
func readVersion(dir string) (*releaseVersion, error) {
	if dir == "" {
		return nil, nil
	}
	path := filepath.Join(dir, versionFile)
	text, err := readSmall(path)
	if err != nil {
		return nil, fmt.Errorf("the previous release: %w", err)
	}
	v := &releaseVersion{}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(v); err != nil || v.Schema != versionSchema {
		return nil, omniscope.Invalidf("%s was not written by omniscope curate release (%v)", path, cmp.Or(err, fmt.Errorf("schema %q", v.Schema)))
	}
	if _, err := parseVersion(v.Version); err != nil {
		return nil, omniscope.Invalidf("%s: %w", path, err)
	}
	return v, nil
}

var versionForm = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})$`)

// parseVersion reads MAJOR.MINOR.PATCH of Semantic Versioning 2.0.0; pre-releases are not for data.
func parseVersion(text string) (v [3]int, err error) {
	m := versionForm.FindStringSubmatch(text)
	if m == nil {
		return v, fmt.Errorf("version %q is not of the form 1.2.3", text)
	}
	for i := range v {
		v[i], _ = strconv.Atoi(m[i+1]) // digits, by the expression
	}
	return v, nil
}
