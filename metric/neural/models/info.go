package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"omniscope"
	"omniscope/internal/bytesize"
	"omniscope/internal/ondisk"
	"omniscope/internal/sha256hex"
)

// An folderInfo is model.json.
type folderInfo struct {
	Name     string `json:"name"`
	Kind     kind   `json:"kind"`
	Language string `json:"language,omitempty"`
	Layer    int    `json:"layer,omitempty"`
	Licence  string `json:"licence,omitempty"` // of what was downloaded; "" = not known
	From     string `json:"from"`              // the page of the weights, or the path they were imported from
	MadeBy   string `json:"made_by,omitempty"` // the version of the program that made the folder
	Files    []file `json:"files"`
}

// A file is one of the folder.
type file struct {
	Name     string      `json:"name"`
	Bytes    int64       `json:"bytes"`
	SHA256   string      `json:"sha256"`
	Modified time.Time   `json:"modified,omitzero"` // when the digest was taken
	Source   *fileSource `json:"source,omitempty"`
}

// A fileSource is what a file was made from. Its digest is another than the file's
// where weights were converted.
type fileSource struct {
	Repo   string `json:"repo,omitempty"`   // on the hub
	Commit string `json:"commit,omitempty"` // of the repository
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// A modelFolder is a model folder that is whole, as far as sizes tell.
type modelFolder struct {
	Dir      string
	Info     folderInfo
	Warnings []string // of Get, on how it came about
}

// String is the folder with its size and licence.
func (f modelFolder) String() string {
	licence := ""
	if f.Info.Licence != "" {
		licence = ", licence " + f.Info.Licence
	}
	return fmt.Sprintf("%s (%s%s)", f.Dir, bytesize.Format(f.Info.Bytes()), licence)
}

// Bytes is the size of the folder's files together.
func (i folderInfo) Bytes() (n int64) {
	for _, f := range i.Files {
		n += f.Bytes
	}
	return n
}

// Find returns the folder of a known model under a root. Where there is none,
// or one that is not whole, the error is of kind NotFound and says how to get
// it.
func Find(root, name string) (modelFolder, error) {
	m, err := known(name)
	if err != nil {
		return modelFolder{}, err
	}
	dir := folder(root, name)
	info, err := readInfo(dir, m)
	if err == nil {
		return modelFolder{Dir: dir, Info: info}, nil
	}
	why := fmt.Errorf("model %s in %s is not whole (%w)", name, dir, err)
	if errors.Is(err, fs.ErrNotExist) && !ondisk.IsTaken(dir) {
		why = fmt.Errorf("model %s is not in %s", name, root)
	}
	where := ""
	if usual, err := Root(); err != nil || usual != root {
		where = " --models-dir " + root
	}
	return modelFolder{}, omniscope.NotFoundf(
		"%w: `omniscope data get %s%s` downloads it (%s), and `omniscope data import PATH --as %s%s` takes it from files that are here", why, name, where, bytesize.Format(m.Weights), name, where)
}

// readInfo reads model.json and sees whether the files it names are there, as
// long as they should be.
func readInfo(dir string, m model) (folderInfo, error) {
	text, err := os.ReadFile(filepath.Join(dir, InfoFile))
	if err != nil {
		return folderInfo{}, err
	}
	var info folderInfo
	if err := json.Unmarshal(text, &info); err != nil {
		return folderInfo{}, fmt.Errorf("%s cannot be read: %w", InfoFile, err)
	}
	if info.Kind != m.Kind || info.Language != m.Language || info.Layer != m.Layer {
		return folderInfo{}, fmt.Errorf("%s says that it is %s, for another use", InfoFile, info.Name)
	}
	for _, name := range m.Files() {
		i := slices.IndexFunc(info.Files, func(f file) bool { return f.Name == name })
		if i < 0 {
			return folderInfo{}, fmt.Errorf("%s does not name %s", InfoFile, name)
		}
		there, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return folderInfo{}, err
		}
		if want := info.Files[i].Bytes; there.Size() != want {
			return folderInfo{}, fmt.Errorf("%s has %d bytes, should have %d", name, there.Size(), want)
		}
	}
	return info, nil
}

// newInfo is what model.json says of a model, before its files.
func newInfo(m model, from, by string) folderInfo {
	return folderInfo{Name: m.Name, Kind: m.Kind, Language: m.Language, Layer: m.Layer, Licence: m.Licence, From: from, MadeBy: by}
}

// stamp notes the times of the files as they are: as long as they stay, the
// digests need not be computed again.
func (i folderInfo) stamp(dir string) error {
	for j := range i.Files {
		there, err := os.Stat(filepath.Join(dir, i.Files[j].Name))
		if err != nil {
			return err
		}
		i.Files[j].Modified = there.ModTime()
	}
	return nil
}

func (i folderInfo) write(dir string) error {
	text, err := json.MarshalIndent(i, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, InfoFile), append(text, '\n'))
}

// writeFile writes a file that is on the disk when it returns.
func writeFile(path string, content []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}

// Describe writes the model.json of a folder that has all files but that. It is
// for those who make models; Get and Import need it not.
func Describe(dir string, m model, from string) error {
	info := newInfo(m, from, "")
	info.Licence = ""
	for _, name := range m.Files() {
		f, err := describe(dir, name)
		if err != nil {
			return err
		}
		info.Files = append(info.Files, f)
	}
	return info.write(dir)
}

func describe(dir, name string) (file, error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return file{}, err
	}
	defer f.Close()
	digest, n, err := sha256hex.Read(f)
	return file{Name: name, Bytes: n, SHA256: digest}, err
}
