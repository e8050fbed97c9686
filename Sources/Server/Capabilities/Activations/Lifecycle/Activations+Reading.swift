// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

extension Activations {
  /// - Throws: `Problem` not found.
  package func find(_ id: Activation.ID) async throws -> Activation {
    try await database.look { [self] tx in try activation(try current(id, in: tx), in: tx) }
  }

  /// Inside the caller's transaction; nil when it is absent.
  package func find(_ id: Activation.ID, in tx: any SQLTransaction) throws -> Activation? {
    try ActivationStore(tx).find(id).flatMap { try known($0, in: tx) }
  }

  /// Has others wait who change it, until the caller's transaction ends; false when it is absent.
  package func hold(_ id: Activation.ID, in tx: any SQLTransaction) throws -> Bool {
    try ActivationStore(tx).heldState(id) != nil
  }

  /// A user's activations, newest first.
  package func list(
    user: String, application: PowerAuthApplication.ID? = nil, tenant: String, limit: Int = 100
  ) async throws -> [Activation] {
    let digest = userDigest(user, tenant: tenant)
    return try await database.read { [self] tx in
      let store = ActivationStore(tx)
      let rows =
        try application.map { try store.list(userDigest: digest, application: $0, limit: limit) }
        ?? store.list(userDigest: digest, limit: limit)
      return try rows.compactMap { try known($0, in: tx) }
    }
  }

  /// An application's activations, newest first.
  package func list(application: PowerAuthApplication.ID, limit: Int = 100) async throws -> [Activation] {
    try await database.read { [self] tx in
      try ActivationStore(tx).list(application: application, limit: limit).compactMap { try known($0, in: tx) }
    }
  }

  /// The lines of the activation's audit, oldest first.
  package func history(
    _ id: Activation.ID, after sequence: Int = 0, limit: Int = 500
  ) async throws -> [AuditLine] {
    try await database.read { try AuditStore($0).lines(of: Self.chain(id), after: sequence, limit: limit) }
  }

  /// The last lines of the activation's audit, oldest first.
  package func latestHistory(_ id: Activation.ID, limit: Int = 100) async throws -> [AuditLine] {
    try await database.read { try AuditStore($0).latest(limit, of: Self.chain(id)) }
  }

  /// Keeps that a person looked at devices of a tenant. The line is in a chain of the tenant, because that of a device is
  /// its history.
  /// - Parameter activation: nil for a list.
  package func noteLook(
    at activation: Activation.ID?, of tenant: String, by actor: ActivationActor
  ) async throws {
    let facts = (activation == nil ? RecordAccess.list : .direct).facts
    try await database.write(retrying: .outdated) { [audit] tx in
      try audit.append(
        activation == nil ? "activations.listed" : "activation.seen", to: "powerauth-\(tenant)", by: actor.text,
        facts: facts.merging(activation.map { ["activation": $0.rawValue] } ?? [:]) { $1 }, in: tx)
    }
  }

  /// What is known about the activation's user, in the names of OpenID Connect.
  package func userInfo(of activation: Activation) async throws -> [String: JSONValue] {
    try await claims.of(activation.user, activation.tenant)
  }

  /// How an activation stands, readable by its device alone (powerauth.md §6). A blocked or removed one is shown as
  /// such; an
  /// unknown one, and one that no device joined, gets a blob under random keys. The arithmetic is the same;
  /// the time of the look-up may differ.
  /// - Throws: `Problem.activationInvalid` when the challenge has not 16 bytes.
  package func status(_ id: ActivationIdentifier, challenge: Data) async throws -> StatusAnswer {
    guard challenge.count == 16 else { throw Problem.activationInvalid }
    let id = Activation.ID(id)
    let row = try await database.look { try ActivationStore($0).find(id) }
    let randomness = Randomness(world.random)
    let (nonce, reserve) = (randomness.nonce(), try ActivationSecrets.decoy(world).sealed(for: id, by: vault))
    let secrets = try ActivationSecrets(row?.sealedKeys ?? reserve, of: id, by: vault)
    let counter = try row?.counter ?? SignatureCounter(data: CounterData(randomness.nonce()))
    let status = ActivationStatus(
      state: row?.state(at: world.now()) ?? .removed, counterByte: counter.byte,
      failedAttempts: UInt8(clamping: row?.failedAttempts ?? 0),
      maxFailedAttempts: UInt8(clamping: row?.maxFailedAttempts ?? 0), lookAhead: UInt8(policy.lookAhead),
      counterHash: secrets.transport.counterHash(of: counter.data))
    let blob = try status.encrypted(
      transportKey: secrets.transport, challenge: challenge, nonce: nonce, randomness: randomness)
    return StatusAnswer(
      blob: blob, nonce: nonce,
      customObject: ["activationFlags": .array((row?.flags ?? []).map { .string($0) })])
  }

  func userDigest(_ user: String, tenant: String) -> String {
    vault.digest("\(tenant)\u{0}\(user)", for: "activation user")
  }
}

extension Activation.ID {
  /// Ids are kept in lower case; MACs cover them as they were sent.
  package init(_ identifier: ActivationIdentifier) { self.init(rawValue: identifier.text.lowercased()) }
}

/// How an activation stands, for the device's eyes only (powerauth.md §6).
package struct StatusAnswer: Sendable {
  /// 32 bytes; without such an activation they cannot be opened.
  package let blob: Data
  /// 16 bytes.
  package let nonce: Data
  /// `{"activationFlags": […]}`, in clear by the protocol: flags are no secrets. No flags for an unknown activation.
  package let customObject: [String: JSONValue]
}
