package neural

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"omniscope"
	"omniscope/internal/sha256hex"
)

// lockWait is how long a process waits for others to write: that takes them
// less than a second, unless they are stopped.
const lockWait = 30 * time.Second

// A Cache remembers in a folder what encoders made of texts: COMET's vector of
// each text, BERTScore's vectors of each reference, and what BERTScore found
// for each pair. A value read back has the bits that were computed, so scores
// do not depend on what was remembered.
//
// With the published models that is 4 KB a sentence for COMET, 3 or 4 KB a token
// of the references for BERTScore, and 64 bytes a pair. Nothing is ever thrown
// away.
//
// There is one file for each model, layer, length and arithmetic; of another
// version or model nothing is ever used. A file can be deleted at any time when
// no process uses it. Several processes can share a folder. A folder that cannot be
// written is read, and a disk that is full ends the keeping and not the
// scoring: Warnings says so.
//
// A Cache is safe for concurrent use.
type Cache struct {
	folder string
	wait   time.Duration

	mu       sync.Mutex
	stores   map[string]*store
	warnings []string
}

// OpenCache opens the cache in a folder, which it makes if need be.
func OpenCache(folder string) (*Cache, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "open the cache of embeddings",
			Err: fmt.Errorf("%w: name a folder that can be made", err)}
	}
	return &Cache{folder: folder, wait: lockWait, stores: map[string]*store{}}, nil
}

// Warnings lists what went wrong so far and harmed no score.
func (c *Cache) Warnings() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.warnings)
}

func (c *Cache) warn(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.warnings, text) {
		c.warnings = append(c.warnings, text)
	}
}

// Close closes the files. What is computed later is not kept.
func (c *Cache) Close() error {
	c.mu.Lock()
	stores := c.stores
	c.stores = map[string]*store{}
	c.mu.Unlock()
	var errs []error
	for _, s := range stores {
		errs = append(errs, s.close())
	}
	return errors.Join(errs...)
}

// An identity is all that shapes an encoder's numbers, apart from the text.
type identity struct {
	what       string // "comet" or "bertscore"
	layer      int    // the last one that is computed
	maxTokens  int
	model      string // digest of the weights and their configuration
	tokenizer  string // digest of its files
	arithmetic string // see arithmetic
}

func (id identity) header() []byte {
	return fmt.Appendf(nil, "omniscope embeddings 1\n%s, layer %d, at most %d tokens\nmodel %s\ntokenizer %s\narithmetic %s\n\x00",
		id.what, id.layer, id.maxTokens, id.model, id.tokenizer, id.arithmetic)
}

func (id identity) file() string {
	return id.what + "-" + sha256hex.Of(id.header())[:16] + ".emb"
}

// store returns the store of id, which it opens if need be. A nil cache has
// none.
func (c *Cache) store(id identity) *store {
	if c == nil {
		return nil
	}
	name := id.file()
	c.mu.Lock()
	s, ok := c.stores[name]
	c.mu.Unlock()
	if ok {
		return s
	}
	opened := openStore(filepath.Join(c.folder, name), id.header(), c.wait, c.warn)
	c.mu.Lock()
	defer c.mu.Unlock()
	if s, ok := c.stores[name]; ok { // somebody else was faster
		_ = opened.close() // nothing was written to it
		return s
	}
	c.stores[name] = opened
	return opened
}

// The kinds of values.
const (
	sentenceValue = "sentence" // one vector
	tokensValue   = "tokens"   // the unit vectors of all tokens
	pairValue     = "pair"     // see Match
)

// keyOf is the key of what was made of texts, given as ids: those are what an
// encoder sees, however a tokenizer came to them. Lengths stand before the
// lists: no two run into one another.
func keyOf(kind string, texts ...[]int32) key {
	little := binary.LittleEndian
	message := append([]byte(kind), 0)
	for _, ids := range texts {
		message = little.AppendUint32(message, uint32(len(ids)))
		for _, id := range ids {
			message = little.AppendUint32(message, uint32(id))
		}
	}
	return sha256.Sum256(message)
}

// floats returns the numbers kept under k, if there are n of them. A nil store
// has none.
func (s *store) floats(k key, n int) ([]float32, bool) {
	if s == nil {
		return nil, false
	}
	value, ok := s.get(k)
	if !ok || len(value) != 4*n {
		return nil, false
	}
	numbers := make([]float32, n)
	for i := range numbers {
		numbers[i] = math.Float32frombits(binary.LittleEndian.Uint32(value[4*i:]))
	}
	return numbers, true
}

// keep puts numbers to what is kept later.
func keep(to []record, k key, numbers []float32) []record {
	value := make([]byte, 0, 4*len(numbers))
	for _, f := range numbers {
		value = binary.LittleEndian.AppendUint32(value, math.Float32bits(f))
	}
	return append(to, record{k, value})
}
