// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// A message of a tenant's server that is done once: the same again gets the answer that was kept with what it did.
struct ConnectorMessage: Sendable {
  private let id: String
  private let tenant: Int
  /// Of its path and content.
  private let digest: String

  /// - Parameters:
  ///   - path: of the call.
  ///   - purpose: of the digest, one for each kind of server.
  init(_ id: String, of tenant: Int, path: String, body: some Encodable, vault: Vault, for purpose: String) throws {
    (self.id, self.tenant) = (id, tenant)
    digest = vault.digest("\(path) \(try Self.text(body))", for: purpose)
  }

  /// Keeps the name of the message until the transaction ends: one of the same name waits, and then gets its answer.
  /// - Returns: the earlier answer; nil for a message that is new.
  /// - Throws: `Problem` conflict `message-reused` for another content under the name.
  func earlier<Answer: Decodable>(_ type: Answer.Type, at now: Instant, in tx: any SQLTransaction) throws -> Answer? {
    guard let text = try IssuerMessageStore(tx).claim(id, digest, of: tenant, at: now) else { return nil }
    return try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  /// Keeps what the same message gets when it comes again.
  /// - Returns: the answer.
  @discardableResult
  func keep<Answer: Encodable>(_ answer: Answer, in tx: any SQLTransaction) throws -> Answer {
    try IssuerMessageStore(tx).keep(Self.text(answer), of: id, tenant: tenant)
    return answer
  }

  private static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
