package layers

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// A rule says what one of our packages may import of ours. Packages are named
// by their folder, "." is the root, and "bench/*" stands for each folder below
// bench that has no rule of its own. Test files are not bound.
type rule struct {
	pkg string
	may []string
	why string // what the package is, and so what it must not know
}

// plain are the leaves under internal/ that any package may use.
const plain = "internal leaf"

var rules = []rule{
	{".", nil, "the root holds the words everybody shares; it does no I/O and needs the standard library only"},
	{"stats", []string{"."}, "stats sees numbers only"},
	{"media", []string{".", plain}, "media opens files; who looks at them is not its business"},
	{"media/cache", []string{".", "media", plain}, "the cache keeps what media extracts; who asks for it is not its business"},
	{"perceive", []string{".", "media", plain}, "perceive says what tools are; what they see is theirs, who asks them is detective's"},
	{"perceive/*", []string{".", "media", "model", "perceive", plain}, "a tool looks at media; it knows no other tool and nobody who asks"},
	{"perceive/mcp", []string{".", "media", "model", "perceive", "perceive/program", plain}, "tools of a server; answers have the form of other tools that users bring"},
	{"perceive/speech", []string{".", "media", "perceive/asr", plain}, "an engine of asr: it knows what asr wants and nothing else"},
	{"production", []string{".", "bench", "detective", "media", "run", "stats", plain}, "it keeps captions of lists; how a clip is opened and asked about is session's business"},
	{"curate", []string{".", plain}, "it keeps what the steps of a project wrote; the steps are commands, which it does not know"},
	{"curate/cloze", []string{".", "bench", "detective", "judge", "model", plain}, "it makes and checks drafts; how calls are made and remembered is session's business, people's verdicts people/cloze's"},
	{"curate/mcif", []string{".", "media/pdac", "media", plain}, "it builds files from tables and media; who writes the tables, and who is scored on the set, is not its business"},
	{"train", []string{".", plain}, "it says what a trainer's row is; where captions and media come from is in the packages below it"},
	{"train/clip", []string{".", "media", plain}, "it measures files; what counts as wrong is its users' business"},
	{"train/tokens", []string{"media"}, "it counts by the rules of processors"},
	{"train/check", []string{".", "bench", "train", "train/clip", "train/tokens", plain}, "it looks at rows and media that are there; who made them is not its business"},
	{"train/dataset", []string{".", "curate/release", "detective", "media", "production", "report", "train", "train/clip", plain}, "it makes data sets of captions that are there; who wrote them, and who trains, is not its business"},
	{"curate/questions", []string{".", "bench", "detective", "judge", "model", "report", "stats", plain}, "it makes and checks drafts; how calls are made and remembered is session's business, what people say of questions people/mcif's"},
	{"curate/release", []string{".", "bench", "record", plain}, "it publishes rows as they are; who made, checked and scores them is not its business"},
	{"train/recipe", []string{".", "train", plain}, "it writes and reads settings of trainers; rows and checkpoints are not its business"},
	{"train/verify", []string{".", "metric/neural/weights", "train", plain}, "it compares tensors; which settings made them is not its business"},
	{"detective", []string{".", "judge", "media", "model", "perceive", "run", "stats", plain}, "a detective asks tools and models; it does not know which there are"},
	{"run", []string{"."}, "run does jobs and remembers calls; it knows nothing of models, captions and scores"},
	{"run/*", []string{".", "run"}, "an engine runs jobs, whatever they are"},
	{"store", []string{".", "run", "internal/spelling"}, "a journal keeps calls as bytes; it does not read them"},
	{"store/*", []string{".", "run", "store"}, "one place where a journal can lie; it knows no other"},
	{"run/journal/pg", []string{".", "internal/pgtext", "run", "store"}, "one place where a journal can lie; it knows no other"},
	{"internal/testing/journaltest", []string{".", "run", "store"}, "a suite knows no store of its own"},
	{"model", []string{".", plain}, "model is the interface; adapters and wrappers import it, never the other way"},
	{"model/exchange", []string{".", "model", plain}, "an exchange with a server is the same for all protocols; what is said is the adapters' business"},
	{"model/*", []string{".", "model", "model/exchange", plain}, "an adapter talks to one kind of endpoint; retries, budgets and memory are in model/wrap"},
	{"model/wrap", []string{".", "model", "run", plain}, "wrappers know model.Model and run.Journal, no adapter and no store"},
	{"judge", []string{".", "model", plain}, "judge asks and reads; what is asked belongs to the benchmark"},
	{"model/judge/letters", []string{plain}, "the readers of letters work on strings"},
	{"model/judge/lexical", nil, "the lexical reader works on strings"},
	{"metric", []string{".", "stats", plain}, "a metric is arithmetic on counts; it asks no model and reads no file"},
	{"metric/ngram", []string{".", plain}, "BLEU and chrF count n-grams of strings"},
	{"metric/remember", []string{".", "run"}, "it keeps scores in a journal; which metric and which network made them is not its business"},
	{"metric/neural", []string{".", "metric/neural/*", plain}, "BERTScore and COMET open model folders; who downloads those, and what is scored, is not their business"},
	{"metric/neural/isa", nil, "which instructions there are"},
	{"metric/neural/gemm", []string{"metric/neural/isa"}, "products of matrices of numbers"},
	{"metric/neural/vec", []string{"metric/neural/isa"}, "functions of rows of numbers"},
	{"metric/neural/weights", []string{".", "internal/diskspace"}, "weights reads tensors from files; what they mean is encoder's business"},
	{"metric/neural/tokenizer", []string{".", plain}, "a tokenizer knows a vocabulary and no network"},
	{"metric/neural/encoder", []string{".", "internal/parallel", "metric/neural/gemm", "metric/neural/isa", "metric/neural/vec"}, "an encoder turns ids into vectors; it reads no file of weights, knows no text and no score"},
	{"metric/neural/models", []string{".", "metric/neural/encoder", "metric/neural/tokenizer", "metric/neural/weights", plain}, "models gets and checks model folders; it computes no score"},
	{"metric/neural/installed", []string{".", "metric/neural", "metric/neural/isa", "metric/neural/models", "metric/remember", plain}, "it opens what is installed on this machine; what is scored by it is its users' business"},
	{"bench", []string{".", "judge", "metric", "model", "model/wrap", "perceive", "run", "stats", plain}, "bench scores any benchmark through interfaces; which journal, engine or endpoint is decided in session"},
	{"bench/*", []string{".", "bench", "judge", "bench/captions", "bench/choice", "model/judge/lexical", "model/judge/letters", "metric", "model", plain}, "a benchmark knows its files and protocol; it does not know how calls are made, remembered or reported"},
	{"bench/claims", []string{".", "bench", "detective", "metric", "model", "perceive", "plant", "run", plain}, "it counts what detective's audit says of claims; which observers there are, and how calls are made, is session's business"},
	{"internal/testing/choicetest", []string{".", "bench", "internal/testing/benchtest", "internal/testing/captionstest", "bench/choice", "run/local"}, "it scores any multiple-choice benchmark; it knows none of them"},
	{"internal/testing/captionstest", []string{".", "bench", "internal/testing/benchtest", "judge", "model", "model/wrap", "run", "run/*"}, "it scores any benchmark of captions; it knows none of them"},
	{"internal/testing/benchtest", []string{".", "bench", "judge", "metric", "model", "model/scripted", "run", "run/local", plain}, "a suite runs any benchmark; it knows none of them"},
	{"record", []string{".", "bench", plain}, "record reads and writes fields of single lines; what they mean is its users' business"},
	{"results/score/networks", []string{".", "metric", "metric/neural", "metric/neural/installed", "run", "score", plain}, "the measures of score that need a network; they print nothing"},
	{"score", []string{".", "bench", "metric", "record", "stats", plain}, "score compares columns of texts by any measure; which measures there are, and how results are shown, is its users' business"},
	{"results/score/measures", []string{".", "metric", "metric/ngram", "record", "score", plain}, "measures of texts that need no network; they print nothing"},
	{"plant", nil, "it changes texts"},
	{"media/pdac", []string{".", plain}, "it divides frames and writes lists of segments; where probabilities come from, and the media, are not its business"},
	{"curate/segment", []string{".", "bench", "media/pdac", "media", "record", plain}, "it cuts the talks of a folder; which detectors there are is its users' business"},
	{"textfilter", []string{".", "media/pdac", "model/judge/letters", "metric", "plant", "record", plain}, "it adds results to lines, one by one; files that are scored as wholes are score's business"},
	{"report", []string{".", "metric", "stats", plain}, "a report prints a results document, whoever made it"},
	{"results", []string{".", "bench", "predict", plain}, "results reads what runs wrote; what it tells is its users' business"},
	{"export", []string{".", "bench", "results", plain}, "export makes tables of lines that runs wrote; what they mean is their readers' business"},
	{"diff", []string{".", "bench", "predict", "results", plain}, "diff looks at what two runs wrote; it asks nothing and prints nothing"},
	{"compare", []string{".", "bench", "metric", "results", "stats", plain}, "compare makes tables of what runs wrote; it scores nothing and prints nothing"},
	{"media/proxy", []string{".", "media", plain}, "it makes files of media for pages; who shows them is not its business"},
	{"people", []string{".", "bench", plain}, "people keeps what people do; it knows no kind of work, no page and no place where logs lie"},
	{"people/match", nil, "it compares texts and times"},
	{"people/demo", []string{".", "bench/demo/clips", "media"}, "it writes files of small projects; what people do with them is the kinds' business"},
	{"people/*", []string{".", "bench", "media", "metric", "people", "people/agreement", "people/match", "report", "results", "stats", plain}, "a kind of people's work, or a place where its log lies; it knows no other, and no page"},
	{"people/judge", []string{".", "bench", "judge", "model", "people", "people/sqlite", "stats", plain}, "it answers as a model does with what people said; who asks is not its business"},
	{"internal/testing/logtest", []string{".", "people"}, "a suite knows no log of its own"},
	{"internal/testing/peopletest", []string{".", "people", "people/sqlite"}, "it makes projects for tests of any kind of work"},
	{"demo", []string{".", "bench/demo/clips", plain}, "it writes files to try things with; who reads them is not its business"},
	{"bench/demo/clips", []string{"media", plain}, "it makes films"},
	{"harness", []string{".", "bench", "model/judge/letters", plain}, "harness keeps answers of others' logs apart from what is none; which harnesses there are is catalog's list, scores are bench's"},
	{"harness/*", []string{".", "bench", "harness", plain}, "one harness reads its own logs; it knows no other, and not what the answers are worth"},
	{"internal/testing/harnesstest", []string{"."}, "it writes logs for tests"},
	{"catalog", []string{".", "bench", "bench/*", "harness", "harness/*", "judge", "metric", "model", "model/*", "people", "people/*", "perceive", "perceive/*", "predict", plain}, "the catalog lists what there is; it wires nothing"},
	{"predict", []string{".", "judge", "media", "media/cache", "model", plain}, "it asks a model about samples; which model, where the samples come from and what the answers are worth is its users' business"},
	{"leaderboard", []string{".", "bench", "compare", "metric", "stats", plain}, "a leaderboard lists what was published and what runs wrote; it prints nothing"},
	{"correlate", []string{".", "bench", "metric", "results", "stats", plain}, "correlate sets values of systems against each other, wherever they come from; it prints nothing"},
	{"cite", []string{".", "bench", "compare", "report", plain}, "cite writes scores as people quote them; which runs there are, and where the text goes, is its users' business"},
	{"push", []string{".", "bench", "export", "report", "results", plain}, "push says what of runs leaves this machine, and has it leave; what the files mean is their writers' business"},
	{"curve", []string{".", "bench", "compare", "metric", "predict", "results", "stats", plain}, "curve shows what runs came to over what their samples are like; it prints nothing"},
	{"reconstruct", []string{".", "bench", "correlate", "media", "people/rating", "production", "run", "stats", plain}, "it plans, orders and checks videos of captions; who makes them is the packages' below, where a generator is asked is its user's"},
	{"reconstruct/*", []string{".", "model", "model/exchange", "model/openai", "reconstruct", plain}, "one kind of generator of videos; it knows no other, and not what videos are for"},
	{"suite", []string{".", "compare", "metric", "predict", plain}, "a suite says which runs there are and makes tables of what came of them; it does none"},
	{"bench/predict/probe", []string{".", "media", "predict", plain}, "a trial makes a clip, asks by predict and reads the answer; which endpoint is asked is session's business"},
	{"session", []string{".", "bench", "catalog", "detective", "harness", "judge", "media", "media/cache", "metric", "metric/neural", "metric/neural/installed", "metric/remember", "model", "model/*", "perceive", "perceive/*", "predict", "bench/predict/probe", "production", "report", "results", "run", "run/local", "store", "store/*", plain}, "a session does a run from its Spec; it parses no flag and prints nothing but warnings"},
	{"fleet", []string{".", "media", "metric/neural/installed", "run", "run/local", "run/river", "session", "store", "run/journal/pg", plain}, "a fleet does the work that session opens; what a run is, is session's business"},
	{"web", []string{".", plain}, "web serves pages to a browser; what they show is in the packages below it"},
	{"web/view", []string{".", "bench", "compare", "detective", "diff", "media", "metric", "model/wrap", "predict", "report", "results", "store", "run/journal/sqlite", "web", plain}, "the viewer shows what runs wrote; it changes nothing and asks nobody"},
	{"web/mcp", []string{".", "detective", "judge", "media", "perceive", "run", plain}, "it answers agents; which tools and models there are is session's business"},
	{"web/annotate", []string{".", "media/proxy", "people", "web", plain}, "pages of people's work; what is asked and what counts is decided in people"},
	{"curate/collect", []string{".", "bench", "curate/fingerprint", "media", "perceive/ocr", "report", plain}, "it chooses clips by what is measured of files; what is asked about them is others' business"},
	{"train/contamination", []string{".", "bench", "curate/fingerprint", "media", "production", "report", plain}, "it compares clips with test media; how copies are recognised, and what is trained on, is not its business"},
	{"curate/fingerprint", []string{".", "media", plain}, "it compares files of media; what a copy means is its users' business"},
	{"doctor", []string{".", "catalog", "media", "metric/neural/models", "perceive/*", "session", "store", "run/journal/sqlite", plain}, "doctor looks at this machine as a session would use it; it changes nothing"},
	{"cmd/*", []string{"anything"}, "commands wire everything"},
	{"internal/*", []string{".", plain}, "what lies under internal/ serves its users and knows none of them"},
}

