// Package arena has people compare captions of one clip by two systems, whose names they do not
// know before they have voted (Omni-Captioner, arXiv 2510.12720: 500 pairs of 7 systems; which
// one is more detailed).
package arena

import "omniscope/people"

// name is the name of this kind of work.
const name = "arena"

// stage is the name of its only stage.
const stage = "vote"

// voteKey is the key of a vote among a task's answers: its section has one card.
const voteKey = "vote"

// Fields of a vote.
const (
	fieldWinner = "winner"
	fieldReason = "reason"
)

// defaultQuestion is the question of a project that does not name another one.
const defaultQuestion = "Which of the two captions describes the clip in more detail, without saying what is not there?"

// settingQuestion is the setting with the question of a project.
const settingQuestion = "question"

// A winnerField is what a vote says.
type winnerField string

// What a vote may say.
const (
	leftWins winnerField = "left"
	right    winnerField = "right"
	tie      winnerField = "tie"
	bothBad  winnerField = "both bad"
	cannot   winnerField = "cannot judge" // no vote
)

// winners are all of them, in the order of their keys.
var winners = []winnerField{leftWins, right, tie, bothBad, cannot}

// choices are the winners as people read them.
var choices = []people.Choice{
	{Value: string(leftWins), Label: "Left"},
	{Value: string(right), Label: "Right"},
	{Value: string(tie), Label: "Tie", Help: "neither is better, and both are of use"},
	{Value: string(bothBad), Label: "Both bad", Help: "neither is of use"},
	{Value: string(cannot), Label: "Cannot judge", Help: "the clip does not play, or you do not understand the language: it does not count as a vote", Unseen: true},
}

// A battleRecord is two captions of a clip. It is the payload of an item.
type battleRecord struct {
	Left  side `json:"left"`
	Right side `json:"right"`
	// Again is the id of the item with the same captions that came first, on the other sides; "" =
	// this is the first.
	Again string `json:"again,omitempty"`
}

// A side is the caption of one system.
type side struct {
	System string `json:"system"`
	Text   string `json:"text"`
}

// battleOf reads the battle of an item.
var battleOf = people.Payload[battleRecord]("battle")

// Kind is the arena.
var Kind = people.ByStage(people.Kind{
	Info: people.Info{
		Name:  name,
		About: "Vote which of two captions of a clip is better",
		Long: `People see a clip and two captions of it, and say which is better: left, right, tie, or both bad. The systems are hidden
until they have voted. Wanted: a file of captions for each system (JSON Lines, a JSON list or CSV), named after the system, in
which a clip has the same name in all files. Votes are rated by Elo and Bradley-Terry.`,
		Examples: `  omniscope people new arena votes --captions ours.jsonl --captions theirs.jsonl
  omniscope people new arena votes --captions ours.jsonl --captions theirs.csv --battles 500 --again 20`,
		Fixed: true,
	},
	Maker: func() people.Maker { return &maker{Twice: 10, Question: defaultQuestion} },
	Exports: []people.Export{
		{Name: "battles", File: "battles.csv", About: "votes, as `omniscope correlate --battles` reads them", Write: people.Writing(voteRecords, writeBattles)},
		{Name: "fastchat", File: "battles.jsonl", About: "votes in the form of FastChat's battles", Write: people.Writing(voteRecords, writeFastChat)},
	},
	Tables:   tables,
	HasAlpha: func(_, field string) bool { return field == voteKey+"."+fieldWinner }, // table trust has the votes
	Apart:    func(item *people.Item) bool { b, err := battleOf(item); return err == nil && b.Again != "" },
	Reveal: func(c *people.WorkItem, _ map[string]people.Value) []people.Text {
		b, err := battleOf(c.Item)
		if err != nil {
			return nil
		}
		return []people.Text{{Title: "Left", Body: b.Left.System}, {Title: "Right", Body: b.Right.System}}
	},
}, battleOf, map[string]people.StageWork[battleRecord]{stage: {Form: form}})

// form holds no name of a system.
func form(c *people.WorkItem, b *battleRecord) (*people.Form, error) {
	return &people.Form{PlayFirst: true, Sections: []people.Section{{
		Name: voteKey, Title: "Vote", Columns: true,
		Cards: []people.Card{{Texts: []people.Text{{Title: "Left", Body: b.Left.Text}, {Title: "Right", Body: b.Right.Text}}}},
		Fields: []people.Field{
			{Name: fieldWinner, Label: c.Project.Settings[settingQuestion], Type: people.Choose, Choices: choices},
			{Name: fieldReason, Label: "Why?", Type: people.Prose, Optional: true, Max: 2000},
		},
	}}}, nil
}
