package models

import (
	"context"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/hub"
)

// Get downloads a known model's files into the hub's cache and makes its folder
// of them: safetensors as second names for the cache's bytes where the system
// can, weights of torch converted once. A folder that is whole and made of the
// same files is left as it is; one that is whole is also good enough, with a
// warning, where the hub cannot be asked.
//
// What was received before a failure or the end of ctx stays in the cache.
// Errors are of the kinds of hub.Client.File, or Invalid: the files are not
// what the model needs.
func Get(ctx context.Context, client *hub.Client, root, name string, o Options) (modelFolder, error) {
	m, err := known(name)
	if err != nil {
		return modelFolder{}, err
	}
	there, missing := Find(root, name)
	f := newFetcher(client, m, o)
	parts, err := f.all(ctx)
	if err != nil {
		if missing == nil && ctx.Err() == nil && omniscope.KindOf(err) != omniscope.Usage {
			there.Warnings = []string{"whether the hub has another version of " + name + " is not known: " + err.Error()}
			return there, nil
		}
		return modelFolder{}, err
	}
	if missing == nil {
		same, err := there.madeOf(ctx, parts, o)
		if err != nil || same {
			there.Warnings = f.warnings
			return there, err
		}
	}
	b := &maker{Options: o, root: root, model: m, from: f.page()}
	made, err := b.build(ctx, parts)
	made.Warnings = f.warnings
	return made, err
}

// A fetcher downloads the files of one model.
type fetcher struct {
	client   hub.Client
	model    model
	pins     map[string]hub.Repo // the first repository and commit that answered, by source.repos[0]
	warnings []string
}

func newFetcher(client *hub.Client, m model, o Options) *fetcher {
	f := &fetcher{client: *client, model: m, pins: make(map[string]hub.Repo)}
	f.client.ByHand = "put it into a folder with the model's other files (" + strings.Join(m.Files(), ", ") + ") and run `omniscope data import FOLDER --as " + m.Name + "`"
	f.client.Progress = func(file string, done, total int64) { o.tell("download "+file, done, total) }
	return f
}

// page is where people find the weights.
func (f *fetcher) page() string {
	const file = "config.json"
	return strings.TrimSuffix(f.client.URL(hub.Repo{Kind: "model", Name: f.model.Repo()}, file), "/resolve/main/"+file)
}

func (f *fetcher) all(ctx context.Context) ([]part, error) {
	var parts []part
	for _, s := range f.model.sources {
		p, err := f.one(ctx, s)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// one fetches a file from the first repository and path where it is. All files
// of a repository are of one commit.
func (f *fetcher) one(ctx context.Context, s source) (part, error) {
	var first error
	for _, repo := range f.repos(ctx, s) {
		for _, path := range s.paths {
			local, err := f.client.File(ctx, repo, path)
			if err == nil {
				repo.Revision = local.Commit
				f.pins[s.repos[0]] = repo
				f.warnings = append(f.warnings, local.Warnings...)
				return f.part(s, repo, path, local), nil
			}
			if omniscope.KindOf(err) != omniscope.NotFound {
				return part{}, err
			}
			if first == nil {
				first = err
			}
		}
	}
	return part{}, first
}

func (f *fetcher) part(s source, repo hub.Repo, path string, local hub.Local) part {
	p := part{name: s.file, path: local.Path, link: true, source: fileSource{Repo: repo.Name, Commit: local.Commit, Path: path}}
	// The cache calls large files by their digests, which were checked when
	// they were downloaded; what became of them since is not known.
	if blob, err := filepath.EvalSymlinks(local.Path); err == nil && isDigest(filepath.Base(blob)) {
		p.blob = blob
	}
	return p
}

func isDigest(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}

// repos are the repositories to ask for a file, in this order: those that the
// cache knows, because the published scorers ask by old names and what they
// have fetched need not be fetched again.
func (f *fetcher) repos(ctx context.Context, s source) []hub.Repo {
	if pin, ok := f.pins[s.repos[0]]; ok {
		return []hub.Repo{pin}
	}
	offline := f.client
	offline.Offline = true
	var cached, others []hub.Repo
	for _, name := range s.repos {
		repo := hub.Repo{Kind: "model", Name: name, Revision: "main"}
		if _, err := offline.File(ctx, repo, s.paths[0]); err == nil {
			cached = append(cached, repo)
		} else {
			others = append(others, repo)
		}
	}
	return append(cached, others...)
}

// madeOf reports whether the folder was made of these files.
func (f modelFolder) madeOf(ctx context.Context, parts []part, o Options) (bool, error) {
	for _, p := range parts {
		was := f.Info.source(p.name)
		if was.Commit != "" && was.Repo == p.source.Repo && was.Commit == p.source.Commit && was.Path == p.source.Path {
			continue
		}
		sum, _, err := o.hash(ctx, p.path)
		if err != nil || sum != was.SHA256 {
			return false, err
		}
	}
	return true, nil
}

// source is what a file was made from.
func (i folderInfo) source(name string) fileSource {
	for _, f := range i.Files {
		if f.Name == name && f.Source != nil {
			return *f.Source
		}
	}
	return fileSource{}
}
