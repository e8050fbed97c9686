// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuth2
import PowerAuthPeer
import TestSupport
import Testing

/// A device of its own, whose state lies in a sealed file, beside a program in another process.
final class LivePhone: Sendable {
  static let pin = "1357"
  static let wrongPin = "2468"

  let app: PowerAuthLiveTestApp
  let version: PowerAuthProtocolVersion
  private let folder: TestFolder
  private let state: URL

  init(_ app: PowerAuthLiveTestApp, _ version: PowerAuthProtocolVersion) throws {
    self.app = app
    self.version = version
    folder = try TestFolder()
    state = URL(fileURLWithPath: folder.file("state"))
  }

  /// A start of the app, as a process of its own, on what is stored.
  func start() throws -> PowerAuthSDK {
    let configuration = PowerAuthConfiguration(
      baseEndpointUrl: PowerAuthLiveTestApp.address, configuration: app.configurationText)
    configuration.protocolVersion = version
    let store = try SealedFileStore(file: state, keyFile: URL(fileURLWithPath: folder.file("key")))
    return PowerAuthSDK(
      configuration: configuration, platform: PowerAuthPlatform(store: ReopenedStore(store), transport: app.transport)
    )
  }

  /// What is stored, to be put back later.
  var stored: Data {
    get throws { try Data(contentsOf: state) }
  }

  func restore(_ data: Data) throws { try data.write(to: state, options: .atomic) }

  /// The bank begins an activation, the app scans its code, the user chooses a PIN, the bank commits.
  func activated() async throws -> PowerAuthSDK {
    let begun = try await app.bank(
      "activations", ["application_id": app.application, "user_id": "user-1", "flags": ["VERIFICATION_PENDING"]],
      status: 201)
    let sdk = try start()
    let result = try await sdk.createActivation(
      PowerAuthActivation(activationCode: begun.text("qr"), name: "Ann's phone"))
    #expect(result.activationRecovery != nil)
    try sdk.persistActivation(withPassword: Self.pin)
    let identifier = try #require(sdk.activationIdentifier)
    #expect(try begun.text("activation.activation_id") == identifier)
    #expect(try await sdk.fetchActivationStatus().state == .pendingCommit)
    let committed = try await app.bank("activations/\(identifier)/commit")
    #expect(try committed.text("state") == "ACTIVE")
    #expect(try committed.text("fingerprint") == sdk.activationFingerprint)
    return sdk
  }
}
