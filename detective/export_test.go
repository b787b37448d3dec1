package detective

// Names that only the tests outside the package use.

type AuditCounts = auditCounts

const ByConfirmation = byConfirmation
const ByPlanner = byPlanner
