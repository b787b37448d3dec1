package speech

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"omniscope/perceive/speech/onnx"
)

// Of the recogniser.
const (
	startToken = 1
	endToken   = 2
	layers     = 6
	heads      = 8
	headWidth  = 36

	// Ordinary speech takes 3 to 5 tokens a second, the fastest 12. More is a
	// loop.
	tokensPerSecond = 12
	leastTokens     = 8
	leastSound      = 100 * time.Millisecond // the encoder needs some 60 ms
)

// A transcript is what the recogniser makes of some sound.
type transcript struct {
	Text    string
	Tokens  int     // without the end mark
	LogProb float64 // mean natural logarithm of the probability of a token, the end mark included
	Cut     bool    // it went on until it was stopped
}

// Recognise transcribes mono sound at media.SpeechRate, samples between -1 and
// 1, of at most 30 s. It takes at each step the likeliest token. Less than a
// tenth of a second is nothing.
func (p *Pack) Recognise(ctx context.Context, samples []float32) (transcript, error) {
	if len(samples) < samplesIn(leastSound) {
		return transcript{}, nil
	}
	out, err := p.encoder.Run(ctx, map[string]*onnx.Tensor{"input_values": onnx.Floats(samples, 1, len(samples))})
	if err != nil {
		return transcript{}, fmt.Errorf("encode speech: %w", err)
	}
	most := leastTokens + int(math.Ceil(timeOf(len(samples)).Seconds()*tokensPerSecond))
	tokens, logProb, err := p.decode(ctx, out["last_hidden_state"], most)
	if err != nil {
		return transcript{}, fmt.Errorf("decode speech: %w", err)
	}
	t := transcript{Tokens: len(tokens), Cut: len(tokens) == most}
	if n := len(tokens); n > 0 {
		if tokens[n-1] == endToken {
			t.Tokens--
		}
		t.LogProb = logProb / float64(n)
	}
	t.Text = p.text(tokens[:t.Tokens])
	return t, nil
}

// decode returns the tokens, with the end mark, and the sum of the logarithms
// of their probabilities.
func (p *Pack) decode(ctx context.Context, heard *onnx.Tensor, most int) (tokens []int, logProb float64, err error) {
	in := map[string]*onnx.Tensor{"encoder_hidden_states": heard}
	for _, part := range memory() {
		in["past_key_values."+part] = onnx.Floats(nil, 0, heads, 1, headWidth)
	}
	last := startToken
	for len(tokens) < most && last != endToken {
		first := len(tokens) == 0
		in["input_ids"] = onnx.Ints([]int64{int64(last)}, 1, 1)
		in["use_cache_branch"] = onnx.Truth(!first)
		out, err := p.decoder.Run(ctx, in)
		if err != nil {
			return nil, 0, err
		}
		if out["logits"] == nil || len(out["logits"].F) == 0 {
			return nil, 0, fmt.Errorf("the recogniser returned no probabilities")
		}
		var l float64
		last, l = likeliest(out["logits"].F)
		tokens, logProb = append(tokens, last), logProb+l
		for _, part := range memory() {
			// What was heard is remembered at the first step, for all.
			if first || strings.Contains(part, "decoder") {
				in["past_key_values."+part] = out["present."+part]
			}
		}
	}
	return tokens, logProb, nil
}

// memory are the names of what the decoder keeps from step to step.
func memory() (names []string) {
	for i := range layers {
		for _, of := range []string{"decoder", "encoder"} {
			for _, part := range []string{"key", "value"} {
				names = append(names, fmt.Sprintf("%d.%s.%s", i, of, part))
			}
		}
	}
	return names
}

// likeliest returns the token with the highest score, and the logarithm of its
// probability.
func likeliest(scores []float32) (token int, logProb float64) {
	for i, s := range scores {
		if s > scores[token] {
			token = i
		}
	}
	sum := 0.0
	for _, s := range scores {
		if d := float64(s - scores[token]); d > -30 { // e^-30 of each of 32 768 is nothing
			sum += math.Exp(d)
		}
	}
	return token, -math.Log(sum)
}

// Pieces of the tokenizer, SentencePiece as Llama uses it.
const (
	marks = 3   // <unk>, <s>, </s> are no text
	space = "▁" // stands for a space
)

// text puts tokens together.
func (p *Pack) text(tokens []int) string {
	var b []byte
	for _, t := range tokens {
		if t < marks || t >= len(p.tokens) {
			continue
		}
		piece := p.tokens[t]
		if len(piece) == 6 && strings.HasPrefix(piece, "<0x") { // a byte of a character that has no token
			if v, err := strconv.ParseUint(piece[3:5], 16, 8); err == nil {
				b = append(b, byte(v))
				continue
			}
		}
		b = append(b, piece...)
	}
	text := strings.ToValidUTF8(string(b), string(utf8.RuneError))
	return strings.TrimSpace(strings.ReplaceAll(text, space, " "))
}
