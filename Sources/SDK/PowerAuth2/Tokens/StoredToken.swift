// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// A token as the device keeps it.
struct StoredToken: Codable, Sendable, Redacted {
  let identifier: String
  /// 16 bytes.
  let secret: Data
  /// The factors that it was created with, as on the wire.
  let type: String

  /// - Throws: `invalidActivationData` when the server's answer is not valid.
  init(_ created: CreatedToken, type: SignatureType) throws(CallFailure) {
    guard (try? TokenIdentifier(text: created.tokenId)) != nil,
      let secret = Data(base64Encoded: created.tokenSecret), secret.count == SecretKey.byteCount
    else { throw CallFailure(.invalidActivationData, "The server's token is not what the protocol says.") }
    identifier = created.tokenId
    self.secret = secret
    self.type = type.rawValue
  }
}
