package mcifxml

import (
	"fmt"
	"strconv"

	"omniscope/internal/pyrepr"
)

// A SyntaxError says where a file is not XML.
type SyntaxError struct {
	File   string
	Line   int // from 1
	Column int // from 1, in characters; Message counts from 0

	// Message is the text of Python's ElementTree: expat's reason and the place,
	// such as "not well-formed (invalid token): line 3, column 19". Its column
	// can differ from expat's.
	Message string
	Reason  string // expat's reason alone
	Near    string // the text there, shortened; "" at the end
}

func (e *SyntaxError) Error() string {
	near := "the end of the file"
	if e.Near != "" {
		near = strconv.Quote(e.Near)
	}
	return fmt.Sprintf("%s: %s, at %s: write the file again with an XML library, or read it with --lenient-xml, which mends what it can and lists it",
		place(e.File, e.Line, e.Column), e.Reason, near)
}

// A TaskError says that a file does not have the task that was asked for.
type TaskError struct {
	File        string
	Track, Lang string
	Available   []taskName // of all tasks, in order
}

// A taskName is what a task is found by.
type taskName struct{ Track, Lang string }

// Message is what the published evaluation says.
func (e *TaskError) Message() string {
	list := []byte{'['}
	for i, t := range e.Available {
		if i > 0 {
			list = append(list, ", "...)
		}
		list = pyrepr.AppendString(append(list, '('), t.Track)
		list = pyrepr.AppendString(append(list, ", "...), t.Lang)
		list = append(list, ')')
	}
	return fmt.Sprintf("Task '%s' for language '%s' not available in %s. Available tasks are: %s].", e.Track, e.Lang, e.File, list)
}

func (e *TaskError) Error() string {
	if len(e.Available) == 0 {
		return fmt.Sprintf("%s has no task element: is it an MCIF file?", e.File)
	}
	return e.Message() + " Name another file, or the track and language of this one"
}

// An AttributeError says that an element lacks what the published evaluation
// does not do without.
type AttributeError struct {
	File      string
	Line      int // from 1
	Element   string
	Attribute string // or "" if it is the element itself that is missing
}

// Message is what the published evaluation says: a KeyError's name, or nothing.
func (e *AttributeError) Message() string {
	if e.Attribute == "" {
		return ""
	}
	return string(pyrepr.AppendString(nil, e.Attribute))
}

func (e *AttributeError) Error() string {
	return place(e.File, e.Line, 0) + ": " + e.complaint() + ": add it"
}

func (e *AttributeError) complaint() string {
	if e.Attribute == "" {
		return fmt.Sprintf("the sample has no %s element", e.Element)
	}
	return fmt.Sprintf("the %s element has no attribute %q", e.Element, e.Attribute)
}

func place(file string, line, column int) string {
	if line > 0 {
		file += ":" + strconv.Itoa(line)
	}
	if column > 0 {
		file += ":" + strconv.Itoa(column)
	}
	return file
}
