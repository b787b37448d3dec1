package mcifxml

// A ProblemKind says what a Problem is about.
type ProblemKind string

// The kinds.
const (
	DuplicateID  ProblemKind = "duplicate id"  // the published evaluation keeps the last
	MissingID    ProblemKind = "missing id"    // the sample is left out
	EmptySample  ProblemKind = "empty sample"  // one Problem for all
	GiantSample  ProblemKind = "giant sample"  // often a system that could not stop
	Undecodable  ProblemKind = "undecodable"   // U+FFFD: bytes were lost before the file was written
	EdgeSpace    ProblemKind = "edge space"    // blanks around texts; one Problem for all
	OutOfOrder   ProblemKind = "out of order"  // ids do not ascend; harmless
	BadReference ProblemKind = "bad reference" // a reference that scores nothing
	Mended       ProblemKind = "mended"        // Options.Lenient changed or kept what XML forbids
	Cut          ProblemKind = "cut"           // Options.Lenient dropped the sample the file breaks off in
)

// A Problem is something odd in a file that was read nevertheless.
type Problem struct {
	Kind   ProblemKind
	File   string
	Line   int    // from 1; 0 if it is no one place
	Column int    // from 1, in characters; 0 if unknown
	ID     string // of the sample, if it is one
	Count  int    // how many samples, characters or places it stands for; at least 1
	What   string // a sentence without a full stop
}

// String returns FILE:LINE:COLUMN: WHAT.
func (p Problem) String() string { return place(p.File, p.Line, p.Column) + ": " + p.What }

// report adds a problem of the file.
func (f *file) report(p Problem) {
	p.File = f.path
	f.problems = append(f.problems, p)
}
