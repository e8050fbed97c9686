// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeCore
import SaltEdgeWire

/// What a bank's server sent to prove itself.
struct BankCall: Sendable {
  /// Who it says it is.
  let provider: SaltEdgeProvider
  let signature: String
  let body: Data
  let source: String
}

/// Proves banks by the signature of their key (saltedge-authenticator §7.1).
struct BankGate: Sendable {
  let core: CoreDependencies
  let devices: DeviceGate

  /// The bank that a caller says it is: before the body is read, which is large, and before anything is checked.
  /// - Throws: `Problem` SignatureMissing, InvalidSignature for an unknown bank, TooManyRequests.
  func admit(_ provider: String?, signature: String?, source: String) async throws -> SaltEdgeProvider {
    try devices.admit(source)
    guard signature != nil else { throw devices.refused(.saltEdge(.signatureMissing), by: source) }
    return try await find(.init(rawValue: provider ?? ""), for: source)
  }

  /// The bank as it is. It is asked for again once a body is there, which may have come slowly: the bank may be suspended
  /// by then, or have another key.
  /// - Throws: `Problem` InvalidSignature for an unknown bank.
  func find(_ id: SaltEdgeProvider.ID, for source: String) async throws -> SaltEdgeProvider {
    let found = try await core.database.look { [core] in try ProviderStore($0, vault: core.vault).find(id) }
    // A hosted bank has no server that could call.
    guard let found, found.kind == .remote else { throw devices.refused(.saltEdge(.invalidSignature), by: source) }
    return found
  }

  /// - Throws: `Problem` InvalidSignature, SignatureExpired, WrongRequestFormat, TooManyRequests.
  func signed<Content: Codable & Sendable>(
    _ call: BankCall, _ content: Content.Type
  ) throws -> (SaltEdgeProvider, SignedCall<Content>) {
    try devices.requireUnambiguous(call.body)
    do {
      try DetachedJWS.verify(
        call.signature, body: call.body, with: RSAPublicKey(pem: call.provider.publicKey),
        nowSeconds: core.world.wall().seconds)
    } catch {
      throw devices.refused(.saltEdge(.init(rawValue: error.errorClass)), by: call.source)
    }
    // Only who proved to be the bank is told.
    try call.provider.requireAdmitted()
    return (call.provider, try SignedCall(call.body, signature: call.signature, of: "bank \(call.provider.id)"))
  }

  /// A bank's request by which something is taken back or closed. Its path, which says what, is not signed: where it has
  /// content, that names the same thing and no more. Other content was signed for another call.
  /// - Parameters:
  ///   - name: of what names the thing, as in `connection_id`.
  ///   - id: of the thing, as the path has it.
  /// - Throws: as `signed`.
  func signedName(
    _ name: String, _ id: String, _ call: BankCall
  ) throws -> (SaltEdgeProvider, SignedCall<[String: SaltEdge.TextID]>) {
    let (provider, signed) = try signed(call, [String: SaltEdge.TextID].self)
    guard signed.content.allSatisfy({ $0.key == name && $0.value.text == id }) else { throw Problem.wrongFormat }
    return (provider, signed)
  }
}
