import Activations
import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@testable import GatehouseApp
@testable import gatehouse

@Suite("Operations: apps and devices")
struct PowerAuthDeskTests {
  private static func desk() async throws -> (PowerAuthDesk, ReleasedApplicationVersion) {
    let house = try await BackupHouse().house
    let release = try await house.activations.applications.add("Bank", tenant: "default", by: .atCommandLine)
    return (PowerAuthDesk(activations: house.activations, tenant: "default"), release)
  }

  private static func text(_ body: () async throws -> Void) async throws -> String? {
    do {
      try await body()
      return nil
    } catch let error as DeskError { return error.text }
  }

  @Test("an app goes by its id or name, a version by its id or place, and a wrong one is told what there is")
  func named() async throws {
    let (desk, release) = try await Self.desk()
    #expect(try await desk.application("Bank").id == release.application.id)
    #expect(try await desk.application(release.application.id.rawValue.uppercased()).name == "Bank")
    #expect(try await desk.version("Bank/1").id == release.version.id)
    #expect(try await desk.version(release.version.id.rawValue).id == release.version.id)
    let wrong = try #require(try await Self.text { _ = try await desk.application("Bonk") })
    #expect(wrong.contains("Bonk") && wrong.contains("Bank"))
    let version = try await Self.text { _ = try await desk.version("Bank/2") }
    #expect(version?.contains("application show") == true)
    let elsewhere = PowerAuthDesk(activations: desk.activations, tenant: "other")
    #expect(try await Self.text { _ = try await elsewhere.application("Bank") }?.contains("application add") == true)
  }

  @Test("an activation of another tenant is not there, and what a device calls itself cannot move the cursor")
  func activation() async throws {
    let (desk, release) = try await Self.desk()
    let started = try await desk.activations.initiate(
      InitiateActivation(application: release.application.id, user: "ada", commitsItself: true), by: .atCommandLine)
    var device = TestDevice(configuration: release.configuration, random: World.live.random)
    let outcome = try await desk.activations.create(
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
    let found = try await desk.activation(id.uppercased())
    let text = PowerAuthDesk.text(found, history: try await desk.activations.history(found.id))
    #expect(text.contains("active") && text.contains("ada") && text.contains("keysExchangedAndCommitted"))
    #expect(text.contains("Phone?[2J?") && !text.contains("\u{1B}"))
    #expect(PowerAuthDesk.line(found).contains("Phone?[2J?"))
    let keys = try device.joined().keys
    for secret in [
      keys.vault, keys.transport.key, release.configuration.applicationSecret.key,
    ] { #expect(!text.contains(secret.bytes.base64EncodedString()) && !text.contains(secret.bytes.hex)) }
    #expect(!text.contains(started.code.text))
    #expect(try await Self.text { _ = try await desk.activation("12") }?.contains("UUID") == true)
    let elsewhere = PowerAuthDesk(activations: desk.activations, tenant: "other")
    #expect(try await Self.text { _ = try await elsewhere.activation(id) }?.contains("activation list") == true)
  }
}
