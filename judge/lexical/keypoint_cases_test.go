package lexical

// keypointClip is an invented caption with events of the clip and what a
// careful reader says of each.
type keypointClip struct {
	name    string
	caption string
	events  []keypointEvent
}

type keypointEvent struct {
	event string
	want  Status
	who   string // descriptions of the event's subjects, joined by " / "; empty where unchecked
}

// keypointCases are the clips on which the limits and tables were set.
var keypointCases = []keypointClip{
	{
		name: "the sealed letter",
		caption: "The video opens in a dim kitchen at night. A tall man in a grey coat pours tea into two cups while rain taps against the window. " +
			"A woman with red hair enters the room and he hands her a sealed letter. She reads it silently, then begins to weep. " +
			"The man does not open the door when somebody knocks. The scene cuts to a harbor at dawn, where fog covers the water and church bells ring far away. " +
			"An old fisherman named Tomas repairs a net on the pier. The woman asks him for directions, and he points towards a lighthouse. " +
			"She runs across the bridge and drops a bunch of keys. A boy with a skateboard picks them up and follows her.",
		events: []keypointEvent{
			{"<sbj_1> pours tea into two cups", Fully, "A tall man in a grey coat"},
			{"<sbj_1> hands <sbj_2> a sealed letter", Fully, "A tall man in a grey coat / A woman with red hair"},
			{"<sbj_2> reads the letter and cries", Fully, "A woman with red hair"},
			{"<sbj_1> opens the wooden door", Partly, ""},
			{"The camera pans across the harbour covered in fog", Partly, ""},
			{"Distant church bells ring", Fully, ""},
			{"<sbj_3> mends a fishing net on the pier", Fully, "An old fisherman named Tomas"},
			{"<sbj_2> asks <sbj_3> for directions", Fully, "The woman / An old fisherman named Tomas"},
			{"<sbj_3> points at the lighthouse", Fully, "An old fisherman named Tomas"},
			{"<sbj_2> runs across the bridge", Fully, "The woman"},
			{"<sbj_2> drops her keys on the bridge", Fully, "The woman"},
			{"<sbj_4> picks up the keys", Fully, "A boy with a skateboard"},
			{"<sbj_1> waves from the balcony", NotMentioned, ""},
			{"<sbj_3> lights a pipe", NotMentioned, ""},
			{"A neon sign flickers above the entrance", NotMentioned, ""},
			{"Cut from the kitchen to the harbour at dawn", Fully, ""},
			{"<sbj_1> pours coffee into three cups", Partly, ""},
			{"<the woman with black hair> enters the room", Partly, ""},
		},
	},
	{
		name: "the office quarrel",
		caption: "Two colleagues sit in a bright office. The younger one, a man wearing glasses and a blue shirt, types on a laptop and frowns at the screen. " +
			"His boss, a bald man in a black suit, walks in and slams a folder onto the desk. They argue loudly about a missed deadline. " +
			"A secretary in a green dress watches from the doorway. Suddenly the lights go out and everyone falls silent. " +
			"In the next shot, the bald man sits alone in his car and calls someone on the phone. He apologizes and promises to come home early. " +
			"Meanwhile the employee with glasses packs his things into a cardboard box and leaves the building in the rain.",
		events: []keypointEvent{
			{"<sbj_1> types on a laptop", Fully, "a man wearing glasses and a blue shirt"},
			{"<sbj_2> slams a folder on the desk", Fully, "His boss, a bald man in a black suit"},
			{"<sbj_1> and <sbj_2> quarrel about a missed deadline", Fully, ""},
			{"<sbj_3> watches the argument from the doorway", Fully, "A secretary in a green dress"},
			{"The lights suddenly go out", Fully, ""},
			{"The lights suddenly come on", Partly, ""},
			{"<sbj_2> makes a phone call in his car", Fully, "the bald man"},
			{"<sbj_2> apologizes on the phone and promises to be home early", Fully, "the bald man"},
			{"<sbj_1> packs his belongings into a box", Fully, "the employee with glasses"},
			{"<sbj_1> leaves the building without an umbrella in the rain", Partly, ""},
			{"<sbj_2> fires <sbj_1>", NotMentioned, ""},
			{"<sbj_3> spills coffee on the carpet", NotMentioned, ""},
			{"<sbj_1> smiles at the screen", Partly, ""},
			{"Upbeat music plays in the background", NotMentioned, ""},
			{"<the bald man in the black suit> sits alone in his car", Fully, "the bald man"},
		},
	},
	{
		name: "the market",
		caption: "A young girl in a yellow raincoat walks through a crowded market holding her grandmother's hand. Stalls with fruit and spices line the narrow street. " +
			"The grandmother bargains with a vendor over a basket of oranges and finally pays with coins. " +
			"While nobody is looking, a skinny thief in a hood snatches the grandmother's purse. The girl screams and points at him. " +
			"A police officer chases the thief past a fountain, and pigeons scatter. The officer tackles him to the ground. " +
			"The purse is returned to the grandmother by the officer, who salutes. The girl gives him an orange to thank him. The picture fades to black.",
		events: []keypointEvent{
			{"<sbj_1> and <sbj_2> walk through a crowded market hand in hand", Fully, ""},
			{"Market stalls line the street", Fully, ""},
			{"<sbj_2> haggles with the vendor over oranges", Fully, "The grandmother"},
			{"<sbj_3> steals <sbj_2>'s purse", Fully, ""},
			{"<sbj_1> screams and points at <sbj_3>", Fully, "The girl / a skinny thief in a hood"},
			{"<sbj_4> chases <sbj_3> past the fountain", Fully, "A police officer / the thief"},
			{"Pigeons scatter", Fully, ""},
			{"<sbj_4> returns the purse to <sbj_2>", Fully, "the officer / the grandmother"},
			{"<sbj_1> gives <sbj_4> an apple", Partly, ""},
			{"<sbj_1> gives an orange to <sbj_4>", Fully, "The girl / the officer"},
			{"The screen fades to black", Fully, ""},
			{"<sbj_3> escapes over a fence", NotMentioned, ""},
			{"<sbj_2> buys a blue scarf", NotMentioned, ""},
			{"Snow covers the roofs", NotMentioned, ""},
			{"<sbj_1> cries in her grandmother's arms", NotMentioned, ""},
		},
	},
	{
		name: "the audition",
		caption: "Emily, a dancer with curly brown hair, stretches in front of a large mirror. Her friend Jack plays the piano in the corner of the studio. " +
			"Emily tries to spin on one foot but loses her balance and falls. Jack stops playing, hurries over and helps her up. She shakes her head and turns off the lamp. " +
			"Later, Emily wears a white dress and steps onto the stage of a large theater. Three judges sit behind a long table. " +
			"She performs flawlessly and the audience gives her a standing ovation. Backstage, Jack hugs her and lifts her off the ground. " +
			"One of the judges, an elderly woman with a cane, congratulates Emily and offers her a contract.",
		events: []keypointEvent{
			{"<sbj_1> stretches in front of a mirror", Fully, "Emily, a dancer with curly brown hair"},
			{"<sbj_2> plays piano in the studio", Fully, "Her friend Jack"},
			{"<sbj_1> loses her balance and falls while spinning", Fully, "Emily"},
			{"<sbj_2> helps <sbj_1> up", Fully, "Jack / Emily"},
			{"<sbj_1> turns on the lamp", Partly, ""},
			{"<sbj_1> steps onto the stage in a white dress", Fully, "Emily"},
			{"<sbj_1> steps onto the stage in a red dress", Partly, ""},
			{"Four judges sit behind a table", Partly, ""},
			{"The audience applauds <sbj_1>", Fully, ""},
			{"<sbj_2> embraces <sbj_1> backstage", Fully, "Jack / Emily"},
			{"<sbj_3> offers <sbj_1> a contract", Fully, "One of the judges, an elderly woman with a cane / Emily"},
			{"<sbj_1> signs the contract", NotMentioned, ""},
			{"<sbj_2> plays the violin on stage", Partly, ""},
			{"<sbj_1> ties her shoes", NotMentioned, ""},
		},
	},
	{
		name: "traps",
		caption: "A nurse stands by the wooden door while a window opens in the wind. The doctor hugs the nurse, and a patient in a wheelchair looks away. " +
			"Two soldiers carry a red stretcher through the corridor, but neither of them speaks. Anna almost drops her phone, so Mark catches it. " +
			"An old man, who has lost his hat, refuses to leave the ward. The television shows a football match that nobody is watching. " +
			"After the doctor has left, the nurse sits down on the bed and slowly unwraps a sandwich. The patient rolls to the vending machine and buys a can of soda. " +
			"Outside, an ambulance drives away with its siren on. The camera moves slowly along the empty hallway and stops at a clock that shows ten past three.",
		events: []keypointEvent{
			{"<sbj_1> opens the wooden door", Partly, ""},
			{"<the doctor> hugs <the nurse>", Fully, "The doctor / the nurse"},
			{"<the nurse> hugs <the doctor>", Partly, ""},
			{"Soldiers carry a green stretcher down the hallway", Partly, ""},
			{"<Anna> drops her phone", Partly, "Anna"},
			{"<Mark> catches the phone", Fully, "Mark"},
			{"<the old man> leaves the ward", Partly, "An old man"},
			{"<the old man> refuses to leave the ward", Fully, "An old man"},
			{"A crowd watches a football match", NotMentioned, ""},
			{"A football match is on television", Fully, ""},
			{"<the nurse> eats a sandwich on the bed", Partly, "the nurse"},
			{"<sbj_4> gets a soda from the vending machine", Fully, "The patient"},
			{"An ambulance with a wailing siren leaves", Fully, ""},
			{"The clock shows ten past three", Fully, ""},
			{"The clock shows half past four", Partly, ""},
			{"<sbj_2> performs surgery in the operating room", NotMentioned, ""},
		},
	},
	{
		name: "told freely",
		caption: "[00:00-00:30] We find ourselves on a remote farm. An elderly farmer with a white beard is feeding chickens as the sun comes up behind the barn. " +
			"His grandson, a boy about eight years old in red overalls, rides up on a small bicycle and almost crashes into the fence. The old man laughs and ruffles his hair.\n" +
			"[00:30-01:10] The two of them sit in an old pickup truck. Country music is heard from the radio. The boy sticks his head out of the window and shouts with joy; the farmer tells him to be careful.\n" +
			"[01:10-02:00] The setting changes to a small-town diner. A cheerful waitress in a pink uniform serves the pair pancakes with syrup. The boy knocks over a glass of milk, and she mops it up. " +
			"He looks ashamed, but the waitress winks at him. On the wall behind them hangs a poster for a rodeo.",
		events: []keypointEvent{
			{"<sbj_1> feeds the chickens at sunrise", Fully, "An elderly farmer with a white beard"},
			{"<sbj_2> arrives on a bicycle", Partly, ""},
			{"<sbj_2> nearly hits the fence with his bike", Fully, ""},
			{"<sbj_1> laughs and strokes <sbj_2>'s hair", Fully, ""},
			{"<sbj_1> drives the truck with <sbj_2> beside him", Partly, ""},
			{"Country music plays on the radio", Fully, ""},
			{"<sbj_2> leans out of the window and yells happily", Fully, "The boy"},
			{"<sbj_1> warns <sbj_2> to be careful", Fully, "the farmer"},
			{"The scene shifts from the truck to a diner", Fully, ""},
			{"<sbj_3> serves pancakes to <sbj_1> and <sbj_2>", Fully, ""},
			{"<sbj_2> spills a glass of milk", Fully, "The boy"},
			{"<sbj_3> cleans up the milk", Fully, ""},
			{"<sbj_3> winks at <sbj_2>", Fully, ""},
			{"A rodeo poster hangs on the wall", Fully, ""},
			{"<sbj_1> milks a cow in the barn", NotMentioned, ""},
			{"<sbj_3> argues with the cook", NotMentioned, ""},
		},
	},
}