// tools are for development: they may import what they need, and nothing that
// is shipped may import them.
var tools = []string{"internal/testing/browser", "internal/testing/built", "internal/testing/capgen", "internal/testing/captioncheck", "internal/testing/clozegen", "internal/testing/crash", "internal/testing/deploycheck", "internal/testing/docscheck", "internal/tools/drive", "internal/testing/golden", "internal/testing/layers", "internal/testing/mediaserver", "internal/tools/mediatable", "internal/tools/module", "internal/testing/mockgemini", "internal/testing/mockhub", "internal/testing/mockllm", "internal/testing/mockvideos", "internal/tools/neuraldrive", "internal/tools/neuralgen", "internal/testing/pgtest", "internal/tools/scalesim", "internal/testing/toy", "internal/tools/gemmgen", "internal/tools/vecgen"}

// suites are test code in packages of their own, so that every implementation
// can run them. Only tests may import them.
var suites = []string{"internal/testing/benchtest", "internal/testing/captionstest", "internal/testing/choicetest", "internal/testing/harnesstest", "internal/testing/foreign", "internal/testing/modeltest", "internal/testing/logtest", "internal/testing/peopletest", "internal/testing/runtest"}

func TestSuitesOnlyInTests(t *testing.T) {
	for _, f := range sources(t) {
		for _, i := range f.imports {
			if s := strings.TrimPrefix(i.path, modulePath+"/"); !f.test && !slices.Contains(suites, f.pkg) && slices.Contains(suites, s) {
				t.Errorf("%s:%d: package %s imports the suite %s, which would put test code into the program: import it in a _test.go file", f.path, i.line, f.pkg, s)
			}
		}
	}
}

