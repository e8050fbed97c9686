import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore

/// What a bank's server sent to prove itself.
struct BankCall: Sendable {
  let provider: String?
  let signature: String?
  let body: Data
  let source: String
}

/// Proves banks by the signature of their key (saltedge-authenticator §7.1).
struct BankGate: Sendable {
  let parts: SaltEdgeParts
  let devices: DeviceGate

  /// - Throws: `Problem` SignatureMissing, InvalidSignature (also for an unknown bank), SignatureExpired,
  ///   WrongRequestFormat, TooManyRequests.
  func signed<Content: Codable & Sendable>(
    _ call: BankCall, _ content: Content.Type
  ) async throws -> (SaltEdgeProvider, SignedCall<Content>) {
    let id = SaltEdgeProvider.ID(rawValue: call.provider ?? "")
    let found = try await parts.database.read { [parts] in try ProviderStore($0, vault: parts.vault).find(id) }
    // A hosted bank has no server that could call.
    guard let provider = found, provider.kind == .remote, let key = try? RSAPublicKey(pem: provider.publicKey) else {
      throw refused(.saltEdge(.invalidSignature), call)
    }
    do {
      try DetachedJWS.verify(call.signature, body: call.body, with: key, nowSeconds: parts.world.now().seconds)
    } catch { throw refused(.saltEdge(.init(rawValue: error.errorClass)), call) }
    return (provider, try SignedCall(call.body, signature: call.signature ?? "", of: "bank \(provider.id)"))
  }

  private func refused(_ problem: Problem, _ call: BankCall) -> Problem {
    devices.refused(problem, DeviceCall(token: nil, signature: nil, body: Data(), source: call.source))
  }
}
