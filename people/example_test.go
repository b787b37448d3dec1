package people_test

import (
	"fmt"
	"slices"

	"omniscope/people"
)

// An exported log, line by line: events of the project, of its people, and of tasks.
func ExampleEvent() {
	project := []people.EventKind{people.ProjectSet, people.ItemAdd, people.StageSkip, people.StageNeed, people.ClipFound}
	persons := []people.EventKind{people.PersonSet, people.SessionNew, people.SessionEnd, people.Assign, people.Unassign}
	for _, e := range []people.Event{{Kind: people.ProjectSet}, {Kind: people.SessionNew, By: "ann"}, {Kind: people.Submit, By: "ann"}} {
		switch {
		case slices.Contains(project, e.Kind):
			fmt.Println("project:", e.Kind)
		case slices.Contains(persons, e.Kind):
			fmt.Println(e.By+":", e.Kind)
		default:
			fmt.Println("task of "+e.By+":", e.Kind)
		}
	}
	// Output:
	// project: project
	// ann: session
	// task of ann: submit
}

// Why submitted work is in no result.
func ExampleLeftOut() {
	for _, why := range []people.LeftOut{people.NotShown, people.OtherClip} {
		fmt.Println(why)
	}
	// Output:
	// no clip was shown to the person
	// the clip has been replaced by another file
}

// Annotators of pictures must not hear the sound, and ratings of texts need no media.
func ExampleStage() {
	for _, s := range []people.Stage{{Name: "both", Sound: people.Heard}, {Name: "pictures", Sound: people.Muted}, {Name: "texts", Sound: people.NoMedia}} {
		fmt.Printf("%s: %q\n", s.Name, s.Sound)
	}
	var zero people.Sound
	fmt.Println(zero == people.Heard)
	// Output:
	// both: ""
	// pictures: "muted"
	// texts: "no media"
	// true
}
