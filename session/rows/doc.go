// Package rows is the kind of runs that ask one model texts of the caller's own, such as the rows of a file, with a journal
// and a budget. What is asked, and what becomes of the answers, is the caller's business.
package rows
