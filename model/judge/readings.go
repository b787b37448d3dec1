package judge

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"omniscope"
)

// Readings counts the replies of a judge by asking. The zero value is ready to use; it is safe for concurrent use.
type Readings struct {
	mu sync.Mutex
	by map[asking]*Reading
}

type asking struct {
	number int
	schema bool
}

// A Reading is how many replies to one asking of questions came, and how many of them could be read.
type Reading struct {
	Asking   int  `json:"asking"` // 1 = the first
	Schema   bool `json:"schema"` // it was sent with the wanted form
	Replies  int  `json:"replies"`
	Readable int  `json:"readable"`
}

// count counts the replies among attempts; the first attempt is asking number first.
func (r *Readings) count(first int, attempts []Attempt) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, a := range attempts {
		if a.Response == nil {
			continue
		}
		key := asking{first + i, a.schema}
		if r.by == nil {
			r.by = make(map[asking]*Reading)
		}
		if r.by[key] == nil {
			r.by[key] = &Reading{Asking: key.number, Schema: key.schema}
		}
		r.by[key].Replies++
		if a.Outcome == omniscope.OK {
			r.by[key].Readable++
		}
	}
}

// List returns the counts in the order of the askings, without a schema first.
func (r *Readings) List() (list []Reading) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, key := range slices.SortedFunc(maps.Keys(r.by), func(a, b asking) int {
		if a.number == b.number && a.schema != b.schema {
			if b.schema {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.number, b.number)
	}) {
		list = append(list, *r.by[key])
	}
	return list
}
