package session

import (
	"context"

	"omniscope/bench"
	"omniscope/internal/outfile"
)

// Print returns what a benchmark prints in place of results, if its options ask
// for that, and writes the files that they name; force writes over others.
func Print(ctx context.Context, s *Spec, c *Calls, shared *Shared, force bool) (text string, asked bool, err error) {
	b, err := s.benchmark()
	if err != nil {
		return "", false, err
	}
	p, ok := b.(bench.Printer)
	if !ok {
		return "", false, nil
	}
	e := newEvaluation(s, c, b, shared)
	in, err := e.inputs()
	if err != nil {
		return "", false, err
	}
	if text, asked, err = p.Print(ctx, in); err == nil && asked {
		err = e.Export(ctx, force)
	}
	return text, asked, err
}

// Export writes the files that the benchmark's options name; force writes over
// others.
func (e *Evaluation) Export(ctx context.Context, force bool) error {
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
		if err := outfile.WriteSame(p.Name, force, p.Write); err != nil {
			return err
		}
	}
	return nil
}
