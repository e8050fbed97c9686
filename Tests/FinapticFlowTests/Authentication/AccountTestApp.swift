// SPDX-License-Identifier: Apache-2.0

import Delivery
import Identity
import Console
import Foundation
import GatehouseWire
import FinapticWire
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import OpenAPISupport
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

/// The product's own router over a real store, with two tenants and a key of each; a clock that stands still, effects
/// that are performed when a test asks for it. Every answer is held against the API's description.
final class AccountTestApp: Sendable {
  static let (tenant, otherTenant) = (7, 8)
  static let email = "sample@finaptic.com"
  static let username = "Username"
  static let password = "Password1234!@#$"

  let made: TestDatabase
  let clock: TestWorld
  let app: App
  let log: LogRecorder
  let client: any TestClientProtocol
  let key: String
  let otherKey: String
  private let calls = DescribedCalls()

  private init(
    _ made: TestDatabase, _ clock: TestWorld, _ app: App, _ log: LogRecorder, _ client: any TestClientProtocol,
    _ keys: (String, String)
  ) {
    (self.made, self.clock, self.app, self.log, self.client) = (made, clock, app, log, client)
    (key, otherKey) = keys
  }

  var service: FinapticService { app.finaptic }
  var database: any SQLDatabase { app.database }
  var vault: Vault { app.vault }
  var signer: AccessTokenSigner { app.signer }

  static func run(
    mfa: FinapticTenant.MFA = .never, smsTenants: String? = nil,
    _ play: @escaping @Sendable (AccountTestApp) async throws -> Void
  ) async throws {
    let (clock, folder, log) = (TestWorld(), try TestFolder(), LogRecorder())
    let made = try await TestDatabase.make(.current, Schema.migrations)
    var settings = Settings()
    settings.dataFolder = folder.file("data")
    settings[FinapticSettings.self].publicURL = "https://bank.example"
    // Calls come from where they say; those that say nothing, from nowhere.
    settings.proxyHeader = .xForwardedFor
    settings.smsBudget.tenantsFile = smsTenants
    let app = try await App.open(
      settings, database: made.database, world: clock.world, logger: log.logger,
      passwordCost: PasswordCost(memory: 8, passes: 1))
    let tenants = app.finaptic.dependencies.tenants
    try await tenants.add(tenant, name: "Maple Bank", kind: .sandbox, mfa: mfa, by: "test")
    try await tenants.add(otherTenant, name: "Other Bank", kind: .production, by: "test")
    let keys = (
      try await tenants.issueKey("app", tenant: tenant, by: "test").key.id.rawValue,
      try await tenants.issueKey("app", tenant: otherTenant, by: "test").key.id.rawValue
    )
    try await Hummingbird.Application(router: app.router(), logger: log.logger).test(.router) { client in
      let account = AccountTestApp(made, clock, app, log, client, keys)
      try await play(account)
      #expect(account.calls.differences == [])
    }
    let secrets = [Self.password.lowercased(), Self.email, "fnr_", "eyj"]
    #expect(log.records.filter { record in secrets.contains { record.lowercased().contains($0) } } == [])
  }

  /// Performs whatever is owed by now.
  func settle() async throws {
    let worker = app.worker
    while try await worker.runDue() > 0 {}
  }

  /// What was sent to a recipient, newest first.
  func messages(to recipient: String = email) async throws -> [Message] {
    try await settle()
    return try await app.devOutbox.list().map(\.message).filter { $0.recipient == recipient }
  }

  /// The path of the newest link to a page.
  func link(_ page: String, to recipient: String = email) async throws -> String {
    let pattern = "/finaptic/pages/\(page)/"
    let body = try #require(try await messages(to: recipient).map(\.body).first { $0.contains(pattern) })
    let start = try #require(body.range(of: "https://bank.example/"))
    return String(body[start.lowerBound...].dropFirst("https://bank.example".count).prefix { !$0.isWhitespace })
  }

