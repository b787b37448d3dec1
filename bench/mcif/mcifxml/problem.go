package mcifxml

// A problemKind says what a Problem is about.
type problemKind string

// The kinds.
const (
	DuplicateID  problemKind = "duplicate id"  // the published evaluation keeps the last
	MissingID    problemKind = "missing id"    // the sample is left out
	emptySample  problemKind = "empty sample"  // one Problem for all
	giantSample  problemKind = "giant sample"  // often a system that could not stop
	undecodable  problemKind = "undecodable"   // U+FFFD: bytes were lost before the file was written
	edgeSpace    problemKind = "edge space"    // blanks around texts; one Problem for all
	outOfOrder   problemKind = "out of order"  // ids do not ascend; harmless
	badReference problemKind = "bad reference" // a reference that scores nothing
	mended       problemKind = "mended"        // Options.Lenient changed or kept what XML forbids
	cutOff       problemKind = "cut"           // Options.Lenient dropped the sample the file breaks off in
)

// A Problem is something odd in a file that was read nevertheless.
type Problem struct {
	Kind   problemKind
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
