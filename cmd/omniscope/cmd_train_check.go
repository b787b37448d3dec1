package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/spelling"
	"omniscope/metric/neural/tokenizer"
	"omniscope/results/report"
	"omniscope/train"
	checks "omniscope/train/check"
	"omniscope/train/clip"
	"omniscope/train/dataset"
	"omniscope/train/recipe"
	"omniscope/train/tokens"
)

// trainCheck are the flags of train check.
type trainCheck struct {
	checks.Options
	trainer, model, without string
	reviews                 string
	tokenizer, recipe       string
	mute                    bool
	workDir                 string
	out                     string
	json                    bool
	NoProgress              bool
}

func newTrainCheck() *cobra.Command {
	o := &trainCheck{Options: checks.Options{Sampling: tokens.Ours}}
	var models []string
	for _, m := range tokens.Models {
		models = append(models, m.Name)
	}
	cmd := &cobra.Command{
		Use:   "check ROWS --for TRAINER",
		Short: "Find what is wrong with rows of training before a GPU is paid for",
		Long: `Find what is wrong with rows of training: in their form, their captions, and their media, which are decoded whole. ROWS is what
'omniscope train export' wrote: the folder, or a file such as stage1/ms-swift/train.jsonl, or any file of that form.

` + checks.Help() + `
Tokens are estimated by the rules of the model's processor: 25 for a second of sound (Qwen2.5-Omni); half as many pictures as frames, each of
(height/28) x (width/28) after scaling; a third of the bytes of a text. What was measured of a file is remembered. The exit code is
1 if anything is found; --out writes a file for 'omniscope train recipe --checked'.`,
		Example: `  omniscope train check stage1/ms-swift/train.jsonl --for ms-swift --out stage1/check.json
  omniscope train check stage2/veomni/train.jsonl --for veomni --validation stage2/veomni/validation.jsonl --without removals.txt`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.Rows, err = o.rowsFile(args[0]); err != nil {
				return err
			}
			return o.run(cmd, models)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.trainer, "for", "", "trainer: "+strings.Join(train.FormNames(), ", "))
	f.StringVar(&o.Validation, "validation", "", "rows for validation, which must share no source with ROWS")
	f.StringVar(&o.Root, "root", "", "folder that paths in rows start from (default: the one above that of ROWS)")
	f.StringVar(&o.model, "model", models[0], "whose processor: "+strings.Join(models, " or "))
	f.IntVar(&o.Options.Tokens, "max-tokens", 16384, "most tokens of a row, as the trainer is told")
	f.Float64Var(&o.Sampling.FPS, "fps", o.Sampling.FPS, "frames that are taken of a second")
	f.IntVar(&o.Sampling.MaxFrames, "max-frames", o.Sampling.MaxFrames, "most frames of a video")
	f.IntVar(&o.Sampling.MaxPixels, "max-pixels", o.Sampling.MaxPixels, "most pixels of a frame")
	f.StringVar(&o.tokenizer, "tokenizer", "", "tokenizer.json of the model, to count the tokens of texts (default: a third of their bytes)")
	f.StringVar(&o.recipe, "recipe", "", "folder of 'omniscope train recipe', whose settings are checked as well, as they are now")
	f.BoolVar(&o.mute, "without-sound", false, "the sound of videos is not learnt, and may be missing")
	f.StringVar(&o.without, "without", "", "file of ids and paths that must not be trained on, one a line")
	f.StringVar(&o.reviews, "reviews", "", "captions.jsonl of 'omniscope people export': captions in it that are not approved are findings")
	f.BoolVar(&o.Unreviewed, "unreviewed", false, "allow unreviewed captions; captions that were sent back are always findings")
	f.StringVar(&o.workDir, "work-dir", "omniscope-work", "folder in which it is remembered what was measured of files")
	f.IntVarP(&o.Workers, "concurrency", "j", 0, "files that are decoded at a time; 0 = as many as there are processors")
	f.StringVarP(&o.out, "out", "o", "", "file for the result as JSON (default: none)")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	addQuiet(f, &o.NoProgress)
	return cmd
}

// rowsFile is the file of rows, or that in the folder that train export wrote.
func (o *trainCheck) rowsFile(rows string) (string, error) {
	if info, err := os.Stat(rows); err != nil || !info.IsDir() {
		return rows, nil
	}
	file := filepath.Join(rows, o.trainer, "train.jsonl")
	if o.trainer != "" && !ondisk.Exists(file) {
		return "", omniscope.NotFoundf("%s is a folder without %s/train.jsonl: name the file of rows", rows, o.trainer)
	}
	return file, nil
}

