package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/people"
	"omniscope/people/pg"
	"omniscope/people/sqlite"
)

// A peoplePlace is where a project of people's work is: a folder, or a name in a database.
type peoplePlace struct {
	Journal string
}

func (l *peoplePlace) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&l.Journal, "journal", "", "database of the project, such as postgres://user@host/database; PROJECT is its name there\n(default: PROJECT is a folder)")
}

// open opens a project for writing.
func (l *peoplePlace) open(ctx context.Context, project string) (*people.Workplace, error) {
	return l.with(ctx, project, l.log)
}

// look opens a project while another process may write to it. Nothing can be saved.
func (l *peoplePlace) look(ctx context.Context, project string) (*people.Workplace, error) {
	return l.with(ctx, project, func(ctx context.Context, project string) (people.Log, error) {
		if err := l.check(); err != nil {
			return nil, err
		}
		if l.Journal != "" {
			return pg.OpenToRead(ctx, l.Journal, project)
		}
		return sqlite.OpenToRead(project)
	})
}

func (l *peoplePlace) with(ctx context.Context, project string, open func(context.Context, string) (people.Log, error)) (*people.Workplace, error) {
	log, err := open(ctx, project)
	if err != nil {
		return nil, err
	}
	w, err := people.Open(ctx, log, peopleKindOf)
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	return w, nil
}

// log opens the log of a project that is there.
func (l *peoplePlace) log(ctx context.Context, project string) (people.Log, error) {
	there, err := l.exists(ctx, project)
	if err != nil {
		return nil, err
	}
	if !there {
		return nil, omniscope.NotFoundf("%s holds no project: make one with `omniscope people new`", project)
	}
	return l.create(ctx, project)
}

func (l *peoplePlace) exists(ctx context.Context, project string) (bool, error) {
	if err := l.check(); err != nil {
		return false, err
	}
	if l.Journal == "" {
		return sqlite.Exists(project), nil
	}
	names, err := pg.Projects(ctx, l.Journal)
	return slices.Contains(names, project), err
}

// check refuses a --journal that is no database.
func (l *peoplePlace) check() error {
	if l.Journal == "" || strings.HasPrefix(l.Journal, "postgres://") || strings.HasPrefix(l.Journal, "postgresql://") {
		return nil
	}
	return omniscope.Usagef("--journal %s: projects of people's work are in a folder, which PROJECT names, or in a database, postgres://user@host/database", l.Journal)
}

// create opens the log of a project, and makes it if it is not there.
func (l *peoplePlace) create(ctx context.Context, project string) (people.Log, error) {
	if l.Journal != "" {
		return pg.Open(ctx, l.Journal, project)
	}
	return sqlite.Open(project)
}

// begin makes a project of a plan, with an owner, and returns the secret of the owner's link. What
// could not be made to its end is removed from a folder.
func (l *peoplePlace) begin(ctx context.Context, project string, p *people.Plan, owner string) (link string, err error) {
	there, err := l.exists(ctx, project)
	if err != nil {
		return "", err
	}
	if there {
		return "", omniscope.Usagef("there is a project %s already: give another name", project)
	}
	if err := l.clearWay(project); err != nil {
		return "", err
	}
	log, err := l.create(ctx, project)
	if err != nil {
		return "", err
	}
	if err := people.Begin(ctx, log, p); err != nil {
		err = errors.Join(err, log.Close())
		if l.Journal == "" {
			err = errors.Join(err, removeProject(project))
		}
		return "", err
	}
	w, err := people.Open(ctx, log, peopleKindOf)
	if err != nil {
		return "", errors.Join(err, log.Close())
	}
	link, err = w.Invite(ctx, owner, owner, people.Owner)
	return link, errors.Join(err, w.Close())
}

// clearWay refuses a folder that cannot be one, since a file has its name or that of a folder above it.
func (l *peoplePlace) clearWay(project string) error {
	if l.Journal != "" {
		return nil
	}
	for at := filepath.Clean(project); ; at = filepath.Dir(at) {
		switch info, err := os.Stat(at); {
		case err == nil && !info.IsDir():
			return omniscope.Usagef("%s is a file, and a project is a folder: give another name", at)
		case err == nil || at == filepath.Dir(at):
			return nil
		}
	}
}

// removeProject removes the files of a project that was not made to its end.
func removeProject(folder string) (err error) {
	for _, name := range []string{"people.db", "people.db-wal", "people.db-shm", "people.lock"} {
		if e := os.Remove(filepath.Join(folder, name)); e != nil && !os.IsNotExist(e) {
			err = errors.Join(err, e)
		}
	}
	return err
}
