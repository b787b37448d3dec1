package openai

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/exchange"
)

// BenchmarkGenerate measures a whole call against a server without latency;
// the server's own work is in the figures, apart from allocations: it makes
// next to none.
func BenchmarkGenerate(b *testing.B) {
	s := fake.Start(b, fake.Config{Reply: fake.ClozeReply(nil, 3000)})
	m, err := New(Options{Options: exchange.Options{BaseURL: s.URL(), Key: omniscope.NewSecret("sk-benchmark-key")}})
	fixture.OK(b, err)
	for _, size := range []int{1 << 10, 10 << 10} {
		b.Run(fmt.Sprintf("prompt=%dKB", size>>10), func(b *testing.B) {
			req := promptOf(size)
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := m.Generate(context.Background(), req); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}

// promptOf is a request with a prompt of about size bytes and ten blanks, as
// judges are sent.
func promptOf(size int) *model.Request {
	var text strings.Builder
	for i := 1; i <= 10; i++ {
		fmt.Fprintf(&text, "[BLANK_%d] ", i)
		text.WriteString(strings.Repeat("\"some\" words <of> a note\n", size/10/25))
	}
	temperature := 0.0
	return &model.Request{
		Step: "bench", Attempt: 1, Model: "judge",
		Messages: []model.Message{model.Text(model.System, "You are a careful judge."), model.Text(model.User, text.String())},
		Params:   model.Params{Temperature: &temperature, MaxTokens: 1024},
	}
}

// BenchmarkEncode and BenchmarkDecode are our own share of a call.
func BenchmarkEncode(b *testing.B) {
	req := promptOf(10 << 10)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := encodeRequest(nil, req, 0, OpenAIParts); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	m := &Model{server: &exchange.Endpoint{Server: exchange.Server{Secrets: model.NewRedactor(omniscope.NewSecret("sk-proj-4f9Kq0bXw7RzT2mVnL8yJcHsEa1dGuPo5iNtB6_xQ-3WvYkM"))}}}
	body := []byte(completion(strings.Repeat(`"1": "A: because nothing else there fits what comes before it", `, 50)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.decode(body); err != nil {
			b.Fatal(err)
		}
	}
}