  /// The newest code that was sent.
  func code(to recipient: String = email) async throws -> String {
    let body = try #require(try await messages(to: recipient).map(\.body).first { $0.contains("is your code") })
    return String(try #require(body.firstMatch(of: #/\b[0-9]{6}\b/#)).output)
  }

  /// Actions of a user's story, in order.
  func story(_ user: String) async throws -> [String] { try await story(chain: "user-\(user)") }

  /// Actions of anything's story, in order.
  func story(chain name: String) async throws -> [String] {
    try await database.auditActions(of: "finaptic-\(name)")
  }

  // MARK: Calls

  typealias Answer = CallAnswer

  func call(
    _ method: HTTPRequest.Method = .post, _ path: String, _ body: Data = Data(), headers: [String: String] = [:]
  ) async throws -> Answer {
    let request = try DescribedCalls.Request(method, path, headers, body, isTyped: !body.isEmpty)
    let answer = try await calls.send(request, over: client)
    // What is not served is not described.
    let isDescribed =
      path.hasPrefix(FinapticDialect.base) || path.hasPrefix("/finaptic/sandbox")
      || path.hasPrefix("\(FinapticServerDialect.base)/accounts")
      || path.hasPrefix("\(FinapticServerDialect.base)/approvals") || path.hasPrefix(IssuerRoutes.path)
      || path.hasPrefix(InteracNetworkRoutes.path)
    if isDescribed, answer.status != 501, !path.contains("nothing") { try calls.compare(answer, to: request) }
    return answer
  }

  /// A call of the authentication client.
  func call(
    _ method: String, _ body: some Encodable, token: String? = nil, key: String? = nil, once: String? = nil
  ) async throws -> Answer {
    var headers = ["X-Client-Key": key ?? self.key]
    if let token { headers["Authorization"] = "Bearer \(token)" }
    if let once { headers["Idempotency-Key"] = once }
    return try await call(
      .post, "\(FinapticDialect.base)/authentication/\(method)", try WireJSON.encode(body), headers: headers)
  }

  func signUp(
    _ email: String? = email, _ password: String = password, username: String? = username, key: String? = nil
  ) async throws -> Answer {
    try await call(
      "signUp",
      FinapticAPI.SignUpRequest(credential: .init(email: email, password: password, username: username)), key: key)
  }

  func signIn(
    _ email: String? = email, _ password: String = password, username: String? = nil, scope: String? = nil,
    code: String? = nil, key: String? = nil, once: String? = nil
  ) async throws -> Answer {
    try await call(
      "signIn",
      FinapticAPI.SignInRequest(
        credential: .init(email: email, password: password, username: username), scope: scope, mfaCode: code),
      key: key, once: once)
  }

  func refresh(_ token: String, key: String? = nil, once: String? = nil) async throws -> Answer {
    try await call("refreshAuthState", FinapticAPI.RefreshTokenRequest(refreshToken: token), key: key, once: once)
  }

  func userInfo(_ token: String?, key: String? = nil) async throws -> Answer {
    try await call("getUserInfo", EmptyBody(), token: token, key: key)
  }

  /// A user who signed up and in.
  func signedIn(_ email: String = email, username: String? = username) async throws -> FinapticAPI.AuthState {
    #expect(try await signUp(email, username: username).status == 200)
    return try await signIn(email).view()
  }

  /// What an access token says.
  static func claims(_ token: String) throws -> [String: Any] {
    let parts = token.split(separator: ".").map(String.init)
    try #require(parts.count == 3)
    let bytes = try #require(Data(base64URL: parts[1]))
    return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
  }

  func user(_ email: String = email) async throws -> FinapticUser {
    let vault = vault
    let found = try await database.read {
      try FinapticUserStore($0, vault: vault).find(email: email, tenant: Self.tenant)?.user
    }
    return try #require(found)
  }
}

extension CallAnswer {
  func view<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try #require(status == 200, "\(status) \(json)")
    return try WireJSON.decode(type, from: body)
  }

  var error: FinapticAPI.ErrorBody? { try? WireJSON.decode(FinapticAPI.ErrorBody.self, from: body) }
  /// Status, family and most specific code.
  var refusal: String {
    guard let error else { return "\(status)" }
    return "\(status) \(error.code) \(error.details?.errorCode ?? "")"
  }
  var message: String { error?.message ?? "" }
  /// The specific code alone; nil for a success.
  var code: String? { status == 200 ? nil : error?.details?.errorCode ?? "\(status)" }
}
