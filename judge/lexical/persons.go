package lexical

import "strings"

// gender is what the words for a person say of it.
type gender uint8

const (
	anyGender gender = iota
	maleGender
	femaleGender
)

// gendered are the nouns, reduced, that tell the gender of a person.
var gendered = genders(
	`man boy guy gentleman husband father dad grandfather grandpa son brother uncle nephew king prince
	groom boyfriend actor waiter policeman fireman fisherman businessman salesman cameraman monk priest
	lad businessmen fishermen policemen firemen grandson wizard lord duke nobleman landlord groomsman`,
	`woman girl lady wife mother mom grandmother grandma daughter sister aunt niece queen princess bride
	girlfriend actress waitress policewoman businesswoman housewife maid nun businesswomen granddaughter
	witch hostess duchess landlady bridesmaid mermaid`)

// bareHeads, reduced, name a person without telling it from others of its
// gender and age.
var bareHeads = words(senseOf, `man woman boy girl lady guy gentleman person people child kid figure
	individual character teenager teen adult lad subject protagonist stranger baby
	toddler infant youth male female couple pair group crowd duo trio men women`)

// children are the heads, reduced, of the young; adults those of the others.
var (
	children = words(senseOf, `boy girl child kid baby toddler infant`)
	adults   = words(senseOf, `man woman lady gentleman adult husband wife father mother grandfather
		grandmother businessman businesswoman policeman groom bride`)
)

// kinships, reduced, say what somebody is to somebody, which leaves open what
// else he or she is.
var kinships = words(senseOf, `husband wife father mother dad mom grandfather grandmother grandpa grandma
	son daughter brother sister uncle aunt nephew niece boyfriend girlfriend friend colleague partner
	neighbor boss companion parent cousin grandson granddaughter spouse roommate classmate lover
	twin fiance fiancee owner client customer guest visitor leader victim patient`)

// occupations, reduced, tell somebody by what he or she does.
var occupations = words(senseOf, `nurse doctor physician surgeon chef cook guard officer policeman
	policewoman detective soldier sailor captain pilot driver teacher student pupil professor lawyer judge
	fisherman farmer worker waiter waitress bartender barista cashier clerk seller vendor shopkeeper
	businessman businesswoman manager secretary receptionist reporter journalist photographer
	cameraman singer dancer musician guitarist pianist drummer violinist actor actress artist painter
	writer author poet player athlete runner boxer wrestler goalkeeper coach referee swimmer cyclist
	rider priest monk nun king queen prince princess knight warrior samurai ninja wizard witch thief
	robber burglar criminal killer murderer gangster prisoner hostage spy agent assassin hunter
	firefighter fireman paramedic mechanic engineer scientist carpenter plumber electrician gardener
	butcher baker barber hairdresser tailor fisher sculptor magician clown host hostess presenter
	narrator speaker interviewer interviewee commentator vlogger blogger streamer youtuber maid butler
	servant bride groom baker monster ghost zombie vampire alien robot android superhero hero heroine
	villain emperor empress general lieutenant sergeant commander mayor president minister senator
	passenger tourist hiker skater skateboarder surfer beggar cleaner janitor postman mailman
	courier salesman saleswoman sheriff cowboy pirate bodyguard volunteer trainer bully rescuer skier
	contestant competitor opponent teammate instructor apprentice trainee recruit cadet medic operator
	technician inspector investigator ranger miner builder merchant trader dealer smuggler kidnapper
	attacker intruder suspect fugitive survivor refugee peasant nobleman duke duchess archer gladiator
	shaman healer hermit orphan fairy elf dwarf mermaid werewolf cyborg psychic scholar curator
	historian archaeologist explorer diver shepherd usher bouncer doorman chauffeur biker racer gymnast
	snowboarder rapper composer choreographer director producer editor filmmaker comedian juggler
	acrobat influencer gamer hacker developer architect executive candidate applicant banker accountant
	tenant landlord landlady babysitter nanny caller shopper commuter pedestrian bystander onlooker
	spectator bridesmaid groomsman officiant customer protester villager participant climber monarch
	conductor model designer librarian
	employee assistant intern staff crew pharmacist dentist veterinarian therapist psychologist programmer beekeeper potter blacksmith
	florist lifeguard astronaut bishop pope policemen police`)

// plurals are several persons in one word that has no plural s.
var plurals = set(`couple pair group crowd duo trio parents people family twins men women children police`)

