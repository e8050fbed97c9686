// SPDX-License-Identifier: Apache-2.0

import Foundation
import JWTKit
import Kit

/// How notifications reach Apple's devices: one key of the developer account (token-based authentication).
package struct APNsSettings: Sendable {
  package static let production = "https://api.push.apple.com"
  package static let sandbox = "https://api.sandbox.push.apple.com"

  let key: ES256PrivateKey
  let keyID: String
  let teamID: String
  /// The app's bundle id.
  let topic: String
  let base: String

  /// - Parameters:
  ///   - key: PKCS#8 in PEM, the `.p8` file as it was downloaded.
  ///   - base: another address than Apple's; HTTPS.
  /// - Throws: `PushSettingsError`.
  package init(key: String, keyID: String, teamID: String, topic: String, base: String = production) throws {
    guard let key = try? ES256PrivateKey(pem: key) else { throw PushSettingsError.key }
    for (name, text) in [("keyId", keyID), ("teamId", teamID), ("topic", topic)] {
      guard text.wholeMatch(of: #/[A-Za-z0-9.\-]{1,155}/#) != nil else { throw PushSettingsError.value(name) }
    }
    (self.key, self.keyID, self.teamID, self.topic) = (key, keyID, teamID, topic)
    self.base = try PushSettingsError.checked(base)
  }
}

package enum PushSettingsError: Error, Sendable, Equatable {
  /// No private key of the right kind.
  case key
  case value(String)
  /// Not HTTPS.
  case url
  /// No service account in JSON.
  case account

  static func checked(_ base: String) throws -> String {
    guard let address = WebAddress(base), address.isSecure, !address.hasQuery, !address.hasFragment,
      !base.hasSuffix("/")
    else { throw Self.url }
    return base
  }
}
