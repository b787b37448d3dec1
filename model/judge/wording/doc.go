// Package wording cuts English texts into folded words and compares the words of answers with options: case, accents,
// marks, British spelling, inflection and the form of numbers do not matter. It knows no meaning except a short table
// of synonyms, which only Compare uses. Package baseline reads captions with it.
package wording
