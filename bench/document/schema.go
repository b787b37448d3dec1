package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Schema is the number of the form of Results. It changes only when a reader of the old form would misread the new one.
const Schema schemaNumber = 1

// A schemaNumber is the number of the form of Results. 0 = the document has no number, -1 = a form that no version reads.
type schemaNumber int

// UnmarshalJSON reads a number, or the text "omniscope.results/1" of older versions.
func (n *schemaNumber) UnmarshalJSON(text []byte) error {
	if len(text) == 0 || text[0] != '"' {
		return json.Unmarshal(text, (*int)(n))
	}
	var name string
	if err := json.Unmarshal(text, &name); err != nil {
		return err
	}
	number, err := strconv.Atoi(strings.TrimPrefix(name, "omniscope.results/"))
	if *n = schemaNumber(number); err != nil || number < 1 {
		*n = -1
	}
	return nil
}

// CheckSchema returns an error if this program cannot read the document, with what to do about it. A document without a number
// that names its benchmark is of the first form.
func (r *Results) CheckSchema() error {
	switch {
	case r.Schema == 0 && r.Benchmark.Name != "":
		r.Schema = 1
	case r.Schema == 0:
		return errors.New("is not a results document: it has no schema")
	case r.Schema > Schema:
		return fmt.Errorf("has the schema %d, and this version reads schemas up to %d: install a newer omniscope", r.Schema, Schema)
	case r.Schema < 0:
		return fmt.Errorf("has a schema that is not known, and this version reads schemas up to %d: make the results again with this version", Schema)
	}
	return nil
}
