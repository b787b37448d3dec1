// Package rows is the kind of runs that ask one model texts of the caller's own, such as the rows of a file, with a journal
// and a budget. The caller chooses the questions and uses the answers.
package rows
