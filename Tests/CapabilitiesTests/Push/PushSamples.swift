// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Delivery
import Foundation
import Kit
import Testing
import TestSupport

/// Keys and messages of the push suites, and the other side's look at a JWT.
enum PushSamples {
  static let device = String(repeating: "0A1b", count: 16)

  static func message(
    _ platform: PushMessage.Platform, to token: String? = nil, at now: Instant, numbers: Bool = true
  ) -> PushMessage {
    PushMessage(
      platform, to: token ?? (platform == .apple ? device : "android-token"), title: "Confirmation requested",
      body: "Bank \"A\" asks.",
      data: numbers
        ? ["connection_id": .number(11), "authorization_id": .number(9_007_199_254_740_991)]
        : ["connection_id": .text("11"), "authorization_id": .text("12")],
      name: "12", expiresAt: now + .minutes(5), locale: "en")
  }

  static func apns(_ key: P256.Signing.PrivateKey, _ base: String) throws -> APNsSettings {
    try APNsSettings(
      key: key.pemRepresentation, keyID: "KEY1234567", teamID: "TEAM123456", topic: "com.example.bank", base: base)
  }

  static func account(_ key: _RSA.Signing.PrivateKey, _ base: String) throws -> Data {
    try JSONSerialization.data(withJSONObject: [
      "type": "service_account", "project_id": "bank-project", "private_key_id": "k1",
      "private_key": key.pkcs8PEMRepresentation, "client_email": "push@bank-project.example",
      "token_uri": "\(base)/token",
    ])
  }

  /// Header and claims of a JWT, and what its signature is over.
  static func opened(_ jwt: String) throws -> (
    header: [String: Any], claims: [String: Any], signed: Data, signature: Data
  ) {
    let parts = jwt.split(separator: ".").map(String.init)
    try #require(parts.count == 3)
    func object(_ text: String) throws -> [String: Any] {
      let bytes = try #require(Data(base64URL: text))
      return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }
    return (
      try object(parts[0]), try object(parts[1]), Data("\(parts[0]).\(parts[1])".utf8),
      try #require(Data(base64URL: parts[2]))
    )
  }
}