func (o *trainCheck) check(ctx context.Context, models []string) (err error) {
	if o.trainer == "" {
		return omniscope.Usagef("name the trainer with --for: %s", strings.Join(train.FormNames(), ", "))
	}
	if o.Form, err = train.FormOf(o.trainer); err != nil {
		return err
	}
	if err := spelling.CheckChoice("model", o.model, models); err != nil {
		return err
	}
	o.Model = tokens.Models[slices.Index(models, o.model)]
	if err := checkRules([]rule{
		{min(o.Options.Tokens, o.Sampling.MaxPixels) < 1 || o.Sampling.FPS <= 0 || o.Sampling.MaxFrames < 4 || o.Workers < 0,
			"--max-tokens, --fps and --max-pixels are above 0, --max-frames is at least 4, and -j is not negative"},
		{o.Options.Tokens > o.Model.Window, fmt.Sprintf("--max-tokens %d: %s has a window of %d", o.Options.Tokens, o.Model.Name, o.Model.Window)},
	}); err != nil {
		return err
	}
	o.Sound = !o.mute
	o.Workers = cmp.Or(o.Workers, runtime.NumCPU())
	o.Memory = &clip.Memory{Dir: filepath.Join(o.workDir, "measured")}
	o.Without = make(map[string]string)
	if o.tokenizer != "" {
		q, err := tokenizer.OpenQwen(o.tokenizer)
		if err != nil {
			return err
		}
		o.Count = func(text string) int { return len(q.Encode(text)) }
	}
	if o.reviews != "" {
		if o.Reviews, err = train.ReadReviews(ctx, o.reviews); err != nil {
			return err
		}
	}
	if o.without == "" {
		return nil
	}
	ids, err := dataset.ReadWithout(ctx, o.without)
	for _, id := range ids {
		o.Without[id] = "it stands in " + o.without
	}
	return err
}

func (o *trainCheck) run(cmd *cobra.Command, models []string) error {
	if err := o.check(cmd.Context(), models); err != nil {
		return err
	}
	tell, stop := lateProgress(cmd, o.NoProgress)
	o.Progress = tell
	if o.recipe != "" {
		o.Settings = func(longest float64) ([]string, error) { return o.settings(cmd, longest) }
	}
	r, err := checks.Run(cmd.Context(), o.Options)
	stop()
	if err != nil {
		return err
	}
	if o.out != "" {
		if err := outfile.Write(o.out, func(w io.Writer) error { return outfile.JSON(w, r) }); err != nil {
			return err
		}
	}
	if err := o.show(cmd, r); err != nil {
		return err
	}
	if !r.Passed {
		return omniscope.Invalidf("%d findings in %d rows", len(r.Findings), r.Count)
	}
	return nil
}

// settings are what is wrong with the recipe. A name that is not known here is a warning: the trainer may have it.
func (o *trainCheck) settings(cmd *cobra.Command, longest float64) (wrong []string, err error) {
	found, err := recipe.Check(cmd.Context(), o.recipe, longest)
	for _, f := range found {
		if f.Level == recipe.Wrong {
			wrong = append(wrong, f.String())
		} else {
			fmt.Fprintln(cmd.ErrOrStderr(), "warning: "+printable(f.String()))
		}
	}
	return wrong, err
}

func (o *trainCheck) show(cmd *cobra.Command, r *checks.Result) error {
	out := cmd.OutOrStdout()
	if o.json {
		return outfile.JSON(documentOut(cmd), r)
	}
	for _, f := range r.Findings {
		fmt.Fprintln(out, printable(f.String()))
	}
	t := omniscope.Table{Name: "rows", Title: "Rows", Columns: []string{"what", "least", "median", "most", "sum"}, Numbers: []int{1, 2, 3, 4}}
	for _, one := range []struct {
		what   string
		spread *checks.Spread
		form   string
	}{{"tokens, about", r.Tokens, "%.0f"}, {"seconds", r.Seconds, "%.1f"}} {
		if s := one.spread; s != nil {
			row := []string{one.what}
			for _, v := range []float64{s.Least, s.Median, s.Most, s.Sum} {
				row = append(row, fmt.Sprintf(one.form, v))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	err := printTables(cmd, report.Comparison{Schema: "omniscope/train-check/1", Title: "Check", Warnings: []string{}, Tables: []omniscope.Table{t}})
	if r.Passed {
		length := "length not known"
		if r.Seconds != nil {
			length = fmt.Sprintf("%.1f hours", r.Hours)
		}
		_, say := fmt.Fprintf(out, "%d rows, %s, nothing found; digest %s\n", r.Count, length, r.Digest)
		err = errors.Join(err, say)
	}
	return err
}
