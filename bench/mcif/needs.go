package mcif

import "omniscope/bench"

// needs are the parts of the test set. The published program downloads the
// references (mcif_eval, without -r); how the hub keeps the prompts and the media is
// not known here.
func needs() []bench.Need {
	references := bench.Need{Part: "references", Hub: hubRepo, Licence: "CC BY 4.0", Flag: "--reference"}
	for _, track := range Tracks {
		for _, lang := range Languages {
			references.Files = append(references.Files, bench.DatasetFile{Dataset: hubRepo, Revision: "1.0", Name: hubFile("1.0", track, lang), ByHand: "give it with --reference FILE"})
		}
	}
	return []bench.Need{
		{Part: "annotations", Hub: hubRepo, Licence: "CC BY 4.0", Flag: "--data"},
		{Part: "media", Hub: hubRepo, Licence: "CC BY 4.0", Flag: "--media"},
		references,
	}
}
