package weights

import (
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"omniscope"
)

func TestReadSafetensors(t *testing.T) {
	header := `{"__metadata__":{"format":"pt","note":"ä"},
		"w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}, "h":{"dtype":"F16","shape":[1],"data_offsets":[16,18]},
		"none":{"dtype":"F32","shape":[0,7],"data_offsets":[16,16]}, "b":{"dtype":"BOOL","shape":[],"data_offsets":[18,19]},
		"i":{"dtype":"I64","shape":[1],"data_offsets":[19,27]}, "d":{"dtype":"F64","shape":[1],"data_offsets":[27,35]}}   `
	f := opened(t, saved(t, safed(header, f32(1, 2, 3, 4)+"\x00\xc0"+"\x01"+i64(-5)+f64(0.1))))
	want := map[string][]float64{"w": {1, 2, 3, 4}, "h": {-2}, "none": {}, "b": {1}, "i": {-5}, "d": {float64(float32(0.1))}}
	if !slices.Equal(f.Names(), slices.Sorted(maps.Keys(want))) {
		t.Errorf("names %q", f.Names())
	}
	for name, values := range want {
		if tensor, _ := f.Tensor(name); !slices.Equal(numbers(t, tensor), values) {
			t.Errorf("%s = %v, want %v", name, numbers(t, tensor), values)
		}
	}
	if f.Hyperparameters() != nil {
		t.Errorf("hyperparameters %v", f.Hyperparameters())
	}
}

func TestNoTensors(t *testing.T) {
	if f := opened(t, saved(t, safed(`{}`, ""))); len(f.Names()) != 0 {
		t.Errorf("names %q", f.Names())
	}
}

func TestBrokenSafetensors(t *testing.T) {
	const eight = "12345678"
	one := func(text string) []byte { return safed(`{"w":{`+text+`}}`, eight) }
	for _, c := range []struct {
		name string
		data []byte
		says string
	}{
		{"a header longer than the file", append(binary.LittleEndian.AppendUint64(nil, 100), `{"w"`...), "cut off"},
		{"a header longer than any", append(binary.LittleEndian.AppendUint64(nil, 1<<31), `{"w"`...), "more than 16777216"},
		{"a header that ends too early", safed(`{"w":{"dtype":"F32"`, ""), "its header is damaged"},
		{"a header that is no JSON", safed(`{"w":nonsense}`, ""), "its header is damaged"},
		{"two headers", safed(`{}{}`, ""), "more follows"},
		{"a tensor that is a number", safed(`{"w":1}`, ""), "its header is damaged"},
		{"no shape", one(`"dtype":"F32","data_offsets":[0,8]`), "lacks its shape"},
		{"a shape that is null", one(`"dtype":"F32","shape":null,"data_offsets":[0,8]`), "lacks its shape"},
		{"no offsets", one(`"dtype":"F32","shape":[2]`), "data_offsets"},
		{"one offset", one(`"dtype":"F32","shape":[2],"data_offsets":[0]`), "data_offsets"},
		{"three offsets", one(`"dtype":"F32","shape":[2],"data_offsets":[0,8,8]`), "data_offsets"},
		{"no type", one(`"shape":[2],"data_offsets":[0,8]`), `type ""`},
		{"a type of tomorrow", one(`"dtype":"F4","shape":[2],"data_offsets":[0,8]`), `type "F4"`},
		{"a side below zero", one(`"dtype":"F32","shape":[-2],"data_offsets":[0,8]`), "shape [-2]"},
		{"a side with a fraction", one(`"dtype":"F32","shape":[1.5],"data_offsets":[0,8]`), "its header is damaged"},
		{"a side beyond counting", one(`"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,8]`), "its header is damaged"},
		{"sides whose product is 2 beyond counting", one(`"dtype":"F32","shape":[9223372036854775807,2,2],"data_offsets":[0,8]`), "has 8 bytes"},
		{"a zero among sides beyond counting", safed(`{"w":{"dtype":"F32","shape":[0,4611686018427387904,4],"data_offsets":[0,0]}}`, ""), "has 0 bytes"},
		{"33 sides", one(`"dtype":"F64","shape":[1` + strings.Repeat(",1", 32) + `],"data_offsets":[0,8]`), "has 8 bytes"},
		{"fewer bytes than elements", one(`"dtype":"F32","shape":[3],"data_offsets":[0,8]`), "has 8 bytes"},
		{"more bytes than elements", one(`"dtype":"F32","shape":[1],"data_offsets":[0,8]`), "has 8 bytes"},
		{"offsets below zero", one(`"dtype":"F32","shape":[2],"data_offsets":[-8,0]`), "lies at -8 to 0"},
		{"offsets that go back", one(`"dtype":"F32","shape":[2],"data_offsets":[8,0]`), "lies at 8 to 0"},
		{"offsets beyond the file", one(`"dtype":"F32","shape":[3],"data_offsets":[0,12]`), "lies at 0 to 12 of 8"},
		{"the greatest offsets", one(`"dtype":"U8","shape":[0],"data_offsets":[9223372036854775807,9223372036854775807]`), "lies at"},
		{"a hole before", one(`"dtype":"F32","shape":[1],"data_offsets":[4,8]`), "begins at byte 4"},
		{"bytes behind", one(`"dtype":"F32","shape":[1],"data_offsets":[0,4]`), "cut off or is damaged"},
		{"a hole between", safed(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[5],"data_offsets":[3,8]}}`, eight), `"b" begins at byte 3`},
		{"an overlap", safed(`{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[5],"data_offsets":[3,8]}}`, eight), `"b" begins at byte 3`},
		{"two in one place", safed(`{"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}}`, eight), "begins at byte 0"},
		{"a name twice", safed(`{"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}}`, eight), `"a" is there twice`},
		{"metadata twice", safed(`{"__metadata__":{},"__metadata__":{}}`, ""), "twice"},
		{"metadata of numbers", safed(`{"__metadata__":{"n":1}}`, ""), "__metadata__"},
		{"hyperparameters that are no JSON", safed(`{"__metadata__":{"hyper_parameters":"{"}}`, ""), "hyper_parameters"},
		{"nested too deep", safed(`{"w":`+strings.Repeat("[", 100_000), ""), "its header is damaged"},
	} {
		t.Run(c.name, func(t *testing.T) { mustRefuse(t, c.data, c.says, "get") })
	}
}

