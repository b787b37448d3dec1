// Package train is about training captioners with trainers that exist: which rows they read (forms), and, in the packages
// below it, what comes into a data set, with which settings a run is started, and what is checked before and after
// (Omni-Captioner paper, arXiv 2510.12720, section 4.1 and appendix A).
//
// omniscope trains nothing itself.
//
//	captions ─► train/dataset ─► rows of a trainer ─► train/check
//	paper, ours ─► train/recipe ─► settings of a trainer
//	checkpoints ─► train/verify
package train

import "strings"

// An Example is one row of a trainer: what the model is shown, and what it is to say.
type Example struct {
	ID       string // of the clip; only some forms have it
	Messages []Message
	Videos   []string // paths, one for each VideoMark in the messages
	Audios   []string // paths, one for each AudioMark
}

// A Message is one turn of an example.
type Message struct {
	Role    string // System, User or Assistant
	Content string
	NoLoss  bool // an assistant's turn that is not learnt
}

// The roles.
const (
	System    = "system"
	User      = "user"
	Assistant = "assistant"
)

// What stands in a message for media.
const (
	VideoMark = "<video>"
	AudioMark = "<audio>"
)

// Marks counts the marks for videos and for sound in what the user says.
func (e *Example) Marks() (videos, audios int) {
	for _, m := range e.Messages {
		if m.Role == User {
			videos += strings.Count(m.Content, VideoMark)
			audios += strings.Count(m.Content, AudioMark)
		}
	}
	return videos, audios
}

// Caption is the example with one caption and no words of the user, as the paper trains: from sound alone, from a video with
// its sound, or from a video without it.
func Caption(id, text string, videos, audios []string) *Example {
	content := strings.Repeat(VideoMark, len(videos)) + strings.Repeat(AudioMark, len(audios))
	return &Example{ID: id, Videos: videos, Audios: audios, Messages: []Message{{Role: User, Content: content}, {Role: Assistant, Content: text}}}
}
