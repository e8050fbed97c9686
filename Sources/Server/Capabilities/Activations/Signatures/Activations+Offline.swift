// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

/// Signatures of devices without a connection: a person scans a text, and types the digits that the device shows.
///
/// What is scanned follows the reference's public documents: the data's lines, the nonce, one letter for the key, then
/// the Base64 of a DER signature over everything before it, the letter included. The proximity check (a TOTP line)
/// is not offered.
extension Activations {
  /// Bytes of the largest text that still fits a QR code beside nonce and signature.
  package static let offlineDataMax = 2000

  private enum KeyLetter {
    static let master = "0"
    static let activation = "1"
  }

  /// For one device, which checks it with the server's key of its activation.
  /// - Throws: `Problem` not found, validation, or `activation-state` unless it is active.
  package func offlinePayload(_ data: String, for id: Activation.ID) async throws -> OfflinePayload {
    let row = try await database.look { [self] tx in try current(id, in: tx) }
    guard row.state == .active, let key = try KeyAgreement.serverKey(of: row, by: vault) else {
      throw Problem.activationState(row.state.name)
    }
    return try payload(data, key: key, letter: KeyLetter.activation)
  }

  /// For any device of an application, which checks it with the master key that its app was built with: the newest
  /// that a supported version has.
  /// - Throws: `Problem` not found or validation.
  package func offlinePayload(
    _ data: String, for application: PowerAuthApplication.ID
  ) async throws -> OfflinePayload {
    let keys = try await database.look { [applications] tx in try applications.keys.inUse(of: application, in: tx) }
    guard let newest = keys.first else { throw Problem.notFound }
    return try payload(data, key: newest.key, letter: KeyLetter.master)
  }

  /// Checks what a person typed. The same counter and attempts as online signatures.
  /// - Parameter client: the other server that asks, for the audit.
  /// - Throws: `Problem` validation for a nonce that has not 16 bytes, when no type is allowed, or possession alone:
  ///   its few digits could be guessed without an attempt being counted.
  package func verifyOffline(
    _ signature: OfflineSignature, of id: Activation.ID, for client: String? = nil
  ) async throws -> SignatureOutcome { try await settle(try offer(signature, of: id, for: client)) }

  /// What a person typed with what it stands over. The parameters and problems are those of `verifyOffline`.
  package func offer(
    _ signature: OfflineSignature, of id: Activation.ID, for client: String?
  ) throws -> PresentedSignature {
    guard signature.allowed.allSatisfy(\.countsAttempts) else {
      throw Problem.validation([.init("/signature_types", "unknown-value", "Offline, possession alone is no proof.")])
    }
    guard !signature.allowed.isEmpty, signature.data.count <= Self.offlineDataMax,
      let data = try? NormalizedData(
        offline: signature.method, uriIdentifier: signature.uriID, nonce: signature.nonce, body: signature.data)
    else {
      throw Problem.validation([.init("/nonce", "format", "A nonce of 16 bytes, some type, and not too much data.")])
    }
    return .claimed(
      SignatureCheck.Claim(
        text: signature.text, types: signature.allowed, data: data, version: nil,
        length: signature.length),
      of: id, application: nil, facts: Self.facts("offline", data, for: signature.uriID, client))
  }

  /// Whether the activation's device made a signature with its private key: DER, ECDSA with SHA-256 (powerauth.md §8).
  /// - Throws: `Problem` not found.
  package func verifyDeviceSignature(
    _ signature: Data, over data: Data, of id: Activation.ID
  ) async throws -> Bool {
    let row = try await database.look { [self] tx in try current(id, in: tx) }
    guard row.state == .active, let keys = row.publicKeys else { return false }
    return try ECPublicKey(keys.device).isValidSignature(signature, for: data)
  }

  private func payload(_ data: String, key: ECPrivateKey, letter: String) throws -> OfflinePayload {
    guard (1...Self.offlineDataMax).contains(data.utf8.count) else {
      throw Problem.validation([.init("/data", "length", "1 to \(Self.offlineDataMax) bytes.")])
    }
    let nonce = Randomness(world.random).nonce().base64EncodedString()
    let signed = "\(data)\n\(nonce)\n\(letter)"
    let signature = try key.signature(for: Data(signed.utf8))
    return OfflinePayload(text: signed + signature.base64EncodedString(), nonce: nonce)
  }
}
