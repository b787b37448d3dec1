// Package caption is the kind of runs that describe clips by investigation: a detective, a language model or a fixed plan, asks
// tools and observers of the clip, and writes sentences that name their evidence. Describe does a run. Audits, which compare
// a caption with its clip, and long lists of clips are here, too.
package caption
