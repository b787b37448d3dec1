package harness

// Names that only the tests outside the package use.

const WhyAbsent = whyAbsent
const WhyDouble = whyDouble
const WhyEmpty = whyEmpty
const WhyUnknown = whyUnknown
