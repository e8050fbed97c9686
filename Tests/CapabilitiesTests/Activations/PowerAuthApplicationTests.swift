// SPDX-License-Identifier: Apache-2.0

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
    let app = try await ActivationsTestApp()
    let applications = app.activations.applications
    let text = app.release.configuration.text
    let read = try SDKConfiguration(text: text)
    #expect(read.applicationKey == app.release.version.applicationKey)
    #expect(try await applications.configuration(of: app.release.version.id).configuration.text == text)
    #expect(try await applications.list(tenant: "acme") == [app.release.application])
    #expect(try await applications.list(tenant: nil).count == 1)
    #expect(try await applications.list(tenant: "other").isEmpty)
    #expect(try await applications.find(app.application).name == "Bank")
    let lines = try await app.database.read {
      try AuditStore($0).lines(of: "application:\(app.application)").map(\.action)
    }
    #expect(lines == ["application.added", "version.added"])
  }

  @Test("a name is taken once in its tenant, and a version's once in its application")
  func names() async throws {
    let app = try await ActivationsTestApp()
    let applications = app.activations.applications
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await applications.add("Bank", tenant: "acme", by: .init("operator"))
      }
        == "application-exists")
    _ = try await applications.add("Bank", tenant: "other", by: .init("operator"))
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await applications.addVersion("1", to: app.application, by: .init("operator"))
      } == "version-exists")
    for name in ["", String(repeating: "x", count: 101), "a\nb"] {
      #expect(
        try await ActivationsTestApp.problem {
          _ = try await applications.add(name, tenant: "acme", by: .init("operator"))
        }
          == "validation-failed")
    }
    let unknown = PowerAuthApplication.ID(app.clock.world)
    #expect(
      try await ActivationsTestApp.problem { _ = try await applications.versions(of: unknown) } == "not-found")
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await applications.setSupported(false, version: .init(app.clock.world), by: .init("operator"))
      } == "not-found")
  }

  @Test(
    "after a rotation the released app lives on with its key, and a new one starts with the new key",
    arguments: [ProtocolVersion.v32, .v33])
  func rotation(version: ProtocolVersion) async throws {
    let app = try await ActivationsTestApp()
    let applications = app.activations.applications
    let (old, _) = try await app.activeDevice(version)
    #expect(try await applications.rotateMasterKey(of: app.application, by: .init("operator")) == 2)
    let released = try await applications.addVersion("2", to: app.application, by: .init("operator"))
    #expect(released.version.masterKeyGeneration == 2)
    #expect(released.configuration.masterPublicKey != app.release.configuration.masterPublicKey)
    // Both encrypt to their own key, and both activate.
    for release in [app.release, released] {
      let device = app.newDevice(version, of: release)
      let key = try await app.temporaryKey(for: device, ofActivation: false)
      let (request, _) = try device.encrypt(Data("x".utf8), .genericApplication, temporaryKey: key, now: app.now)
      let opened = try await app.activations.decrypt(
        request, .genericApplication, version: version, applicationKey: device.configuration.applicationKey)
      #expect(opened.plaintext == Data("x".utf8))
    }
    let started = try await app.initiate()
    let code = Data(started.code.text.utf8)
    #expect(released.configuration.masterPublicKey.isValidSignature(started.signature, for: code))
    let older = try ScannedCode(text: try #require(started.olderScannables[1]))
    #expect(
      app.release.configuration.masterPublicKey.isValidSignature(try #require(older.signature), for: code))
    // Retired: nothing is made for the old key any more, and nothing is taken from the old app.
    _ = try await applications.setSupported(false, version: app.release.version.id, by: .init("operator"))
    #expect(try await app.initiate().olderScannables.isEmpty)
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.activations.temporaryKey(jwt: old.temporaryKeyRequest(ofActivation: false).token)
      } == "temporary-key-failure")
    let next = try await app.initiate()
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.create(app.newDevice(version), .code(next.code))
      } == "activation-invalid")
  }
}
