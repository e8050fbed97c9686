// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeWire
import Storage

/// Connecting devices and letting them go, in v1 (saltedge-authenticator §4.1–4.5).
struct V1Connections: Sendable {
  let core: CoreDependencies
  let policy: SaltEdgePolicy
  let gate: V1Gate

  func configuration(_ bank: String) async throws -> SaltEdgeV1.Configuration {
    let provider = try await provider(bank)
    return SaltEdgeV1.Configuration(
      connectURL: policy.v1Base(provider), code: provider.code, name: provider.name, logoURL: provider.logoURL,
      supportEmail: provider.supportEmail, managesConsents: true, requiresGeolocation: provider.requiresGeolocation,
      version: "1")
  }

  func connect(_ bank: String, _ call: DeviceCall) async throws -> SaltEdgeV1.Connected {
    try gate.devices.admit(call.source)
    guard let asked = try? WireJSON.decode(SaltEdge.Body<SaltEdgeV1.Connect>.self, from: call.body).data,
      let device = try? RSAPublicKey(pem: asked.publicKey)
    else { throw gate.devices.refused(.wrongFormat, call) }
    let (query, pushToken) = (
      try EnrolmentRules.connectQuery(asked.connectQuery), try EnrolmentRules.pushToken(asked.pushToken)
    )
    let platform = try EnrolmentRules.platform(asked.platform)
    let (provider, now) = (try await provider(bank), core.world.now())
    let returnURL = try EnrolmentRules.returnURL(asked.returnURL, of: provider)
    let connection = SaltEdgeConnection(
      id: core.number(), provider: provider.id, apiVersion: 1, state: .authenticating, platform: platform,
      returnURL: returnURL, enrolmentEndsAt: now + policy.signInLifetime, createdAt: now,
      publicKey: device.pem, secrets: .init(pushToken: pushToken, language: PushTexts.language(call.language)))
    let (token, session) = (core.secret(), core.secret())
    let end = try await core.database.write(retrying: .outdated) { [core] tx in
      try core.limits.spend(policy.connects, by: core.vault.digest(call.source, for: "address"), in: tx)
      try ConnectionStore(tx, vault: core.vault).insert(connection)
      try core.note("connection.asked", connection.id, by: "device", ["provider": provider.id.rawValue], in: tx)
      return try Enrolment(core: core, policy: policy).begin(
        connection, of: provider, device: device, query: query, token: token, session: session, in: tx)
    }
    let id = SaltEdge.TextID(connection.id.rawValue)
    if case .authenticated = end {
      // Both, so that every released app finds what it looks at first.
      return .init(
        id: id, connectURL: try end.url(returnURL: returnURL, apiVersion: 1, device: device), accessToken: token)
    }
    return .init(id: id, connectURL: try end.url(returnURL: returnURL, apiVersion: 1, device: device))
  }

  func revoke(_ call: V1Call) async throws -> SaltEdgeV1.ConnectionRevoked {
    let proof = try await gate.prove(call)
    try await core.database.write(retrying: .outdated) { [core] tx in
      let connection = try core.usable(proof.connection.id, in: tx)
      try ConnectionService(core: core, policy: policy).move(
        connection, on: .revokedByDevice, by: connection.actor, in: tx)
    }
    return .init(success: true, accessToken: call.device.token)
  }

  /// A bank whose side of v1 is on this server.
  private func provider(_ bank: String) async throws -> SaltEdgeProvider {
    let found = try await core.database.look { [core] in try ProviderStore($0, vault: core.vault).find(code: bank) }
    guard let found, found.kind == .hosted else { throw Problem.notFound }
    guard found.suspendedAt == nil else { throw Problem.bankSuspended }
    return found
  }
}
