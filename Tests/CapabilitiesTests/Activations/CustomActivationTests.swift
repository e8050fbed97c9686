// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage
import Synchronization
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: by what a flow decides")
struct CustomActivationTests {
  /// A flow that keeps a number in the audit, which is a store that rolls back like any other.
  private static func provider(
    _ answer: @escaping @Sendable (CustomActivationRequest) throws -> CustomGrant, in app: ActivationsTestApp,
    created: @escaping @Sendable (Activation) throws -> Void = { _ in }
  ) -> CustomActivationProvider {
    let audit = Audit(world: app.clock.world, vault: app.vault)
    return CustomActivationProvider(
      authorize: { request, tx in
        try audit.append("flow.asked", to: "flow", by: "device", in: tx)
        return try answer(request)
      },
      created: { activation, _, tx in
        try audit.append("flow.moved", to: "flow", by: "device", facts: ["id": activation.id.rawValue], in: tx)
        try created(activation)
      })
  }

  private static func lines(_ app: ActivationsTestApp) async throws -> [String] {
    try await app.database.read { try AuditStore($0).lines(of: "flow").map(\.action) }
  }

  private static let identity = ["processId": "p-1", "otpCode": "123456", "credentialsType": "ONBOARDING"]

  @Test("a grant is an active device with the flow's flags and answer, in one transaction with the flow's own step")
  func granted() async throws {
    let app = try await ActivationsTestApp()
    let serving = app.activations.serving(
      Self.provider({ _ in .notMine }, in: app)
    ).serving(
      Self.provider(
        { request in
          #expect(request.identity == Self.identity && request.application.tenant == "acme")
          return .granted(
            .init(user: "bea", flags: ["VERIFICATION_PENDING"], attributes: ["next": .string("documents")]))
        }, in: app))
    var device = app.newDevice()
    let created = try await app.create(device, .custom(Self.identity, attributes: nil), by: serving).created()
    try device.complete(created.wire)
    #expect(created.activation.state == .active && created.activation.user == "bea")
    #expect(created.activation.flags == ["VERIFICATION_PENDING"])
    #expect(created.customAttributes == ["next": .string("documents")])
    #expect(try await Self.lines(app) == ["flow.asked", "flow.asked", "flow.moved"])
    let header = try device.sign(.possessionKnowledge, uriID: "/pay", body: Data("body".utf8))
    #expect(try await app.verify(header).isValid)
  }

  @Test("a refusal makes no activation, and what the flow counted stays counted")
  func refused() async throws {
    let app = try await ActivationsTestApp()
    let serving = app.activations.serving(
      Self.provider({ _ in .refused(remainingAttempts: 2) }, in: app))
    let outcome = try await app.create(app.newDevice(), .custom(Self.identity, attributes: nil), by: serving)
    #expect(outcome.refusal == ActivationRefusal(remainingAttempts: 2))
    #expect(try await Self.lines(app) == ["flow.asked"])
    #expect(try await app.activations.list(application: app.application).isEmpty)
  }

  @Test("a flow may leave the commit to another caller")
  func pending() async throws {
    let app = try await ActivationsTestApp()
    let serving = app.activations.serving(
      Self.provider({ _ in .granted(.init(user: "bea", commitsItself: false)) }, in: app))
    let created = try await app.create(
      app.newDevice(), .custom([:], attributes: nil), by: serving
    ).created()
    #expect(created.activation.state == .pendingCommit)
  }

  @Test("when the flow cannot take its step there is no activation either")
  func rolledBack() async throws {
    let app = try await ActivationsTestApp()
    let serving = app.activations.serving(
      Self.provider({ _ in .granted(.init(user: "bea")) }, in: app) { _ in throw Problem.unavailable })
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.create(app.newDevice(), .custom([:], attributes: nil), by: serving)
      } == "unavailable")
    #expect(try await Self.lines(app) == [])
    #expect(try await app.activations.list(application: app.application).isEmpty)
  }

  @Test("unknown attributes are refused")
  func unknownAttributes() async throws {
    let app = try await ActivationsTestApp()
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.create(app.newDevice(), .custom(Self.identity, attributes: nil))
      } == "activation-invalid")
  }
}
