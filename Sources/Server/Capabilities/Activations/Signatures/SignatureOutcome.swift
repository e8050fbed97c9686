import Kit
import PowerAuthCore

/// What came of a signature. Whatever it changed, counter or attempts, is committed.
package enum SignatureOutcome: Sendable, Equatable {
  case valid(Activation, SignatureType)
  /// Also for an activation that is unknown or not active: a caller outside learns no more than that. The activation
  /// and its attempts, where there is one, are for those who manage it.
  case invalid(Activation?, remainingAttempts: Int?)
  /// Not one of the allowed types; nothing was checked and nothing counted.
  case wrongType

  /// - Throws: `Problem.signatureInvalid` or `Problem.signatureTypeInvalid`.
  package func require() throws(Problem) -> (activation: Activation, type: SignatureType) {
    switch self {
    case .valid(let activation, let type): return (activation, type)
    case .invalid: throw .signatureInvalid
    case .wrongType: throw .signatureTypeInvalid
    }
  }
}

/// What came of a token's digest.
package enum TokenOutcome: Sendable, Equatable {
  /// With the type of the signature that the token was made under.
  case valid(Activation, SignatureType)
  case invalid
  case wrongType

  /// - Throws: `Problem.tokenInvalid` or `Problem.signatureTypeInvalid`.
  package func require() throws(Problem) -> (activation: Activation, type: SignatureType) {
    switch self {
    case .valid(let activation, let type): return (activation, type)
    case .invalid: throw .tokenInvalid
    case .wrongType: throw .signatureTypeInvalid
    }
  }
}
