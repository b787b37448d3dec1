package omniscope

// A Table is what a benchmark tells beside its scores, such as its worst
// samples. It is for people: numbers are written as they are to be read.
type Table struct {
	Name    string   `json:"name"` // for programs
	Title   string   `json:"title"`
	Note    string   `json:"note,omitempty"` // what to make of it
	Columns []string `json:"columns"`
	Numbers []int    `json:"numbers,omitempty"` // columns that hold numbers, from 0

	// Personal tables tell how single people work: they are for those who lead a project, and are not published.
	Personal bool       `json:"personal,omitempty"`
	Rows     [][]string `json:"rows"`
}
