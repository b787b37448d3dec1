// Package deadnames checks that the program reaches every function of the module.
// Functions that only a library program calls are shown in an Example, or listed
// with a reason.
package deadnames
