package visible

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Wrap wraps the widest columns until the table is at most so many characters
// wide, none to less than its longest word: what is to be typed stays in one piece.
func Wrap(most int, columns []string, rows [][]string) []table.ColumnConfig {
	width, least := make([]int, len(columns)), make([]int, len(columns))
	total := 0
	for i := range columns {
		for _, row := range append([][]string{columns}, rows...) {
			width[i] = max(width[i], text.LongestLineLen(row[i]))
			for word := range strings.FieldsSeq(row[i]) {
				least[i] = max(least[i], text.StringWidthWithoutEscSequences(word))
			}
		}
		total += width[i] + len(" │ ") - 2 // the bar is one wide and three bytes long
	}
	for total > most {
		widest := -1
		for i := range width {
			if width[i] > least[i] && (widest < 0 || width[i] > width[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		width[widest]--
		total--
	}
	configs := make([]table.ColumnConfig, len(width))
	for i, w := range width {
		configs[i] = table.ColumnConfig{Number: i + 1, WidthMax: w, WidthMaxEnforcer: text.WrapSoft}
	}
	return configs
}
