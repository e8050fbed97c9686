// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeWire
import Storage

/// Connecting devices and letting them go, in v2 (saltedge-authenticator §5.1–5.4).
struct V2Connections: Sendable {
  let core: CoreDependencies
  let policy: SaltEdgePolicy
  let gate: DeviceGate
  let bank: BankClient

  func configuration(_ id: String) async throws -> SaltEdgeV2.Configuration {
    let provider = try await provider(id)
    return SaltEdgeV2.Configuration(
      serviceURL: policy.publicURL, apiVersion: "2", providerID: .init(provider.id.rawValue),
      providerName: provider.name, providerLogoURL: provider.logoURL, providerSupportEmail: provider.supportEmail,
      providerPublicKey: provider.publicKey, requiresGeolocation: provider.requiresGeolocation)
  }

  /// Notes the device, then asks the bank where its customer signs in. The device's key is for the bank to read.
  func connect(_ call: DeviceCall) async throws -> SaltEdgeV2.Connected {
    try gate.admit(call.source)
    guard let asked = try? WireJSON.decode(SaltEdge.Body<SaltEdgeV2.Connect>.self, from: call.body).data else {
      throw gate.refused(.wrongFormat, call)
    }
    try EnrolmentRules.payload(asked.encryptedPublicKey)
    let (query, pushToken) = (
      try EnrolmentRules.connectQuery(asked.connectQuery), try EnrolmentRules.pushToken(asked.pushToken)
    )
    let platform = try EnrolmentRules.platform(asked.platform)
    let provider = try await provider(asked.providerID.text)
    let returnURL = try EnrolmentRules.returnURL(asked.returnURL, of: provider)
    let now = core.world.now()
    let connection = SaltEdgeConnection(
      id: core.number(), provider: provider.id, apiVersion: 2, state: .authenticating, platform: platform,
      returnURL: returnURL, enrolmentEndsAt: now + policy.signInLifetime, createdAt: now,
      secrets: .init(
        pushToken: pushToken, language: PushTexts.language(call.language),
        connectQuery: policy.usesConnectQueriesOnce ? query.map { digest(query: $0, of: provider) } : nil))
    let isUsed = try await core.database.write(retrying: .outdated) { [core] tx in
      try core.limits.spend(policy.connects, by: core.vault.digest(call.source, for: "address"), in: tx)
      try ConnectionStore(tx, vault: core.vault).insert(connection)
      try core.note("connection.asked", connection.id, by: "device", ["provider": provider.id.rawValue], in: tx)
      // It may be a photograph of the screen.
      return try connection.secrets.connectQuery.map { try SpentStore(tx).isSpent($0) } ?? false
    }
    guard !isUsed else { return try await refuse(connection) }
    do {
      let answer = try await bank.connect(
        provider,
        .init(
          connectionID: .init(connection.id.rawValue), returnURL: returnURL,
          encryptedPublicKey: asked.encryptedPublicKey, connectQuery: query))
      guard Self.isPage(answer.authenticationURL, returnURL: returnURL) else { throw BankFailure.unintelligible }
      return SaltEdgeV2.Connected(
        connectionID: .init(connection.id.rawValue), authenticationURL: answer.authenticationURL)
    } catch let failure as BankFailure {
      // What fails on the way may be tried again with the same query; what the bank refuses is the end.
      guard failure.problem.code != Problem.wrongFormat.code else { return try await refuse(connection) }
      try await giveUp(connection.id)
      throw failure.problem
    }
  }

  func show(_ id: String, _ call: DeviceCall) async throws -> SaltEdgeV2.Connection {
    let connection = try await gate.connection(call, apiVersion: 2)
    guard connection.id.rawValue == id else { throw Problem.saltEdge(.connectionNotFound) }
    return SaltEdgeV2.Connection(
      id: .init(id), status: .init(rawValue: connection.state.rawValue), publicKey: connection.publicKey,
      pushToken: connection.secrets.pushToken, createdAt: connection.createdAt.rfc3339)
  }

  func update(_ id: String, _ call: DeviceCall) async throws -> SaltEdgeV2.ConnectionChanged {
    let (caller, signed) = try await gate.signed(call, SaltEdgeV2.PushTokenUpdate.self)
    guard caller.id.rawValue == id else { throw Problem.saltEdge(.connectionNotFound) }
    let pushToken = try EnrolmentRules.pushToken(signed.content.pushToken)
    let (digest, end) = (signed.digest, signed.expiresAt)
    try await core.database.write(retrying: .outdated) { [core] tx in
      // The same request again, or a recorded one: it was done.
      guard try SpentStore(tx).spend(digest, until: end) else { return }
      var connection = try core.usable(caller.id, in: tx)
      connection.secrets.pushToken = pushToken
      try ConnectionStore(tx, vault: core.vault).save(connection, at: core.world.now())
      try core.note("connection.pushTokenChanged", connection.id, by: connection.actor, in: tx)
    }
    return SaltEdgeV2.ConnectionChanged(connectionID: .init(id))
  }

  func revoke(_ id: String, _ call: DeviceCall) async throws -> SaltEdgeV2.ConnectionChanged {
    let (caller, signed) = try await gate.signedNothing(call)
    guard caller.id.rawValue == id else { throw Problem.saltEdge(.connectionNotFound) }
    try await core.database.write(retrying: .outdated) { [core] tx in
      let connection = try core.usable(caller.id, in: tx)
      try core.spend(signed, in: tx)
      try ConnectionService(core: core, policy: policy).move(
        connection, on: .revokedByDevice, by: connection.actor, in: tx)
    }
    return SaltEdgeV2.ConnectionChanged(connectionID: .init(id))
  }

  private func provider(_ id: String) async throws -> SaltEdgeProvider {
    let found = try await core.database.look { [core] in
      try ProviderStore($0, vault: core.vault).find(.init(rawValue: id))
    }
    guard let found else { throw Problem.notFound }
    guard found.suspendedAt == nil else { throw Problem.bankSuspended }
    return found
  }

  private func digest(query: String, of provider: SaltEdgeProvider) -> String {
    core.vault.digest("\(provider.id)\u{0}\(query)", for: "saltedge connect query")
  }

  /// The bank does not want this device. The published app for iOS cannot read the body of a refusal; what it can show
  /// is the end of a sign-in, with which the published banks refuse, too (§7.2).
  private func refuse(_ connection: SaltEdgeConnection) async throws -> SaltEdgeV2.Connected {
    try await giveUp(connection.id)
    let end = ReturnRedirect.failed(
      errorClass: "AUTHENTICATION_FAILED", message: "The bank did not accept this connection.")
    return SaltEdgeV2.Connected(
      connectionID: .init(connection.id.rawValue), authenticationURL: end.url(returnURL: connection.returnURL))
  }

  private func giveUp(_ id: SaltEdgeConnection.ID) async throws {
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard let connection = try ConnectionStore(tx, vault: core.vault).find(id),
        connectionFlow.allows(.authenticationFailed, from: connection.state)
      else { return }
      try ConnectionService(core: core, policy: policy).move(
        connection, on: .authenticationFailed, by: "system", in: tx)
    }
  }

  /// A page of the web, or already the end of signing in.
  private static func isPage(_ text: String, returnURL: String) -> Bool {
    if ReturnRedirect.isEnd(text, returnURL: returnURL) { return true }
    return WebAddress(text, lengthMax: 4096).map { $0.isSecure || $0.host.isLoopbackHost } ?? false
  }
}
