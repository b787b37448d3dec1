package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"omniscope/model"
)

var zzBody = []byte(`{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"judge","choices":[{"index":0,"message":{"role":"assistant","content":"` + strings.Repeat(`{\"1\":\"A: because nothing else there fits both what comes before it and what comes after it, `, 32) + `","refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`)

func BenchmarkZDecode(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		(&Model{secrets: []model.Secret{model.NewSecret("sk-benchmark-key")}}).decode(zzBody)
	}
}
func BenchmarkZGValid(b *testing.B) {
	for b.Loop() {
		gjson.ValidBytes(zzBody)
	}
}
func BenchmarkZJValid(b *testing.B) {
	for b.Loop() {
		json.Valid(zzBody)
	}
}
func BenchmarkZEncode(b *testing.B) {
	r := promptOf(10 << 10)
	b.ReportAllocs()
	for b.Loop() {
		encodeRequest(r, concession{})
	}
}
