package encoder

import "fmt"

// input is the sentences of one call, one behind the other.
type input struct {
	ids       []int32
	positions []int32 // of each token, a row of the table
	start     []int   // of each sentence, and behind the last
}

// set takes over sentences. An error is Invalid and names the sentence, from 0.
func (in *input) set(c Config, sentences [][]int32) error {
	in.ids, in.positions, in.start = in.ids[:0], in.positions[:0], append(in.start[:0], 0)
	for s, ids := range sentences {
		if err := in.add(c, ids); err != nil {
			return invalid("sentence %d: %w", s, err)
		}
	}
	return nil
}

// add counts positions as the originals do: BERT's are 0, 1, 2 ...; those of
// RoBERTa begin behind the padding id and count what is not padding, which has
// its own id as position. A padding id within a text is a token like others
// otherwise, and is attended to: only padding that a batch adds is masked.
func (in *input) add(c Config, ids []int32) error {
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
		in.ids = append(in.ids, id)
		in.positions = append(in.positions, int32(position))
	}
	in.start = append(in.start, len(in.ids))
	return nil
}
