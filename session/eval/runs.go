package eval

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"omniscope/bench"
	"omniscope/internal/filename"
	"omniscope/session"
)

// A PlannedRun is one of the runs of a command: one judge on one system.
type PlannedRun struct {
	Spec *Spec
	Dir  string // of its results; "" = the usual one
}

// PlanRuns has every judge judge every system, which are files of predictions, repeat times; 0 is once. The
// results go to out, each run's to a folder there if there are several.
func PlanRuns(base *Spec, judges []*session.Role, systems []string, repeat int, out string) []*PlannedRun {
	var runs []*PlannedRun
	for _, judge := range judges {
		for _, system := range systems {
			s, dir := *base, out
			s.Predictions, s.Parts, s.Roles = system, nil, copyRoles(base.Roles)
			s.Roles[session.Judge] = judge
			if out != "" && len(judges)*len(systems) > 1 {
				dir = filepath.Join(out, filename.Safe(bench.SystemName(system)+"-"+judge.Model))
			}
			runs = append(runs, repeated(&s, repeat, dir)...)
		}
	}
	return runs
}

// repeated has the models of a run answer several times, each time with another seed.
func repeated(base *Spec, repeat int, dir string) (runs []*PlannedRun) {
	if repeat < 2 {
		base.Roles = copyRoles(base.Roles)
		return []*PlannedRun{{Spec: base, Dir: dir}}
	}
	for n := 1; n <= repeat; n++ {
		s := *base
		s.Roles, s.Repetition = copyRoles(base.Roles), n
		for _, role := range s.Roles {
			role.Repeat(n)
		}
		runs = append(runs, &PlannedRun{Spec: &s, Dir: filepath.Join(dir, fmt.Sprintf("repetition-%d", n))})
	}
	return runs
}

// copyRoles copies roles: each run notes in its own who answered.
func copyRoles(roles map[string]*session.Role) map[string]*session.Role {
	out := make(map[string]*session.Role, len(roles)+1)
	for name, r := range roles {
		role := *r
		out[name] = &role
	}
	return out
}

// CheckRuns checks the inputs of all runs, and the folders of results below out:
// nothing is spent on the first before the last is known to be right. "" = folders
// may hold anything.
func CheckRuns(ctx context.Context, runs []*PlannedRun, out string, o *Options) error {
	var ids, folders []string
	for _, r := range runs {
		id, err := r.check(ctx, o)
		if err == nil && out != "" {
			err = checkFolder(r.Dir, id)
		}
		if err != nil {
			return err
		}
		ids, folders = append(ids, id), append(folders, firstBelow(out, r.Dir))
	}
	if out == "" {
		return nil
	}
	return CheckTablesFolder(out, ids, append(folders, ownIn(out, o.Calls.WorkDir)...))
}

// firstBelow is the folder below out that dir is, or is in.
func firstBelow(out, dir string) string {
	below, err := filepath.Rel(out, dir)
	if err != nil {
		return filepath.Base(dir)
	}
	first, _, _ := strings.Cut(filepath.ToSlash(below), "/")
	return first
}

// check opens a run's inputs and closes them again. It returns the run's name.
func (r *PlannedRun) check(ctx context.Context, o *Options) (name string, err error) {
	e, err := Open(ctx, r.Spec, o)
	if err != nil {
		return "", err
	}
	return e.Name(), e.Close()
}
