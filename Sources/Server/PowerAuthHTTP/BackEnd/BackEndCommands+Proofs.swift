// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import HTTP
import Identity
import Kit
import PowerAuthCore
import Storage

/// What devices proved to other servers, checked on their behalf.
extension BackEndCommands {
  /// Types that count unless a request names others: those that prove a person (powerauth.md §5).
  private static let standardTypes: [SignatureType] = [
    .possessionKnowledge, .possessionBiometry, .possessionKnowledgeBiometry,
  ]

  /// A header that cannot be read is as invalid as a wrong one: it came from a device, not from the caller.
  func verifySignature(
    _ content: RequestContent, by client: ServiceClient, _ write: IdempotentAnswers.Write
  ) async throws -> VerdictView {
    try client.require(.verify)
    let asked = try content.decode(as: VerifySignatureRequest.self)
    let types = try asked.signature_types?.signatureTypes() ?? Self.standardTypes
    if asked.keep == true { try Self.check(kept: asked.body ?? Data()) }
    guard let header = try? SignatureHeader(value: asked.header),
      // Before anything is counted: the counter of another tenant's device is not this one's to move.
      try await owns(header.activationIdentifier.text.lowercased(), client)
    else { return .invalid }
    do {
      let offered = try await activations.offer(
        header, method: asked.method, uriID: asked.uri_id, body: asked.body ?? Data(), allowed: Set(types),
        for: client.id.rawValue)
      return try await verdict(on: offered, keep: asked.keep, accepting: asked.accepted_flags, by: client, write)
    } catch let problem as Problem where problem == .protocolTooOld { return .protocolTooOld }
  }

  func verifyToken(
    _ content: RequestContent, by client: ServiceClient, _ write: IdempotentAnswers.Write
  ) async throws -> VerdictView {
    try client.require(.verify)
    let asked = try content.decode(as: VerifyTokenRequest.self)
    let types = try asked.signature_types?.signatureTypes() ?? SignatureType.allCases
    guard let header = try? TokenHeader(value: asked.header) else { return .invalid }
    do {
      switch try await activations.check(header, allowed: Set(types), tenant: client.tenant) {
      case .decided(let outcome): return Self.verdict(outcome, accepting: asked.accepted_flags)
      case .pending(let token):
        return try await database.write { tx in
          let view = Self.verdict(try activations.use(token, in: tx), accepting: asked.accepted_flags)
          _ = try answers.keep(view, about: subject(of: view, for: client), for: write, in: tx)
          return view
        }
      }
    } catch let problem as Problem where problem == .protocolTooOld { return .protocolTooOld }
  }

  func offlinePayload(_ content: RequestContent, by client: ServiceClient) async throws -> OfflinePayloadView {
    try client.require(.verify)
    let asked = try content.decode(as: OfflinePayloadRequest.self)
    try Self.check(offline: asked.data)
    let payload: OfflinePayload
    switch (asked.activation_id, asked.application_id) {
    case (let id?, nil):
      payload = try await activations.offlinePayload(asked.data, for: try await activation(id, of: client).id)
    case (nil, let id?):
      payload = try await activations.offlinePayload(asked.data, for: try await application(id, of: client).id)
    default:
      throw Problem.validation([.init("/activation_id", "required", "Either activation_id or application_id.")])
    }
    return OfflinePayloadView(offline_data: payload.text, nonce: payload.nonce)
  }

  func verifyOffline(
    _ content: RequestContent, by client: ServiceClient, _ write: IdempotentAnswers.Write
  ) async throws -> VerdictView {
    try client.require(.verify)
    let asked = try content.decode(as: VerifyOfflineRequest.self)
    try Self.check(offline: asked.data)
    guard asked.nonce.count == 16 else {
      throw Problem.validation([.init("/nonce", "length", "16 bytes in Base64.")])
    }
    guard let length = try? SignatureFormat.DecimalLength(asked.component_length ?? 8) else {
      throw Problem.validation([.init("/component_length", "range", "4 to 8.")])
    }
    var signature = OfflineSignature(
      text: asked.signature, nonce: asked.nonce, data: Data(asked.data.utf8),
      allowed: try asked.signature_types?.signatureTypes() ?? [.possessionKnowledge], length: length)
    if let method = asked.method { signature.method = method }
    if let uriID = asked.uri_id { signature.uriID = uriID }
    let found = try await activation(asked.activation_id, of: client)
    let offered = try activations.offer(signature, of: found.id, for: client.id.rawValue)
    return try await verdict(on: offered, keep: asked.keep, accepting: asked.accepted_flags, by: client, write)
  }

  func verifyDeviceSignature(
    _ content: RequestContent, by client: ServiceClient
  ) async throws -> DeviceSignatureView {
    try client.require(.verify)
    let asked = try content.decode(as: VerifyDeviceSignatureRequest.self)
    let found = try await activation(asked.activation_id, of: client)
    let isValid = try await activations.verifyDeviceSignature(asked.signature, over: asked.data, of: found.id)
    let isFlagged = isValid && found.isUnverified(accepting: asked.accepted_flags)
    return DeviceSignatureView(valid: isValid && !isFlagged, reason: isFlagged ? .activationFlagged : nil)
  }

  private func owns(_ id: String, _ client: ServiceClient) async throws -> Bool {
    do {
      _ = try await activation(id, of: client)
      return true
    } catch let problem as Problem where problem == .notFound { return false }
  }

  /// Judges a signature; what it changes is written together with the answer.
  private func verdict(
    on offered: PresentedSignature, keep: Bool?, accepting flags: [String]?, by client: ServiceClient,
    _ write: IdempotentAnswers.Write
  ) async throws -> VerdictView {
    let offered = keep == true ? offered.keeping(accepting: flags) : offered
    for _ in 0..<activations.racesMax {
      switch try await activations.judge(offered) {
      case .decided(let outcome): return Self.verdict(outcome, accepting: flags)
      case .pending(let signature):
        do {
          return try await database.write { tx in
            let view = Self.verdict(try activations.enter(signature, in: tx), accepting: flags)
            _ = try answers.keep(view, about: subject(of: view, for: client), for: write, in: tx)
            return view
          }
        } catch SQLError.outdated { continue }
      }
    }
    throw Problem.unavailable
  }

  /// - Parameter flags: those that the caller accepts of an activation whose user is not verified.
  private static func verdict(_ outcome: SignatureOutcome, accepting flags: [String]?) -> VerdictView {
    switch outcome {
    case .valid(let activation, let type): .proved(activation, type, accepting: flags)
    case .invalid(let activation, let remaining): .invalid(activation, remainingAttempts: remaining)
    case .wrongType: .invalid
    }
  }

  private static func verdict(_ outcome: TokenOutcome, accepting flags: [String]?) -> VerdictView {
    switch outcome {
    case .valid(let activation, let type): .proved(activation, type, accepting: flags)
    case .invalid, .wrongType: .invalid
    }
  }

  /// What is asked to be kept has to be readable for those who look at it later.
  private static func check(kept body: Data) throws {
    guard (1...Activations.signedTextMax).contains(body.count), String(bytes: body, encoding: .utf8) != nil else {
      throw Problem.validation([
        .init("/keep", "no-text", "What is kept is text: 1 to \(Activations.signedTextMax) bytes of UTF-8 in body.")
      ])
    }
  }

  private static func check(offline data: String) throws {
    guard (1...Activations.offlineDataMax).contains(data.utf8.count) else {
      throw Problem.validation([.init("/data", "length", "1 to \(Activations.offlineDataMax) bytes of UTF-8.")])
    }
  }
}