func TestImportsGoDown(t *testing.T) {
	for _, f := range sources(t) {
		if f.test || isTool(f.pkg) {
			continue
		}
		r, ok := ruleOf(f.pkg)
		if !ok {
			t.Errorf("%s: package %s has no rule: give it a line in internal/testing/layers/layers_test.go that says what it may import, and one in docs/architecture.md", f.path, f.pkg)
			continue
		}
		for _, i := range f.imports {
			ours, ok := strings.CutPrefix(i.path+"/", modulePath+"/")
			if !ok {
				continue
			}
			if ours = strings.TrimSuffix(ours, "/"); ours == "" {
				ours = "."
			}
			if !r.allows(ours) {
				t.Errorf("%s:%d: package %s must not import %q. Remove it: %s. It may import: %s. What two packages share belongs in the root, and session wires them.",
					f.path, i.line, f.pkg, i.path, r.why, list(r.may))
			}
		}
	}
}

func TestRootImportsStandardLibraryOnly(t *testing.T) {
	for _, f := range sources(t) {
		for _, i := range f.imports {
			if f.pkg == "." && !f.test && !isStandard(i.path) {
				t.Errorf("%s:%d: the root imports %q: everybody imports the root, so this would be everybody's dependency; move what needs it to a package of its own", f.path, i.line, i.path)
			}
		}
	}
}

