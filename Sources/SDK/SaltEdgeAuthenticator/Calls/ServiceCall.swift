// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import GatehouseWire
internal import SaltEdgeCore
internal import SaltEdgeWire

/// One intended call: what it says, to whom, and how it proves who is calling. It is written, signed and sent by a
/// `ServiceHTTPClient`.
package struct ServiceCall<Answer: Codable & Sendable>: Sendable {
  /// How the device proves itself.
  package enum Proof: Sendable {
    case none
    case token(String)
    /// Token, expiry and signature in headers (§4.4).
    case v1(token: String, key: ConnectionKey)
    /// Token and a detached JWS of the body (§5.5).
    case v2(token: String, key: ConnectionKey)
  }

  package let method: String
  package let url: URL
  package let language: String
  package private(set) var proof: Proof
  /// Beside those of every call; values that cannot be in a header stop the call.
  package var headers: [String: String] = [:]
  /// The body for an expiry, in seconds since 1970; nil for none. Asked once: the bytes that are signed are sent.
  let body: (@Sendable (_ expiresAtSeconds: Int64) throws -> Data)?

  init(_ method: String, _ url: URL, language: String, proof: Proof) {
    (self.method, self.url, self.language, self.proof, body) = (method, url, language, proof, nil)
  }

  /// With `{"data": …}`, and `exp` when it is signed as v2 signs.
  init(
    _ method: String, _ url: URL, _ content: some Codable & Sendable, language: String, proof: Proof
  ) {
    (self.method, self.url, self.language, self.proof) = (method, url, language, proof)
    let isExpiring = if case .v2 = proof { true } else { false }
    body = { expiry in
      isExpiring
        ? try WireJSON.encode(SaltEdge.SignedBody(data: content, exp: expiry))
        : try WireJSON.encode(SaltEdge.Body(data: content))
    }
  }

  /// The same call, signed by a permit of its own.
  package func signed(by permit: KeyProtection.Permit) -> ServiceCall {
    var call = self
    switch proof {
    case .none, .token: break
    case .v1(let token, let key): call.proof = .v1(token: token, key: key.opening(by: permit))
    case .v2(let token, let key): call.proof = .v2(token: token, key: key.opening(by: permit))
    }
    return call
  }
}

/// Who calls whom: what every call of an existing connection needs.
package struct ServiceAccess: Sendable, Redacted {
  /// Of the configuration.
  package let baseURL: URL
  package let accessToken: String
  /// Of the connection.
  package let key: ConnectionKey
  /// Of the app, a BCP 47 tag.
  package let language: String

  package init(baseURL: URL, accessToken: String, key: ConnectionKey, language: String = "en") {
    (self.baseURL, self.accessToken, self.key, self.language) = (baseURL, accessToken, key, language)
  }
}
