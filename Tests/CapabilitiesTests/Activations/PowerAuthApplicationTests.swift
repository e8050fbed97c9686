import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: applications and their keys")
struct PowerAuthApplicationTests {
  @Test("an application has a configuration that reads back, and an audit")
  func added() async throws {
    let house = try await ActivationsHouse()
    let applications = house.activations.applications
    let text = house.release.configuration.text
    let read = try SDKConfiguration(text: text)
    #expect(read.applicationKey == house.release.version.applicationKey)
    #expect(try await applications.configuration(of: house.release.version.id).configuration.text == text)
    #expect(try await applications.list(tenant: "acme") == [house.release.application])
    #expect(try await applications.list(tenant: nil).count == 1)
    #expect(try await applications.list(tenant: "other").isEmpty)
    #expect(try await applications.find(house.application).name == "Bank")
    let lines = try await house.database.read {
      try AuditStore($0).lines(of: "application:\(house.application)").map(\.action)
    }
    #expect(lines == ["application.added", "version.added"])
  }

  @Test("a name is taken once in its tenant, and a version's once in its application")
  func names() async throws {
    let house = try await ActivationsHouse()
    let applications = house.activations.applications
    #expect(
      try await ActivationsHouse.problem { _ = try await applications.add("Bank", tenant: "acme", by: .atCommandLine) }
        == "application-exists")
    _ = try await applications.add("Bank", tenant: "other", by: .atCommandLine)
    #expect(
      try await ActivationsHouse.problem {
        _ = try await applications.addVersion("1", to: house.application, by: .atCommandLine)
      } == "version-exists")
    for name in ["", String(repeating: "x", count: 101), "a\nb"] {
      #expect(
        try await ActivationsHouse.problem { _ = try await applications.add(name, tenant: "acme", by: .atCommandLine) }
          == "validation-failed")
    }
    let unknown = PowerAuthApplication.ID(house.clock.world)
    #expect(
      try await ActivationsHouse.problem { _ = try await applications.versions(of: unknown) } == "not-found")
    #expect(
      try await ActivationsHouse.problem {
        _ = try await applications.setSupported(false, version: .init(house.clock.world), by: .atCommandLine)
      } == "not-found")
  }

  @Test(
    "after a rotation the released app lives on with its key, and a new one starts with the new key",
    arguments: [ProtocolVersion.v32, .v33])
  func rotation(version: ProtocolVersion) async throws {
    let house = try await ActivationsHouse()
    let applications = house.activations.applications
    let (old, _) = try await house.activeDevice(version)
    #expect(try await applications.rotateMasterKey(of: house.application, by: .atCommandLine) == 2)
    let released = try await applications.addVersion("2", to: house.application, by: .atCommandLine)
    #expect(released.version.masterKeyGeneration == 2)
    #expect(released.configuration.masterPublicKey != house.release.configuration.masterPublicKey)
    // Both encrypt to their own key, and both activate.
    for release in [house.release, released] {
      let device = house.newDevice(version, of: release)
      let key = try await house.temporaryKey(for: device, ofActivation: false)
      let (request, _) = try device.encrypt(Data("x".utf8), .genericApplication, temporaryKey: key, now: house.now)
      let opened = try await house.activations.decrypt(
        request, .genericApplication, version: version, applicationKey: device.configuration.applicationKey)
      #expect(opened.plaintext == Data("x".utf8))
    }
    let started = try await house.initiate()
    let code = Data(started.code.text.utf8)
    #expect(released.configuration.masterPublicKey.isValidSignature(started.signature, for: code))
    let older = try ScannedCode(text: try #require(started.olderScannables[1]))
    #expect(
      house.release.configuration.masterPublicKey.isValidSignature(try #require(older.signature), for: code))
    // Retired: nothing is made for the old key any more, and nothing is taken from the old app.
    _ = try await applications.setSupported(false, version: house.release.version.id, by: .atCommandLine)
    #expect(try await house.initiate().olderScannables.isEmpty)
    #expect(
      try await ActivationsHouse.problem {
        _ = try await house.activations.temporaryKey(jwt: old.temporaryKeyRequest(ofActivation: false).token)
      } == "temporary-key-failure")
    let next = try await house.initiate()
    #expect(
      try await ActivationsHouse.problem {
        _ = try await house.create(house.newDevice(version), .code(next.code))
      } == "activation-invalid")
  }
}
