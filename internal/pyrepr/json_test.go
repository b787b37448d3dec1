package pyrepr

import (
	"math"
	"testing"
)

func TestFloats(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.0", 1: "1.0", -2: "-2.0", 0.1: "0.1", 1.0 / 3: "0.3333333333333333", 100: "100.0",
		1e-4: "0.0001", 9.9e-5: "9.9e-05", 1e15: "1000000000000000.0", 1e16: "1e+16", 1.5e300: "1.5e+300", -1e-300: "-1e-300",
		0.18681318681318682: "0.18681318681318682", math.Inf(1): "inf", math.Inf(-1): "-inf",
	} {
		if got := Float(v); got != want {
			t.Errorf("%g is written %s, want %s", v, got, want)
		}
	}
	if Float(math.Copysign(0, -1)) != "-0.0" || Float(math.NaN()) != "nan" {
		t.Error("negative zero or nan")
	}
	if JSONFloat(math.NaN()) != "NaN" || JSONFloat(math.Inf(-1)) != "-Infinity" || JSONFloat(0.5) != "0.5" {
		t.Error("json.dumps has words of its own for what is no number")
	}
}

func TestStrings(t *testing.T) {
	for in, want := range map[string]string{
		"":                 `""`,
		"a \"b\" \\ /":     `"a \"b\" \\ /"`,
		"<&>":              `"<&>"`,
		"\n\r\t\b\f\x01":   `"\n\r\t\b\f\u0001"`,
		"è 模 😀 \x7f\u2028": `"\u00e8 \u6a21 \ud83d\ude00 \u007f\u2028"`,
	} {
		if got := JSONString(in); got != want {
			t.Errorf("%q is written %s, want %s", in, got, want)
		}
	}
}
