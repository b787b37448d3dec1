package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"omniscope/internal/pyrepr"
	"omniscope/metric"
	"omniscope/record"
)

func newWER() *cobra.Command {
	var plain bool
	var name string
	cmd := &cobra.Command{
		Use:   "wer [--plain REF HYP]",
		Short: "Count word errors",
		Long: `Add to each line the word error rate of the hypotheses "hyps" against the references "refs", two
lists of strings of one length: "wer" (a fraction that may exceed 1), and the words it is made of,
"subs" (put in place of others), "dels" (left out), "ins" (too many) and "hits". Words are counted
over the whole list, as jiwer 3.0.5 does; the split into kinds is RapidFuzz's.

Where jiwer raises an exception (a reference without words, lists of different length) the line
gets "error", the exception in Python, and "message" in its place.

"refs" may also be as MCIF pools them: {"sample_ids": ["3", "4"], "reference": "..."}, with "hyps"
an object of hypotheses by id. Those of one reference are joined with a blank, after --normalize.

--normalize brings references and hypotheses into normal form first:

` + aboutSchemes + `
  by-lang        whisper-en for lines whose "lang" is "en", whisper-basic for others, as MCIF does

With --plain, REF and HYP are files of text that belong together line by line, and one line tells
the result of the whole.`,
		Example: `  echo '{"refs": ["so it goes"], "hyps": ["So it went."]}' | omniscope text wer --normalize whisper-en
  omniscope text wer --plain --normalize whisper-basic reference.de.txt hypothesis.de.txt`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFiles(cmd, plain, args, "REF", "HYP"); err != nil {
				return err
			}
			_, known := schemes[name]
			switch {
			case plain && name == byLang:
				return usagef("--plain has no languages: give --normalize whisper-en or whisper-basic")
			case !known && name != "" && name != byLang:
				return checkChoice("normalize", name, []string{"whisper-en", "whisper-basic", byLang})
			case plain:
				return werOfFiles(cmd.Context(), documentOut(cmd), args[0], args[1], schemes[name])
			}
			work := onRecords(func(r *record.Record) ([]record.Field, error) { return wordErrors(r, name) },
				"wer", "subs", "dels", "ins", "hits", "error", "message")
			return filterLines(cmd.Context(), "stdin", cmd.InOrStdin(), documentOut(cmd), work)
		},
	}
	cmd.Flags().StringVar(&name, "normalize", "", "normalise first: whisper-en, whisper-basic or by-lang")
	cmd.Flags().BoolVar(&plain, "plain", false, "compare two files of text, line by line")
	return cmd
}

// byLang is the choice of a scheme that MCIF makes.
const byLang = "by-lang"

func wordErrors(r *record.Record, name string) ([]record.Field, error) {
	normalize, err := schemeFor(r, name)
	if err != nil {
		return nil, err
	}
	refs, hyps, err := sentences(r, normalize)
	if err != nil {
		return nil, err
	}
	edits, err := metric.WER(refs, hyps)
	if err != nil {
		return nil, asRaised(err)
	}
	rate, ok := edits.Rate()
	if !ok {
		return nil, errors.New("the references have no words")
	}
	return []record.Field{
		record.Float("wer", rate),
		record.Count("subs", edits.Substitutions), record.Count("dels", edits.Deletions),
		record.Count("ins", edits.Insertions), record.Count("hits", edits.Hits),
	}, nil
}

// schemeFor returns nil where texts are compared as they are.
func schemeFor(r *record.Record, name string) (scheme, error) {
	if name != byLang {
		return schemes[name], nil
	}
	lang, err := r.Text("lang")
	if lang == "en" {
		return schemes["whisper-en"], err
	}
	return schemes["whisper-basic"], err
}

// sentences reads references and hypotheses in either form.
func sentences(r *record.Record, normalize scheme) (refs, hyps []string, err error) {
	all, err := r.Need("hyps")
	if err != nil {
		return nil, nil, err
	}
	if all.IsObject() {
		return pooled(r, normalize)
	}
	if refs, err = r.Texts("refs"); err != nil {
		return nil, nil, err
	}
	if hyps, err = r.Texts("hyps"); err != nil {
		return nil, nil, err
	}
	if err = normalizeAll(refs, normalize); err == nil {
		err = normalizeAll(hyps, normalize)
	}
	return refs, hyps, err
}

func normalizeAll(texts []string, normalize scheme) (err error) {
	for i, text := range texts {
		if texts[i], err = normalForms(text, normalize); err != nil {
			return err
		}
	}
	return nil
}

func normalForms(text string, normalize scheme) (string, error) {
	if normalize == nil {
		return text, nil
	}
	text, err := normalize(text)
	return text, asRaised(err)
}

// pooled reads references that own several hypotheses each.
func pooled(r *record.Record, normalize scheme) (refs, hyps []string, err error) {
	said, err := hypothesesByID(r)
	if err != nil {
		return nil, nil, err
	}
	list, err := r.Need("refs")
	if err != nil {
		return nil, nil, err
	}
	if !list.IsArray() {
		return nil, nil, record.WrongType(`"refs"`, list, "a list")
	}
	list.ForEach(func(_, item gjson.Result) bool {
		var ref, hyp string
		if ref, hyp, err = pool(fmt.Sprintf(`item %d of "refs"`, len(refs)+1), item, said, normalize); err != nil {
			return false
		}
		refs, hyps = append(refs, ref), append(hyps, hyp)
		return true
	})
	return refs, hyps, err
}

func hypothesesByID(r *record.Record) (map[string]string, error) {
	all, err := r.Need("hyps")
	if err != nil {
		return nil, err
	}
	said := make(map[string]string)
	all.ForEach(func(key, value gjson.Result) bool {
		var id string
		if id, err = record.TextOf(`an id of "hyps"`, key); err != nil {
			return false
		}
		if _, twice := said[id]; twice {
			err = record.Quoting(fmt.Errorf(`"hyps" has the id %q twice`, id), all.Raw)
			return false
		}
		said[id], err = record.TextOf(fmt.Sprintf(`%q of "hyps"`, id), value)
		return err == nil
	})
	return said, err
}

// pool returns a reference and the hypotheses that belong to it, joined.
func pool(what string, item gjson.Result, said map[string]string, normalize scheme) (ref, hyp string, err error) {
	if !item.IsObject() {
		return "", "", record.WrongType(what, item, `an object with "sample_ids" and "reference", as "hyps" is an object`)
	}
	r, err := record.Read(item.Raw)
	if err != nil {
		return "", "", err
	}
	ids, err := r.Texts("sample_ids")
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", what, err)
	}
	if ref, err = r.Text("reference"); err != nil {
		return "", "", fmt.Errorf("%s: %w", what, err)
	}
	parts := make([]string, len(ids))
	for i, id := range ids {
		text, ok := said[id]
		if !ok {
			return "", "", raised{class: "KeyError", message: string(pyrepr.AppendString(nil, id))}
		}
		if parts[i], err = normalForms(text, normalize); err != nil {
			return "", "", err
		}
	}
	ref, err = normalForms(ref, normalize)
	return ref, strings.Join(parts, " "), err
}
