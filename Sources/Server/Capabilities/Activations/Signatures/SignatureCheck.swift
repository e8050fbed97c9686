// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore

/// Whether a signature is an activation's, and what that does to its counter and attempts (powerauth.md §5.5). Pure:
/// what it decides is written by a guarded update, or decided again on the newer row.
package struct SignatureCheck: Sendable {
  /// What was handed in: one text, and the types that it may be of.
  package struct Claim: Sendable {
    let text: String
    let types: [SignatureType]
    package let data: NormalizedData
    /// Of the protocol; nil offline.
    let version: ProtocolVersion?
    /// Digits of a group, of decimal signatures.
    let length: SignatureFormat.DecimalLength
    /// Whether `data` is kept for those who look at the signature later.
    var isKept = false
    /// Of `Activation.unverifiedFlags`, those under which it is kept.
    var acceptedFlags: [String]?
    var format: SignatureFormat { version?.onlineSignatureFormat ?? .decimal(length) }
    /// Whether a wrong one is an attempt, as it is for all types but possession alone.
    var countsAttempts: Bool { types.contains(where: \.countsAttempts) }

    /// - Parameters:
    ///   - version: of the protocol; nil offline.
    ///   - length: of an offline signature.
    package init(
      text: String, types: [SignatureType], data: NormalizedData, version: ProtocolVersion?,
      length: SignatureFormat.DecimalLength = .standard
    ) {
      self.text = text
      self.types = types
      self.data = data
      self.version = version
      self.length = length
    }

    /// For the audit: what was claimed, with more.
    func facts(_ more: [String: String]) -> [String: String] {
      more.merging(["type": types.map(\.rawValue).joined(separator: " ")]) { $1 }
    }
  }

  package enum Verdict: Sendable, Equatable {
    /// The counter goes on from here.
    case valid(SignatureType, ahead: Int, next: SignatureCounter)
    /// - Parameter counts: whether it is an attempt.
    case invalid(counts: Bool)
  }

  let lookAhead: Int

  package init(lookAhead: Int) { self.lookAhead = lookAhead }

  package func verdict(
    on claim: Claim, keys: SignatureKeys, counter: SignatureCounter
  ) throws(PowerAuthError) -> Verdict {
    for type in claim.types {
      let verification = try SignatureVerification.verify(
        claim.text, type: type, of: claim.data, keys: keys, counter: counter, format: claim.format,
        lookAhead: lookAhead)
      if case .valid(let ahead, let next) = verification { return .valid(type, ahead: ahead, next: next) }
    }
    return .invalid(counts: claim.countsAttempts)
  }
}

/// A signature that is offered as proof.
package enum PresentedSignature: Sendable {
  /// Its keys are not looked at.
  case refused(SignatureOutcome)
  /// - Parameter facts: for the audit.
  case claimed(
    SignatureCheck.Claim, of: Activation.ID, application: PowerAuthApplication.ID?, facts: [String: String])
}

/// A proof that was checked.
package enum CheckedProof<Outcome: Sendable, Pending: Sendable>: Sendable {
  /// There is nothing to write.
  case decided(Outcome)
  /// It has its outcome once it is written.
  case pending(Pending)
}

/// What a signature came to on a row, before it is written.
package struct PendingSignature: Sendable {
  let verdict: SignatureCheck.Verdict
  let row: ActivationRow
  let claim: SignatureCheck.Claim
  let facts: [String: String]
}

/// A token's digest that is right, unless it was used before.
package struct PendingToken: Sendable {
  /// What stands for the digest among those that were used.
  let digest: String
  let until: Instant
  let valid: TokenOutcome
}

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
