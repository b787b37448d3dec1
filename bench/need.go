package bench

// A Need is a part of what a benchmark is run or scored with, and where a user gets
// it. What is not known of it is left empty, and shown as unknown.
type Need struct {
	Part    string        // annotations, media or references
	Hub     string        // data set on the Hugging Face hub; "" = none is known
	Files   []DatasetFile // that are downloaded; none = their names on the hub are not known
	Licence string        // "" = not stated by its publisher
	Gated   bool          // the hub gives it to those who accepted its conditions
	Flag    string        // of predict and eval that a copy of the user's is given with
}
