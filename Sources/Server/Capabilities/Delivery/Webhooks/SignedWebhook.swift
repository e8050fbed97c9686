// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// Calls of another company, as JSON by POST over HTTPS, signed as Standard Webhooks are (standard-webhooks 1.0.0,
/// symmetric): `webhook-id`, `webhook-timestamp`, and `webhook-signature: v1,<Base64 of an HMAC-SHA-256>` over the
/// three parts `id.timestamp.body`.
package struct SignedWebhook: Sendable {
  private let base: String
  package let secret: WebhookSecret
  private let http: PeerHTTP
  private let world: World

  /// - Parameters:
  ///   - base: without a slash at its end. HTTPS, unless it is this machine.
  ///   - secret: `whsec_` and the Base64 of 24 to 64 bytes.
  ///   - caFile: PEM file of the only trusted certificates; nil for the system's.
  /// - Throws: `SignedWebhookError`.
  package init(
    base: String, secret: String, caFile: String? = nil, threads: BlockingThreadPool, world: World
  ) throws {
    guard let address = WebAddress(base), !address.hasQuery, !address.hasFragment else { throw SignedWebhookError.url }
    guard address.isSecure || address.host.isLoopbackHost else { throw SignedWebhookError.insecureURL }
    guard let secret = WebhookSecret(secret) else { throw SignedWebhookError.secret }
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    self.secret = secret
    http = .curl(threads: threads, caFile: caFile, answerMax: 256 * 1024)
    self.world = world
  }

  /// - Parameter path: begins with a slash.
  package func address(_ path: String) -> String { base + path }

  /// As bodies are sent.
  package static func encode(_ body: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(body)
  }

  /// - Parameters:
  ///   - path: begins with a slash.
  ///   - id: the same in every repetition; nil makes one.
  /// - Returns: the body of the answer.
  /// - Throws: `MessageRefused` when repeating cannot help, `MessageUndelivered` when it may.
  package func post(_ path: String, _ body: some Encodable & Sendable, id: String? = nil) async throws -> Data {
    let bytes = try Self.encode(body)
    let (id, seconds) = (id ?? world.uuid(), world.wall().seconds)
    var headers = secret.fields(id: id, seconds: seconds, body: bytes)
    (headers["Content-Type"], headers["Accept"]) = ("application/json", "application/json")
    let answer = try await http.deliver(.init("POST", address(path), headers: headers, body: bytes))
    try answer.requireSuccess(in: 200...299)
    return answer.body
  }
}

package enum SignedWebhookError: Error, Sendable, Equatable {
  case url, insecureURL, secret
}
