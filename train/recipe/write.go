package recipe

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
	"omniscope/train"
)

// The files of a recipe.
const (
	recipeFile  = "recipe.json"
	scriptFile  = "train.sh" // ms-swift
	yamlFile    = "train.yaml"
	infoFile    = "dataset_info.json" // llama-factory
	zeroFile    = "zero2.json"        // llama-factory
	checkpoints = "checkpoints"       // folder that the trainer makes
	dataset     = "omni_av"           // name of the rows in dataset_info.json
)

// Write makes the folder of a recipe and returns what recipe.json holds. The same options and rows give the same bytes.
func Write(ctx context.Context, o Options) (*recipe, error) {
	r, err := resolve(o)
	if err != nil {
		return nil, err
	}
	if r.Rows, err = digestOf(ctx, o.Rows); err != nil {
		return nil, err
	}
	if r.Check, err = checkedDigest(o.Checked, r.Rows); err != nil {
		return nil, err
	}
	r.Warnings = r.warnings()
	files, err := r.render(o)
	if err != nil {
		return nil, err
	}
	for _, name := range sortedNames(files) {
		r.Files = append(r.Files, file{name, sha256hex.Of(files[name])})
	}
	var text bytes.Buffer
	if err := outfile.JSON(&text, r); err != nil {
		return nil, err
	}
	files[recipeFile] = text.Bytes()
	return r, save(o.Out, files, o.Force)
}

// warnings tell of what is no error and may spoil the training.
func (r *recipe) warnings() (list []string) {
	warn := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if r.Check == "" {
		warn("the rows are not known to be checked: run `omniscope train check` and name its result with --checked")
	}
	if r.Trainer == VeOmni && r.Stage == train.AudioCaptioner {
		warn("veomni leaves the visual merger trainable in stage 1; rows of sound alone give it no gradient, and `omniscope train verify` says whether it changed")
	}
	if text := framesText(r.value("fps"), r.value("max_frames"), r.Longest); text != "" {
		warn("%s", text)
	}
	return list
}

// framesText says that a cap on frames cuts the rate of long clips, "" where it does not or a number is not known.
func framesText(fps, frames string, longest float64) string {
	rate, err1 := strconv.ParseFloat(fps, 64)
	most, err2 := strconv.ParseFloat(frames, 64)
	if err1 != nil || err2 != nil || rate*longest <= most {
		return ""
	}
	return fmt.Sprintf("the longest clip has %g s, %g frames at %g per second, and at most %g are taken: its rate, and so the times of its frames, will be others; raise max_frames or leave out clips longer than %g s",
		longest, rate*longest, rate, most, most/rate)
}

// render makes the trainer's files.
func (r *recipe) render(o Options) (map[string][]byte, error) {
	out := filepath.ToSlash(filepath.Join(o.Out, checkpoints))
	yours := func(name, value, means string) entry { return entry{name, value, wordKind, Yours, means} }
	ours := func(name, value, means string) entry { return entry{name, value, wordKind, Ours, means} }
	const model, rows, place = "what the training starts from", "the rows", "where checkpoints are written"
	switch r.Trainer {
	case MSSwift:
		list := append([]entry{yours("--model", o.Model, model), yours("--dataset", o.Rows, rows), ours("--output_dir", out, place)}, r.entries()...)
		return map[string][]byte{scriptFile: r.script(list)}, nil
	case LLaMAFactory:
		folder := filepath.ToSlash(filepath.Clean(o.Out))
		list := append([]entry{yours("model_name_or_path", o.Model, model), ours("dataset", dataset, "the rows, as dataset_info.json names them"),
			ours("dataset_dir", folder, "folder of dataset_info.json"), yours("media_dir", filepath.ToSlash(filepath.Dir(o.Rows)), "folder to which paths in the rows lead"),
			ours("output_dir", out, place)}, r.entries()...)
		for i := range list {
			if list[i].name == "deepspeed" {
				list[i].value = filepath.ToSlash(filepath.Join(o.Out, zeroFile))
			}
		}
		info, err := datasetInfo(o.Out, o.Rows)
		return map[string][]byte{yamlFile: r.yaml(list), infoFile: info, zeroFile: []byte(zero2)}, err
	case VeOmni:
		list := append([]entry{yours("model.model_path", o.Model, model), yours("data.train_path", o.Rows, rows), ours("train.checkpoint.output_dir", out, place)}, r.entries()...)
		return map[string][]byte{yamlFile: r.yaml(list)}, nil
	}
	list := append([]entry{yours("model.pretrained_model_name_or_path", o.Model, model), yours("dataset.path_or_dataset", o.Rows, rows), ours("checkpoint.checkpoint_dir", out, place)}, r.entries()...)
	return map[string][]byte{yamlFile: r.yaml(list)}, nil
}

