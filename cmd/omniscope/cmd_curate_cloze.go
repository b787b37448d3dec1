package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/curate/cloze"
	"omniscope/internal/outfile"
)

func newCurateCloze() *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "cloze describe|draft|check|test|mend",
		Short: "Draft and check passages with blanks, as Omni-Cloze's",
		Long:  `Make passages with blanks about clips, as Omni-Cloze was made (arXiv 2510.12720, section 5.2 and appendix B), and check them.`,
		Args:  checkedArgs(cobra.NoArgs),
	}, newCurateClozeDescribe(), newCurateClozeDraft(), newCurateClozeCheck(), newCurateClozeTest(), newCurateClozeMend())
}

// clozeCheck are the flags of curate cloze check.
type clozeCheck struct {
	blanks int
	json   bool
	out    string
}

func newCurateClozeCheck() *cobra.Command {
	o := &clozeCheck{}
	cmd := &cobra.Command{
		Use:   "check ROWS",
		Short: "Find what is wrong with passages and blanks, without a model",
		Long: `Find what is wrong with rows of Omni-Cloze, or with drafts without letters. ROWS is JSON Lines with uuid and cloze. It asks
no model: whether a blank can be guessed, or needs another sense, is not among the checks.

` + cloze.Help() + `
The exit code is 1 if anything is found.`,
		Example: `  omniscope curate cloze check omni_cloze.jsonl
  omniscope curate cloze check drafts.jsonl --blanks 0 --json`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	cmd.Flags().IntVar(&o.blanks, "blanks", 30, "blanks that each row must have; 0 = any number, and no least number of each sense")
	cmd.Flags().BoolVar(&o.json, "json", false, "print a line of JSON for each row")
	cmd.Flags().StringVarP(&o.out, "out", "o", "", "file for a line of JSON for each row (default: none)")
	return cmd
}

// A checkedRow is what was found in a row.
type checkedRow struct {
	UUID     string          `json:"uuid"`
	Findings []cloze.Finding `json:"findings"`
}

func (o *clozeCheck) run(cmd *cobra.Command, path string) error {
	if o.blanks < 0 {
		return omniscope.Usagef("--blanks must not be negative")
	}
	rules := cloze.Paper()
	rules.Blanks = o.blanks
	rows, _, err := cloze.ReadRows(cmd.Context(), path)
	if err != nil {
		return err
	}
	var checked []checkedRow
	faulty, findings := 0, 0
	for _, row := range rows {
		found := cloze.CheckRow(row, rules)
		if findings += len(found); len(found) > 0 {
			faulty++
		}
		checked = append(checked, checkedRow{UUID: row.UUID, Findings: append([]cloze.Finding{}, found...)})
	}
	_, uneven := cloze.Balance(rows)
	if err := o.write(cmd, checked, uneven); err != nil {
		return err
	}
	if n := findings + len(uneven); n > 0 {
		return omniscope.Invalidf("%d findings in %d of %d rows", n, faulty, len(rows))
	}
	if o.json {
		return nil
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d rows, nothing found\n", len(rows))
	return err
}

func (o *clozeCheck) write(cmd *cobra.Command, checked []checkedRow, uneven []cloze.Finding) error {
	lines := func(w io.Writer) error { return jsonLines(w, slices.Values(checked)) }
	if o.out != "" {
		if err := outfile.Write(o.out, lines); err != nil {
			return err
		}
	}
	if o.json {
		return lines(documentOut(cmd))
	}
	for _, row := range checked {
		for _, f := range row.Findings {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", printable(row.UUID), printable(f.String()))
		}
	}
	for _, f := range uneven {
		fmt.Fprintf(cmd.OutOrStdout(), "all rows: %s\n", f)
	}
	return nil
}
