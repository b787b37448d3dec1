package lexical

// moreKeypointCases were held out at first. Find had half of their statuses
// right then, with 16 of its 19 "fully" borne out; what they showed was mended
// since, so they say no more of its quality than keypointCases do.
var moreKeypointCases = []keypointClip{
	{
		name: "wedding video",
		caption: "The footage begins with an aerial view of a vineyard bathed in golden afternoon light, accompanied by soft acoustic guitar. Guests in formal attire take their seats on white folding chairs facing a floral arch. " +
			"The groom, a broad-shouldered man in a navy tuxedo with a pink boutonniere, fidgets nervously with his cufflinks while his best man pats him on the shoulder. " +
			"Moments later the bride appears in a lace gown, arm in arm with her father, a grey-haired gentleman wearing a burgundy tie. He kisses her on the forehead before taking his seat. " +
			"A small flower girl stumbles and spills the petals from her basket, prompting laughter from the guests. " +
			"The couple exchange rings and the officiant declares them husband and wife. They kiss as the crowd cheers and throws confetti. " +
			"The video then transitions to an evening reception inside a barn decorated with string lights. The bride's father delivers an emotional toast and wipes away tears. " +
			"The newlyweds cut a three-tier cake, and the groom playfully smears frosting on the bride's nose. It ends with the two of them waving from a vintage convertible.",
		events: []keypointEvent{
			{"An aerial shot shows a vineyard", Fully, ""},
			{"Soft guitar music is playing", Fully, ""},
			{"Guests sit down on white chairs", Fully, ""},
			{"<sbj_1> nervously adjusts his cufflinks", Fully, "The groom, a broad-shouldered man in a navy tuxedo"},
			{"<sbj_2> pats <sbj_1> on the shoulder", Fully, "his best man / The groom, a broad-shouldered man in a navy tuxedo"},
			{"<sbj_3> walks down the aisle with <sbj_4>", Partly, ""},
			{"<sbj_4> kisses <sbj_3> on the forehead", Fully, ""},
			{"The flower girl trips and drops the petals", Fully, ""},
			{"<sbj_1> and <sbj_3> exchange rings", Fully, ""},
			{"<sbj_1> and <sbj_3> kiss while the guests cheer", Fully, ""},
			{"The scene changes to an evening reception in a barn", Fully, ""},
			{"<sbj_4> gives a toast and cries", Fully, "The bride's father"},
			{"<sbj_1> and <sbj_3> cut the wedding cake", Fully, ""},
			{"<sbj_1> puts frosting on <sbj_3>'s nose", Fully, "the groom / "},
			{"<sbj_1> and <sbj_3> wave from an old car", Fully, ""},
			{"<sbj_3> throws the bouquet to the guests", NotMentioned, ""},
			{"<sbj_4> dances with <sbj_3>", NotMentioned, ""},
			{"Rain starts to fall during the ceremony", NotMentioned, ""},
			{"Fireworks light up the night sky", NotMentioned, ""},
		},
	},
	{
		name: "heist short film",
		caption: "A cinematic short unfolds in a neon-lit city. Victor, a middle-aged man with a scar across his cheek and a leather jacket, unrolls a blueprint on a pool table. Around him stand Nadia, a hacker with short purple hair and round glasses, and a burly driver in a flannel shirt. " +
			"Victor says, \"We have six minutes, not a second more.\" The driver cracks his knuckles. The image cuts to the museum, where two guards drink coffee in front of the security monitors. " +
			"Nadia crouches in a van outside and types rapidly until the monitors freeze. Wearing black masks, Victor and the driver lower themselves through a skylight on ropes. " +
			"Victor reaches for the diamond, but an alarm blares and red lights flash. One of the guards draws his gun and shouts. The driver throws a smoke grenade and they sprint down a corridor. " +
			"Outside, the van is gone. Victor looks at the empty street in disbelief. In the last scene, set on a sunny beach, Nadia, now with blonde hair and a straw hat, holds the diamond up to the sun and smirks.",
		events: []keypointEvent{
			{"<sbj_1> spreads a blueprint on a pool table", Fully, "Victor, a middle-aged man with a scar"},
			{"<sbj_1> tells the others they have six minutes", Fully, "Victor"},
			{"<sbj_1> tells the others they have ten minutes", Partly, ""},
			{"<sbj_3> cracks his knuckles", Fully, "The driver"},
			{"Two guards drink coffee in front of the monitors", Fully, ""},
			{"Two guards play cards in the security room", Partly, ""},
			{"<sbj_2> hacks the security monitors from a van", Partly, "Nadia"},
			{"<sbj_1> and <sbj_3> climb down ropes through the skylight", Fully, ""},
			{"<sbj_1> tries to grab the diamond when the alarm goes off", Fully, "Victor"},
			{"<sbj_1> smashes the glass case with a hammer", NotMentioned, ""},
			{"A guard pulls out a gun", Fully, ""},
			{"<sbj_3> throws a smoke bomb", Fully, "The driver"},
			{"<sbj_1> and <sbj_3> run along a corridor", Fully, ""},
			{"<sbj_1> stares at the empty street", Fully, "Victor"},
			{"<sbj_2> holds the diamond on the beach", Fully, ""},
			{"<sbj_2> sells the diamond to a dealer", NotMentioned, ""},
			{"<sbj_1> shoots a guard", NotMentioned, ""},
			{"The scene cuts from the street to a sunny beach", Fully, ""},
			{"<the woman with purple hair> throws a smoke grenade", Partly, ""},
		},
	},
	{
		name: "family vlog",
		caption: "A mother records her family's morning. Her teenage son, still in striped pajamas, pours cereal and complains that there is no milk left. His little sister giggles because she has finished it. " +
			"The father, who wears an apron over a white shirt, flips pancakes at the stove and burns one of them; a smoke detector beeps. Everybody waves towels under it. " +
			"The family then drives to a lake. The girl refuses to get into the water, so her brother carries her to the jetty and they both put their feet in. The dog jumps in and shakes water all over the mother, whose shriek is heard off camera. " +
			"They eat sandwiches on a checkered blanket. The father tries to start a fire but fails. At sunset the kids fall asleep in the back of the car, and the mother whispers good night to the viewers.",
		events: []keypointEvent{
			{"<sbj_1> pours cereal into a bowl", Fully, "Her teenage son"},
			{"<sbj_1> complains about the missing milk", Fully, ""},
			{"<sbj_2> laughs at <sbj_1>", Partly, "His little sister / "},
			{"<sbj_3> makes pancakes", Fully, "The father, who wears an apron"},
			{"<sbj_3> burns a pancake", Fully, "The father, who wears an apron"},
			{"The smoke detector goes off", Fully, ""},
			{"The family drives to a lake", Fully, ""},
			{"The family drives to the mountains", Partly, ""},
			{"<sbj_2> gets into the water", Partly, ""},
			{"<sbj_2> refuses to go into the water", Fully, "The girl"},
			{"<sbj_1> carries <sbj_2> to the jetty", Fully, "her brother / The girl"},
			{"The dog leaps into the lake", Fully, ""},
			{"The dog shakes itself and splashes <sbj_4>", Fully, ""},
			{"They have a picnic on a checkered blanket", Fully, ""},
			{"<sbj_3> lights a campfire", Partly, ""},
			{"<sbj_1> and <sbj_2> sleep in the car at sunset", Fully, ""},
			{"<sbj_4> says good night to the viewers", Fully, "the mother"},
			{"<sbj_3> catches a fish", NotMentioned, ""},
			{"<sbj_1> plays a game on his phone", NotMentioned, ""},
			{"A neighbor visits with a cake", NotMentioned, ""},
		},
	},
}
