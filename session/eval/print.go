package eval

import (
	"context"

	"omniscope/bench"
	"omniscope/internal/outfile"
)

// Print returns what a benchmark prints in place of results, if its options ask
// for that, and writes the files that they name.
func Print(ctx context.Context, s *Spec, o *Options) (text string, asked bool, err error) {
	e := newEvaluation(s, o)
	if err := e.setBenchmark(); err != nil {
		return "", false, err
	}
	p, ok := e.benchmark.(bench.Printer)
	if !ok {
		return "", false, nil
	}
	in, err := e.inputs()
	if err != nil {
		return "", false, err
	}
	if text, asked, err = p.Print(ctx, in); err == nil && asked {
		err = e.Export(ctx)
	}
	return text, asked, err
}

// Export writes the files that the benchmark's options name.
func (e *Evaluation) Export(ctx context.Context) error {
	x, ok := e.benchmark.(bench.Exporter)
	if !ok {
		return nil
	}
	in, err := e.inputs()
	if err != nil {
		return err
	}
	pages, err := x.Exports(ctx, in)
	if err != nil {
		return err
	}
	for _, p := range pages {
		if err := outfile.WriteSame(p.Name, e.options.Force, p.Write); err != nil {
			return err
		}
	}
	return nil
}
