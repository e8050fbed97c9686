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
    let format: SignatureFormat

    package init(text: String, types: [SignatureType], data: NormalizedData, format: SignatureFormat) {
      self.text = text
      self.types = types
      self.data = data
      self.format = format
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
    return .invalid(counts: claim.types.contains(where: \.countsAttempts))
  }
}
