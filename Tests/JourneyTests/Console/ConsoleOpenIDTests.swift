// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Identity
import Kit
import Synchronization
import TestSupport
import Testing

@testable import Console
@testable import GatehouseApp

@Suite("Console: staff come by an identity provider", .onOneEngine, .serialized)
struct ConsoleOpenIDTests {
  /// A browser without scripts that keeps its cookies.
  private final class Browser: Sendable {
    let client: any TestClientProtocol
    private let cookies = Mutex<[String: String]>([:])

    init(_ client: any TestClientProtocol) { self.client = client }

    func cookie(_ name: String) -> String? { cookies.withLock { $0[name] } }

    func load(
      _ path: String, _ method: HTTPRequest.Method = .get, form: String? = nil
    ) async throws -> (status: Int, location: String?, text: String) {
      var headers: HTTPFields = [.cookie: cookies.withLock { $0.map { "\($0)=\($1)" } }.joined(separator: "; ")]
      if let name = HTTPField.Name("x-forwarded-for") { headers[name] = "198.51.100.7" }
      if form != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
      let answer = try await client.execute(
        uri: path, method: method, headers: headers, body: form.map { ByteBuffer(string: $0) })
      for set in answer.headers[values: .setCookie] {
        let pair = set.split(separator: ";")[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        cookies.withLock { $0[String(pair[0])] = pair[1].isEmpty ? nil : String(pair[1]) }
      }
      return (answer.status.code, answer.headers[.location], String(buffer: answer.body))
    }
  }

  private static func settings(_ folder: TestFolder, issuer: String) throws -> Settings {
    let entry: [String: Any] = [
      "tenant": "default", "name": "House ID", "issuer": issuer, "client_id": "gatehouse",
      "client_secret_file": folder.file("secret"), "roles": ["desk": ["operator"]], "second_factor": "provider",
      "password_sign_in": false, "untyped_logout": true,
    ]
    try Data("a secret of 100%\n".utf8).write(to: folder.url("secret"))
    try JSONSerialization.data(withJSONObject: [entry]).write(to: folder.url("openid.json"))
    var settings = Settings()
    settings.dataFolder = folder.file("data")
    settings.proxyHeader = .xForwardedFor
    settings.console.openID.file = folder.file("openid.json")
    return settings
  }

  @Test(
    "a real provider lets a member in, takes them out, and no password does",
    .enabled(if: RealProvider.isInstalled, "python3 with oidc-provider-mock is missing: scripts/bootstrap installs it"))
  func realProvider() async throws {
    let (provider, folder, log) = (try RealProvider(), try TestFolder(), LogRecorder())
    defer { provider.stop() }
    let made = try await TestDatabase.make(.current, Schema.migrations)
    let app = try await App.open(
      Self.settings(folder, issuer: provider.issuer), database: made.database, logger: log.logger,
      passwordCost: PasswordCost(memory: 8, passes: 1))
    try await app.staff.add(
      NewStaffMember(
        tenant: "default", email: "known@bank.example", name: "Ada Anyder", gender: .female, languages: ["en"],
        permissions: [.readWebhooks], password: ConsoleTestApp.password), by: "operator")
    try await provider.set(
      "noor", ["name": "Noor <b>Haddad", "email": "noor@bank.example", "gender": "female", "roles": ["desk"]])
    try await provider.set("guest", ["email": "guest@bank.example", "gender": "male", "roles": ["visitors"]])

    try await Hummingbird.Application(router: app.router(), logger: log.logger).test(.router) { client in
      let browser = Browser(client)
      func comeBack(_ subject: String) async throws -> String {
        let there = try await browser.load("/console/openid/default")
        let address = try #require(there.location)
        #expect(there.status == 303 && address.hasPrefix("\(provider.issuer)/oauth2/authorize?response_type=code"))
        let back = try #require(try await provider.signIn(subject, at: address))
        #expect(back.path == "/console/openid/default/callback")
        return "\(back.path)?\(back.query ?? "")"
      }

      let page = try await browser.load("/console/sign-in")
      #expect(page.text.contains("Sign in with House ID") && !page.text.contains("action=\"/console/sign-in\""))
      #expect(try await browser.load(comeBack("guest")).location == "/console/sign-in?openid=refused")
      #expect(try await browser.load("/console/sign-in?openid=refused").text.contains("was not accepted"))

      let back = try await comeBack("noor")
      let arrived = try await browser.load(back)
      #expect(arrived.status == 200 && arrived.text.contains("content=\"0;url=/console/queue\""))
      let home = try await browser.load("/console/queue")
      #expect(home.status == 200 && home.text.contains("Noor &lt;b&gt;Haddad"))
      // What came back once counts no more.
      #expect(try await Browser(client).load(back).location == "/console/sign-in?openid=again")

      let csrf = try #require(home.text.firstMatch(of: #/name="csrf" value="([^"]+)"/#)?.1)
      let out = try await browser.load("/console/sign-out", .post, form: "csrf=\(csrf)")
      #expect(out.location == "/console/sign-in?left=default" && browser.cookie("gatehouse_console") == nil)
      let left = try await browser.load("/console/sign-in?left=default")
      #expect(left.text.contains("Sign out of House ID too"))
      let end = try #require(try await browser.load("/console/openid/default/sign-out").location)
      #expect(end.hasPrefix("\(provider.issuer)/oauth2/end_session?client_id=gatehouse&"))
      #expect(!end.contains("noor") && !end.contains("id_token"))

      let visitor = Browser(client)
      let form = try await visitor.load("/console/sign-in").text
      #expect(!form.contains("type=\"password\""))
      #expect(try await visitor.load("/console/openid/nothing").status == 404)
    }
    let members = try await app.staff.list(tenant: "default")
    let noor = try #require(members.first { $0.email == "noor@bank.example" })
    #expect(members.count == 2 && noor.roles == [.operator])
    let lines = try await app.database.read { try AuditStore($0).lines(of: noor.id.rawValue).map(\.action) }
    #expect(lines == ["staff.added", "agent.signed_in", "cases.listed", "agent.signed_out"])
    #expect(log.leaks(of: ["noor@bank.example", "Haddad", "a secret", "eyJ"]) == [])
  }

