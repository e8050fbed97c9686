import Storage

/// Where an application stands, in the words of the wire (finaptic §5.1).
package enum ApplicationStatus: String, Sendable, CaseIterable, SQLConvertible, CustomStringConvertible {
  case newApplication = "New Application"
  case dataCollection = "Data Collection"
  case kycInProgress = "KYC In Progress"
  case kycSuccess = "KYC Success"
  case kycFailed = "KYC Failed"
  case kycRejected = "KYC Rejected"
  case applicationAccepted = "Application Accepted"
  case applicationProcessed = "Application Processed"
  case applicationCancelled = "Application Cancelled"
  case applicationRejected = "Application Rejected"

  /// The case's own name: diagrams have no room for blanks.
  package var description: String {
    switch self {
    case .newApplication: "newApplication"
    case .dataCollection: "dataCollection"
    case .kycInProgress: "kycInProgress"
    case .kycSuccess: "kycSuccess"
    case .kycFailed: "kycFailed"
    case .kycRejected: "kycRejected"
    case .applicationAccepted: "applicationAccepted"
    case .applicationProcessed: "applicationProcessed"
    case .applicationCancelled: "applicationCancelled"
    case .applicationRejected: "applicationRejected"
    }
  }

  /// Whether nothing can happen any more.
  package var isTerminal: Bool {
    switch self {
    case .kycRejected, .applicationProcessed, .applicationCancelled, .applicationRejected: true
    case .newApplication, .dataCollection, .kycInProgress, .kycSuccess, .kycFailed, .applicationAccepted: false
    }
  }

  /// Whether answers name why an applicant was refused, as long as the application stands so (§5.7).
  var namesFailures: Bool { self == .kycFailed || self == .kycRejected || self == .applicationRejected }
}
