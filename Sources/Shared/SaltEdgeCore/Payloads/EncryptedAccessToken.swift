// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire

/// The access token as the redirect of v2 carries it (specification §5.3): Base64 of `{"access_token": "…"}`, encrypted
/// in one block for the device's key.
public enum EncryptedAccessToken {
  /// Base64 of a block for the largest key, with line ends.
  private static let charactersMax = 1024

  private struct Content: Codable {
    let token: String

    enum CodingKeys: String, CodingKey { case token = "access_token" }
  }

  /// Encrypts a token for a device; Base64 without line ends, to be percent-encoded whole.
  /// - Throws: `tooLong` when it does not fit into one block (about 220 bytes with a key of 2048 bits), `malformed`
  ///   when it is empty.
  public static func encrypt(_ token: String, for device: RSAPublicKey) throws(SaltEdgeError) -> String {
    guard !token.isEmpty, let json = try? JSONEncoder().encode(Content(token: token)) else {
      throw .malformed(.accessToken)
    }
    do { return try device.encrypt(json).base64EncodedString() } catch {
      throw error == .tooLong(.payload) ? .tooLong(.accessToken) : error
    }
  }

  /// Reads a token on the device.
  /// - Parameter text: percent-decoded; line ends and the alphabet of base64url are tolerated.
  /// - Throws: `undecryptable`, whatever was wrong with it: a connection must not be kept then.
  public static func decrypt(_ text: String, with key: RSAPrivateKey) throws(SaltEdgeError) -> String {
    guard text.utf8.count <= charactersMax, let ciphertext = Base64Text.decode(text.utf8, .any) else {
      throw .undecryptable
    }
    let json = try key.decrypt(ciphertext)
    guard let token = try? WireJSON.decode(Content.self, from: json).token, !token.isEmpty else {
      throw .undecryptable
    }
    return token
  }
}
