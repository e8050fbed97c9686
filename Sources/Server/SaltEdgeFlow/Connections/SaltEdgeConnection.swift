// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeCore
import Storage

/// The bond between a device, a customer and a bank.
package struct SaltEdgeConnection: Sendable {
  package typealias ID = Identifier<SaltEdgeConnection>

  package let id: ID
  package let provider: SaltEdgeProvider.ID
  /// 1 or 2: which wire the device speaks.
  let apiVersion: Int
  package var state: ConnectionState
  let platform: String
  let returnURL: String
  /// Until when the customer has to sign in.
  let enrolmentEndsAt: Instant
  let createdAt: Instant
  var version = 0

  /// Under which a bank that signs customers in on a page of its own names this connection (v1, hosted banks).
  var sessionDigest: String?
  /// Whose it is; nil until they signed in.
  var userDigest: String?
  /// The device's, in PEM; in v2 nil until the bank told it.
  var publicKey: String?
  var tokenDigest: String?
  var tokenExpiresAt: Instant?
  var secrets = Secrets()

  /// What is sealed.
  struct Secrets: Sendable, Codable, Equatable {
    var user: String?
    var pushToken: String?
    /// In which the device is written to; nil is the server's first.
    var language: String?
    /// Digest of the connect query that it came with, where that leads to one connection only.
    var connectQuery: String?
  }

  /// - Throws: `Problem` ConnectionNotFound when the stored key is of no use.
  func deviceKey() throws -> RSAPublicKey {
    guard let publicKey, let key = try? RSAPublicKey(pem: publicKey) else {
      throw Problem.saltEdge(.connectionNotFound)
    }
    return key
  }

  func isUsable(at now: Instant) -> Bool {
    state == .valid && tokenExpiresAt.map { now < $0 } ?? false
  }

  /// How audit lines name the device.
  var actor: String { "device:\(id)" }
}
