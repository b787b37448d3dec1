package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/curate/cloze"
	"omniscope/internal/rows"
	"omniscope/model"
	"omniscope/model/judge"
)

func newCurateClozeMend() *cobra.Command {
	o := &clozeDraft{}
	cmd := &cobra.Command{
		Use:   "mend ROWS --findings FILE --descriptions FILE --drafter PROVIDER/NAME --out DIR",
		Short: "Have a model mend the blanks in which a test found something",
		Long: `Have a model mend the blanks of rows in which 'omniscope curate cloze test' found something (tested.jsonl), each by itself, as 'draft'
does it. Rows without findings stay as they are. DIR gets the files that 'draft' writes. What a judge found is mended once: test the
rows again.`,
		Example: `  omniscope curate cloze mend drafts/omni_cloze.jsonl --findings tested/tested.jsonl --descriptions described/descriptions.jsonl --drafter openai/gpt-4.1 --out mended`,
		Args:    exactArgs(1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return o.mend(cmd, args[0]) }
	o.addDraftFlags(cmd)
	cmd.Flags().StringVar(&o.findings, "findings", "", "what a test found: tested.jsonl")
	cmd.Flags().StringVar(&o.descriptions, "descriptions", "", "descriptions from which the rows were drafted")
	return cmd
}

// A clozeMending is a row in which something was found.
type clozeMending struct {
	at       int // among the rows
	approved *cloze.Approved
	findings []cloze.Finding
}

func (o *clozeDraft) mend(cmd *cobra.Command, path string) error {
	if o.findings == "" || o.descriptions == "" {
		return omniscope.Usagef("name what a test found with --findings, and the descriptions with --descriptions")
	}
	if err := o.open(cmd); err != nil {
		return err
	}
	rows, digest, err := cloze.ReadRows(cmd.Context(), path)
	if err != nil {
		return err
	}
	found, findingsDigest, err := readFindings(cmd.Context(), o.findings)
	if err != nil {
		return err
	}
	work, err := o.mendings(rows, found)
	if err != nil {
		return err
	}
	spec := o.spec()
	spec.Rows, spec.Findings = digest, findingsDigest
	return askRows(&o.rowAsking, cmd, path, spec, rowWork[clozeMending, *cloze.Drafted]{
		about: fmt.Sprintf("%d of %d rows, repaired by %s; further rounds take further calls", len(work), len(rows), printable(o.role.model())),
		items: work,
		requests: func(_ context.Context, m clozeMending) ([]*model.Request, error) {
			return o.drafter.MendRequests(m.approved, rows[m.at], m.findings)
		},
		ask: func(ctx context.Context, asker *judge.Judge, m clozeMending) (*cloze.Drafted, error) {
			drafter := o.drafter
			drafter.Asker = asker
			return drafter.Mend(ctx, m.approved, rows[m.at], m.findings)
		},
		write: func(mended []*cloze.Drafted) (failed int, err error) {
			out, drafts := make([]any, len(rows)), make([]*cloze.Drafted, len(rows))
			for i, row := range rows {
				out[i] = row.Raw()
			}
			for i, d := range mended {
				at := work[i].at
				if drafts[at], out[at] = d, nil; d.Sound {
					row := d.Row(rows[at].Video, o.seed)
					row.Metadata = rows[at].Metadata
					out[at] = row
				}
			}
			return o.write(cmd, out, drafts)
		},
		all: len(rows), failing: "rows are not sound", reasons: clozeRejectedFile,
	})
}

// mendings joins rows with findings and descriptions.
func (o *clozeDraft) mendings(rows []*cloze.Row, found map[string][]cloze.Finding) (work []clozeMending, err error) {
	descriptions := make(map[string]*cloze.Approved)
	for i := range o.approved.Approved {
		descriptions[o.approved.Approved[i].UUID] = &o.approved.Approved[i]
	}
	known := make(map[string]bool)
	for i, row := range rows {
		if known[row.UUID] = true; len(found[row.UUID]) == 0 {
			continue
		}
		for _, f := range found[row.UUID] {
			if !slices.ContainsFunc(row.Cloze.Blanks, func(b cloze.RowBlank) bool { return b.Number == f.Blank }) {
				return nil, o.ofOtherRows("row %s has no blank %d", row.UUID, f.Blank)
			}
		}
		a := descriptions[row.UUID]
		if a == nil {
			return nil, omniscope.Invalidf("%s has no description of row %s, which is to be mended", o.descriptions, row.UUID)
		}
		work = append(work, clozeMending{at: i, approved: a, findings: found[row.UUID]})
	}
	for uuid := range found {
		if !known[uuid] {
			return nil, o.ofOtherRows("there is no row %s", uuid)
		}
	}
	return work, nil
}

// ofOtherRows is the error of findings that are not of the rows.
func (o *clozeDraft) ofOtherRows(format string, args ...any) error {
	return omniscope.Invalidf("%s is of other rows: %w", o.findings, fmt.Errorf(format, args...))
}

// readFindings reads what a test found, by row.
func readFindings(ctx context.Context, path string) (found map[string][]cloze.Finding, digest string, err error) {
	lines, err := rows.Open(ctx, path)
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	found = make(map[string][]cloze.Finding)
	for i := range lines.Len() {
		text, err := lines.At(i)
		if err != nil {
			return nil, "", err
		}
		var row struct {
			UUID     string
			Findings *[]cloze.Finding
		}
		if err := json.Unmarshal(text, &row); err != nil {
			return nil, "", lines.Bad(i, text, err)
		}
		if row.UUID == "" || row.Findings == nil {
			return nil, "", lines.Bad(i, text, errors.New("the line has no uuid, or no findings: it is not of tested.jsonl"))
		}
		found[row.UUID] = *row.Findings
	}
	return found, lines.Digest, nil
}
