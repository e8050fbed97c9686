// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Kit
import SaltEdgeAuthenticator
import SaltEdgeCore
import SaltEdgeFlow
import Synchronization
import TestSupport
import Testing

@testable import GatehouseApp

/// A bank and its customer's phone, beside the service in another process: the bank by the provider API or with a server
/// of its own, the phone by the real SDK on a sealed file.
final class LiveBank: Sendable {
  private static let user = "customer-1"
  private static let passcode = "1234"
  private static let looksMax = 1200

  let version: Int
  private let folder: TestFolder
  private let program: LiveProgram
  private let provider: String
  private let credentials: String
  private let keys = KeySequence()
  /// Seconds that service and phone are ahead of the calendar by.
  private let ahead = Mutex(0)

  /// A bank without a server of its own.
  convenience init(version: Int) async throws {
    var draft = Providers.Draft(code: "bank", name: "Live Bank", kind: .hosted, supportEmail: "help@bank.example")
    draft.loginURL = "https://bank.example/login"
    try await self.init(version, draft, in: TestFolder(), with: nil)
  }

  /// A bank with a server.
  /// - Parameter port: where the server listens.
  convenience init(_ connector: LiveConnector, _ program: LiveProgram, port: Int, in folder: TestFolder) async throws {
    var draft = Providers.Draft(code: "bank", name: "Live Bank", kind: .remote, supportEmail: "help@bank.example")
    (draft.baseURL, draft.publicKey) = ("http://127.0.0.1:\(port)", connector.key.publicKey.pem)
    try await self.init(2, draft, in: folder, with: (connector, program))
  }

  private init(
    _ version: Int, _ draft: Providers.Draft, in folder: TestFolder, with remote: (LiveConnector, LiveProgram)?
  ) async throws {
    (self.version, self.folder) = (version, folder)
    program = remote?.1 ?? LiveProgram(data: folder.file("data"))
    var settings = Settings()
    settings.dataFolder = program.data
    try await settings.putSchema()
    let app = try await App.open(settings, logger: LogRecorder().logger, makeKey: keys.next)
    let (added, issued) = try await app.saltEdge.providers.add(
      draft, clients: app.serviceClients, by: "test")
    provider = added.provider.id.rawValue
    credentials = Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
    remote?.0.meet(
      serviceKey: try RSAPublicKey(pem: try await app.saltEdge.keys.publicKey()), provider: provider)
    try start()
  }

  func start() throws {
    try program.start([
      "GATEHOUSE_SALTEDGE_PUBLIC_URL": LiveProgram.address, "GATEHOUSE_CLOCK_SKEW": "\(ahead.withLock { $0 })",
    ])
  }

  /// Ends the service as a power cut does.
  func kill() { program.kill() }

  /// The service is killed, and found again later.
  func restart(later seconds: Int = 0) throws {
    kill()
    ahead.withLock { $0 += seconds }
    try start()
  }

  // MARK: The phone

  /// A start of the app, as a process of its own, on what is stored.
  func phone() throws -> Authenticator {
    var setup = AuthenticatorSetup(
      device: DeviceDescription(app: "Live", version: "1", build: "1", model: "Utopia", system: "Linux"),
      // The bank's page signs the customer in, and leads back to the app.
      signInPage: SignInPage { [self] page in
        let session = URLComponents(url: page.url, resolvingAgainstBaseURL: false)?.queryItems?.first?.value
        return try? await bank("sessions/authenticate", ["session": session ?? "", "user_id": Self.user])
          .text("redirect_url")
      })
    setup.policy.passcodeRounds = 100
    // Another one for each connection: an RSA key takes a good part of a second to draw.
    setup.makeKey = { [keys] () throws(SaltEdgeError) in
      do { return try keys.next() } catch { throw .invalidKey }
    }
    let file = folder.file("phone")
    return Authenticator(
      setup, store: try SealedFileStore(file: URL(fileURLWithPath: file), keyFile: URL(fileURLWithPath: file + ".key")),
      transport: program.transport,
      clock: ClientClock(
        wallTime: { [self] in ClientClock.live.wallTime() + Double(ahead.withLock { $0 }) },
        pause: { (duration) async throws(CancellationError) in try await ClientClock.live.pause(for: duration) }))
  }

  /// Unlocked, for the first time or again.
  func opened() async throws -> Authenticator {
    let phone = try phone()
    if try await phone.lockState() == .noPasscode {
      #expect(try await phone.createPasscode(Self.passcode, again: Self.passcode) == .set)
    } else {
      _ = try await presence(phone)
    }
    return phone
  }

  func presence(_ phone: Authenticator) async throws -> UserPresence {
    guard case .passed(let proof) = try await phone.unlock(with: .passcode(Self.passcode)) else {
      throw AuthenticatorError(.outOfOrder, .appLocked)
    }
    return proof
  }

  /// By the page that asks to sign in.
  func connect(_ phone: Authenticator) async throws -> Connection {
    let path =
      version == 1
      ? "saltedge/bank/api/authenticator/v1/configuration" : "api/authenticator/v2/configurations/\(provider)"
    let url = "\(LiveProgram.address)/\(path)".addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    guard case .connect(let link) = phone.link("authenticator://saltedge.com/connect?configuration=\(url)") else {
      throw AuthenticatorError(.outOfOrder, .apiRequest)
    }
    return try await phone.connect(link)
  }

  /// The one thing that the phone has to decide.
  func waiting(_ phone: Authenticator) async throws -> Authorization {
    try await look { try await phone.authorizations().authorizations.first { $0.state == .pending } }
  }

  // MARK: The bank

  /// Asks for a payment.
  /// - Returns: its id.
  func open(_ reference: String, amount: String) async throws -> String {
    try await bank(
      "authorizations",
      [
        "reference": reference, "user_id": Self.user, "title": "Pay \(amount) EUR",
        "payment": ["payee": "Utopia Water Works", "amount": amount, "currency": "EUR"],
      ], status: 201
    ).text("authorization.id")
  }

  /// How it stands, once it has come to an end.
  func ended(_ id: String) async throws -> String {
    try await look { [self] in
      let state = try await bank("authorizations/\(id)").text("state")
      return state == "pending" ? nil : state
    }
  }

  /// States of the customer's phones that can be used.
  func phones() async throws -> Int {
    let found = try await bank("connections/search", ["user_id": Self.user])
    return (found["connections"] as? [Any])?.count ?? -1
  }

  /// - Parameter body: nil asks, anything else does something.
  @discardableResult
  func bank(_ path: String, _ body: [String: any Sendable]? = nil, status: Int = 200) async throws -> BankAnswer {
    let url = try #require(URL(string: "\(LiveProgram.address)/api/v1/saltedge/providers/\(provider)/\(path)"))
    let response = try await program.transport.send(
      TransportRequest(
        method: body == nil ? "GET" : "POST", url: url,
        headers: ["Authorization": "Basic \(credentials)", "Content-Type": "application/json"],
        body: try body.map { try JSONSerialization.data(withJSONObject: $0) }))
    #expect(response.status == status, "\(path): \(String(decoding: response.body, as: UTF8.self))")
    return BankAnswer(body: response.body)
  }

  /// Looks until there is something to see.
  @discardableResult
  func look<Value>(_ at: () async throws -> Value?) async throws -> Value {
    for _ in 0..<Self.looksMax {
      if let value = try await at() { return value }
      try await ClientClock.live.pause(for: .milliseconds(25))
    }
    throw AuthenticatorError(.outOfOrder, .apiResponse, message: "there was nothing to see")
  }
}
