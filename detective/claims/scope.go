package claims

import (
	"strings"

	"omniscope/perceive"
)

// narrowing are words by which a sentence speaks of a part of the clip, or makes
// an exception: what it denies there may well be elsewhere.
var narrowing = strings.Fields(`first last until till before after then from between within later earlier beginning begins start starts end ends ending middle half
	while when whenever during moment moments briefly seconds second s minute minutes once again anymore longer yet still but except other besides apart aside than only beyond
	near initially finally afterwards meanwhile often sometimes rarely mostly mainly almost nearly`)

// scoped reports whether a sentence speaks of a part of the clip only.
func scoped(s string) bool { return anyOf(Words(s), narrowing...) }

// hedging are words by which a sentence does not commit itself.
var hedging = strings.Fields(`perhaps maybe possibly probably likely presumably apparently may might could would should seems seem seemed appears seemingly
	supposedly imagine unclear whether`)

// hedged reports whether a sentence says only what may be.
func hedged(s string) bool {
	list := Words(s)
	return anyOf(list, hedging...) || strings.Contains(" "+strings.Join(list, " ")+" ", " as if ")
}

// deniedOnce reports whether each negation of a sentence belongs to a phrase
// that says that something is not there: "it is not completely silent" denies
// what such a phrase says.
func deniedOnce(s string) bool {
	rest := " " + strings.Join(Words(s), " ") + " "
	found := false
	for _, phrases := range denials {
		for _, d := range phrases {
			for range 2 { // neighbours share a blank
				if !strings.Contains(rest, " "+d+" ") {
					break
				}
				rest, found = strings.ReplaceAll(rest, " "+d+" ", " "), true
			}
		}
	}
	return found && !negates(rest)
}

// Words of what can only be heard, and of what can only be seen.
var (
	heardWords = strings.Fields(`speak speaks speaking spoke talk talks talking whisper whispers whispering shout shouts shouting narrates narrating narrator voice voices voiceover
		speech dialogue conversation sing sings singing song songs music musical melody soundtrack sound sounds noise noises noisy audible audibly hear hears heard loud loudly
		bark barks barking meow meows chirp chirps chirping crow crows crowing roar roars roaring hum hums humming buzz buzzes buzzing applause laughter murmur murmurs whistle whistles
		whistling beep beeps beeping ringing rings thunder bang bangs hiss crackle crackles crackling ticking squeak squeaks scream screams screaming cries`)
	seenWords = strings.Fields(`camera screen onscreen visible closeup footage pans zooms zoom pan tilts subtitle subtitles caption captions logo lettering wears wearing dressed frame`)
	// silencing are words by which a sentence may speak of a picture of sound, as
	// of lips that move.
	silencing = strings.Fields(`silent silently silence mute muted soundless lips lip mouth mouths mouthing phone telephone gesture gestures sign signs picture pictured image
		inaudible inaudibly unheard`)
	// sightless are words by which a sentence may speak of a story or a report, not of the picture itself.
	sightless = strings.Fields(`says said tells told describes described mentions mentioned announces asks imagine imagines story recording microphone`)
)

// presence says which sense a sentence as a whole needs a track for; nil if that
// is not plain. It is not split off as a claim of its own: it only refutes the
// sentence where the clip has no such track.
func presence(sentence string) *fact {
	bare := outside(sentence, quotesOf(sentence))
	list := Words(bare)
	if negates(bare) || hedged(bare) {
		return nil
	}
	says := anyOf(list, "says", "say", "saying", "asks", "announces", "exclaims", "replies") && !anyOf(list, writings...)
	sounds := anyOf(list, heardWords...)
	switch {
	case breaksSilence(list), (sounds || says) && !anyOf(list, silencing...):
		return &fact{Kind: factHeard}
	case anyOf(list, seenWords...) && !sounds && !anyOf(list, sightless...):
		return &fact{Kind: factSeen}
	}
	return nil
}

// breaksSilence reports whether a sentence tells of a sound that ends a silence.
func breaksSilence(list []string) bool {
	return anyOf(list, "silence") && anyOf(list, "broken", "breaks", "broke", "interrupted", "interrupts", "ends", "shattered")
}

// wholeDenials finds what a sentence says is not there in the whole clip.
func wholeDenials(s string) []fact {
	if scoped(s) {
		return nil
	}
	facts := deniedHum(s)
	if !deniedOnce(s) {
		return facts
	}
	for _, known := range []struct {
		what perceive.Kind
		fact factKind
	}{{perceive.Sound, factSilent}, {perceive.Speech, factNoSpeech}, {perceive.Text, factNoText}, {perceive.Cut, factCuts}} {
		if denies(s, known.what) && !(known.fact == factSilent && onlySide.MatchString(strings.ToLower(s))) {
			facts = append(facts, fact{Kind: known.fact})
		}
	}
	return facts
}
