// Package lexical answers cloze tests about captions, and checks captions for
// events, by looking words up.
//
// A cloze test is a passage about a clip with gaps [BLANK_1] .. [BLANK_n];
// every gap offers a few concrete options and "not given". [Read] takes the
// caption under test and decides for every gap which option the caption
// states. It looks for the options in the caption (spelling, inflection and
// number format apart) and compares the words around each mention with the
// words around the gap. A mention in another context does not count, and in
// doubt the answer is E, "not given".
//
// The method Find of a caption decides whether a caption mentions an event: whether one
// sentence, or two neighbouring ones, have enough of the event's content words.
// [Group] puts descriptions of subjects together that share words. They serve
// benchmarks that check a caption against annotated keypoints.
//
// It is a baseline: it knows no meaning beyond a short table of synonyms, it
// reads English only, and it misses facts that a caption states in words of
// its own. It costs nothing, needs no network and always gives the same
// answer, which makes it good for trying out a set-up and for a floor to
// compare with. Its scores are not comparable with published ones of
// Omni-Cloze or CapRiCorn-1K; those need a language model as the reader, and
// the benchmarks take such a judge in the place of this package.
package lexical
