package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/hub"
)

// A DataRow says of one part of a benchmark's data where it comes from and whether
// it is here.
type DataRow struct {
	Benchmark string `json:"benchmark"`
	Part      string `json:"part"`
	Name      string `json:"file,omitempty"` // on the hub; "" = not known
	From      string `json:"from"`
	Revision  string `json:"revision"`
	Licence   string `json:"licence"`
	Path      string `json:"path,omitempty"` // in the hub's cache; "" = not there
	Do        string `json:"do,omitempty"`   // what the user does to get it
}

// DataRows lists what a benchmark needs. It makes no request.
func DataRows(info bench.Info) ([]DataRow, error) {
	client, err := hub.FromEnv()
	if err != nil {
		return nil, err
	}
	var rows []DataRow
	for _, n := range info.Needs {
		row := DataRow{Benchmark: info.Name, Part: n.Part, From: datasetPage(n), Revision: "unknown", Licence: cmp.Or(n.Licence, "not stated")}
		if len(n.Files) == 0 {
			row.Do = byHand(n)
			rows = append(rows, row)
		}
		for _, f := range n.Files {
			row.Name, row.Revision, row.Path, row.Do = f.Name, cmp.Or(f.Revision, "main"), "", ""
			local, there, err := client.Cached(hub.Repo{Kind: "dataset", Name: f.Dataset, Revision: f.Revision}, f.Name)
			if err != nil {
				return nil, err
			}
			if there {
				row.Path = local.Path
			} else {
				row.Do = "omniscope data get " + info.Name
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func datasetPage(n bench.Need) string { return hub.DefaultEndpoint + "/datasets/" + n.Hub }

// byHand says how a user gets a part whose files on the hub are not known.
func byHand(n bench.Need) string {
	accept := ""
	if n.Gated {
		accept = "accept its conditions there, "
	}
	return fmt.Sprintf("%sdownload it from %s yourself and give it with %s", accept, datasetPage(n), n.Flag)
}

// GetData downloads what a benchmark needs, of one part or, where part is "", of
// all. A file that cannot be downloaded does not stop the others; the error names
// each. got is called with each file that is there.
func GetData(ctx context.Context, info bench.Info, part string, progress func(file string, done, total int64), got func(path string, warnings []string)) error {
	parts := make([]string, 0, len(info.Needs))
	for _, n := range info.Needs {
		parts = append(parts, n.Part)
	}
	if part != "" && !slices.Contains(parts, part) {
		return usage("--part %s: %s has the parts %q", part, info.Name, parts)
	}
	client, warning, err := Hub()
	if err != nil {
		return err
	}
	if warning != "" {
		got("", []string{warning})
	}
	client.Progress = progress
	var errs []error
	for _, n := range info.Needs {
		if part != "" && n.Part != part {
			continue
		}
		if len(n.Files) == 0 {
			errs = append(errs, &omniscope.Error{Kind: omniscope.NotFound, Op: info.Name + " " + n.Part, Err: errors.New("its files on the hub are not known: " + byHand(n))})
		}
		for _, f := range n.Files {
			client.ByHand = f.ByHand
			local, err := client.File(ctx, hub.Repo{Kind: "dataset", Name: f.Dataset, Revision: f.Revision}, f.Name)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				errs = append(errs, err)
				continue
			}
			got(local.Path, local.Warnings)
		}
	}
	return errors.Join(errs...)
}
