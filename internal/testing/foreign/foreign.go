// Package foreign has tests run programs of others, which scripts/foreign-programs.sh installs, on what omniscope wrote.
package foreign

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/need"
)

// Installed is the path of a program or package below node_modules. A test that needs one that is not there is skipped, or fails
// where OMNISCOPE_NEED_FOREIGN says that it is.
func Installed(t testing.TB, path string) string {
	t.Helper()
	need.Processes(t)
	path = filepath.Join(golden.Root(t), "bin", ".foreign", "node_modules", filepath.FromSlash(path))
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("OMNISCOPE_NEED_FOREIGN") != "" {
			t.Fatal(err)
		}
		t.Skip("run scripts/foreign-programs.sh to run this test")
	}
	return path
}

// A Table is what a reader of others finds in a Parquet file. Bytes are given by their number.
type Table struct {
	Metadata map[string]string
	Rows     []map[string]any
}

// readParquet prints a Table. BigInts are numbers, bytes their length.
const readParquet = `
const [, from, packed, path] = process.argv
const { asyncBufferFromFile, parquetReadObjects, parquetMetadataAsync } = await import(from)
const { compressors } = await import(packed)
const file = await asyncBufferFromFile(path)
const meta = await parquetMetadataAsync(file)
const rows = await parquetReadObjects({ file, compressors, utf8: false })
const Metadata = Object.fromEntries((meta.key_value_metadata ?? []).map(k => [k.key, k.value]))
console.log(JSON.stringify({ Metadata, Rows: rows }, (k, v) => typeof v === 'bigint' ? Number(v) : v instanceof Uint8Array ? v.length : v))
`

// Parquet reads a file with hyparquet.
func Parquet(t testing.TB, path string) *Table {
	t.Helper()
	reader, packed := Installed(t, "hyparquet/src/node.js"), Installed(t, "hyparquet-compressors/src/index.js")
	path, err := filepath.Abs(path)
	fixture.OK(t, err)
	cmd := exec.Command("node", "--input-type=module", "-e", readParquet, "--", reader, packed, path)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	table := &Table{}
	if err := json.Unmarshal(out, table); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	return table
}
