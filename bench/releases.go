package bench

import "omniscope/bench/document"

// A release is a published version of a benchmark's data. Published scores are of one of them.
type release struct {
	Name    string            // such as "test-mini, v05.15.25"
	SHA256  string            // of its file, in hex; "" = not known here: Samples is all that can be compared
	Part    map[string]string // of the benchmark, such as track=long; nil = all of it
	Samples int               // units of a run on all of it
	Boards  bool              // published scores are of it
}

// releases are the published versions by benchmark. Files with a digest were released under a
// free licence. Other numbers of samples are from the papers: Omni-Cloze arXiv 2510.12720, section 5;
// CapRiCorn-1K arXiv 2606.21949, section 3.5, where -V has other keypoints of the same videos;
// MMAR 2505.13032; Video-MME 2405.21075; Video-Holmes 2505.21374; WorldSense 2502.04326;
// Daily-Omni 2505.17862. Samples of MCIF (arXiv 2507.19634) are references; the transcript or
// translation of a talk is one: 21 talks, 100 abstracts, 220 questions.
var releases = map[string][]release{
	"mmau":           {{Name: "test-mini, v05.15.25", SHA256: "9f18fda99f8dbc2bc5ecd6323fb5063309f54969810b5c6f1caeb3b8d904cf1c", Samples: 1000, Boards: true}},
	"mmar":           {{Name: "released", Samples: 1000, Boards: true}},
	"video-mme":      {{Name: "released", Samples: 2700, Boards: true}},
	"video-holmes":   {{Name: "test", Samples: 1837, Boards: true}},
	"worldsense":     {{Name: "released", Samples: 3172, Boards: true}},
	"daily-omni":     {{Name: "released", Samples: 1197, Boards: true}},
	"omni-cloze":     {{Name: "released", Samples: 2320, Boards: true}},
	"video-salmonn2": {{Name: "released", SHA256: "15b0c2e67c165ae2a263e895cd5e8461d314a41e8463ce097fced411239e1d3e", Samples: 483, Boards: true}},
	"dream-1k":       {{Name: "released", SHA256: "f1d1e15c8568a7a30e32354bf9e9db18d16746c6b52b786452819eccbc7353b4", Samples: 1000, Boards: true}},
	"ugc-videocap":   {{Name: "released", SHA256: "29ebe413478752dcade4a2352a3c9fb6894109144307af177e543b9bc3c4c0a5", Samples: 999, Boards: true}},
	"m3-bench-web":   {{Name: "web", SHA256: "9af953751203471e00c360dbf4b6c072d5b0782ae89e26a60ea366f4d8f14e02", Samples: 920, Boards: true}},
	"vdc": {
		{Name: "detailed", SHA256: "f08bc3e97bcfb14fe9dd8d032c797066624b7b28e7239b0d4131486e5f83c982", Samples: 1027, Boards: true},
		{Name: "short", SHA256: "deaf83c8f5f55c9a8f515c2634cf49077bf42ebc1bbbd6b938bb99d5e5bec630", Samples: 1027},
		{Name: "background", SHA256: "3f83846114a9b384ea0b58f90589bcc32787ccdf90f182638bfe393711d8b85b", Samples: 1027},
		{Name: "camera", SHA256: "d6f346a6c56c84e8bd3e8e40bc3ea9c2039763eb9e4f607fa1c412b3f7a1ea33", Samples: 1027},
		{Name: "main_object", SHA256: "a38b4b951427af0f8b316566a115942f7e3d88d8ffdc52b2f41202c37aeed303", Samples: 1027},
	},
	"capricorn": {
		{Name: "CapRiCorn-1K", Part: map[string]string{"modality": "audio-visual"}, Samples: 1000, Boards: true},
		{Name: "CapRiCorn-1K-V", Part: map[string]string{"modality": "visual"}, Samples: 1000, Boards: true},
	},
	"mcif": {
		{Name: "1.0, long, with text", Part: map[string]string{"track": "long", "lang": "en", "filter": "text"}, Samples: 320, Boards: true}, // without transcripts
		{Name: "1.0, long", Part: map[string]string{"track": "long"}, Samples: 341, Boards: true},
		{Name: "1.0, short", Part: map[string]string{"track": "short"}, Samples: 241, Boards: true},
	},
}

// ReleaseOf is the release that a file is, by its SHA-256 in hex.
func ReleaseOf(benchmark, digest string) (r release, known bool) {
	for _, r := range releases[benchmark] {
		if r.SHA256 != "" && r.SHA256 == digest {
			return r, true
		}
	}
	return release{}, false
}

// BoardRelease returns the release on which the published scores of a part of a benchmark were
// computed. part may have more fields than the release. known is false without such a release.
func BoardRelease(benchmark string, part map[string]string) (r release, known bool) {
	for _, r := range releases[benchmark] {
		fits := r.Boards
		for name, value := range r.Part {
			fits = fits && part[name] == value
		}
		if fits {
			return r, true
		}
	}
	return release{}, false
}

// digestsKnown reports whether digests identify the releases of a benchmark.
func digestsKnown(benchmark string) bool {
	return len(releases[benchmark]) > 0 && releases[benchmark][0].SHA256 != ""
}

// A dataState compares the data of a run with the published data.
type dataState int

// The states.
const (
	UnknownData  dataState = iota // nothing is known here of the benchmark's published data
	ReleasedData                  // its digest is that of the release
	SizedData                     // no digest is known, and there are as many samples
	OtherData                     // another file, or another number of samples
)

// DataOf compares the data of a run with the published releases. of is the release of the run's file,
// or else the BoardRelease of its part. With OtherData, foreign names the other benchmark that released
// the file; "" = not known.
func DataOf(r *document.Results) (state dataState, of release, foreign string) {
	name := r.Benchmark.Name
	for _, digest := range r.Run.Inputs {
		if own, ok := ReleaseOf(name, digest); ok {
			return ReleasedData, own, ""
		}
		for other := range releases {
			if _, ok := ReleaseOf(other, digest); ok {
				foreign = other
			}
		}
	}
	of, known := BoardRelease(name, r.Data.Part)
	size := r.Data.Samples
	if size == 0 {
		size = r.Samples // an older document: the file may be larger
	}
	switch {
	case foreign != "":
		return OtherData, of, foreign
	case !known && len(releases[name]) == 0:
		return UnknownData, of, ""
	case known && !digestsKnown(name) && size == of.Samples:
		return SizedData, of, ""
	case !known && sizeOfAny(name, size):
		return SizedData, of, "" // it is not known which of the parts
	}
	return OtherData, of, ""
}

// sizeOfAny reports whether a part of a benchmark has so many samples.
func sizeOfAny(benchmark string, samples int) bool {
	for _, r := range releases[benchmark] {
		if r.Boards && r.SHA256 == "" && r.Samples == samples {
			return true
		}
	}
	return false
}

// isUnknown reports whether a file is not a release of a benchmark, if the digests of its releases are known.
func isUnknown(benchmark, digest string) bool {
	_, known := ReleaseOf(benchmark, digest)
	return digestsKnown(benchmark) && !known
}
