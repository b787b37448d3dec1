// Package quantity writes counts, money and shares for people: "1 clip", "12,000 clips", "$0.0123", "3.5 %".
package quantity

import (
	"fmt"
	"strconv"
	"strings"
)

// Of returns a count with its noun, in the singular form for 1 and in the plural form
// otherwise.
func Of[N ~int | ~int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(int64(n), 10) + " " + many
}

// Grouped returns an integer with commas between groups of three digits.
func Grouped(n int) string {
	s := strconv.Itoa(n)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Dollars returns an amount of US dollars: with four decimal places below a dollar, else with two.
func Dollars(usd float64) string {
	switch {
	case usd > 0 && usd < 0.0001:
		return "less than $0.0001"
	case usd != 0 && usd < 1:
		return fmt.Sprintf("$%.4f", usd)
	}
	return fmt.Sprintf("$%.2f", usd)
}

// Percent returns a share with one decimal place.
func Percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// If returns 1 for true and 0 for false, for counts of what is true.
func If(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Things returns a grouped count with its noun, of which only the singular form is given.
func Things(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + Plural(one)
}

// Plural returns the plural form of a noun.
func Plural(one string) string {
	if stem, ok := strings.CutSuffix(one, "ply"); ok {
		return stem + "plies"
	}
	return one + "s"
}
