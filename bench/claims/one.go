package claims

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"omniscope"
	"omniscope/bench"
	"omniscope/detective"
	"omniscope/internal/input"
	"omniscope/internal/ondisk"
	"omniscope/internal/sha256hex"
)

// longestCaption is the most bytes that a text file of one caption may have.
const longestCaption = 1 << 20

// tableEndings are endings of files with rows, which a text file of one caption does not have.
var tableEndings = []string{".jsonl", ".json", ".ndjson", ".csv", ".tsv", ".tab", ".parquet"}

// openOne opens one caption of one clip: a text, or a text file.
func (e *evaluation) openOne(ctx context.Context, b *benchmark) (err error) {
	text, system, path, digest := b.text, "text", "--text", sha256hex.Of(b.text)
	if b.text == "" {
		path, system = e.in.Predictions, bench.SystemName(e.in.Predictions)
		if slices.Contains(tableEndings, input.Ext(path)) || ondisk.IsFolder(path) {
			return omniscope.Usagef("%s is the file of one clip, and %s has captions of several: name the folder with their clips with --media", b.media, path)
		}
		if text, digest, err = readCaption(ctx, path); err != nil {
			return err
		}
	}
	if _, err := os.Stat(b.media); err != nil {
		return omniscope.Usagef("open the clip: %w", err)
	}
	base := filepath.Base(b.media)
	id := strings.TrimSuffix(base, filepath.Ext(base))
	if len(id) > bench.LongestID || id == "" {
		id = "clip"
	}
	e.one, e.of = &text, 1
	e.clips = []clip{{id: id, cluster: id, path: b.media}}
	e.newPlan(system, path, digest)
	return e.forecastObservers()
}

// readCaption reads a text file with one caption.
func readCaption(ctx context.Context, path string) (text, digest string, err error) {
	read, digest, err := input.ReadFile(ctx, path, input.Texts)
	if err != nil {
		return "", "", &omniscope.Error{Kind: omniscope.KindOf(err), Op: "read the caption", Err: err}
	}
	if len(read) > longestCaption || !utf8.Valid(read) || bytes.IndexByte(read, 0) >= 0 {
		err = fmt.Errorf("%s is not a caption: give a text file in UTF-8 of at most 1 MB, and the clip after it", path)
		return "", "", &omniscope.Error{Kind: omniscope.Invalid, Op: "read the caption", Err: err}
	}
	return string(read), digest, nil
}

// ReadAudit reads the audit of a run of one caption. dir has its results.
func ReadAudit(dir string) (*detective.AuditReport, error) {
	path := filepath.Join(dir, auditsFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r detective.AuditReport
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &r, nil
}
