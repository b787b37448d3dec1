package baseline

// longCases are captions that state most of the context in other words than the passage.
var longCases = []clozeCase{
	{
		name:    "negation of the alternative",
		passage: "The song ends with a [BLANK_1] after the last chorus.",
		blanks:  []string{"fade-out / hard stop / drum fill / key change"},
		caption: "After the last chorus the song ends not with a fade-out but with a drum fill.",
		want:    "C",
		got:     "E",
	},
	{
		name: "an entire clip in free words",
		passage: "The clip opens on a ferry deck at [BLANK_1], where a deckhand in a [BLANK_2] vest unties a thick rope. " +
			"A horn sounds [BLANK_3] times, and a female voice over the loudspeaker announces \"Next stop, [BLANK_4].\" " +
			"Gulls circle above the [BLANK_5] funnel. A boy on the upper deck drops his [BLANK_6] into the water and starts to cry. " +
			"The camera then tilts up to a lighthouse painted with [BLANK_7] stripes, and the recording ends with a [BLANK_8].",
		blanks: []string{"dawn / noon / sunset / midnight", "orange / yellow / green / blue", "two / three / four / five",
			"Harbor Island / Seal Rock / Port Grey / Elm Point", "white / red / black / orange",
			"ice cream / hat / toy boat / sandwich", "red / black / blue / green", "splash / click / shout / whistle"},
		caption: "At sunset passengers gather on a ferry. A deckhand wearing an orange vest unties the rope, and the ship's horn " +
			"is sounded three times. Over the loudspeaker a woman says the next stop will be Seal Rock. Several gulls circle over " +
			"the funnel. Then a boy starts crying because his hat has fallen into the water. In the end we see a lighthouse with " +
			"blue stripes.",
		want: "CABBEBCE",
		got:  "EABBEBCE",
	},
	{
		name: "cooking video retold",
		passage: "A home cook in a [BLANK_1] apron stands behind a kitchen island and says, \"Today we're making [BLANK_2].\" " +
			"She cracks [BLANK_3] eggs into a [BLANK_4] bowl while soft [BLANK_5] music plays. The oven beeps and she takes out a " +
			"tray lined with [BLANK_6]. A timer on the wall shows [BLANK_7]. She closes by sprinkling [BLANK_8] on top.",
		blanks: []string{"striped / floral / plain white / denim", "shakshuka / banana bread / carbonara / frittata", "two / three / four / six",
			"glass / steel / ceramic / wooden", "piano / guitar / jazz / techno", "foil / parchment paper / cabbage leaves / salt",
			"12:30 / 4:15 / 10:45 / 7:05", "parsley / cinnamon / paprika / sugar"},
		caption: "The video is set in a modern kitchen. A woman wearing a floral apron introduces the recipe: banana bread. " +
			"Into a large glass bowl she breaks three eggs, and later she adds flour, sugar and cinnamon. Soft guitar music can be " +
			"heard in the background. After a beep from the oven, she removes a tray. She finishes by sprinkling powdered sugar on top.",
		want: "BBBABEED",
		got:  "BEBABEED",
	},
	{
		name:    "the same word twice with one meaning each",
		passage: "The clown juggles [BLANK_1] and balances a broom on his chin.",
		blanks:  []string{"oranges / knives / bottles / hoops"},
		caption: "A clown in an orange wig balances a broom on his chin. He also juggles a number of hoops.",
		want:    "D",
		got:     "A",
	},
	{
		name:    "modifiers between",
		passage: "The presenter points at a [BLANK_1] map with a laser pointer.",
		blanks:  []string{"green / yellow / gray / red"},
		caption: "With a laser pointer, the presenter points at a large, grey, slightly torn map.",
		want:    "C",
	},
	{
		name: "hiking clip retold",
		passage: "Two hikers cross a rope bridge over a [BLANK_1]. The one in front carries a [BLANK_2] backpack and hums [BLANK_3]; " +
			"the other films with a [BLANK_4]. Midway a plank snaps with a [BLANK_5] and someone yells \"[BLANK_6]!\" " +
			"On the far side a sign says the hut is [BLANK_7] away, and a [BLANK_8] watches them from a rock.",
		blanks: []string{"gorge / river / waterfall / road", "red / blue / green / black", "a lullaby / a march / an anthem / a carol",
			"drone / phone / camcorder / headcam", "crack / thud / squeak / bang", "careful / hold on / go back / run",
			"2 km / 3 km / 5 km / 8 km", "goat / marmot / dog / fox"},
		caption: "A rope bridge spans a gorge and two hikers cross it, one with a green backpack, the other filming on a phone. Halfway, " +
			"with a loud crack, a plank breaks and a voice shouts \"Hold on!\" They reach the other side where, according to a sign, it is " +
			"three kilometers to the hut. A red bird flies up. In the last shot a fox slinks through the snow at night while a marmot on a rock had watched them before.",
		want: "ACEBABBB",
		got:  "ACEBABEB",
	},
	{
		name:    "distinctive word at the right place with little context",
		passage: "Across the back wall, neon letters spell out [BLANK_1] in cursive.",
		blanks:  []string{"GOOD VIBES / NIGHT OWL / COCKTAILS / EL CAMINO"},
		caption: "The bar is dim. A neon sign says \"Night Owl\".",
		want:    "B",
	},
}
