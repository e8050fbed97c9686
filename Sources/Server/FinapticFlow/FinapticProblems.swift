import Kit

/// A status family of Finaptic's errors (finaptic §9).
package enum FinapticFamily: String, Sendable, CaseIterable {
  case cancelled = "CANCELLED"
  case unknown = "UNKNOWN"
  case invalidArgument = "INVALID_ARGUMENT"
  case deadlineExceeded = "DEADLINE_EXCEEDED"
  case notFound = "NOT_FOUND"
  case alreadyExists = "ALREADY_EXISTS"
  case permissionDenied = "PERMISSION_DENIED"
  case resourceExhausted = "RESOURCE_EXHAUSTED"
  case failedPrecondition = "FAILED_PRECONDITION"
  case aborted = "ABORTED"
  case outOfRange = "OUT_OF_RANGE"
  case unimplemented = "UNIMPLEMENTED"
  case `internal` = "INTERNAL"
  case unavailable = "UNAVAILABLE"
  case dataLoss = "DATA_LOSS"
  case unauthenticated = "UNAUTHENTICATED"

  /// HTTP status by Google's mapping (google.rpc.Code).
  package var httpStatus: Int {
    switch self {
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .resourceExhausted: 429
    case .cancelled: 499
    case .unknown, .internal, .dataLoss: 500
    case .unimplemented: 501
    case .unavailable: 503
    case .deadlineExceeded: 504
    }
  }

  /// The house's word that is nearest.
  fileprivate var category: Problem.Category {
    switch self {
    case .invalidArgument, .outOfRange, .unimplemented, .cancelled: .badRequest
    case .failedPrecondition: .gone
    case .unauthenticated: .unauthenticated
    case .permissionDenied: .forbidden
    case .notFound: .notFound
    case .alreadyExists, .aborted: .conflict
    case .resourceExhausted: .rateLimited
    case .unknown, .internal, .dataLoss: .internal
    case .unavailable: .unavailable
    case .deadlineExceeded: .providerTimedOut
    }
  }
}

extension Problem {
  /// A refusal in Finaptic's words.
  /// - Parameters:
  ///   - family: the status.
  ///   - code: the most specific wire code, such as `SIGNUP_ERROR`; nil is the family itself.
  ///   - fields: pointers into the body, in wire or in Swift names: the answer has Swift names.
  package static func finaptic(
    _ family: FinapticFamily, _ code: String? = nil, _ detail: String, fields: [Field] = []
  ) -> Problem {
    Problem(family.category, "\(family.rawValue)/\(code ?? family.rawValue)", detail).with { $0.fields = fields }
  }

  /// What is wrong with the body: all of it at once (finaptic §10.7).
  package static func finapticFields(_ fields: [Field]) -> Problem {
    finaptic(.invalidArgument, nil, "The request is not acceptable.", fields: fields)
  }

  /// A call that this server does not have yet.
  package static let finapticUnimplemented = finaptic(.unimplemented, nil, "This server does not have this call.")
  /// A client key that nobody issued, or that was revoked.
  static let clientKeyInvalid = finaptic(.unauthenticated, nil, "The SDK key is not valid.")
  static let signInRequired = finaptic(.unauthenticated, nil, "Sign in first.")
  static let customerRequired = finaptic(.permissionDenied, nil, "Only a customer may do this.")
}
