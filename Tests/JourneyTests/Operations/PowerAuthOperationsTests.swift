// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@testable import GatehouseApp
@testable import gatehouse

@Suite("Operations: apps and devices", .ownFile)
struct PowerAuthOperationsTests {
  private static func operations() async throws -> (PowerAuthOperations, ReleasedApplicationVersion) {
    let app = try await BackupTestApp().app
    let release = try await app.activations.applications.add("Bank", tenant: "default", by: .init("operator"))
    return (PowerAuthOperations(activations: app.activations, tenant: "default"), release)
  }

  private static func text(_ body: () async throws -> Void) async throws -> String? {
    do {
      try await body()
      return nil
    } catch let error as PowerAuthOperationsError { return error.text }
  }

  @Test("an app goes by its id or name, a version by its id or place, and a wrong one is told what there is")
  func named() async throws {
    let (operations, release) = try await Self.operations()
    #expect(try await operations.application("Bank").id == release.application.id)
    #expect(try await operations.application(release.application.id.rawValue.uppercased()).name == "Bank")
    #expect(try await operations.version("Bank/1").id == release.version.id)
    #expect(try await operations.version(release.version.id.rawValue).id == release.version.id)
    let wrong = try #require(try await Self.text { _ = try await operations.application("Bonk") })
    #expect(wrong.contains("Bonk") && wrong.contains("Bank"))
    let version = try await Self.text { _ = try await operations.version("Bank/2") }
    #expect(version?.contains("application show") == true)
    let elsewhere = PowerAuthOperations(activations: operations.activations, tenant: "other")
    #expect(try await Self.text { _ = try await elsewhere.application("Bank") }?.contains("application add") == true)
  }

  @Test("an activation of another tenant is not there, and what a device calls itself cannot move the cursor")
  func activation() async throws {
    let (operations, release) = try await Self.operations()
    let started = try await operations.activations.initiate(
      InitiateActivation(application: release.application.id, user: "ada", commitsItself: true), by: .init("operator"))
    var device = TestDevice(configuration: release.configuration, random: World.live.random)
    let outcome = try await operations.activations.create(
      NewDevice(
        device.introduction(name: "Phone\u{1B}[2J\n"), applicationKey: release.version.applicationKey, version: .v33),
      .code(started.code))
    guard case .created(let created) = outcome else { return #expect(Bool(false), "refused") }
    try device.complete(
      ActivatedDevice(
        activationId: created.activation.id.rawValue,
        serverPublicKey: created.serverPublicKey.uncompressed.base64EncodedString(),
        ctrData: created.counterData.bytes.base64EncodedString()))
    let id = started.activation.id.rawValue
    let found = try await operations.activation(id.uppercased())
    let text = PowerAuthOperations.text(found, history: try await operations.activations.history(found.id))
    #expect(text.contains("active") && text.contains("ada") && text.contains("keysExchangedAndCommitted"))
    #expect(text.contains("Phone?[2J?") && !text.contains("\u{1B}"))
    #expect(PowerAuthOperations.line(found).contains("Phone?[2J?"))
    let keys = try device.joined().keys
    for secret in [
      keys.vault, keys.transport.key, release.configuration.applicationSecret.key,
    ] { #expect(!text.contains(secret.bytes.base64EncodedString()) && !text.contains(secret.bytes.hex)) }
    #expect(!text.contains(started.code.text))
    #expect(try await Self.text { _ = try await operations.activation("12") }?.contains("UUID") == true)
    let elsewhere = PowerAuthOperations(activations: operations.activations, tenant: "other")
    #expect(try await Self.text { _ = try await elsewhere.activation(id) }?.contains("activation list") == true)
  }
}
