// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Kit
import RubixFlow
import Storage
import TestSupport
import Testing

@testable import GatehouseApp

/// The built program in a process of its own, beside an app with the real SDK and a bank's server in this one.
final class PowerAuthLiveTestApp: Sendable {
  static let address = "\(LiveProgram.address)/enrollment-server"

  let configurationText: String
  let application: String
  private let folder: TestFolder
  private let data: String
  private let credentials: String
  private let program: LiveProgram

  /// Opens an installation with an app and a bank's server in it, and starts the program.
  init() async throws {
    folder = try TestFolder()
    data = folder.file("data")
    program = LiveProgram(data: data)
    let app = try await Self.app(data)
    let release = try await app.activations.applications.add(
      "app", tenant: Tenant.default.id, issuesRecoveryCodes: true, protocolMin: .v30, by: .init("operator"))
    configurationText = release.configuration.text
    application = release.application.id.rawValue
    let issued = try await app.serviceClients.add(
      "bank", tenant: Tenant.default.id, scopes: [.verify, .manage], by: "operator")
    credentials = Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
    try start()
  }

  /// The same installation, opened in this process.
  private static func app(_ data: String) async throws -> App {
    var settings = Settings()
    settings.dataFolder = data
    try await settings.putSchema()
    return try await App.open(settings, logger: LogRecorder().logger)
  }

  func start() throws { try program.start() }

  /// Ends the program as a power cut does.
  func kill() { program.kill() }

  /// The network, by the port that the program has now.
  var transport: HTTPTransport { program.transport }

  /// Lets five minutes pass for the temporary keys that the program, which is down, would find when it is up again.
  func endTemporaryKeys() async throws {
    let app = try await Self.app(data)
    let count = try await app.database.write { tx in
      try tx.execute("UPDATE activation_temporary_key SET expires_at = 1")
    }
    #expect(count > 0)
  }

  /// What the bank's server asks.
  func bank(_ path: String, _ body: [String: any Sendable] = [:], status: Int = 200) async throws -> BankAnswer {
    let url = try #require(URL(string: "\(LiveProgram.address)/api/v1/powerauth/\(path)"))
    let response = try await transport.send(
      TransportRequest(
        method: "POST", url: url,
        headers: ["Authorization": "Basic \(credentials)", "Content-Type": "application/json"],
        body: try JSONSerialization.data(withJSONObject: body)))
    #expect(response.status == status, "\(path): \(String(decoding: response.body, as: UTF8.self))")
    return BankAnswer(body: response.body)
  }
}
