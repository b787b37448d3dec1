package release

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"omniscope"
)

// withdraw leaves out the items that somebody asked to remove, by their id or their source's. A list is kept for good, so
// that ids which are not there any more are no error.
func (s *set) withdraw(ctx context.Context) error {
	if s.o.Without == "" {
		return nil
	}
	text, err := readSmall(s.o.Without)
	if err != nil {
		return err
	}
	asked := make(map[string]bool) // whether it was found
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		if id := strings.TrimSpace(line); id != "" && !strings.HasPrefix(id, "#") {
			asked[id] = false
		}
	}
	kept := s.items[:0]
	for _, it := range s.items {
		leave := false
		for _, id := range []string{it.id, it.source.id, it.source.group} {
			if _, ok := asked[id]; ok {
				asked[id], leave = true, true
			}
		}
		if !leave {
			kept = append(kept, it)
		}
	}
	s.withdrawn, s.items = len(s.items)-len(kept), kept
	var missing []string
	for id, found := range asked {
		if !found {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		s.warn("%d ids of %s are of no item: %s", len(missing), s.o.Without, list(missing))
	}
	return ctx.Err()
}

// mostSmall bounds files that are read at once.
const mostSmall = 64 << 20

func readSmall(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Err: err}
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostSmall+1))
	if err == nil && len(text) > mostSmall {
		err = omniscope.Invalidf("%s has more than %d bytes", path, mostSmall)
	}
	return text, err
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
