package benchdata

import (
	"context"

	"omniscope/metric/neural/models"
)

// An Import makes a network of files on this machine, or converts a file of weights.
type Import struct {
	Path     string
	As       string // the network; "" = convert the file
	Link     bool   // give safetensors a second name instead of copying them
	Out      string // file for converted weights; "" = Path with another ending
	Force    bool   // write over Out
	Networks string // folder of networks; "" = the usual one
	Progress func(what string, done, total int64)
}

// Do imports, and returns a line that describes the result.
func (i *Import) Do(ctx context.Context) (made string, warnings []string, err error) {
	options := networkOptions(i.Progress)
	if i.As == "" {
		path, err := models.Convert(ctx, i.Path, i.Out, i.Force, options)
		return "written to " + path, nil, err
	}
	root, err := networkRoot(i.Networks)
	if err != nil {
		return "", nil, err
	}
	options.Link = i.Link
	f, err := models.Import(ctx, root, i.Path, i.As, options)
	return i.As + ": " + f.String(), f.Warnings, err
}
