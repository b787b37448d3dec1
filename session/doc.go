// Package session does runs. A run is described by plain data, so that any machine can do it.
//
//   - A Task describes a run: benchmark, files, models. Its JSON is the run's manifest, so that any machine can open the same run.
//   - Units are an opened Task. Inputs are read and checked, and nothing is asked yet. A unit, such as a sample
//     or a clip, can be done by any process, in any order, and again.
//   - A Plan describes the Units: their number, the models that they ask, and what the journal keeps.
//   - A Machine has the settings of this process: Calls (limits, budgets, working folder, journal), addresses, the folder of results
//     and the writer for warnings. It does not shape answers. Its zero value, and nil, do as the commands without flags.
//
// Run opens a Task, has the place of the results taken (Claim), opens the journal, connects the models to it, does the Units by
// an engine of package run, and writes the results. Every answer is in the journal before it counts, so that an interrupted run
// goes on where it stopped and pays for nothing twice. The journals themselves are in package session/journals: a program that
// asks no model does not import it, and links no database.
//
// The kinds of runs are packages of their own: session/eval scores answers on benchmarks, session/predict asks a model about
// datasets or clips, session/caption describes clips with tools and observers, session/probe finds out what an endpoint perceives,
// and session/rows asks a model texts of the caller's own. Each has a Spec, which is a Task, and a function that returns the results:
//
//	func main() {
//		spec := &eval.Spec{Benchmark: "omni-cloze", Predictions: "captions.jsonl", Judge: "openai/gpt-4o-mini"}
//		m := &session.Machine{Calls: &session.Calls{Journals: journals.All, MaxCost: 5}}
//		results, err := eval.Score(context.Background(), spec, m)
//		if err != nil {
//			log.Fatal(err)
//		}
//		score, _ := results.Score("score")
//		fmt.Println(score)
//	}
package session
