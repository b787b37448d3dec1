package pgtext

import (
	"strings"
	"testing"
	"testing/quick"
	"unicode/utf8"
)

func TestAnyTextFitsAColumn(t *testing.T) {
	fits := func(raw []byte, more string) bool {
		s := string(raw) + more
		e := Encode(s)
		return Decode(e) == s && utf8.ValidString(e) && !strings.Contains(e, "\x00") &&
			strings.HasPrefix(Encode(s+"/below"), e) // what begins a name still does
	}
	if err := quick.Check(fits, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}
