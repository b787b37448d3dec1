package mcif

import "omniscope/bench"

// needs are the parts of the test set: the published program downloads the
// references by these names (mcif_eval, without -r), and the prompts have names of
// the same kind. All else is taken for media.
func needs() []bench.Need {
	set := bench.Need{Dataset: hubRepo, Revision: "1.0", Licence: "CC BY 4.0"}
	annotations, references, media := set, set, set
	annotations.Part, annotations.Flag, annotations.Names = "annotations", "--data", []string{"MCIF*.src.*.xml", "MCIF*.src.xml"}
	references.Part, references.Flag, references.Names = "references", "--reference", []string{"MCIF*.ref.xml"}
	media.Part, media.Flag = "media", "--media"
	return []bench.Need{annotations, references, media}
}
