package bench

import "context"

// A Checker is a Benchmark whose options do not all go together. Check needs no
// file; its errors are of kind Usage, in the words of the flags.
type Checker interface {
	Check(in Inputs) error
}

// An Exporter is a Benchmark that writes files where its options say. The Name of
// such a Page is a path.
type Exporter interface {
	Exports(ctx context.Context, in Inputs) ([]Page, error)
}

// A Printer is a Benchmark that can print a text in place of results, such as the
// line of a published program. asked says whether its options ask for that.
type Printer interface {
	Print(ctx context.Context, in Inputs) (text string, asked bool, err error)
}
