package lexical

import "strings"

// deeds maps words, reduced as in synonyms, that tell of an event equally
// well to the first of them. They are looser than synonyms: nobody would
// take "gaze" for "look" as the answer to a blank.
var deeds = groups(senseOf, deedLines...)

var deedLines = []string{
	`hand give pass deliver`, `walk stroll stride pace wander amble`, `run sprint jog dash rush race hurry`,
	`pick lift raise`, `grab seize snatch grip grasp clutch`, `look gaze stare glance peer watch observe`,
	`smile grin beam`, `laugh chuckle giggle`, `cry weep sob`, `shout yell scream`, `whisper murmur mutter`,
	`argue quarrel bicker dispute`, `hug embrace cuddle`, `hit strike punch slap`, `throw toss hurl fling`,
	`push shove`, `pull drag tug haul`, `leave exit depart`, `arrive come`, `cook prepare`, `eat dine`,
	`drink sip`, `cut slice chop carve`, `hide conceal`, `break shatter smash`, `fight brawl wrestle`,
	`sleep asleep doze nap`, `discover find`, `ask question inquire`, `answer reply respond`, `show reveal display`,
	`switch shift transition change`, `kneel crouch squat`, `jump leap hop`, `climb ascend`, `shut close`,
	`house home`, `street road`, `shop store`, `cup mug`, `stream river`, `forest woods wood`,
	`night nighttime`, `dawn sunrise`, `dusk sunset`, `rock stone boulder`, `boat ship`, `garden yard`,
	`gun pistol rifle`, `police cop`, `mother mom`, `father dad`, `doctor physician`, `baby infant`,
	`movie film`, `indoors inside interior`, `outdoors outside exterior`, `harbor port dock`, `sea ocean`,
	`dinner supper`, `angry angrily furious mad enraged`, `happy happily joyful cheerful glad`,
	`sad upset unhappy`, `scared afraid frightened terrified`, `surprise shock astonish startle amaze`,
	`distant distance faraway far`, `broken damaged cracked`, `flicker blink`, `scatter disperse`, `sidewalk pavement`,
	`hallway corridor`, `trash garbage rubbish`, `scribble jot`, `knock rap`, `repair fix mend`,
	`wash clean wipe scrub rinse mop sweep`, `place put set lay`, `attack assault`, `chase pursue`, `escape flee`,
	`rescue save`, `kill murder`, `marry wed wedding marriage`, `triumph victory`, `beg plead`,
	`search rummage`, `comfort console reassure soothe`, `bind tie fasten`, `confess admit`,
	`accuse blame`, `hold carry`, `seat sit`, `cautious careful`,
	`collapse slump`, `tremble shiver`, `crowd throng`, `backpack rucksack`, `cellar basement`,
	`taxi cab`, `truck lorry`, `loudly aloud`, `purchase buy`, `wallet billfold`, `present gift`,
	`market bazaar`, `aircraft plane airplane`, `coffin casket`, `jail prison`, `rug carpet`,
	`fade dissolve`, `inspect examine`, `practice rehearse`, `applause clap ovation`, `steal rob`, `belongings things possessions stuff`,
	`haggle bargain`, `employee worker`, `tv television`,
	`fog mist haze`, `siren alarm`, `thunderstorm thunder`, `glimpse spot notice`,
	`spin twirl rotate whirl`, `stumble trip`, `phone telephone mobile`, `slam bang`, `crash collide`,
	`draw sketch`, `unwrap unpack`, `stir mix`, `sew stitch`, `sneak creep tiptoe`, `wake awaken awake`,
	`arrest handcuff detain`, `hurt injure`, `say chat converse discuss`, `greet welcome`,
	`praise compliment`, `scold reprimand rebuke`, `tease mock`, `promise vow`, `remember recall`,
	`stop halt pause`, `frown scowl`, `stroke pet caress ruffle`,
	`quietly silently`, `gently softly tenderly`, `suddenly abruptly`, `quickly hastily`,
	`cat kitten`, `dog puppy`, `rabbit bunny`, `scene location`, `drunk intoxicated`,
	`peek peep`, `demand insist`, `inform notify`, `choose select`, `gather assemble`, `dig excavate`,
	`ignite kindle`, `decorate adorn`, `flashback memory`, `fridge refrigerator`, `bin trashcan dustbin`,
	`stage podium`, `cemetery graveyard`, `soldier trooper`,
	`bomb grenade`, `board blackboard chalkboard whiteboard`, `listen overhear eavesdrop`, `old elderly aged`,
	`unroll spread unfold`, `field meadow`, `roof rooftop`, `party celebration`,
	`guest attendee`, `bother annoy irritate`, `polite courteous`, `tired exhausted`, `empty vacant`,
	`trap snare`, `burn scorch`, `clothes garments`, `hospital infirmary`, `shore coast`,
	`meet encounter`, `sigh exhale`, `choke strangle`,
}

// kin maps words, reduced as in deeds, that tell of similar things to the
// first of them. One for the other is half a mention.
var kin = groups(deedOf, kinLines...)

