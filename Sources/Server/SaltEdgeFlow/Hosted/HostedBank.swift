// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeWire
import Storage

/// The bank's side of v2 for banks that have no server of their own: what a remote bank does with its private key is
/// done here with the one that was made for it (saltedge-authenticator §7.2).
struct HostedBank: Sendable {
  let core: CoreDependencies
  let policy: SaltEdgePolicy

  var client: BankClient {
    BankClient(
      connect: connect, decide: decide, submit: submit,
      // Their bank hears of these by webhook.
      revokeConnection: { _, _ in }, revokeConsent: { _, _ in })
  }

  private func privateKey(of provider: SaltEdgeProvider) async throws -> RSAPrivateKey {
    let found = try await core.database.read { [core] in
      try ProviderStore($0, vault: core.vault).privateKey(of: provider.id)
    }
    guard let found else { throw BankFailure.unintelligible }
    return found
  }

  @Sendable
  private func connect(
    _ provider: SaltEdgeProvider, _ asked: SaltEdgeBank.Connect
  ) async throws -> SaltEdgeBank.Connecting {
    let key = try await privateKey(of: provider)
    guard let pem = try? EncryptedPayload(asked.encryptedPublicKey).decrypted(with: key),
      let device = try? RSAPublicKey(pem: pem)
    else { throw BankFailure.refused(.wrongRequestFormat) }
    let (token, session) = (core.secret(), core.secret())
    let end = try await core.database.write(retrying: .outdated) { [core] tx -> Enrolment.End in
      guard let connection = try ConnectionStore(tx, vault: core.vault).find(.init(rawValue: asked.connectionID.text))
      else { throw BankFailure.refused(.connectionNotFound) }
      return try Enrolment(core: core, policy: policy).begin(
        connection, of: provider, device: device, query: asked.connectQuery, token: token, session: session, in: tx)
    }
    return .init(authenticationURL: try end.url(returnURL: asked.returnURL, apiVersion: 2, device: device))
  }

  /// Opens what only the bank can read, compares the code, and keeps the evidence. The same decision again is the same.
  @Sendable
  private func decide(
    _ provider: SaltEdgeProvider, _ reference: String, _ confirms: Bool, _ decision: SaltEdgeBank.Decision
  ) async throws -> SaltEdgeBank.Decided {
    let key = try await privateKey(of: provider)
    let body = Data(decision.originalRequest.utf8)
    guard let signed = try? WireJSON.decode(SaltEdge.SignedBody<SaltEdge.Ciphertext>.self, from: body),
      let text = try? EncryptedPayload(signed.data).decrypted(with: key),
      let confirmation = try? WireJSON.decode(SaltEdgeV2.Confirmation.self, from: Data(text.utf8))
    else { throw BankFailure.refused(.wrongRequestFormat) }
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard
        let connection = try ConnectionStore(tx, vault: core.vault).find(.init(rawValue: decision.connectionID.text)),
        connection.provider == provider.id
      else { throw BankFailure.refused(.connectionNotFound) }
      // A bank relies on the device's signature, not on the service in between.
      guard let device = try? connection.deviceKey(),
        (try? DetachedJWS.verify(decision.originalSignature, body: body, with: device)) != nil
      else { throw BankFailure.refused(.invalidSignature) }
      guard let operation = try OperationStore(tx, vault: core.vault).find(.init(rawValue: reference)),
        operation.provider == provider.id, operation.userDigest == connection.userDigest
      else { throw BankFailure.refused(.actionNotFound) }
      if operation.state == (confirms ? .confirmed : .denied),
        operation.evidence?.signature == decision.originalSignature
      {
        return
      }
      guard operation.state == .pending else { throw BankFailure.refused(.actionClosed) }
      // A denial without the code cannot be passed off as a confirmation. Published apps send the code in both.
      guard confirmation.code.map(operation.code.matches) ?? !confirms else {
        throw BankFailure.refused(.wrongRequestFormat)
      }
      try OperationService(core: core).decide(
        operation, confirms: confirms,
        .init(
          connection: connection.id.rawValue, apiVersion: 2, at: core.world.now(), shown: try operation.shownV2(),
          signed: body, signature: decision.originalSignature, publicKey: device.pem,
          authorizationType: confirmation.userAuthorizationType?.bounded,
          geolocation: confirmation.geolocation?.bounded,
          confirmation: text),
        in: tx)
    }
    return .init(closesAction: true)
  }

  @Sendable
  private func submit(
    _ provider: SaltEdgeProvider, _ reference: String, _ submission: SaltEdgeBank.ActionSubmission
  ) async throws -> SaltEdgeBank.Action? {
    do {
      return try await core.database.write(retrying: .outdated) { [core] tx in
        let connection = try core.usable(.init(rawValue: submission.connectionID.text), in: tx)
        guard connection.provider == provider.id else { throw BankFailure.refused(.connectionNotFound) }
        let operation = try OperationService(core: core).pickUp(.init(rawValue: reference), by: connection, in: tx)
        guard operation.state == .pending else { return nil }
        return SaltEdgeBank.Action(
          actionID: .init(reference), userID: connection.secrets.user.map { .init($0) },
          expiresAt: operation.expiresAt.rfc3339,
          authorizations: [try core.item(Data(operation.shownV2().utf8), for: connection)])
      }
    } catch let problem as Problem {
      if problem.category == .unavailable { throw BankFailure.unavailable }
      throw BankFailure.refused(.init(rawValue: problem.code))
    }
  }
}

extension String {
  /// What devices say of themselves, cut to what is kept (saltedge-authenticator §4.4). In v1 it is not signed.
  var bounded: String { prefix(scalars: 64) }
}
