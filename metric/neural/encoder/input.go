package encoder

import (
	"fmt"

	"omniscope"
)

// tokens are the sentences of one call, one behind the other: what tensorOps compute
// with beside the weights.
type tokens struct {
	IDs       []int32
	Positions []int32 // of each token, a row of the table
	Start     []int   // of each sentence, and behind the last
}

// Set takes over sentences, given as ids with their special tokens, in place of
// those before. Sentences without ids, ids out of the vocabulary and sentences
// longer than the model knows positions for are Invalid; the error names the
// sentence, from 0.
func (in *tokens) Set(c Config, sentences [][]int32) error {
	in.IDs, in.Positions, in.Start = in.IDs[:0], in.Positions[:0], append(in.Start[:0], 0)
	for s, ids := range sentences {
		if err := in.add(c, ids); err != nil {
			return omniscope.Invalidf("sentence %d: %w", s, err)
		}
	}
	return nil
}

// add counts positions as the originals do: BERT's are 0, 1, 2 ...; those of
// RoBERTa begin behind the padding id and count what is not padding, which has
// its own id as position. A padding id within a text is else a token like
// others, and is attended to: only padding that a batch adds is masked.
func (in *tokens) add(c Config, ids []int32) error {
	if len(ids) == 0 {
		return fmt.Errorf("it has no ids; an empty text has those of its start and its end")
	}
	next := c.firstPosition()
	for i, id := range ids {
		if id < 0 || int(id) >= c.Vocab {
			return fmt.Errorf("id %d at %d is outside of the vocabulary of %d: the tokenizer belongs to another model", id, i, c.Vocab)
		}
		position := next
		if c.Family != BERT && int(id) == c.Pad {
			position = c.Pad
		} else {
			next++
		}
		if position >= c.Positions {
			return fmt.Errorf("it has %d tokens, which is more than the model's %d: cut it", len(ids), c.MaxTokens())
		}
		in.IDs = append(in.IDs, id)
		in.Positions = append(in.Positions, int32(position))
	}
	in.Start = append(in.Start, len(in.IDs))
	return nil
}