var kinLines = []string{
	`letter envelope note message document paper`, `bag purse handbag backpack suitcase briefcase`,
	`cup glass bowl bottle`, `coat jacket`, `shirt blouse sweater hoodie`, `hat cap helmet`,
	`shoe boot sneaker`, `lamp lantern light`, `house building apartment cottage`, `tea coffee`,
	`street alley path pavement`, `meal dinner lunch breakfast food picnic dish`, `mountain hill`,
	`water pond lake sea river`, `picture painting portrait poster`, `music song melody`, `weapon gun knife sword`,
	`office desk`, `bench chair stool sofa`, `truck van car vehicle convertible sedan suv jeep`, `laptop computer`, `play hear accompany sound`, `town city`, `balcony terrace`,
	`argue fight`, `smile laugh`, `cry sad tear`, `say ask answer shout whisper explain warn greet promise scold inform`,
	`look notice`, `pick grab hold steal`, `walk run`, `harbor pier jetty`, `sign banner`, `crowd audience guest people`,
	`cut switch fade`, `shop market`, `screen monitor television tv`, `book notebook diary`,
	`stair staircase step`, `bird pigeon gull seagull`, `surprise scared`, `storm rain`, `spill knock`, `cake pastry dessert`, `flower bouquet petal rose`,
	`fire flame campfire bonfire`, `party ceremony`, `speech toast`, `map blueprint`, `gate door entrance`,
	`drink beverage juice soda beer wine`, `newspaper magazine`, `fence wall`, `smoke fog`, `bin trash`, `bandage plaster`, `hospital ward clinic`,
}

// opposites lists for a deed those that exclude it.
var opposites = both(
	`open close`, `enter leave`, `sit stand`, `push pull`, `laugh cry`, `smile cry`, `indoors outdoors`,
	`day night`, `morning night`, `morning evening`, `night dawn`, `buy sell`, `win lose`, `arrive leave`,
	`happy sad`, `happy angry`, `left right`, `first last`, `push hug`, `accept refuse`, `loud quiet`,
	`loud silent`, `loudly quietly`, `loudly softly`, `quickly slowly`, `fast slow`, `lock unlock`,
	`wake sleep`, `empty full`, `old new`, `old young`, `upstairs downstairs`, `dry wet`, `begin end`,
	`alive dead`, `black white`, `hot cold`, `long short`, `big small`, `remove wear`,
	`appear disappear`, `fill drain`, `agree disagree`, `tie untie`, `load unload`, `north south`,
	`hug hit`, `kiss hit`, `run walk`, `pick drop`, `near far`, `true false`, `man woman`, `boy girl`,
	`mother father`, `brother sister`, `husband wife`, `son daughter`,
)

// particles maps a particle of a verb to its opposite.
var particles = pairs(`on off off on in out out in up down down up`)

// unreal words, reduced, tell that what follows did not happen.
var unreal = words(stemOf, `refuse fail decline pretend almost nearly attempt try want wish plan
	threaten consider imagine dream avoid`)

// lightWords, reduced, say little about what happens.
var lightWords = words(stemOf, `go get be make take have do come begin start continue try seem appear
	see use keep let turn move look stand play moment time way while visible seen part side several various many
	few another together someone somebody something everyone`)

// frameWords, reduced, are about the picture and not about what it shows.
var frameWords = words(stemOf, `scene video shot camera view frame footage clip screen picture image lens
	hear audible setting location background foreground show display depict feature`)

// modifiers color what other words say; genericWords does so as well.
var modifiers = set(`wooden metal metallic plastic leather stone brick concrete glass paper cotton silk
	sealed broken cracked rusty dusty dirty clean empty crowded busy bright dim neon sunny rainy snowy
	cloudy foggy stormy distant nearby faint heavy light thick thin round square curly straight wavy
	beautiful pretty handsome ugly elegant ornate plain simple fancy modern ancient antique vintage
	happy sad angry upset worried nervous calm tired excited surprised shocked serious cheerful
	middle aged elderly teenage adult bearded bald blond blonde brunette redhead muscular slim slender
	skinny chubby fat stout petite hooded masked uniformed dressed injured wounded drunk homeless
	mysterious strange unknown unnamed main other second local former rich poor warm cold hot cool wet
	dry fresh huge giant tiny enormous massive nice good bad great new old same different
	african asian american european chinese japanese korean indian
	tan maroon navy teal turquoise crimson scarlet cream khaki olive ginger grey blind pregnant
	bespectacled striped checkered plaid floral denim woolen knitted sleeveless sleeved lone
	aging graying haired clad`)

// lyNouns end in -ly without being adverbs.
var lyNouns = set(`family reply supply belly jelly bully butterfly lily rally ally assembly apply fly`)

var colorWords = set(`red orange yellow green blue purple violet pink brown black white gray gold golden
	silver beige tan maroon navy teal turquoise crimson scarlet cream khaki olive blond blonde ginger`)

func senseOf(word string) string { return synonymOf(stemOf(word)) }

func deedOf(word string) string { return firstOf(deeds, senseOf(word)) }

// words makes a set of the words of a list, reduced.
func words(reduce func(string) string, list string) map[string]bool {
	s := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		s[reduce(americanSpelling(w))] = true
	}
	return s
}

// both maps each deed of a pair to the other one.
func both(lines ...string) map[string][]string {
	m := make(map[string][]string)
	for _, line := range lines {
		if a, b, ok := strings.Cut(line, " "); ok {
			a, b = deedOf(a), deedOf(b)
			m[a], m[b] = append(m[a], b), append(m[b], a)
		}
	}
	return m
}
