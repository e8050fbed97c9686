// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation

/// What comes of checking a signature.
public enum SignatureVerification: Hashable, Sendable {
  /// It was made with the counter so many steps ahead of the server's; the server continues with `next`.
  case valid(ahead: Int, next: SignatureCounter)
  /// No counter of the window gives this signature. Whether that counts as an attempt is a matter of its type.
  case invalid

  /// How many counters a server tries.
  public static let lookAheadStandard = 20

  /// Looks for the counter that a signature was made with, from the server's own on.
  /// - Parameters:
  ///   - text: from the header, or as a person typed it.
  ///   - lookAhead: counters to try, 1 to 64.
  /// - Throws: `missingFactor` when the server has no key for the type.
  /// - Precondition: the look-ahead is in `ActivationStatus.lookAheads`.
  public static func verify(
    _ text: String, type: SignatureType, of data: NormalizedData, keys: SignatureKeys, counter: SignatureCounter,
    format: SignatureFormat, lookAhead: Int = lookAheadStandard
  ) throws(PowerAuthError) -> SignatureVerification {
    precondition((1...Int(ActivationStatus.lookAheads.upperBound)).contains(lookAhead), "the window is 1 to 64")
    let keys = try keys.keys(for: type)
    let claimed = Data(text.utf8)
    guard claimed.count == format.length(factors: keys.count) else { return .invalid }
    var candidate = counter
    for ahead in 0..<lookAhead {
      let expected = Signature.text(of: data, keys: keys, counter: candidate.data, format: format)
      candidate = candidate.advanced(by: 1)
      if Data(expected.utf8).equalsInConstantTime(claimed) { return .valid(ahead: ahead, next: candidate) }
    }
    return .invalid
  }
}
