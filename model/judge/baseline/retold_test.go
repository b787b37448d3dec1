package baseline

// retold are captions of the three published clips in our own words, with
// the letters a careful person gives. They leave facts out, get facts wrong
// and follow another order.
var retold = []struct{ caption, want string }{
	{
		caption: "A televised PBA League semifinal takes place at Bayside Bowl, a crowded bowling arena. Jakob Butturff, who wears a red " +
			"polo with a blue X and an earring in his left ear, gets ready while a graphic says he finished 2nd at the U.S. Open in 2017 and 2018. " +
			"The crowd chants \"Butturff.\" After an electronic stinger Butturff begins his approach. The overlay says L.A. X lead 1 to 0, with the " +
			"Kingpins at 126 and L.A. X at 96. The Strike Track shows 18.6 mph and 533 rpm. His ball rumbles and it is a clean, explosive strike: " +
			"all ten pins fall and the crowd roars. The announcer says \"what an angle that was to the pocket for the lefty\" and mentions Belmonte " +
			"as a player of the year candidate. Butturff pumps his fist and exchanges high fives along the rail with fans in Santa hats. A graphic " +
			"announces Dallas vs Seattle as coming up next. Kyle Sherman, whose blue-and-black polo has a Turbo logo and a Storm patch on the sleeve, " +
			"is up for the Kingpins. Fans chant \"Sherman, Sherman.\" His ball scatters nine pins and one pin is left standing in the back on the right. " +
			"A groan goes through the venue. The scoreboard now has the Kingpins' total at 146.",
		want: "CEBDCBCEABBBBEADDEBDBCDDEEEEBEB",
	},
	{
		caption: "In the beginning a cookbook called \"Street Vegan\" by Adam Sobel is shown next to a white sign. Relaxed jazz/lounge music plays and " +
			"there is chatter as in a busy cafe, with the occasional clink of glasses. A man with a warm tenor-to-baritone voice says that veganism can be " +
			"\"extra delicious and innovative.\" Someone's hands in a black long-sleeved garment work a braided dough with a dark purple filling and put " +
			"torn pieces onto a metal tray. In the display counter one placard says \"Spinach pie with roasted peppers and capers\", another \"Curried lentil " +
			"puff\". A vibrant salad is served in a brown take-out box while he says that peanuts are tossed with smoked chilies, some maple syrup and tamari. He does " +
			"not want to use \"basic, plain-ass peanuts\" and wants to \"hook it up with pizzazz\". Then the Beast Mode Burger Deluxe is assembled on a wooden " +
			"cutting board: fresh lettuce is layered on a bun with orange sauce, then a brown patty and a generous helping of red sauce. Pickled onions " +
			"are placed with tongs and a scoop of creamy macaroni and cheese goes on top. A tattooed forearm sprinkles something crispy over it.",
		want: "ACEEDEDADEEDCECBDCDCBDBDEBBEEB",
	},
	{
		caption: "Someone films a vertical tour of a Dragon Ball Z themed restaurant to energetic electronic music with a four-on-the-floor kick and bright synth " +
			"arpeggiations. Behind a granite-patterned counter work two employees; one of them has his cap on backward. A white spray bottle stands nearby and " +
			"clouds hang from the black ceiling. On the wall is a huge monochrome mural of Goku's face. A male customer turns away and leaves the frame. Glass cases " +
			"hold figures, among them a figurine of Piccolo with crossed arms, boxed Funko Pop figures, a CLUE game box and a Four-Star Dragon Ball. There is a " +
			"life-sized Ultra Instinct statue with silver hair next to two kiosks with red indicator lights. A whoosh riser builds up before the cut to a " +
			"restroom with magenta and black walls. In the mirror we see the woman filming, who has an American accent and says \"I'm in the bathroom. Pretty wild.\" " +
			"After a precise hard edit the track returns with a supersaw lead. Near the end she adjusts her hair. The music is in 4/4 time and " +
			"ends with an abrupt stop. She holds her phone vertically.",
		want: "CCBCADDEADDADBCEACAEEEBCEECCCD",
	},
}
