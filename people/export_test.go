package people

// Names that only the tests outside the package use.

const Assign = assign
const PersonSet = personSet
const Unassign = unassign