// owners are the only packages that may import a library, so that it can be
// exchanged in one place.
var owners = map[string]string{
	"github.com/chromedp/chromedp": "internal/testing/browser",
	"github.com/jackc/pgx":         "run/journal/pg people/pg run/river internal/testing/pgtest",
	"github.com/riverqueue":        "run/river",
	"github.com/spf13/cobra":       "cmd/omniscope",
	"modernc.org/sqlite":           "run/journal/sqlite people/sqlite",
}

func TestLibraryOwners(t *testing.T) {
	for _, f := range sources(t) {
		for _, i := range f.imports {
			for library, owner := range owners {
				if strings.HasPrefix(i.path+"/", library+"/") && !slices.Contains(strings.Fields(owner), f.pkg) && !f.test {
					t.Errorf("%s:%d: package %s imports %q, which only %s may: use that package instead", f.path, i.line, f.pkg, i.path, owner)
				}
			}
		}
	}
}

func TestPackageNames(t *testing.T) {
	vague := []string{"util", "utils", "common", "helper", "helpers", "types", "base", "misc", "shared"}
	for _, f := range sources(t) {
		for _, name := range []string{f.name, path.Base(f.pkg)} {
			if slices.Contains(vague, strings.TrimSuffix(name, "_test")) {
				t.Errorf("%s: a package called %q says nothing of what is in it: name it after what it computes or adapts", f.path, name)
			}
		}
	}
}