// zero2 is a configuration of DeepSpeed: what training shares with it is "auto", so that train.yaml alone says it.
const zero2 = `{
  "train_batch_size": "auto",
  "train_micro_batch_size_per_gpu": "auto",
  "gradient_accumulation_steps": "auto",
  "gradient_clipping": "auto",
  "bf16": {"enabled": "auto"},
  "zero_optimization": {"stage": 2}
}
`

// datasetInfo is LLaMA-Factory's entry for the rows, whose path counts from the folder of the recipe.
func datasetInfo(out, rows string) ([]byte, error) {
	if !filepath.IsAbs(rows) || !filepath.IsAbs(out) {
		a, err1 := filepath.Abs(out)
		b, err2 := filepath.Abs(rows)
		relative, err3 := filepath.Rel(a, b)
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, err
		}
		rows = relative
	}
	return train.DatasetInfo(map[string]string{dataset: filepath.ToSlash(rows)})
}

// save writes the files, recipe.json last, unless the folder holds others of these names.
func save(dir string, files map[string][]byte, force bool) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	unlock, err := outfile.LockFolder(dir)
	if err != nil {
		return err
	}
	defer func() { _ = unlock() }()
	var earlier recipe
	if text, err := os.ReadFile(filepath.Join(dir, recipeFile)); err == nil {
		_ = json.Unmarshal(text, &earlier) // a file that cannot be read names none to remove
	}
	for _, name := range append(sortedNames(files), namesOf(earlier.Files)...) {
		there, err := os.ReadFile(filepath.Join(dir, name))
		if changed := !bytes.Equal(there, files[name]); err == nil && changed && !force {
			return omniscope.Usagef("%s is there already and is another one, or was edited: %s", filepath.Join(dir, name), outfile.OrForce)
		}
	}
	for _, name := range append(slices.DeleteFunc(sortedNames(files), func(n string) bool { return n == recipeFile }), recipeFile) {
		if err := outfile.WriteIn(dir, name, func(w io.Writer) error { _, err := w.Write(files[name]); return err }); err != nil {
			return err
		}
	}
	if err := outfile.RemoveStale(dir, namesOf(earlier.Files), sortedNames(files)); err != nil {
		return err
	}
	if _, ok := files[scriptFile]; ok {
		return os.Chmod(filepath.Join(dir, scriptFile), 0o755)
	}
	return nil
}

func sortedNames(files map[string][]byte) []string { return slices.Sorted(maps.Keys(files)) }

func namesOf(files []file) (names []string) {
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}

// digestOf reads a file once for its SHA-256.
func digestOf(ctx context.Context, path string) (file, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return file{}, &omniscope.Error{Kind: omniscope.NotFound, Op: "read the rows", Err: err}
	} else if err != nil {
		return file{}, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return file{}, omniscope.Usagef("--rows %s is no file", path)
	}
	digest, _, err := sha256hex.Read(f)
	return file{path, digest}, cmp.Or(err, ctx.Err())
}

// checkedSchema names the form of what `omniscope train check --out` writes.
const checkedSchema = "omniscope.train-check/1"

// checkedDigest is the digest of a passed check of these rows, "" where no check is named.
func checkedDigest(path string, rows file) (string, error) {
	if path == "" {
		return "", nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", &omniscope.Error{Kind: omniscope.NotFound, Op: "read the check", Err: err}
	}
	var check struct {
		Schema string `json:"schema"`
		Digest string `json:"digest"`
		Passed bool   `json:"passed"`
		Rows   string `json:"rows"`
	}
	switch err := json.Unmarshal(text, &check); {
	case err != nil || check.Schema != checkedSchema || check.Digest == "":
		return "", omniscope.Invalidf("--checked %s is not what `omniscope train check --out` writes (%s)", path, checkedSchema)
	case !check.Passed:
		return "", omniscope.Invalidf("--checked %s: the check did not pass: mend the rows and check them again", path)
	case check.Rows != rows.SHA256:
		return "", omniscope.Invalidf("--checked %s is of other rows (SHA-256 %.12s...) than %s (%.12s...): check these", path, check.Rows, rows.Name, rows.SHA256)
	}
	return check.Digest, nil
}
