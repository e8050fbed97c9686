import FinapticWire
import Kit

extension FinapticCode {
  /// The house's word that is nearest to a family.
  fileprivate var category: Problem.Category {
    switch self {
    case .failedPrecondition: .gone
    case .unauthenticated: .unauthenticated
    case .permissionDenied: .forbidden
    case .notFound: .notFound
    case .alreadyExists, .aborted: .conflict
    case .resourceExhausted: .rateLimited
    case .unknown, .internal, .dataLoss: .internal
    case .unavailable: .unavailable
    case .deadlineExceeded: .providerTimedOut
    default: .badRequest
    }
  }
}

extension Problem {
  /// A refusal in Finaptic's words.
  /// - Parameters:
  ///   - code: the most specific one.
  ///   - family: where a code has several; nil is its own.
  ///   - fields: pointers into the body, in wire or in Swift names: the answer has Swift names.
  package static func finaptic(
    _ code: FinapticCode, family: FinapticCode? = nil, _ detail: String, fields: [Field] = []
  ) -> Problem {
    let family = family ?? code.family
    return Problem(family.category, "\(family.rawValue)/\(code.rawValue)", detail).with { $0.fields = fields }
  }

  /// What is wrong with the body: all of it at once (finaptic §10.7).
  package static func finapticFields(_ fields: [Field]) -> Problem {
    finaptic(.invalidArgument, "The request is not acceptable.", fields: fields)
  }

  /// A client key that nobody issued, or that was revoked.
  static let clientKeyInvalid = finaptic(.unauthenticated, "The SDK key is not valid.")
  static let signInRequired = finaptic(.unauthenticated, "Sign in first.")
  static let customerRequired = finaptic(.permissionDenied, "Only a customer may do this.")
}
