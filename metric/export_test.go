package metric

// Names that only the tests outside the package use.

const ClozeUnjudged = clozeUnjudged
