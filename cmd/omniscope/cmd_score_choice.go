package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"omniscope/internal/spelling"
	"omniscope/model/judge/letters"
	"omniscope/results/score/filter"
)

func newChoice() *cobra.Command {
	var name string
	names := []string{soundReader}
	about := "  strict                  a careful reader: unclear replies have no letter\n"
	for _, p := range letters.Readers {
		names = append(names, p.Name)
		about += fmt.Sprintf("  %-23s %s\n", p.Name, p.About)
	}
	cmd := &cobra.Command{
		Use:   "choice",
		Short: "Find which option of a multiple-choice question a reply chooses",
		Long: `Add to each line "letter", the letter of the option that "reply" chooses from the list "options" (without
letters), or null; and "why" there is no letter: the reply is empty, abstains, names several options or no option,
ends before its answer, or its letter and its words belong to different options. Nothing is guessed. The readers are:

` + about + `
` + aboutFilters,
		Example: `  echo '{"reply": "The answer is not A but B.", "options": ["a dog", "a train"]}' | omniscope score choice`,
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := spelling.CheckChoice("reader", name, names); err != nil {
				return err
			}
			published, _ := letters.Find(name)
			return runFilter(cmd, filter.Choice(published.Read))
		},
	}
	cmd.Flags().StringVar(&name, "reader", soundReader, "strict, or one of the published readers above")
	return cmd
}

// soundReader names the reader of scoring strict.
const soundReader = "strict"
