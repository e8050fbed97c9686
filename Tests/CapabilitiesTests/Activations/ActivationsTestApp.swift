// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage
import TestSupport

@testable import Activations

/// The activations capability over a real store, with one application of one tenant.
struct ActivationsTestApp: Sendable {
  static let migrations = TestDatabase.migrations(of: Activations.self)

  let made: TestDatabase
  let clock: TestWorld
  let vault: Vault
  let activations: Activations
  let release: ReleasedApplicationVersion
  var database: any SQLDatabase { made.database }
  var application: PowerAuthApplication.ID { release.application.id }
  var now: UInt64 { UInt64(clock.now.milliseconds) }

  init(
    _ engine: Engine = .current, policy: ActivationPolicy = .standard, issuesRecoveryCodes: Bool = false,
    protocolMin: ProtocolVersion = .v30, claims: UserClaims = .none
  ) async throws {
    clock = TestWorld()
    made = try await TestDatabase.make(engine, Self.migrations)
    let world = clock.world
    vault = try await TestVault.open(made.database, world)
    activations = Activations(
      database: made.database, vault: vault, audit: Audit(world: world, vault: vault), world: world, policy: policy,
      claims: claims)
    release = try await activations.applications.add(
      "Bank", tenant: "acme", issuesRecoveryCodes: issuesRecoveryCodes, protocolMin: protocolMin, by: .init("operator"))
  }

  /// The same installation as another node sees it: nothing in memory is shared.
  func otherNode() throws -> Activations {
    Activations(
      database: try made.reopened(), vault: vault, audit: Audit(world: clock.world, vault: vault), world: clock.world)
  }

  func newDevice(
    _ version: ProtocolVersion = .standard, of release: ReleasedApplicationVersion? = nil
  ) -> TestDevice {
    TestDevice(
      configuration: (release ?? self.release).configuration, version: version, random: clock.world.random)
  }

  func initiate(_ change: (inout InitiateActivation) -> Void = { _ in }) async throws -> InitiatedActivation {
    var wish = InitiateActivation(application: application, user: "ada")
    change(&wish)
    return try await activations.initiate(wish, by: .client("bank"))
  }

  func create(
    _ device: TestDevice, _ identity: ActivationIdentity, otp: String? = nil, by activations: Activations? = nil
  ) async throws -> ActivationCreation {
    let wish = try NewDevice(
      device.introduction(otp: otp), applicationKey: device.configuration.applicationKey, version: device.version)
    return try await (activations ?? self.activations).create(wish, identity)
  }

  /// A device that went all the way to active.
  func activeDevice(
    _ version: ProtocolVersion = .standard, _ change: (inout InitiateActivation) -> Void = { _ in }
  ) async throws -> (device: TestDevice, id: Activation.ID) {
    let started = try await initiate {
      $0.commitsItself = true
      change(&$0)
    }
    var device = newDevice(version)
    let created = try await create(device, .code(started.code)).created()
    try device.complete(created.wire)
    return (device, created.activation.id)
  }

  func temporaryKey(for device: TestDevice, ofActivation: Bool) async throws -> TemporaryKey? {
    guard device.version.hasTemporaryKey else { return nil }
    let (request, token) = try device.temporaryKeyRequest(ofActivation: ofActivation)
    return try device.temporaryKey(try await activations.temporaryKey(jwt: token), answering: request)
  }

  func verify(
    _ header: SignatureHeader, uriID: String = "/pay", body: Data = Data("body".utf8),
    allowed: Set<SignatureType> = Set(SignatureType.allCases), by other: Activations? = nil
  ) async throws -> SignatureOutcome {
    try await (other ?? activations).verify(header, method: "POST", uriID: uriID, body: body, allowed: allowed)
  }

  /// What the audit says happened to an activation, in order.
  func actions(_ id: Activation.ID) async throws -> [String] {
    try await activations.history(id).map(\.action)
  }

  func faults() async throws -> [String] {
    try await database.read { [vault] in try AuditStore($0).verify(by: vault).faults }
  }

  /// The code of the problem that something ended with; nil when there was none.
  static func problem(_ body: () async throws -> Void) async throws -> String? {
    do {
      try await body()
      return nil
    } catch let problem as Problem {
      return problem.code
    }
  }
}

struct NotCreated: Error {}

extension ActivationCreation {
  func created() throws -> CreatedActivation {
    guard case .created(let created) = self else { throw NotCreated() }
    return created
  }

  var refusal: ActivationRefusal? {
    guard case .refused(let refusal) = self else { return nil }
    return refusal
  }
}

extension CreatedActivation {
  /// As a device gets it.
  var wire: ActivatedDevice {
    ActivatedDevice(
      activationId: activation.id.rawValue,
      serverPublicKey: serverPublicKey.uncompressed.base64EncodedString(),
      ctrData: counterData.bytes.base64EncodedString(),
      activationRecovery: recovery.map { ActivationRecovery(recoveryCode: $0.code.text, puk: $0.puk.text) })
  }
}

extension SignatureOutcome {
  var isValid: Bool { if case .valid = self { true } else { false } }
  var remainingAttempts: Int? { if case .invalid(_, let left) = self { left } else { nil } }
}
