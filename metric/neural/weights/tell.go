package weights

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// A format is a kind of file of weights.
type format struct {
	is   func(head []byte) bool // tells it by the beginning of a file
	read func(f *File) error
}

// headSize is how much of a file tells its format, in bytes.
const headSize = 512

var formats = []format{
	{isSafetensors, readSafetensors},
	{isArchive, readArchive},
	{isLegacy, readLegacy},
}

// isSafetensors: the header's length, and its first byte. The length is not
// checked: a file that is cut off has an error of its own.
func isSafetensors(head []byte) bool {
	return len(head) > 8 && head[8] == '{' && binary.LittleEndian.Uint64(head) < 1<<32
}

// tell returns the format of a file.
func tell(d *disk) (format, error) {
	head, err := d.head(headSize)
	if err != nil {
		return format{}, err
	}
	if len(head) == 0 {
		return format{}, errors.New("it is empty: get it again")
	}
	for _, format := range formats {
		if format.is(head) {
			return format, nil
		}
	}
	return format{}, fmt.Errorf("it is not a file of weights but %s", foreign(head))
}

// foreigners are files that are found in the place of weights, by how they
// begin.
var foreigners = []struct{ begin, what string }{
	{"version https://git-lfs.github.com", "a pointer of git-lfs, which stands for the file in a repository: fetch the file itself with git lfs pull, or download it from the page of the model"},
	{"<!DOCTYPE html", "a web page, perhaps an error or a login: download the file again"},
	{"<html", "a web page, perhaps an error or a login: download the file again"},
	{"<?xml", "XML, perhaps the error message of a server: download the file again"},
	{"{", "JSON, perhaps a configuration or the error message of a server: name the file of weights, or download it again"},
	{"\x89PNG", "a PNG picture"},
	{"\xff\xd8\xff", "a JPEG picture"},
	{"%PDF", "a PDF document"},
	{"\x1f\x8b", "a gzip archive: unpack it first"},
	{"\xfd7zXZ", "an xz archive: unpack it first"},
	{"BZh", "a bzip2 archive: unpack it first"},
	{"7z\xbc\xaf", "a 7z archive: unpack it first"},
	{"GGUF", "a GGUF file of llama.cpp: get the model as safetensors"},
	{"\x89HDF", "an HDF5 file of TensorFlow or Keras: get the model as safetensors"},
	{"\x93NUMPY", "an array of numpy: get the model as safetensors"},
}

// foreign says what a file is that is not one of weights.
func foreign(head []byte) string {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	for _, f := range foreigners {
		if len(text) >= len(f.begin) && bytes.EqualFold(text[:len(f.begin)], []byte(f.begin)) {
			return f.what
		}
	}
	if len(head) > 2 && head[0] == 0x80 && head[1] <= 5 {
		return "a Python pickle that torch.save did not write, or not whole: nothing of it was run. Get the model as safetensors"
	}
	if len(head) > 262 && string(head[257:262]) == "ustar" {
		return "a tar archive, as torch wrote before 2017: get the model as safetensors"
	}
	return fmt.Sprintf("something else (it begins with %q): get the model as safetensors", head[:min(len(head), 16)])
}
