// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore

/// What a device without a connection scans: the data, a nonce, and the server's word for both.
package struct OfflinePayload: Sendable, Equatable {
  /// `DATA\nNONCE\n` and one letter for the key, then Base64 of its DER signature over all that is before it. `1` is
  /// the server's key of the activation, `0` the application's master key.
  package let text: String
  /// Base64 of 16 bytes; hand it in again with the signature.
  package let nonce: String
}

/// Digits that a person typed off a device, and what they should sign (powerauth.md §5.2, §5.3).
package struct OfflineSignature: Sendable {
  /// What the published flow of operations signs.
  package static let standardURIID = "/operation/authorize/offline"

  /// `12345678-12345678`: one group for each factor.
  package var text: String
  package var method: String
  package var uriID: String
  /// 16 bytes.
  package var nonce: Data
  package var data: Data
  /// Each is tried; a wrong signature counts once.
  package var allowed: [SignatureType]
  /// Digits of a group.
  package var length: SignatureFormat.DecimalLength

  package init(
    text: String, method: String = "POST", uriID: String = standardURIID, nonce: Data, data: Data,
    allowed: [SignatureType] = [.possessionKnowledge], length: SignatureFormat.DecimalLength = .standard
  ) {
    self.text = text
    self.method = method
    self.uriID = uriID
    self.nonce = nonce
    self.data = data
    self.allowed = allowed
    self.length = length
  }
}
