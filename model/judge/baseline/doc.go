// Package baseline answers cloze tests about captions, and looks for events in captions, without a model: it compares
// words. It is the judge "offline" of the command line.
//
// What it can do. [Read] finds the options of a gap in the caption as runs of words; it ignores their case, spelling,
// inflection and form of number. It answers an option if the words around it match the words around the gap. Find
// reports an event as mentioned if one sentence of the caption, or two neighbouring ones, have enough of its words.
// [Group] groups descriptions that share words.
//
// What it cannot do. It knows English only, and no meaning: no synonyms, no order of events, not who does what. An
// option that the caption states in other words, or with other words in between, is "not given". An option that the
// caption has in a similar place, about another thing, may be answered.
//
// Measured: of 273 letters of the published case studies of Omni-Cloze and of their captions retold, 265 are right and
// 8 are "not given" where the caption states the option; of 470 letters of the demo's captions, 451 are right and 19 are
// "not given" (TestPublishedStudies, TestDemo). "Not given" for all has 66 and 246 right. Of 46 events of captions that
// set no limit, it has 37 right (TestKeypointsHeldOut). docs/omni-cloze.md has a table.
//
// Its scores do not compare with published ones, which need a language model as the judge. It costs nothing, always
// gives the same answer, and is a floor for other judges. Package wording cuts texts into words.
package baseline
