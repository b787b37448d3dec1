package hubfolder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"omniscope/internal/spelling"
	"omniscope/internal/yamlfile"
)

// mostCard is how much of a card is read: its settings stand at its top. Those of large data sets list features of many
// configurations.
const mostCard = 1 << 20

// readCard returns the configurations of a data set's card as they are written; none says that it has none.
func readCard(name string) ([]map[string]any, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostCard))
	if err != nil {
		return nil, err
	}
	text = bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	head, ok := bytes.CutPrefix(text, []byte("---\n"))
	if !ok {
		return nil, nil
	}
	head, _, ok = bytes.Cut(append([]byte("\n"), head...), []byte("\n---"))
	if !ok {
		return nil, fmt.Errorf("its settings begin with --- and have no end within %d bytes", mostCard)
	}
	if !bytes.Contains(head, []byte("configs")) {
		return nil, nil
	}
	root, err := yamlfile.Parse(head, mostCard)
	if err != nil {
		return nil, err
	}
	return configsOf(root)
}

func configsOf(root ast.Node) (configs []map[string]any, err error) {
	m, ok := root.(*ast.MappingNode)
	if !ok {
		return nil, nil
	}
	for _, v := range m.Values {
		if v.Key.String() != "configs" {
			continue
		}
		if len(ast.Filter(ast.AliasType, v.Value)) > 0 {
			return nil, errors.New("configs: aliases (*) are not read: write the value out")
		}
		if err := yaml.NodeToValue(v.Value, &configs); err != nil {
			return nil, fmt.Errorf("configs: %w", err)
		}
	}
	return configs, nil
}

// read are the settings of a configuration that are read, and those that change nothing of its rows.
var read = []string{"config_name", "data_files", "data_dir", "default", "description", "version", "drop_labels", "drop_metadata", "license"}

// setsOf returns the splits of the configurations, or those that the names of the files tell where there are none.
func setsOf(configs []map[string]any, all []string) ([]set, error) {
	if len(configs) == 0 {
		sets := byName(rowsOnly(all))
		for i := range sets {
			sets[i].isDefault = true
		}
		return sets, nil
	}
	chosen := defaultOf(configs)
	var sets []set
	for i, c := range configs {
		name, _ := c["config_name"].(string)
		if name == "" {
			return nil, fmt.Errorf("README.md: configs: the entry %d has no config_name", i+1)
		}
		found, err := splitsOf(c, all)
		if err != nil {
			found = []set{{err: err}}
		}
		for _, s := range found {
			if s.config, s.isDefault = name, i == chosen; s.err != nil {
				s.err = fmt.Errorf("README.md: configs: %s: %w", name, s.err)
			}
			sets = append(sets, s)
		}
	}
	return sets, nil
}

// defaultOf is the number of the configuration that needs no name; -1 = there is none.
func defaultOf(configs []map[string]any) int {
	if len(configs) == 1 {
		return 0
	}
	if i := slices.IndexFunc(configs, func(c map[string]any) bool { return c["default"] == true }); i >= 0 {
		return i
	}
	return slices.IndexFunc(configs, func(c map[string]any) bool { return c["config_name"] == "default" })
}

// splitsOf returns the splits of a configuration.
func splitsOf(config map[string]any, all []string) ([]set, error) {
	for key := range config {
		if !slices.Contains(read, key) {
			return nil, fmt.Errorf("the setting %q, which may change how files are read, is not known here%s: write the rows as the files of another folder", key, spelling.Hint(key, read))
		}
	}
	dir, err := below(config["data_dir"])
	if err != nil {
		return nil, err
	}
	inDir := all
	if dir != "" {
		inDir = slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !strings.HasPrefix(name, dir+"/") })
	}
	if config["data_files"] == nil {
		sets := byName(rowsOnly(trimmed(inDir, dir)))
		for i := range sets {
			for k := range sets[i].names {
				sets[i].names[k] = path.Join(dir, sets[i].names[k])
			}
		}
		return sets, nil
	}
	patterns, err := patternsOf(config["data_files"])
	if err != nil {
		return nil, err
	}
	var sets []set
	for _, p := range patterns {
		s := set{split: p.split}
		for _, pattern := range p.paths {
			names, err := matching(path.Join(dir, pattern), pattern, all)
			if err != nil && s.err == nil {
				s.err = err
			}
			for _, name := range names {
				if !slices.Contains(s.names, name) {
					s.names = append(s.names, name)
				}
			}
		}
		sets = append(sets, s)
	}
	return sets, nil
}

func trimmed(names []string, dir string) []string {
	if dir == "" {
		return slices.Clone(names)
	}
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strings.TrimPrefix(name, dir+"/")
	}
	return out
}

// below is a folder within the data set's; "" = that itself.
func below(dir any) (string, error) {
	if dir == nil {
		return "", nil
	}
	name, ok := dir.(string)
	if !ok || !inside(name) {
		return "", fmt.Errorf("data_dir: %v is no folder in this one", dir)
	}
	if name = path.Clean(name); name == "." {
		return "", nil
	}
	return name, nil
}

// inside reports whether a path or pattern stays in the folder: a card that somebody else wrote opens no other files.
func inside(name string) bool {
	return name != "" && !path.IsAbs(name) && !strings.Contains(name, `\`) && !strings.Contains(name, "://") && !slices.Contains(strings.Split(name, "/"), "..")
}

type splitPatterns struct {
	split string
	paths []string
}

// patternsOf reads data_files: a path, a list of them, splits with theirs.
func patternsOf(v any) ([]splitPatterns, error) {
	if paths, ok := texts(v); ok {
		return []splitPatterns{{"train", paths}}, nil
	}
	var all []splitPatterns
	add := func(split, paths any) error {
		name, ok := split.(string)
		list, isList := texts(paths)
		if !ok || !isList || name == "" {
			return fmt.Errorf("data_files: want a split and its path or paths, not %v and %v", split, paths)
		}
		if slices.ContainsFunc(all, func(p splitPatterns) bool { return p.split == name }) {
			return fmt.Errorf("data_files: the split %s is there twice", name)
		}
		all = append(all, splitPatterns{name, list})
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			if err := add(name, v[name]); err != nil {
				return nil, err
			}
		}
		return all, nil
	case []any:
		for _, entry := range v {
			m, ok := entry.(map[string]any)
			if !ok {
				return nil, fmt.Errorf("data_files: want a split and its path, not %v", entry)
			}
			if err := add(m["split"], m["path"]); err != nil {
				return nil, err
			}
		}
		return all, nil
	}
	return nil, fmt.Errorf("data_files: want a path, paths, or splits with theirs, not %v", v)
}

// texts is a text, or a list of texts.
func texts(v any) ([]string, bool) {
	if text, ok := v.(string); ok {
		return []string{text}, true
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, false
	}
	var out []string
	for _, one := range list {
		text, ok := one.(string)
		if !ok {
			return nil, false
		}
		out = append(out, text)
	}
	return out, true
}