func TestTruncatedSafetensors(t *testing.T) {
	data := safed(`{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, f32(1, 2))
	for n := range data {
		mustRefuse(t, data[:n], "get")
	}
}

func TestForeignFiles(t *testing.T) {
	for _, c := range []struct{ what, data, says string }{
		{"nothing", "", "it is empty"},
		{"git-lfs", "version https://git-lfs.github.com/spec/v1\noid sha256:1234\nsize 2323\n", "git lfs pull"},
		{"a web page", "<!doctype html>\n<html><title>Sign in</title>", "a web page"},
		{"a web page behind white space", "\ufeff\n\n <HTML><body>404", "a web page"},
		{"XML", `<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>`, "XML"},
		{"JSON", `{"error":"Repository not found"}`, "JSON"},
		{"a picture", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "a PNG picture"},
		{"a gzip archive", "\x1f\x8b\x08\x00\x00", "gzip"},
		{"a tar archive", "weights" + strings.Repeat("\x00", 250) + "ustar\x0000", "a tar archive"},
		{"GGUF", "GGUF\x03\x00\x00\x00", "GGUF"},
		{"a pickle", "\x80\x04\x95\x00\x00", "a Python pickle"},
		{"words", "hello, world", `something else (it begins with "hello, world")`},
		{"a byte", "x", "something else"},
		{"a zip archive of something else", string(archived(t, entryOf{"word/document.xml", "<x/>"})), "no data.pkl"},
	} {
		t.Run(c.what, func(t *testing.T) { mustRefuse(t, []byte(c.data), c.says) })
	}
}

func TestMissingFileOrFolder(t *testing.T) {
	folder := t.TempDir()
	_, err := Open(folder)
	mustSay(t, err, folder, "a folder")
	if _, err = Open(folder + "/none"); omniscope.KindOf(err) != omniscope.NotFound || !strings.Contains(err.Error(), folder+"/none") {
		t.Errorf("error %v of kind %v, want not found", err, omniscope.KindOf(err))
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		_, err := Open("/dev/zero")
		mustSay(t, err, "not a regular file")
	}
}

func ExampleFile_Floats() {
	f, err := Open("no/such/model.safetensors")
	if err != nil {
		fmt.Println(omniscope.KindOf(err))
		return
	}
	defer f.Close()
	query, err := f.Floats("encoder.layer.0.attention.self.query.weight", 768, 768)
	fmt.Println(len(query), err)
	// Output: not found
}
