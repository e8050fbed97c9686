// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit

@testable import Identity

/// A JWT taken apart, to be put together wrongly.
struct TokenForge {
  var header: [String: String]
  var claims: [String: Any]
  let signature: String

  init(_ token: String) throws {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let header = Data(base64URL: parts[0]), let claims = Data(base64URL: parts[1]) else {
      throw NoToken()
    }
    self.header = try JSONDecoder().decode([String: String].self, from: header)
    self.claims = try JSONSerialization.jsonObject(with: claims) as? [String: Any] ?? [:]
    signature = parts[2]
  }

  var signed: String {
    get throws {
      let head = try JSONEncoder().encode(header).base64URL
      return "\(head).\(try JSONSerialization.data(withJSONObject: claims, options: .sortedKeys).base64URL)"
    }
  }

  /// With the signature that it came with.
  func kept() throws -> String { "\(try signed).\(signature)" }

  func unsigned() throws -> String { "\(try signed)." }

  func signed(by key: P256.Signing.PrivateKey) throws -> String {
    let text = try signed
    return "\(text).\(try key.signature(for: Data(text.utf8)).rawRepresentation.base64URL)"
  }

  func hmac(_ key: Data) throws -> String {
    let text = try signed
    return
      "\(text).\(Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key))).base64URL)"
  }

  struct NoToken: Error {}
}

extension SessionsTestApp {
  /// The server's own keys, which a test may use to sign what the server never would.
  func signingKeys() async throws -> [SigningKey] {
    try await database.read { [vault] in try SigningKeyStore($0).all(vault: vault) }
  }
}
