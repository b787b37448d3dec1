package choice

import (
	"fmt"

	"omniscope/bench"
	"omniscope/model/judge/letters"
)

// An examined is a question that a description answers, or does not.
type examined struct {
	caption, question string
	options           []string
	right             int // -1 = the description leaves it open
}

var examination = []examined{
	{"A dog barks twice, and then a door is slammed.", "What is heard after the dog?", []string{"a whistle", "a bell", "a door", "a train"}, 2},
	{"Two women in blue coats wait at a bus stop in the rain.", "What colour are the coats?", []string{"red", "blue", "green", "black"}, 1},
	{"A man plays the piano while a child dances.", "Who dances?", []string{"the man", "a woman", "nobody", "a child"}, 3},
	{"A man plays the piano while a child dances.", "What is the weather like?", []string{"sunny", "rainy", "snowy", "windy"}, -1},
	{"A lecturer draws three circles on a board and says that the smallest is the most important one.", "Which circle is the most important one?", []string{"the smallest", "the largest", "the middle one", "none of them"}, 0},
	{"The singer stops, the crowd cheers, and the lights go out.", "What happens last?", []string{"The singer stops.", "The lights go out.", "The crowd cheers.", "The band leaves."}, 1},
	{"At 5 o'clock in the morning a baker puts fourteen loaves into the oven.", "How many loaves are there?", []string{"five", "forty", "fourteen", "four"}, 2},
	{"A street at night.", "What does the driver say?", []string{"Stop the car!", "Good evening.", "Turn left here.", "I am late."}, -1},
	{"A cat sleeps on a chair, and not on the bed, while a radio plays jazz.", "Where does the cat sleep?", []string{"on a chair", "on the bed", "on the radio", "on the floor"}, 0},
	{"A siren grows louder, then fades as an ambulance drives past.", "Why does the siren fade?", []string{"It is broken.", "The recording ends.", "Someone closes a window.", "The ambulance drives away."}, 3},
}

var _ bench.Examiner = (*evaluation)(nil)

// Exam implements bench.Examiner. Only a model that answers from captions is examined.
func (e *evaluation) Exam() (items []bench.ExamItem, err error) {
	if !e.cascade() || e.blind() {
		return nil, nil
	}
	for i, x := range examination {
		q := &question{ID: fmt.Sprintf("exam-%02d", i+1), Text: x.question, Options: x.options}
		asked := e.asking(q, []int{0, 1, 2, 3}, x.caption, q.ID)
		asked.Read = func(reply string) (pick, error) {
			option, why := letters.Read(reply, x.options)
			p := pick{text: reply, option: option, why: why, hollow: option >= 0 && letters.IsHollow(reply, x.options[option])}
			if option < 0 && !p.declines() {
				return p, fmt.Errorf("it %s", why)
			}
			return p, nil
		}
		items = append(items, bench.NewExamItem(e.in.Judge, asked, func(p pick) bool { return p.option == x.right && !p.hollow }))
	}
	return items, nil
}
