package recipe

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"omniscope/internal/outfile"
)

// checkRows finds rows that are other ones than those of the recipe, which alone were checked.
func (c *checker) checkRows(ctx context.Context) error {
	known := c.recipe.Rows.Name
	at, path, ok := c.rows()
	elsewhere := !filepath.IsAbs(known) && filepath.Base(path) == filepath.Base(known) // the recipe was made in another folder than this
	if ok && !elsewhere && !outfile.SamePath(path, known) {
		c.add("rows", at, "the rows are %s; those of the recipe, which alone may have been checked, are %s", path, known)
	}
	now, err := digestOf(ctx, known)
	if err != nil {
		return ctx.Err() // rows that are not at hand are nothing to tell
	}
	if now.SHA256 != c.recipe.Rows.SHA256 {
		c.findings = append(c.findings, Finding{Wrong, "rows", recipeFile, 0, known, "the rows have changed since the recipe was made: check them and make it again"})
	}
	return nil
}

// rows is the file that the trainer will open, and where the settings name it.
func (c *checker) rows() (at found, path string, ok bool) {
	for _, name := range []string{"--dataset", "data.train_path", "dataset.path_or_dataset"} {
		if f, ok := c.values[name]; ok {
			return f, f.value, true
		}
	}
	at, ok = c.values["dataset"]
	text, err := os.ReadFile(filepath.Join(c.dir, infoFile))
	var info map[string]struct {
		File string `json:"file_name"`
	}
	if !ok || err != nil || json.Unmarshal(text, &info) != nil || info[at.value].File == "" {
		return at, at.value, ok
	}
	if path = filepath.FromSlash(info[at.value].File); !filepath.IsAbs(path) {
		path = filepath.Join(c.dir, path)
	}
	return at, path, true
}
