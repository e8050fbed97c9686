// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeWire
import Storage

/// What a device sent to prove itself.
struct DeviceCall: Sendable {
  let token: String?
  var signature: String?
  /// The raw body: signatures cover it, and banks get it byte for byte.
  let body: Data
  /// Where it came from.
  let source: String
  /// What its customer reads, as it says itself: `Accept-Language`.
  var language: String?
}

/// Proves devices by their tokens and signatures, in the order of the public server (saltedge-authenticator §4.4):
/// there is a token, it is a connection's, there is a signature, it holds.
package struct DeviceGate: Sendable {
  let core: CoreDependencies
  let policy: SaltEdgePolicy
  private let nodes: NodeRateLimits

  init(core: CoreDependencies, policy: SaltEdgePolicy) {
    (self.core, self.policy) = (core, policy)
    nodes = NodeRateLimits(world: core.world)
  }

  /// The connection of a token that is good.
  /// - Throws: `Problem` AccessTokenMissing, ConnectionNotFound, ConnectionRevoked, TooManyRequests; unavailable while
  ///   its
  ///   bank is suspended.
  func connection(_ call: DeviceCall, apiVersion: Int) async throws -> SaltEdgeConnection {
    guard let token = call.token, !token.isEmpty else { throw refused(.saltEdge(.accessTokenMissing), call) }
    guard token.utf8.count <= SaltEdgePolicy.tokenBytes.upperBound * 2 else {
      throw refused(.saltEdge(.connectionNotFound), call)
    }
    let digest = core.digest(token: token)
    let (found, isSuspended) = try await core.database.look { [core] tx in
      let found = try ConnectionStore(tx, vault: core.vault).find(tokenDigest: digest)
      return (found, try found.map { try ProviderStore(tx, vault: core.vault).isSuspended($0.provider) } ?? false)
    }
    guard let connection = found, connection.apiVersion == apiVersion else {
      throw refused(.saltEdge(.connectionNotFound), call)
    }
    // Released apps of v1 know no class for a revoked connection.
    if connection.state == .revoked, apiVersion == 2 { throw refused(.saltEdge(.connectionRevoked), call) }
    guard connection.isUsable(at: core.world.now()) else { throw refused(.saltEdge(.connectionNotFound), call) }
    guard !isSuspended else { throw Problem.bankSuspended }
    return connection
  }

  /// The connection that signed a request of v2 (§5.5), and what it signed.
  /// - Throws: also `Problem` SignatureMissing, InvalidSignature, SignatureExpired, WrongRequestFormat.
  func signed<Content: Codable & Sendable>(
    _ call: DeviceCall, _ content: Content.Type
  ) async throws -> (SaltEdgeConnection, SignedCall<Content>) {
    let connection = try await connection(call, apiVersion: 2)
    try requireUnambiguous(call.body)
    try check(connection) {
      try DetachedJWS.verify(
        call.signature, body: call.body, with: connection.deviceKey(), nowSeconds: core.world.wall().seconds)
    }
    return (connection, try SignedCall(call.body, signature: call.signature ?? "", of: "device \(connection.id)"))
  }

  /// The connection that signed a request without content, by which something is taken back. One with content was
  /// signed for another call; it may not have been spent there, as a decision that came too late.
  /// - Throws: as `signed`.
  func signedNothing(_ call: DeviceCall) async throws -> (SaltEdgeConnection, SignedCall<[String: String]>) {
    let (connection, signed) = try await signed(call, [String: String].self)
    guard signed.content.isEmpty else { throw Problem.wrongFormat }
    return (connection, signed)
  }

  /// Comes before the check of a JWS, which reads the expiry in the body: some texts take long to read for their length.
  /// - Throws: `Problem` WrongRequestFormat.
  func requireUnambiguous(_ body: Data) throws(Problem) {
    do { try JSONText.check(body) } catch { throw Problem.wrongFormat }
  }

  /// Checks what a connection signed. A caller who has its token is known: their failures count for the connection and
  /// not for the address, which may be many people's, and beyond the limit nothing is checked any more.
  /// - Throws: `Problem` of the signature, TooManyRequests.
  func check(_ connection: SaltEdgeConnection, _ verify: () throws -> Void) throws {
    try admit(connection.actor)
    do { try verify() } catch let error as SaltEdgeError {
      throw refused(.saltEdge(.init(rawValue: error.errorClass)), by: connection.actor)
    }
  }

  /// Refuses callers that failed too often, before the work that a check costs.
  /// - Throws: `Problem` TooManyRequests.
  func admit(_ subject: String) throws {
    guard nodes.isSpent(policy.refusals, by: subject) else { return }
    throw refused(.saltEdge(.tooManyRequests), by: subject)
  }

  /// Counts a failed check of one address; beyond the limit the answer is that refusal. Tokens and signatures are too
  /// long to
  /// be guessed: the limit guards the node, so the node counts.
  func refused(_ problem: Problem, _ call: DeviceCall) -> Problem { refused(problem, by: call.source) }

  func refused(_ problem: Problem, by subject: String) -> Problem {
    do { try nodes.spend(policy.refusals, by: subject) } catch let limited as Problem {
      return .saltEdge(.tooManyRequests).with { $0.retryAfterSeconds = limited.retryAfterSeconds }
    } catch {}
    return problem
  }
}

extension CoreDependencies {
  /// Lets what a device signed count this once: what is signed names neither what is asked nor of what, so that a
  /// request that was recorded could be used for something else (§13). Comes last: a repetition at the same place
  /// finds that there is nothing to do any more.
  /// - Throws: `Problem` InvalidSignature when it was used before.
  func spend<Content>(_ signed: SignedCall<Content>, in tx: any SQLTransaction) throws {
    guard try SpentStore(tx).spend(signed.digest, until: signed.expiresAt) else {
      throw Problem.saltEdge(.invalidSignature)
    }
  }
}

/// A signed body of v2 that was found to be right.
struct SignedCall<Content: Codable & Sendable>: Sendable {
  let content: Content
  /// Names this request among all that were signed.
  let digest: String
  /// Until when it could be sent again.
  let expiresAt: Instant

  /// - Throws: `Problem` WrongRequestFormat.
  init(_ body: Data, signature: String, of signer: String) throws {
    guard let signed = try? WireJSON.decode(SaltEdge.SignedBody<Content>.self, from: body) else {
      throw Problem.wrongFormat
    }
    content = signed.data
    // The text of a signature is unique: the verifier takes one spelling only.
    digest = Data("\(signer) \(signature)".utf8).sha256Hex
    expiresAt = Instant(milliseconds: signed.exp * 1000)
  }
}
