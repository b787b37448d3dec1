package mcif

import (
	"fmt"
	"strconv"
)

// A shard is what a file's name says of its part of the outputs: the samples
// from one place of the list up to another, which the last leaves open.
type shard struct {
	from, to int
	open     bool
}

// shardOf reads a shard from a file's name; a whole file is none.
func shardOf(path string) (s shard, ok bool) {
	p := parts(path)
	n := len(p)
	if n < 6 || !isNumber(p[n-2]) || p[n-1] != "" && !isNumber(p[n-1]) {
		return shard{}, false
	}
	s.from, _ = strconv.Atoi(p[n-2])
	s.to, _ = strconv.Atoi(p[n-1])
	s.open = p[n-1] == ""
	return s, true
}

// MissingShards says which parts of the outputs no file has, by the names of
// the files; nil = all are there, as far as names tell.
func (f outputPath) MissingShards() []string {
	var gaps []string
	next, open := 0, false
	for _, path := range f.Paths {
		s, ok := shardOf(path)
		if !ok {
			return nil
		}
		if s.from > next && !open {
			gaps = append(gaps, fmt.Sprintf("%d to %d", next, s.from))
		}
		next, open = max(next, s.to), open || s.open
	}
	if !open {
		gaps = append(gaps, fmt.Sprintf("%d and what follows", next))
	}
	return gaps
}
