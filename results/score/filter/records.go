package filter

import (
	"errors"
	"strings"

	"omniscope/internal/rows"
	"omniscope/metric"
	"omniscope/metric/textnorm"
)

// onRecords is the work on JSON Lines: it adds to each line the result that
// answer gives, of the fields named own. Blank lines are left out.
func onRecords(answer func(*rows.Record) ([]rows.Field, error), own ...string) Work {
	return func(dst []byte, line string) ([]byte, error) {
		line = strings.Trim(line, " \t\r\n") // the blanks of JSON
		if line == "" {
			return dst, nil
		}
		r, err := rows.ParseRecord(line)
		if err != nil {
			return dst, err
		}
		result, err := answer(r)
		if refused, ok := errors.AsType[raised](err); ok {
			result, err = refused.fields(), nil
		}
		if err != nil {
			return dst, err
		}
		dst, err = r.AppendWith(dst, result, own)
		return append(dst, '\n'), err
	}
}

// A raised error is what the published program ends with, and so a result and
// no fault of the input.
type raised struct {
	class   string // of the exception in Python
	message string
}

func (r raised) Error() string { return r.class + ": " + r.message }

// fields are the result that says so.
func (r raised) fields() []rows.Field {
	return []rows.Field{rows.String("error", r.class), rows.String("message", r.message)}
}

// asRaised is err as the exception that the published programs raise.
func asRaised(err error) error {
	if err == nil {
		return nil
	}
	if long, ok := errors.AsType[*textnorm.TooLongError](err); ok {
		return raised{class: long.Exception, message: long.Message}
	}
	message := err.Error()
	if fault, ok := errors.AsType[*metric.Fault](err); ok {
		message = fault.Message
	}
	return raised{class: "ValueError", message: message}
}
