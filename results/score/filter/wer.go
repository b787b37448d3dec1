package filter

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/internal/pyrepr"
	"omniscope/internal/rows"
	"omniscope/metric"
	"omniscope/metric/textnorm"
)

// ByLanguage names the choice of a scheme that MCIF makes: by the line's "lang".
const ByLanguage = "by-lang"

// WordErrors adds to each line of JSON Lines the word errors of "hyps" against
// "refs". scheme is one of textnorm.Schemes, by which both are normalised first,
// or ByLanguage; "" compares them as they are. empty is what references without
// words count as, a rule of metric.WordErrors; "" is an error, as for jiwer 3.0.5.
func WordErrors(scheme, empty string) Work {
	return onRecords(func(r *rows.Record) ([]rows.Field, error) { return wordErrors(r, scheme, empty) },
		"wer", "subs", "dels", "ins", "hits", "empty_refs", "error", "message")
}

func wordErrors(r *rows.Record, name, empty string) ([]rows.Field, error) {
	normalize, err := schemeFor(r, name)
	if err != nil {
		return nil, err
	}
	refs, hyps, err := sentences(r, normalize)
	if err != nil {
		return nil, err
	}
	edits, none, err := metric.WordErrors(refs, hyps, empty)
	if err != nil {
		return nil, asRaised(err)
	}
	wer := rows.Field{Name: "wer", JSON: "null"}
	switch rate, ok := edits.Rate(); {
	case ok:
		wer = rows.Float("wer", rate)
	case empty == "":
		return nil, errors.New("the references have no words")
	}
	fields := []rows.Field{
		wer,
		rows.Count("subs", edits.Substitutions), rows.Count("dels", edits.Deletions),
		rows.Count("ins", edits.Insertions), rows.Count("hits", edits.Hits),
	}
	if empty != "" {
		fields = append(fields, rows.Count("empty_refs", none))
	}
	return fields, nil
}

// schemeFor returns nil where texts are compared as they are.
func schemeFor(r *rows.Record, name string) (textnorm.Scheme, error) {
	if name != ByLanguage {
		return textnorm.Schemes[name], nil
	}
	lang, err := r.Text("lang")
	return textnorm.Schemes[textnorm.SchemeFor(lang)], err
}

// sentences reads references and hypotheses in either form.
func sentences(r *rows.Record, normalize textnorm.Scheme) (refs, hyps []string, err error) {
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

func normalizeAll(texts []string, normalize textnorm.Scheme) (err error) {
	for i, text := range texts {
		if texts[i], err = normalForms(text, normalize); err != nil {
			return err
		}
	}
	return nil
}

func normalForms(text string, normalize textnorm.Scheme) (string, error) {
	if normalize == nil {
		return text, nil
	}
	text, err := normalize(text)
	return text, asRaised(err)
}

// pooled reads references that own several hypotheses each.
func pooled(r *rows.Record, normalize textnorm.Scheme) (refs, hyps []string, err error) {
	said, err := hypothesesByID(r)
	if err != nil {
		return nil, nil, err
	}
	list, err := r.Need("refs")
	if err != nil {
		return nil, nil, err
	}
	if !list.IsArray() {
		return nil, nil, rows.WrongType(`"refs"`, list, "a list")
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

func hypothesesByID(r *rows.Record) (map[string]string, error) {
	all, err := r.Need("hyps")
	if err != nil {
		return nil, err
	}
	said := make(map[string]string)
	all.ForEach(func(key, value gjson.Result) bool {
		var id string
		if id, err = rows.TextOf(`an id of "hyps"`, key); err != nil {
			return false
		}
		if _, twice := said[id]; twice {
			err = rows.Quoting(fmt.Errorf(`"hyps" has the id %q twice`, id), all.Raw)
			return false
		}
		said[id], err = rows.TextOf(fmt.Sprintf(`%q of "hyps"`, id), value)
		return err == nil
	})
	return said, err
}

// pool returns a reference and the hypotheses that belong to it, joined.
func pool(what string, item gjson.Result, said map[string]string, normalize textnorm.Scheme) (ref, hyp string, err error) {
	if !item.IsObject() {
		return "", "", rows.WrongType(what, item, `an object with "sample_ids" and "reference", as "hyps" is an object`)
	}
	r, err := rows.ParseRecord(item.Raw)
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