func TestNoInitFunctions(t *testing.T) {
	for _, f := range sources(t) {
		if f.init > 0 && !f.test {
			t.Errorf("%s:%d: func init runs wherever the package is imported: list things explicitly, as package catalog does, or start them in main", f.path, f.init)
		}
	}
}

func TestFileLengths(t *testing.T) {
	const most = 600
	for _, f := range sources(t) {
		if f.lines > most && !strings.HasSuffix(f.path, "_templ.go") { // those are made of templates
			t.Errorf("%s has %d lines, more than %d: it holds more than one idea", f.path, f.lines, most)
		}
	}
}

func TestRulesInUse(t *testing.T) {
	for i, r := range rules {
		if slices.ContainsFunc(rules[:i], func(before rule) bool { return before.pkg == r.pkg }) {
			t.Errorf("%s has two rules: make them one", r.pkg)
		}
		if !slices.ContainsFunc(sources(t), func(f file) bool { return matches(r.pkg, f.pkg) }) {
			t.Errorf("no package fits the rule for %s: remove it", r.pkg)
		}
	}
}

func TestRulesCatchViolations(t *testing.T) {
	for _, c := range []struct {
		pkg, imports string
		want         bool
	}{
		{"bench/omnicloze", "model/judge/lexical", true},
		{"bench/omnicloze", "internal/jsonfast", true},
		{"bench/omnicloze", "internal/testing/mockllm", false},
		{"bench/omnicloze", "store", false},
		{"bench/omnicloze", "bench/other", false},
		{"bench", "bench/omnicloze", false},
		{"model/openai", "model/wrap", false},
		{"model/wrap", "store", false},
		{"store", "model", false},
		{"stats", "metric", false},
		{"run/local", "run", true},
		{"run", "run/local", false},
		{"catalog", "bench/omnicloze", true},
		{"internal/jsonfast", "judge", false},
		{"cmd/omniscope", "store", true},
		{"cmd/omniscope", "internal/testing/mockllm", false},
	} {
		r, ok := ruleOf(c.pkg)
		if got := ok && r.allows(c.imports); got != c.want {
			t.Errorf("%s may import %s: %t, want %t", c.pkg, c.imports, got, c.want)
		}
	}
}

// ruleOf returns the rule for a package, its own before one for a folder.
func ruleOf(pkg string) (rule, bool) {
	for _, exact := range []bool{true, false} {
		for _, r := range rules {
			if exact && r.pkg == pkg || !exact && r.pkg != pkg && matches(r.pkg, pkg) {
				return r, true
			}
		}
	}
	return rule{}, false
}

func (r rule) allows(pkg string) bool {
	if isTool(pkg) {
		return false
	}
	return slices.ContainsFunc(r.may, func(pattern string) bool {
		switch pattern {
		case "anything":
			return true
		case plain:
			return strings.HasPrefix(pkg, "internal/")
		}
		return matches(pattern, pkg)
	})
}

// matches reports whether pattern is pkg, or DIR/* with pkg below DIR.
func matches(pattern, pkg string) bool {
	dir, below := strings.CutSuffix(pattern, "/*")
	if below {
		return strings.HasPrefix(pkg, dir+"/")
	}
	return pattern == pkg
}

func isTool(pkg string) bool {
	return slices.ContainsFunc(tools, func(tool string) bool { return pkg == tool || strings.HasPrefix(pkg, tool+"/") })
}

func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".") && first != modulePath
}

func list(may []string) string {
	if len(may) == 0 {
		return "nothing of ours"
	}
	return strings.NewReplacer(plain, "leaves under internal/").Replace(strings.Join(may, ", "))
}
