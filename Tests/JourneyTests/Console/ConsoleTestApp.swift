// SPDX-License-Identifier: Apache-2.0

import Delivery
import Identity
import Foundation
import GatehouseTransport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import RubixFlow
import OpenAPISupport
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

/// The product's own router over a real store, with members of staff and another party's server that takes webhooks as
/// a test says. The clock stands still; effects are performed when a test asks for it. Every answer is held against the
/// API's description, and the log against what must not be in it.
final class ConsoleTestApp: Sendable {
  /// May look.
  static let reader = "reader@bank.example"
  /// May look, and send again.
  static let sender = "sender@bank.example"
  /// Reviews customers, and has nothing to do here.
  static let agent = "agent@bank.example"
  static let password = "utopia lies westward 9"
  /// What bodies hold, and no page.
  static let said = "what the bank was told"
  private static let address = URL(string: "http://house.example") ?? URL(fileURLWithPath: "/")

  let clock: TestWorld
  let app: App
  let folder: TestFolder
  private let webhooks: Webhooks
  private let worker: OutboxWorker
  private let client: any TestClientProtocol
  private let seen: Seen

  private final class Seen: Sendable {
    let differences = Mutex<Set<String>>([])
    /// Pages that were shown without a line of the audit.
    let unaudited = Mutex<Set<String>>([])
    let pages = Mutex<[TransportResponse]>([])
    /// Statuses that the receiver answers with next; 204 when nothing is left.
    let answers = Mutex<[Int]>([])
    let posted = Mutex<[PeerHTTP.Call]>([])
  }

  private init(
    _ app: App, _ clock: TestWorld, _ folder: TestFolder, _ log: LogRecorder, _ client: any TestClientProtocol
  ) {
    let seen = Seen()
    (self.app, self.clock, self.folder, self.client, self.seen) = (app, clock, folder, client, seen)
    webhooks = Webhooks(
      database: app.database, vault: app.vault, world: clock.world,
      http: PeerHTTP { call in
        seen.posted.withLock { $0.append(call) }
        return .init(status: seen.answers.withLock { $0.isEmpty ? 204 : $0.removeFirst() })
      })
    worker = OutboxWorker(
      database: app.database, world: clock.world, handlers: webhooks.handlers, logger: log.logger)
  }

  static func run(
    publicURL: String? = nil, secondFactor: Bool = false, otherInstitution: String? = nil,
    _ play: @escaping @Sendable (ConsoleTestApp) async throws -> Void
  ) async throws {
    let (clock, folder, log) = (TestWorld(), try TestFolder(), LogRecorder())
    let made = try await TestDatabase.make(.current, Schema.migrations)
    var settings = Settings()
    settings.dataFolder = folder.file("data")
    settings.console.publicURL = publicURL
    if secondFactor || otherInstitution != nil {
      var (tenant, other) = (Tenant.default, Tenant.default)
      (tenant.staffSecondFactor, other.id) = (secondFactor, otherInstitution ?? "")
      settings.tenantsFile = folder.file("tenants.json")
      try JSONEncoder().encode([tenant] + (otherInstitution == nil ? [] : [other]))
        .write(to: URL(fileURLWithPath: folder.file("tenants.json")))
    }
    // Calls come from where they say; those that say nothing, from nowhere.
    settings.proxyHeader = .xForwardedFor
    let app = try await App.open(
      settings, database: made.database, world: clock.world, logger: log.logger,
      passwordCost: PasswordCost(memory: 8, passes: 1))
    let staff: [(String, Set<StaffPermission>)] = [
      (reader, [.readWebhooks]), (sender, [.readWebhooks, .redeliverWebhooks]),
      (agent, [.attendVideo, .readCustomers, .redeliverWebhooks]),
    ]
    for (email, permissions) in staff {
      try await app.staff.add(
        NewStaffMember(
          tenant: "default", email: email, name: "Ada <b>Anyder</b>", gender: .female, languages: ["en"],
          permissions: permissions, password: password), by: "operator")
    }
    try await Hummingbird.Application(router: app.router(), logger: log.logger).test(.router) { client in
      let console = ConsoleTestApp(app, clock, folder, log, client)
      try await play(console)
      #expect(console.seen.differences.withLock { $0 } == [])
      #expect(console.seen.unaudited.withLock { $0 } == [], "looks without a line of the audit")
    }
    #expect(log.leaks(of: [reader, sender, agent, password, said, "eyJ", "bank.example", "gatehouse_console"]) == [])
  }

  // MARK: Webhooks

  /// What the receiver answers next.
  func then(_ statuses: Int...) { seen.answers.withLock { $0 = statuses } }
  var posted: [PeerHTTP.Call] { seen.posted.withLock { $0 } }

  @discardableResult
  func add(
    _ url: String = "https://bank.example/hooks?key=s3cret", tenant: TenantID = .init("finaptic", "8"),
    events: [String] = []
  ) async throws -> WebhookEndpoint {
    try await webhooks.add(url, tenant: tenant, events: events, by: "test").endpoint
  }

