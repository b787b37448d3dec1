package filename

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// TestPlainNames keeps the names of folders that earlier versions made, by
// which their runs are found again.
func TestPlainNames(t *testing.T) {
	for name, want := range map[string]string{
		"clip": "clip", "My-Clip_2.final": "My-Clip_2.final", "my clip (1)": "my_clip__1_", "captions-openai/gpt-4o": "captions-openai_gpt-4o",
		strings.Repeat("a", 80): strings.Repeat("a", 80), "a:b*c?d": "a_b_c_d", "x..y": "x..y",
	} {
		if got := Safe(name); got != want {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
	}
}

func TestNamesInAllScripts(t *testing.T) {
	for _, name := range []string{"视频一", "видео-1", "फिल्म", "영상", "فيلم", "Café", "clip🎬", "第１集"} {
		if got := Safe(name); got != name {
			t.Errorf("%q became %q", name, got)
		}
	}
	if composed, apart := Safe(norm.NFC.String("Café")), Safe(norm.NFD.String("Café")); composed != "Café" || !strings.HasPrefix(apart, "Café") {
		t.Errorf("one text in two forms became %q and %q", composed, apart)
	}
}

// TestSafeNames tries what file systems, terminals and shells cannot bear.
func TestSafeNames(t *testing.T) {
	seen := make(map[string]string)
	for _, name := range []string{
		"视频 一", "视频_一", "视频/一", "视频\n一", "视频\u202e一", "视频\u3000一", "视\xff", "视\xfe", "CON", "con.txt", "nul", "COM1", "lpt9.x", ".hidden", "-rf", "..", "end.", "视频.",
		strings.Repeat("a", 81), strings.Repeat("a", 82), strings.Repeat("视", 79) + "一", strings.Repeat("视", 80), strings.Repeat("e\u0301\u0323", 300), strings.Repeat("🎬", 100),
	} {
		got := Safe(name)
		if !utf8.ValidString(got) || len(got) > 220 || strings.ContainsAny(got, "/\\:*?\"<>|\n\u202e ") || strings.HasPrefix(got, ".") || strings.HasPrefix(got, "-") ||
			strings.HasSuffix(got, ".") || isReserved(got) {
			t.Errorf("%.20q became %q", name, got)
		}
		if other, taken := seen[strings.ToLower(got)]; taken {
			t.Errorf("%.20q and %.20q both became %q", name, other, got)
		}
		seen[strings.ToLower(got)] = name
	}
}