// verbHeads, reduced, are persons with an article and verbs without.
var verbHeads = words(senseOf, `cook guard judge model host coach author pilot partner tailor nurse
	butcher crowd group pair figure subject spy knight`)

// many are the words that make several of a head: "several nurses".
var many = set(`several many some few both these those all`)

// given are common first names with their gender.
var given = genders(
	`james john robert michael david william richard joseph thomas tomas charles daniel matthew mark
	anthony paul andrew joshua kevin brian george edward jason ryan jacob eric jonathan stephen larry
	justin scott brandon benjamin samuel frank gregory raymond alexander patrick jack dennis jerry
	tyler aaron henry peter adam nathan zachary walter kyle harold carl jeremy keith roger arthur
	terry lawrence sean christian ethan austin joe noah luke liam oliver lucas leo max oscar simon ivan
	pedro carlos miguel diego juan luis mohammed ahmed omar ali hans tom bob jim tim sam ben dan mike
	steve dave nick tony harry fred theo felix hugo marcus victor martin ian neil alan karl viktor`,
	`mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty
	margaret sandra ashley kimberly emily donna michelle carol amanda dorothy melissa deborah
	stephanie rebecca sharon laura cynthia kathleen amy angela anna brenda pamela emma nicole
	helen samantha katherine christine rachel carolyn janet catherine maria heather diane ruth julie
	olivia joyce virginia victoria kelly lauren christina joan evelyn judith megan andrea cheryl
	hannah jacqueline martha gloria teresa ann sara madison frances kathryn janice jean abigail alice
	julia judy sophia grace denise amber marilyn danielle beverly isabella theresa diana natalie
	charlotte marie kayla alexis lily mia zoe chloe ella nina elena clara eva lucy kate jane rose`)

// unnamed begin sentences or stand for things with a capital letter and are
// no names of persons.
var unnamed = set(`monday tuesday wednesday thursday friday saturday sunday january february march april
	may june july august september october november december english french spanish german chinese
	japanese korean italian russian american british european asian african indian christmas easter
	halloween tv ceo dj god mr mrs ms miss dr sir madam internet youtube instagram facebook google
	iphone street avenue road park hotel restaurant cafe bar bridge river lake mountain university
	school hospital city town new north south east west i`)

// titles stand before a name.
var titles = set(`mr mrs ms miss dr sir madam professor detective captain officer uncle aunt king queen
	prince princess president judge sergeant lieutenant general father sister brother`)

// genders maps the reduced words of two lists to their gender.
func genders(male, female string) map[string]gender {
	m := make(map[string]gender)
	for _, w := range strings.Fields(male) {
		m[senseOf(w)] = maleGender
	}
	for _, w := range strings.Fields(female) {
		m[senseOf(w)] = femaleGender
	}
	return m
}

// isPersonWord reports whether a noun, reduced, names a person.
func isPersonWord(sense string) bool {
	return bareHeads[sense] || kinships[sense] || occupations[sense] || gendered[sense] != anyGender
}

// garments maps what people wear, reduced, to where they wear it. Of one
// place they wear one thing.
var garments = sorts(
	`outfit: coat jacket suit dress shirt tshirt blouse sweater hoodie cardigan gown uniform robe vest
		jersey blazer raincoat overcoat tuxedo costume kimono scrubs top outfit clothes clothing attire
		sweatshirt tunic cloak cape polo tee turtleneck parka windbreaker pajamas overalls jumpsuit tank
		leotard bathrobe nightgown sari armor fur tracksuit swimsuit bikini hanfu`,
	`legs: pants trousers jeans skirt shorts leggings`,
	`feet: shoes boots sneakers sandals heels slippers`,
	`head: hat cap helmet beanie headscarf hood crown turban headband bandana wig veil tiara`,
	`neck: scarf tie necktie necklace bow`,
	`eyes: glasses sunglasses goggles eyeglasses spectacles`,
	`hair: hair ponytail braids braid bun bangs curls`,
	`face: beard moustache mustache goatee stubble mask makeup`,
	`hands: gloves ring bracelet watch`,
	`thing: apron backpack bag badge earrings tattoo tattoos skateboard umbrella camera cane scar
		headphones headset guitar eyes skin wheelchair crutches briefcase`,
)

// sorts maps the reduced words of lines "sort: words" to their sort.
func sorts(lines ...string) map[string]string {
	m := make(map[string]string)
	for _, line := range lines {
		sort, list, _ := strings.Cut(line, ":")
		for _, w := range strings.Fields(list) {
			m[senseOf(americanSpelling(w))] = sort
		}
	}
	return m
}