  @Test(
    "a logout token that is refused leaves a line with the reason, and without the token",
    arguments: [
      // A header that says {"alg":"RS256","typ":"at+jwt"}.
      ("eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.e30", "openid-type"), ("e30.e30.e30", "openid-token"),
    ])
  func refusedLogout(token: String, reason: String) async throws {
    let (folder, log) = (try TestFolder(), LogRecorder())
    let made = try await TestDatabase.make(.current, Schema.migrations)
    let app = try await App.open(
      Self.settings(folder, issuer: "https://login.bank.example"), database: made.database, logger: log.logger,
      passwordCost: PasswordCost(memory: 8, passes: 1))
    try await Hummingbird.Application(router: app.router(), logger: log.logger).test(.router) { client in
      let answer = try await Browser(client).load(
        "/console/openid/default/logout", .post, form: "logout_token=\(token)")
      #expect(answer.status == 400 && answer.text.isEmpty)
    }
    let lines = log.records.filter { $0.hasPrefix("logout token refused") }
    #expect(lines.count == 1 && lines.allSatisfy { $0.contains("error=\(reason)") && $0.contains("source=default") })
    #expect(log.leaks(of: [token]) == [])
  }

  @Test(
    "settings that cannot be kept are told by a sentence that shows no secret",
    arguments: [
      ("issuer", "http://login.bank.example", "issuer is an https address"), ("tenant", "other", "no such tenant"),
      ("client_secret_file", "/nowhere", "client_secret_file cannot be read"), ("gender", "X", "gender is F or M"),
      ("second_factor", "none", "second_factor is own"),
    ])
  func settings(key: String, value: String, sentence: String) throws {
    let folder = try TestFolder()
    let settings = try Self.settings(folder, issuer: "https://login.bank.example")
    let read = try #require(try settings.openIDRegistrations().first?.provider)
    #expect(!read.allowsPasswords && read.allowsUntypedLogout)
    let data = try Data(contentsOf: folder.url("openid.json"))
    var entries = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    entries[0][key] = value
    try JSONSerialization.data(withJSONObject: entries).write(to: folder.url("openid.json"))
    let error = try #require(throws: SettingsError.self) { try settings.openIDRegistrations() }
    #expect("\(error)".contains(sentence) && !"\(error)".contains("a secret"))
  }
}
