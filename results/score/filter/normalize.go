package filter

import (
	"omniscope/internal/rows"
	"omniscope/metric/textnorm"
)

// Normalize adds to each line of JSON Lines "out", the normal form of "in".
func Normalize(scheme textnorm.Scheme) Work {
	return onRecords(func(r *rows.Record) ([]rows.Field, error) {
		text, err := r.Text("in")
		if err != nil {
			return nil, err
		}
		if text, err = scheme(text); err != nil {
			return nil, asRaised(err)
		}
		return []rows.Field{rows.String("out", text)}, nil
	}, "out", "error", "message")
}

// NormalizeText makes the normal form of each line of text.
func NormalizeText(scheme textnorm.Scheme) Work {
	return func(dst []byte, line string) ([]byte, error) {
		if err := rows.CheckUTF8(line); err != nil {
			return dst, err
		}
		text, err := scheme(line)
		if err != nil {
			return dst, rows.Quoting(err, line)
		}
		return append(append(dst, text...), '\n'), nil
	}
}
