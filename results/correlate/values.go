// Package correlate asks how far values of systems go together: scores of benchmarks,
// ratings from battles, ratings by people, lengths of captions.
package correlate

import (
	"fmt"
	"slices"

	"omniscope"
)

// Values are what is known of systems, a column for each kind of value.
type Values struct {
	Systems []string // in the order in which they were met
	Columns []Column
	Notes   []string
}

// A Column is one kind of value, by system.
type Column struct {
	Name string
	Of   map[string]Value
}

// A Value has an interval where one is known; else both ends are the value.
type Value struct{ Value, Low, High float64 }

// exactly is a value of which nothing else is known.
func exactly(v float64) Value { return Value{v, v, v} }

// set adds a value. It is an error if the system has one of the name already.
func (v *Values) set(column, system string, value Value) error {
	if !slices.Contains(v.Systems, system) {
		v.Systems = append(v.Systems, system)
	}
	i := slices.IndexFunc(v.Columns, func(c Column) bool { return c.Name == column })
	if i < 0 {
		i = len(v.Columns)
		v.Columns = append(v.Columns, Column{column, make(map[string]Value)})
	}
	if _, there := v.Columns[i].Of[system]; there {
		return fmt.Errorf("%s has two values of %q", system, column)
	}
	v.Columns[i].Of[system] = value
	return nil
}

// Set adds a value. It is an error if the system has one of the column already.
func (v *Values) Set(column, system string, value Value) error { return v.set(column, system, value) }

// AddMean adds a column with the mean of others, for the systems that have all of these.
func (v *Values) AddMean(name string, of ...string) error {
	var columns []Column
	for _, one := range of {
		c, err := v.column(one)
		if err != nil {
			return err
		}
		columns = append(columns, c)
	}
	for _, system := range v.Systems {
		sum, has := 0.0, 0
		for _, c := range columns {
			if value, ok := c.Of[system]; ok {
				sum, has = sum+value.Value, has+1
			}
		}
		if has < len(columns) || has == 0 {
			continue
		}
		if err := v.set(name, system, exactly(sum/float64(has))); err != nil {
			return err
		}
	}
	return nil
}

// column returns a column by its name.
func (v *Values) column(name string) (Column, error) {
	var names []string
	for _, c := range v.Columns {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Column{}, omniscope.Usagef("there are no values %q: there are %q", name, names)
}
