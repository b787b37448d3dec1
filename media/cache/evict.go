package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"omniscope/internal/diskspace"
)

// usedFile holds how many bytes all entries have, and when they were counted,
// so that not every process has to count them. The sum may be too large, as
// after an entry was removed by hand.
const usedFile = "used"

// countAgain is after how long the entries are counted anew.
const countAgain = 24 * time.Hour

// used is the content of usedFile. The time is in seconds since 1970.
type used struct{ bytes, counted int64 }

func (c *Cache) readUsed() (u used, ok bool) {
	text, err := os.ReadFile(filepath.Join(c.dir, usedFile))
	if err != nil {
		return used{}, false
	}
	_, err = fmt.Sscanf(string(text), "%d %d end\n", &u.bytes, &u.counted)
	age := time.Since(time.Unix(u.counted, 0))
	return u, err == nil && u.bytes >= 0 && age >= 0 && age < countAgain
}

func (c *Cache) noteUsed(bytes, counted int64) error {
	return os.WriteFile(filepath.Join(c.dir, usedFile), fmt.Appendf(nil, "%d %d end\n", bytes, counted), 0o666)
}

// makeRoom evicts entries, if that is needed, until one of the given size fits
// in. It returns what the others take. The lock is held.
func (c *Cache) makeRoom(size int64) (used, error) {
	if size > c.most {
		return used{}, tooLarge{size, c.most}
	}
	if u, ok := c.readUsed(); ok && u.bytes+size <= c.limit(u.bytes) {
		return u, nil
	}
	entries := c.list()
	u := used{counted: time.Now().Unix()}
	for _, e := range entries {
		u.bytes += e.size
	}
	limit := c.limit(u.bytes)
	if size > limit {
		return u, tooLarge{size, limit}
	}
	if u.bytes+size <= limit {
		return u, nil
	}
	slices.SortFunc(entries, func(a, b listed) int { return a.lastUse.Compare(b.lastUse) })
	for _, e := range entries {
		if u.bytes+size <= limit/10*9 {
			break
		}
		if err := os.Remove(e.path); err == nil || os.IsNotExist(err) {
			u.bytes -= e.size
		}
	}
	if u.bytes+size > limit {
		return u, tooLarge{size, limit - u.bytes}
	}
	return u, nil
}

// limit is how much all entries may take, where they take so much now.
func (c *Cache) limit(now int64) int64 {
	if free, ok := diskspace.Free(c.dir); ok {
		return min(c.most, now+free-c.leastFree)
	}
	return c.most
}

// listed is an entry as the folder lists it.
type listed struct {
	path    string
	size    int64
	lastUse time.Time
}

// list lists all entries. Other files are not touched.
func (c *Cache) list() []listed {
	var all []listed
	for first := range 256 {
		folder := filepath.Join(c.dir, entryFolder, fmt.Sprintf("%02x", first))
		entries, _ := os.ReadDir(folder)
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() && len(e.Name()) == 2*len(key{}) {
				all = append(all, listed{filepath.Join(folder, e.Name()), info.Size(), info.ModTime()})
			}
		}
	}
	return all
}