  func publish(_ name: String, type: String = "CustomerOnboarded", tenant: TenantID = .init("finaptic", "8"))
    async throws
  {
    let message = WebhookMessage(type, name: name, tenant: tenant, body: Data(#"{"a":"\#(Self.said)"}"#.utf8))
    try await app.database.write { [webhooks] in _ = try webhooks.publish(message, in: $0) }
  }

  /// Performs what is due by now.
  func settle() async throws {
    while try await worker.runDue() > 0 {}
  }

  func delivery(_ name: String) async throws -> WebhookDelivery {
    var filter = WebhookLogStore.Filter()
    filter.limit = 1000
    return try #require(try await webhooks.log(filter).first { $0.name == name })
  }

  // MARK: Browsers

  func browser(from address: String? = nil) -> DemoBrowser {
    DemoBrowser(
      address: Self.address,
      transport: HTTPTransport { (request, _) async throws(TransportError) in
        var headers = request.headers
        headers["x-forwarded-for"] = address
        do { return try await self.send(request.method, request.url, headers, request.body) } catch {
          throw TransportError(.other)
        }
      })
  }

  func signedIn(_ email: String = sender) async throws -> DemoBrowser {
    let browser = browser()
    try await browser.open("/console/sign-in")
    let page = try await browser.submit("/console/sign-in", ["email": email, "password": Self.password])
    try #require(page.status == 200 && page.title != "Sign in", "\(page.status) \(page.html)")
    return browser
  }

  func send(
    _ method: String, _ path: String, headers: TransportHeaders = [:], body: Data? = nil
  ) async throws -> TransportResponse {
    try await send(method, try #require(URL(string: path, relativeTo: Self.address)).absoluteURL, headers, body)
  }

  private func send(
    _ method: String, _ url: URL, _ headers: TransportHeaders, _ body: Data?
  ) async throws -> TransportResponse {
    var fields = HTTPFields()
    for (name, value) in headers.all { fields[try #require(HTTPField.Name(name))] = value }
    let path = url.path + (url.query.map { "?\($0)" } ?? "")
    let before = try await lineCount()
    let answer = try await client.execute(
      uri: path, method: try #require(HTTPRequest.Method(rawValue: method)), headers: fields,
      body: body.map { ByteBuffer(bytes: $0) })
    var received = TransportHeaders()
    for field in answer.headers { received[field.name.rawName] = field.value }
    let response = TransportResponse(
      status: answer.status.code, headers: received, body: Data(answer.body.readableBytesView))
    // What is not served is not described, and HEAD answers without the body that is.
    if response.status != 405, method != "HEAD", !path.contains("nothing") {
      let found = try OpenAPIDocument.published.get().validate(
        response: (response.status, received["content-type"], response.body),
        headers: Dictionary(uniqueKeysWithValues: received.all.map { ($0.name, $0.value) }), method: method,
        path: path)
      seen.differences.withLock { $0.formUnion(found.map { "\(method) \(path) \(response.status): \($0)" }) }
    }
    seen.pages.withLock { $0.append(response) }
    if method == "GET", response.status == 200, Self.isLook(path), try await lineCount() == before {
      seen.unaudited.withLock { _ = $0.insert(path) }
    }
    return response
  }

  /// Where nothing is shown but the way in, one's own account, or an empty form.
  static let noLooks: Set<String> = [
    "/console", "/console/account", "/console/second-factor", "/console/second-factor/authenticator",
    "/console/session", "/console/sign-in", "/console/statements",
  ]

  /// Whether a page of the console shows something that others do or have. A page that reads itself again after it was
  /// looked at is no other look.
  private static func isLook(_ path: String) -> Bool {
    path.hasPrefix("/console/") && !noLooks.contains(path) && !path.contains("live=")
      && !path.contains("/events")
      && !["/console/sign-in?", "/console/first-run/", "/console/invitation/", "/console/openid/"].contains {
        path.hasPrefix($0)
      }
  }

  /// Every page that any browser got.
  var pages: [TransportResponse] {
    seen.pages.withLock { $0.filter { $0.headers["content-type"]?.hasPrefix("text/html") == true } }
  }

  /// Who did what to something, in order.
  /// - Parameter action: that is left out.
  func story(_ chain: String, besides action: String? = nil) async throws -> [String] {
    try await app.database.read {
      try AuditStore($0).lines(of: chain).filter { $0.action != action }.map { "\($0.action) by \($0.actor)" }
    }
  }

  /// Every line of the log.
  func lines() async throws -> [AuditLine] {
    try await app.database.read { tx in
      try tx.query("SELECT DISTINCT chain FROM audit_line ORDER BY chain").flatMap { row in
        try AuditStore(tx).lines(of: row.get("chain"))
      }
    }
  }

  private func lineCount() async throws -> Int {
    try await app.database.read { try $0.first("SELECT COUNT(*) AS n FROM audit_line")?.get("n") ?? 0 }
  }
}
