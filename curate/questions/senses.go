package questions

// A senses is what a prompt says of the labels. The prompt for a talk without passages that are seen names neither V nor AV.
type senses struct {
	purpose string // what the questions test
	labels  string
	rests   string // on what each label rests
	example string // of a reply
}

var withPictures = senses{
	purpose: "from its sound, from its pictures, and from both",
	labels: `- A: only the sound gives the answer; it is not to be seen.
- V: only the pictures give the answer; it is not said.
- AV: sound and pictures both give the answer, each alone.
- NA: neither gives it, although somebody might expect that the talk does.`,
	rests: `T passages are heard, S passages are seen. A has T passages alone, as ["T1"]; V has S passages alone, as ["S1"]; AV has both, as ["T1", "S1"]; NA has none: [].`,
	example: `{
  "given": [{"number": 1, "answer": "<text>", "label": "AV", "from": ["T1", "S1"]}, {"number": 2, "answer": "", "label": "NA", "from": []}],
  "further": [{"question": "<text>", "answer": "<text>", "label": "A", "from": ["T7"]}, {"question": "<text>", "answer": "<text>", "label": "V", "from": ["S3"]}]
}`,
}

var withoutPictures = senses{
	purpose: "from its sound",
	labels: `- A: the sound gives the answer.
- NA: it does not, although somebody might expect that the talk does.
What is to be seen is not known: ask nothing that needs it.`,
	rests: `T passages are heard. A has T passages, as ["T1"]; NA has none: [].`,
	example: `{
  "given": [{"number": 1, "answer": "<text>", "label": "A", "from": ["T1"]}, {"number": 2, "answer": "", "label": "NA", "from": []}],
  "further": [{"question": "<text>", "answer": "<text>", "label": "A", "from": ["T7"]}]
}`,
}

func (t *Talk) senses() *senses {
	if t.has(pictures) {
		return &withPictures
	}
	return &withoutPictures
}
