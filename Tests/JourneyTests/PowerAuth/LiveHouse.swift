import Capabilities
import Foundation
import GatehouseTransport
import Kit
import RubixFlow
import Storage
import Synchronization
import TestSupport
import Testing

@testable import gatehouse

/// The built program in a process of its own, beside an app with the real SDK and a bank's server in this one.
///
/// Each start has another port; what was configured before finds the new one.
final class LiveHouse: Sendable {
  static let address = "http://127.0.0.1:1/enrollment-server"

  let configurationText: String
  let application: String
  private let folder: TestFolder
  private let data: String
  private let credentials: String
  private let port = Mutex<UInt16>(0)
  private let process = Mutex<ServedProcess?>(nil)
  private let network = HTTPTransport.live()

  /// Opens an installation with an app and a bank's server in it, and starts the program.
  init() async throws {
    folder = try TestFolder()
    data = folder.file("data")
    let house = try await Self.house(data)
    let release = try await house.activations.applications.add(
      "app", tenant: Tenant.default.id, issuesRecoveryCodes: true, by: .atCommandLine)
    configurationText = release.configuration.text
    application = release.application.id.rawValue
    let issued = try await house.serviceClients.add(
      "bank", tenant: Tenant.default.id, scopes: [.verify, .manage], by: "operator")
    credentials = Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
    try start()
  }

  /// The same installation, opened in this process.
  private static func house(_ data: String) async throws -> House {
    var settings = Settings()
    settings.dataFolder = data
    return try await House.open(settings, logger: LogRecorder().logger)
  }

  func start() throws {
    let number = try process.withLock { process in
      let started = try ServedProcess(graceSeconds: 0, data: data)
      process = started
      defer { started.drain() }
      return try started.port("listening")
    }
    port.withLock { $0 = number }
  }

  /// Ends the program as a power cut does.
  func kill() {
    process.withLock { process in
      process?.kill()
      _ = process?.wait()
      process = nil
    }
  }

  /// The network, by the port that the program has now.
  var transport: HTTPTransport {
    HTTPTransport { (request, progress) async throws(TransportError) in
      var request = request
      var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
      parts?.port = Int(self.port.withLock { $0 })
      request.url = parts?.url ?? request.url
      return try await self.network.send(request, progress: progress)
    }
  }

  /// Lets five minutes pass for the temporary keys that the program, which is down, would find when it is up again.
  func endTemporaryKeys() async throws {
    let house = try await Self.house(data)
    let count = try await house.database.write { tx in
      try tx.execute("UPDATE activation_temporary_key SET expires_at = 1")
    }
    #expect(count > 0)
  }

  /// What the bank's server asks.
  func bank(_ path: String, _ body: [String: any Sendable] = [:], status: Int = 200) async throws -> BankAnswer {
    let url = try #require(URL(string: "http://127.0.0.1:1/api/v1/powerauth/\(path)"))
    let response = try await transport.send(
      TransportRequest(
        method: "POST", url: url,
        headers: ["Authorization": "Basic \(credentials)", "Content-Type": "application/json"],
        body: try JSONSerialization.data(withJSONObject: body)))
    #expect(response.status == status, "\(path): \(String(decoding: response.body, as: UTF8.self))")
    return BankAnswer(body: response.body)
  }
}

/// What the bank's server is told.
struct BankAnswer: Sendable {
  let body: Data

  /// The value at the end of a path of members with dots between.
  subscript(path: String) -> Any? {
    path.split(separator: ".").reduce(try? JSONSerialization.jsonObject(with: body)) { value, member in
      (value as? [String: Any])?[String(member)]
    }
  }

  func text(_ path: String) throws -> String { try #require(self[path] as? String) }
}
