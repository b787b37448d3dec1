package sqlite

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"omniscope/run"
)

// filterLimit bounds the memory of a filter to some tens of MB; a journal with
// more answers is asked on disk every time.
const filterLimit = 2_000_000

// A filter knows which keys the journal can have, so that a fresh run does not
// ask the disk for every call. It may say yes wrongly, never no wrongly, apart
// from answers another process added since.
type filter struct {
	mu   sync.RWMutex
	keys map[uint64]struct{} // nil = the journal is too large, ask the disk
}

func loadFilter(db *sql.DB) (*filter, error) {
	f := &filter{keys: make(map[uint64]struct{})}
	rows, err := db.Query("SELECT key FROM call INDEXED BY call_answer WHERE outcome = 1")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var key sql.RawBytes
	var last run.Key
	for rows.Next() {
		if err := rows.Scan(&key); err != nil {
			return nil, err
		}
		if len(key) != len(run.Key{}) {
			return nil, &brokenRow{fmt.Errorf("a key has %d bytes", len(key))}
		}
		if bytes.Compare(last[:], key) > 0 {
			return nil, &brokenRow{errors.New("the index of answers is out of order")}
		}
		copy(last[:], key)
		if len(f.keys) == filterLimit {
			return &filter{}, nil
		}
		f.keys[binary.LittleEndian.Uint64(key)] = struct{}{}
	}
	return f, rows.Err()
}

func (f *filter) maybe(key run.Key) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.keys == nil {
		return true
	}
	_, ok := f.keys[binary.LittleEndian.Uint64(key[:])]
	return ok
}

func (f *filter) add(keys ...run.Key) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.keys == nil {
		return
	}
	for _, key := range keys {
		f.keys[binary.LittleEndian.Uint64(key[:])] = struct{}{}
	}
}
