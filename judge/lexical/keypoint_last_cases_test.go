package lexical

// lastKeypointCases were held out after moreKeypointCases had been made use
// of. Find had 32 of their 55 statuses right then, with 20 of its 22 "fully"
// borne out, and 44 right as to whether anything is said.
var lastKeypointCases = []keypointClip{
	{
		name: "period drama",
		caption: "Set in a candlelit mansion, the scene shows Lady Margaret, an elegant woman in an emerald gown with pearls, writing a letter at a mahogany desk. " +
			"A maid with a white cap knocks and announces a visitor. Captain Hale, a soldier in a scarlet uniform, strides in, bows and removes his gloves. " +
			"Margaret rises, visibly shaken, and hides the letter under a book. He tells her that the regiment leaves for the coast at first light. She turns to the fireplace so that he cannot see her face. " +
			"A clock strikes nine. He kneels and offers her a ring, but she shakes her head and says that her father would never allow it. " +
			"The camera lingers on the ring as it rolls under the desk. The maid, who has been listening at the door, covers her mouth. " +
			"In the following scene, rain lashes a muddy road while columns of soldiers march past a burning mill. Hale, now unshaven and with a bandaged arm, reads the crumpled letter by lantern light. " +
			"A distant cannon booms. He folds the paper and tucks it inside his coat.",
		events: []keypointEvent{
			{"<sbj_1> writes a letter at a desk", Fully, ""},
			{"<sbj_3> announces a visitor", Fully, "A maid with a white cap"},
			{"<sbj_2> enters the room and takes off his gloves", Fully, ""},
			{"<sbj_1> hides the letter beneath a book", Fully, ""},
			{"<sbj_2> tells <sbj_1> that the regiment is leaving at dawn", Fully, ""},
			{"<sbj_1> turns away towards the fireplace", Fully, ""},
			{"The clock strikes nine", Fully, ""},
			{"<sbj_2> proposes to <sbj_1> with a ring", Fully, ""},
			{"<sbj_1> accepts the ring from <sbj_2>", Partly, ""},
			{"The ring rolls under the desk", Fully, ""},
			{"<sbj_3> eavesdrops at the door", Fully, ""},
			{"<sbj_3> burns the letter", NotMentioned, ""},
			{"Soldiers march along a muddy road in the rain", Fully, ""},
			{"<sbj_2> reads the letter by the light of a lantern", Fully, ""},
			{"<sbj_2> writes a reply", NotMentioned, ""},
			{"Cannon fire is heard in the distance", Fully, ""},
			{"<sbj_1> weeps at the window", NotMentioned, ""},
			{"A ballroom full of dancing couples", NotMentioned, ""},
		},
	},
	{
		name: "school comedy",
		caption: "The video takes place in a high school classroom. A strict teacher with a grey bun and a brown cardigan writes an equation on the blackboard. " +
			"In the back row, a chubby boy in a red hoodie secretly eats chips under his desk, while a girl with braids next to him passes a folded note to her friend. " +
			"The teacher turns around and catches the boy chewing. She confiscates the bag of chips and tells him to solve the equation. He walks slowly to the board, scratches his head and draws a cat instead. The class bursts into laughter. " +
			"The bell rings and the students rush out. In the cafeteria, the girl with braids sits down opposite the boy and shares her sandwich with him. " +
			"A tall bully in a letterman jacket snatches his tray, but slips on a banana peel and lands in a bin. A janitor shakes his head and starts mopping the floor. " +
			"At the end of the day, the teacher finds the drawing of the cat on the board, smiles, and takes a picture of it with her phone.",
		events: []keypointEvent{
			{"<sbj_1> writes an equation on the board", Fully, "A strict teacher with a grey bun and a brown cardigan"},
			{"<sbj_2> eats chips under the desk", Fully, "a chubby boy in a red hoodie"},
			{"<sbj_3> passes a note to a friend", Fully, "a girl with braids"},
			{"<sbj_1> takes the chips away from <sbj_2>", Fully, ""},
			{"<sbj_2> draws a cat on the board", Fully, ""},
			{"<sbj_2> draws a dog on the board", Partly, ""},
			{"<sbj_2> solves the equation correctly", Partly, ""},
			{"The students laugh", Fully, ""},
			{"The students hurry out when the bell rings", Fully, ""},
			{"<sbj_3> shares her sandwich with <sbj_2>", Fully, "the girl with braids / "},
			{"<sbj_4> steals <sbj_2>'s tray", Fully, ""},
			{"<sbj_4> slips on a banana peel and falls into a trash can", Fully, "A tall bully in a letterman jacket"},
			{"A janitor mops the floor", Fully, ""},
			{"<sbj_1> photographs the drawing with her phone", Fully, "the teacher"},
			{"<sbj_1> wipes the drawing off the board", Partly, ""},
			{"<sbj_4> apologizes to <sbj_2>", NotMentioned, ""},
			{"<sbj_3> plays basketball in the gym", NotMentioned, ""},
			{"The principal enters the classroom", NotMentioned, ""},
		},
	},
	{
		name: "street interview and cooking",
		caption: "A presenter holding a microphone stands on a busy pedestrian street. She wears a beige trench coat and speaks to the camera. She stops a young man with headphones and asks him what his favorite dish is. He laughs and answers that nobody makes dumplings like his grandmother. " +
			"An elderly couple walk by and wave at the lens. A cyclist nearly runs into the presenter, who jumps aside. " +
			"The scene changes to a cramped kitchen where the grandmother, a tiny woman in a flowered apron, kneads dough on a floured table. The young man grates ginger and cuts his finger; she puts a plaster on it and scolds him. " +
			"Steam rises from a bamboo basket. The presenter tastes a dumpling, closes her eyes and gives a thumbs up. The grandmother does not reveal the secret ingredient. " +
			"Finally the three of them sit around the table and raise their glasses. Cheerful accordion music plays until the credits roll.",
		events: []keypointEvent{
			{"<sbj_1> speaks into a microphone on a busy street", Fully, ""},
			{"<sbj_1> asks <sbj_2> about his favorite food", Fully, "A presenter / a young man with headphones"},
			{"<sbj_2> says his grandmother makes the best dumplings", Fully, ""},
			{"An old couple waves at the camera", Fully, ""},
			{"A cyclist crashes into <sbj_1>", Partly, ""},
			{"<sbj_3> kneads dough on a table", Fully, "the grandmother, a tiny woman in a flowered apron"},
			{"<sbj_2> cuts his finger while grating ginger", Fully, "The young man"},
			{"<sbj_3> bandages <sbj_2>'s finger", Fully, ""},
			{"<sbj_3> scolds <sbj_2>", Fully, ""},
			{"Steam rises from a basket", Fully, ""},
			{"<sbj_1> tastes a dumpling and gives a thumbs up", Fully, "The presenter"},
			{"<sbj_3> reveals the secret ingredient to <sbj_1>", Partly, ""},
			{"<sbj_1>, <sbj_2> and <sbj_3> toast at the table", Fully, ""},
			{"Accordion music plays at the end", Fully, ""},
			{"Sad violin music plays at the end", Partly, ""},
			{"<sbj_2> washes the dishes", NotMentioned, ""},
			{"<sbj_1> buys flowers from a stall", NotMentioned, ""},
			{"The scene changes from the street to a kitchen", Fully, ""},
			{"A police car passes with its siren on", NotMentioned, ""},
		},
	},
}
