// Package mcifxml reads and writes the XML files of MCIF: the questions of a
// test set (src), its references (ref), and the answers of a system. It accepts
// and refuses the files that the published evaluation does, which reads with
// Python's ElementTree on expat, and returns the same texts; the column of an
// error can differ, and its reason outside the root element. The
// grammar of marks and names is that of encoding/xml. It does not check whether
// all requested texts are there: see bench/mcif.
package mcifxml

// Options say how to read.
type Options struct {
	// Lenient mends what is not XML where it can: it drops what XML cannot
	// hold, takes stray marks as text and keeps the whole samples of a file
	// that breaks off. Each mend is a Problem. A file that is XML reads the
	// same either way.
	Lenient bool
}

// A Sample is one answer of a system.
type Sample struct {
	ID   string
	Text string // without the blanks around it, as Python's str.strip takes them off
	File string
	Line int // of its start tag, from 1
}

// An Output is what one system answered to one task, in the order of the file.
type Output struct {
	Path     string // of the first file, if there are several
	Root     string // the name the file gives itself, mostly the system's
	Track    string
	Lang     string
	Samples  []Sample
	Problems []Problem

	SHA256    string // of the file as it is stored; of several, see ReadOutputs
	RawSHA256 string // of the file unpacked
	Digest    string // of ids and texts alone, see Digest

	// Refused is what the published evaluation stops at although the answers
	// could be read: the *SyntaxError of a file that was mended, or else the
	// first *AttributeError. Nil if it reads the file.
	Refused error
}

// A Reference is what is right for one sample, or for several that are scored
// as one.
type Reference struct {
	ID   string   // as written
	IDs  []string // ID at its commas, not trimmed
	IID  string   // what the test set calls it; unique among its task
	Task string   // ASR, TRANS, QA, SUM

	// QAType and QAOrigin are attributes, or else elements of these names below
	// metadata: the published evaluation takes either.
	QAType, QAOrigin       string
	HasQAType, HasQAOrigin bool

	AudioPath, VideoPath, TextPath          string
	HasAudioPath, HasVideoPath, HasTextPath bool

	Text    string // not stripped
	HasText bool   // there is a reference, and it is not empty
	absent  bool   // there is no reference element

	// Metadata is the text of each element below metadata by its tag; "" if it
	// has none.
	Metadata map[string]string
	File     string
	Line     int // of its start tag, from 1
}

// Has reports whether the sample can be asked by way of the modality: audio,
// video or text.
func (r *Reference) Has(modality string) bool {
	switch modality {
	case "audio":
		return r.HasAudioPath
	case "video":
		return r.HasVideoPath
	case "text":
		return r.HasTextPath
	}
	return false
}

// References are what is right for one task, in the order of the file.
type References struct {
	Path     string
	Root     string
	Track    string
	Lang     string
	Samples  []Reference
	Problems []Problem

	SHA256    string // of the file as it is stored
	RawSHA256 string // of the file unpacked

	mended  *SyntaxError // why the file had to be mended; nil = it is XML
	lacking []lacking    // in the order of the file
}

// lacking is a sample that the published evaluation cannot read.
type lacking struct {
	Reference
	what    *AttributeError
	leftOut bool // it is not among the Samples
}

// Refused is what the published evaluation stops at although the references
// could be read, given the modality that it filters by ("" = none), since it
// does not look into samples that it filters out: the *SyntaxError of a file
// that was mended, or else the first *AttributeError. Nil if it reads the file.
func (r *References) Refused(modality string) error {
	if r.mended != nil {
		return r.mended
	}
	for _, l := range r.lacking {
		if modality == "" || l.Has(modality) {
			return l.what
		}
	}
	return nil
}

// LeftOut counts the samples that have no id, iid or task, and so are not among
// the Samples, of those that the modality leaves.
func (r *References) LeftOut(modality string) int {
	n := 0
	for _, l := range r.lacking {
		if l.leftOut && (modality == "" || l.Has(modality)) {
			n++
		}
	}
	return n
}

// A Definition is what one sample asks. The paths and the text are as written.
type Definition struct {
	ID                                      string
	AudioPath, VideoPath, TextPath          string
	HasAudioPath, HasVideoPath, HasTextPath bool
	Instruction                             string
	File                                    string
	Line                                    int // of its start tag, from 1
}

// Definitions are what one task asks, in the order of the file.
type Definitions struct {
	Path     string
	Root     string
	Track    string
	Lang     string
	Samples  []Definition
	Problems []Problem

	SHA256    string // of the file as it is stored
	RawSHA256 string // of the file unpacked
}
