package pdac

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"omniscope"
)

// An Entry is a segment as the file of segments has it, usually
// shas_segmentation.yaml. Times are in seconds.
type Entry struct {
	Wav              string // the file's name, without a folder
	Offset, Duration float64
}

// Entries are the segments of a talk as its file of segments has them.
func Entries(wav string, segments []Segment) []Entry {
	list := make([]Entry, len(segments))
	for i, s := range segments {
		list[i] = Entry{Wav: wav, Offset: s.Offset, Duration: s.Duration}
	}
	return list
}

// YAML is the file of segments as the published program writes it, with PyYAML
// 6.0's yaml.dump(entries, default_flow_style=True): one list, keys in
// alphabetical order, lines broken after column 80. rW, uW and speaker_id have no
// meaning; programs for speech translation expect them. A name that is not
// UTF-8 is an error of kind Invalid.
func YAML(entries []Entry) ([]byte, error) {
	w := &flowWriter{space: true}
	w.open("[")
	for i, e := range entries {
		if !utf8.ValidString(e.Wav) {
			return nil, omniscope.Invalidf("the name %q is not UTF-8, so that YAML cannot hold it: rename the file", e.Wav)
		}
		if i > 0 {
			w.put(",")
		}
		w.entry(e)
	}
	w.close("]")
	return append(w.out, '\n'), nil
}

// A flowWriter writes as PyYAML's emitter does in flow style: before each item
// it breaks the line if the line is already too long.
type flowWriter struct {
	out    []byte
	column int  // in characters
	indent int  // of the next line
	space  bool // white space stands before what comes, or none is needed
}

const widest = 80 // PyYAML's best_width

// put writes text without a space before it.
func (w *flowWriter) put(text string) {
	w.out = append(w.out, text...)
	w.column += utf8.RuneCountInString(text)
	w.space = false
}

// spaced writes text with a space before it.
func (w *flowWriter) spaced(text string) {
	if !w.space {
		text = " " + text
	}
	w.put(text)
}

func (w *flowWriter) open(bracket string) {
	w.spaced(bracket)
	w.indent += 2
	w.space = true
}

func (w *flowWriter) close(bracket string) {
	w.indent -= 2
	w.put(bracket)
}

func (w *flowWriter) breakLine() {
	w.out = append(append(w.out, '\n'), strings.Repeat(" ", w.indent)...)
	w.column = w.indent
	w.space = true
}

func (w *flowWriter) breakLongLine() {
	if w.column > widest {
		w.breakLine()
	}
}

func (w *flowWriter) entry(e Entry) {
	w.breakLongLine()
	w.open("{")
	for i, field := range []struct{ key, value string }{
		{"duration", float(e.Duration)}, {"offset", float(e.Offset)}, {"rW", "0"}, {"speaker_id", "NA"}, {"uW", "0"},
	} {
		if i > 0 {
			w.put(",")
		}
		w.breakLongLine()
		w.spaced(field.key)
		w.put(":")
		w.spaced(field.value)
	}
	w.put(",")
	w.breakLongLine()
	w.spaced("wav")
	w.put(":")
	w.scalar(e.Wav)
	w.close("}")
}

// float is a number as PyYAML writes it: Python's repr, with a point before an
// exponent.
func float(v float64) string {
	format := byte('f')
	if v != 0 && (v < 1e-4 || v >= 1e16) {
		format = 'e'
	}
	text := strconv.FormatFloat(v, format, -1, 64)
	mantissa, exponent, scientific := strings.Cut(text, "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	if scientific {
		return mantissa + "e" + exponent
	}
	return mantissa
}
