package dataset

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/foreign"
	"omniscope/internal/testing/need"
)

// TestLongOthersReadParquet has a reader of others open a table with media.
func TestLongOthersReadParquet(t *testing.T) {
	media := t.TempDir()
	mediaIn(t, media)
	o := options(t, captions(t, "av", madeRow{id: "a", url: "good.mp4"}, madeRow{id: "b", url: "good.mp4#t=0,1.5"}), media, "ms-swift")
	o.Parquet = true
	build(t, o)
	table := foreign.Parquet(t, filepath.Join(o.Out, parquetFolder, "train-00000.parquet"))
	if len(table.Rows) != 2 || table.Rows[0]["id"] != "a" || table.Rows[0]["caption"] != captionOf(0) || table.Rows[0]["audio"] != nil {
		t.Fatalf("%+v", table.Rows)
	}
	video, ok := table.Rows[1]["video"].(map[string]any)
	if !ok || video["bytes"].(float64) < 1000 || !strings.HasPrefix(video["path"].(string), "b-") {
		t.Errorf("%+v", table.Rows[1])
	}
	if !strings.Contains(table.Metadata["huggingface"], `"video":{"_type":"Video"}`) {
		t.Errorf("%v", table.Metadata)
	}
}

// TestOthersReadArchives has Python's tarfile open an archive.
func TestOthersReadArchives(t *testing.T) {
	media := t.TempDir()
	mediaIn(t, media)
	o := options(t, captions(t, "a", madeRow{id: "one.two", url: "good.wav"}, madeRow{id: "x/y", url: "good.mp4"}), media, "ms-swift")
	o.WebDataset = true
	build(t, o)
	const script = `
import json, sys, tarfile
t = tarfile.open(sys.argv[1])
names = t.getnames()
assert [n.split(".", 1)[1] for n in names] == ["wav", "json", "wav", "json"], names
assert names[0].split(".")[0] == names[1].split(".")[0] != names[2].split(".")[0], names
row = json.load(t.extractfile(names[3]))
assert row["id"] == "x/y" and row["modality"] == "audio", row
assert len(t.extractfile(names[0]).read()) > 90000
`
	if out, err := exec.Command(need.Program(t, "python3"), "-c", script, filepath.Join(o.Out, webFolder, "train-00000.tar")).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
