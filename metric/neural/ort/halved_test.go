//go:build ort

package ort

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"testing"
)

// halved keeps of each float32 in a safetensors file the upper half, which is a
// bfloat16.
func halved(t *testing.T, path string) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	end := 8 + binary.LittleEndian.Uint64(file)
	var header map[string]map[string]any
	if err := json.Unmarshal(file[8:end], &header); err != nil {
		t.Fatal(err)
	}
	delete(header, "__metadata__")
	var data []byte
	for _, tensor := range header {
		if tensor["dtype"] != "F32" {
			t.Fatalf("there is a tensor of %v", tensor["dtype"])
		}
		offsets := tensor["data_offsets"].([]any)
		from := len(data)
		for at := int(offsets[0].(float64)); at < int(offsets[1].(float64)); at += 4 {
			data = append(data, file[int(end)+at+2:int(end)+at+4]...)
		}
		tensor["dtype"], tensor["data_offsets"] = "BF16", []int{from, len(data)}
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	out := append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
	if err := os.WriteFile(path, append(out, data...), 0o644); err != nil {
		t.Fatal(err)
	}
}
