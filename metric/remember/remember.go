// Package remember keeps the scores of texts that a network computes in a run's
// journal, one entry a pair or triple, so that another process, or the same one
// after it was killed, computes none of them again.
//
// It knows no network and no metric. The vectors behind a score are kept by
// metric/neural's Cache, which stays on its machine; a journal may be shared.
package remember

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"omniscope"
	"omniscope/run"
)

// Kind is the kind of the entries.
const Kind = "metric"

// most is how many texts' scores are computed before they are written down: a
// run that is killed loses no more.
const most = 256

// A Scorer scores rows of texts, such as hypothesis and reference. A V is kept
// as JSON; what comes back must have the same bits. It should not take more than
// 64 bytes.
type Scorer[V any] struct {
	Source   string // the metric and its version, for people
	Identity string // all that shapes a score beside the texts: metric and version, digest of the network, arithmetic

	// Score scores rows of texts, given as columns. The score of a row must not
	// depend on the others.
	Score func(ctx context.Context, columns [][]string) ([]V, error)
}

// Scores returns the scores of rows of texts, given as columns: remembered
// ones, or new ones, which are written down under their row's step. A nil once
// remembers nothing.
func (s *Scorer[V]) Scores(ctx context.Context, once *run.Once, steps []string, columns ...[]string) ([]V, error) {
	if once == nil {
		return s.Score(ctx, columns)
	}
	scores := make([]V, 0, len(columns[0]))
	for from := 0; from < len(columns[0]); from += most {
		to := min(from+most, len(columns[0]))
		part := make([][]string, len(columns))
		for c, texts := range columns {
			part[c] = texts[from:to]
		}
		more, err := s.part(ctx, once, steps[from:to], part)
		if err != nil {
			return nil, err
		}
		scores = append(scores, more...)
	}
	return scores, nil
}

func (s *Scorer[V]) part(ctx context.Context, once *run.Once, steps []string, columns [][]string) ([]V, error) {
	asked := make([]*run.Entry, len(steps))
	rows := make(map[*run.Entry]int, len(steps))
	for i, step := range steps {
		asked[i] = &run.Entry{Key: s.key(columns, i), Step: step, Attempt: 1, Kind: Kind, Source: s.Source}
		rows[asked[i]] = i
	}
	found, err := once.DoAll(ctx, asked, func(ctx context.Context, missing []*run.Entry) error {
		return s.complete(ctx, missing, rows, columns)
	})
	if err != nil {
		return nil, err
	}
	scores := make([]V, len(found))
	for i, e := range found {
		if err := json.Unmarshal(e.Result, &scores[i]); err != nil {
			return nil, omniscope.Invalidf("the remembered score of %s cannot be read: %w: %.80q", e.Step, err, e.Result)
		}
	}
	return scores, nil
}

// complete scores the rows of the missing entries.
func (s *Scorer[V]) complete(ctx context.Context, missing []*run.Entry, rows map[*run.Entry]int, columns [][]string) error {
	started := time.Now().UTC()
	fresh := make([][]string, len(columns))
	for _, e := range missing {
		for c, texts := range columns {
			fresh[c] = append(fresh[c], texts[rows[e]])
		}
	}
	scores, err := s.Score(ctx, fresh)
	if err != nil {
		return err
	}
	for i, e := range missing {
		if e.Result, err = json.Marshal(scores[i]); err != nil {
			return fmt.Errorf("%s: %w", e.Step, err)
		}
		e.Started, e.Outcome = started, omniscope.OK
	}
	return nil
}

// key is the digest of all that shapes the score of a row. Each text stands
// behind its length, so that no two run into one another.
func (s *Scorer[V]) key(columns [][]string, row int) run.Key {
	h := sha256.New()
	write := func(text string) {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(text))))
		h.Write([]byte(text))
	}
	write(Kind)
	write(s.Identity)
	for _, texts := range columns {
		write(texts[row])
	}
	return run.Key(h.Sum(nil)[:len(run.Key{})])
}
