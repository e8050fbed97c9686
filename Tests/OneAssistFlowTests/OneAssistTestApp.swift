// SPDX-License-Identifier: Apache-2.0

import Casework
import Delivery
import Identity
import Console
import Evidence
import Foundation
import GatehouseWire
import OneAssistWire
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import OneAssistCore
import OneAssistFlow
import OpenAPISupport
import Storage
import TestSupport
import Testing

@testable import GatehouseApp

/// The flow over a real store, on the router, with one partner and two plans. Each test performs the effects itself;
/// the clock stands still.
final class OneAssistTestApp: Sendable {
  static let migrations = TestDatabase.migrations(
    of: DeliveryModule.self, IdentityModule.self, CaseworkModule.self, OneAssistModule.self)

  static let imei = "359000110000012"
  static let webhook = "https://shop.example/hooks"
  /// The plan that begins at once, and the one that begins in a month.
  static let (planNow, planLater): (Int64, Int64) = (729, 730)

  let made: TestDatabase
  let database: any SQLDatabase
  let vault: Vault
  let clock: TestWorld
  let service: OneAssistService
  let effects: OneAssistEffects
  let worker: OutboxWorker
  let log: LogRecorder
  let client: any TestClientProtocol
  let blobs: MemoryBlobs
  let outside: OutsideWorld
  let partner: Partner
  let seller: IssuedSecret
  let otherSeller: IssuedSecret
  let reviewer: IssuedSecret
  private let calls = DescribedCalls()

  private init(
    _ made: TestDatabase, _ database: any SQLDatabase, _ vault: Vault, _ clock: TestWorld, _ service: OneAssistService,
    _ worker: OutboxWorker, _ log: LogRecorder, _ client: any TestClientProtocol, _ blobs: MemoryBlobs,
    _ outside: OutsideWorld, _ partner: Partner, _ clients: (IssuedSecret, IssuedSecret, IssuedSecret)
  ) {
    (self.made, self.database, self.vault, self.clock, self.service) = (made, database, vault, clock, service)
    (effects, self.worker, self.log, self.client) = (service.effects, worker, log, client)
    (self.blobs, self.outside, self.partner) = (blobs, outside, partner)
    (seller, otherSeller, reviewer) = clients
  }

  /// - Parameters:
  ///   - begun: false for an installation in which keys of persons have not begun.
  ///   - evidence: reads real pictures; nil where photos are texts.
  static func run(
    on engine: Engine = .current, begun: Bool = true,
    policy change: (inout OneAssistPolicy) -> Void = { _ in }, reading evidence: EvidenceReader? = nil,
    _ play: @escaping @Sendable (OneAssistTestApp) async throws -> Void
  ) async throws {
    let (clock, outside) = (TestWorld(), OutsideWorld(evidence: evidence))
    let world = clock.world
    let made = try await TestDatabase.make(engine, migrations)
    let folder = try TestFolder()
    let vault = try await TestVault.openWithSubjectKeys(made.database, world, in: folder, begun: begun)
    let blobs = MemoryBlobs(world)
    var policy = OneAssistPolicy()
    policy.publicURL = "https://cover.example"
    change(&policy)
    if !policy.tenantsOfTwo.isEmpty {
      outside.caseService = CaseService(
        database: made.database, world: world, vault: vault, policy: CaseworkPolicy(institutions: ["default"]),
        program: "test")
    }
    let service = service(made.database, vault, clock, blobs, outside, policy)
    let clients = ServiceClients(
      database: made.database, vault: vault, audit: Audit(world: world, vault: vault), world: world)
    let seller = try await clients.add("shop", tenant: "default", scopes: [.sell], by: "test")
    let other = try await clients.add("other", tenant: "default", scopes: [.sell], by: "test")
    let reviewer = try await clients.add("desk", tenant: "default", scopes: [.review], by: "test")
    var draft = Partners.Draft(code: 853, units: [1552], name: "Phone Shop")
    draft.webhookURL = webhook
    let partners = service.partners
    let partner = try await partners.add(draft, client: seller.client.id, by: "test").partner
    _ = try await partners.add(.init(code: 854, units: [1], name: "Other"), client: other.client.id, by: "test")
    for (code, after) in [(planNow, 0), (planLater, 30)] {
      try await partners.add(
        Plan(
          code: code, name: "Mobile protection 1Y", price: 1199, tax: 183, coverAmount: 20000, months: 12,
          startsAfterDays: after, invoiceDaysMax: 30, invoiceValues: 1000...100_000, productCode: "MP01"),
        toPartner: 853, tenant: "default", by: "test")
    }
    try await serve(
      made, made.database, vault, clock, service, blobs, outside, partner, (seller, other, reviewer), play)
    // The folder goes with the value, and its epoch key has to be there as long as the test.
    withExtendedLifetime(folder) {}
  }

  /// The same installation in another process: nothing but the store and the blobs is left.
  func restarted(_ play: @escaping @Sendable (OneAssistTestApp) async throws -> Void) async throws {
    let database = try made.reopened()
    let service = Self.service(database, vault, clock, blobs, outside, service.policy)
    try await Self.serve(
      made, database, vault, clock, service, blobs, outside, partner, (seller, otherSeller, reviewer), play)
    try database.close()
  }

  private static func service(
    _ database: any SQLDatabase, _ vault: Vault, _ clock: TestWorld, _ blobs: MemoryBlobs, _ outside: OutsideWorld,
    _ policy: OneAssistPolicy
  ) -> OneAssistService {
    outside.service(
      CoreDependencies(
        database: database, world: clock.world, vault: vault, blobs: blobs.blobs, cases: outside.kept), policy,
      devOutbox: DevOutbox(database: database, vault: vault, world: clock.world))
  }

  private static func serve(
    _ made: TestDatabase, _ database: any SQLDatabase, _ vault: Vault, _ clock: TestWorld, _ service: OneAssistService,
    _ blobs: MemoryBlobs, _ outside: OutsideWorld, _ partner: Partner,
    _ secrets: (IssuedSecret, IssuedSecret, IssuedSecret),
    _ play: @escaping @Sendable (OneAssistTestApp) async throws -> Void
  ) async throws {
    let (world, log) = (clock.world, LogRecorder())
    let clients = ServiceClients(
      database: database, vault: vault, audit: Audit(world: world, vault: vault), world: world)
    let router = Router(context: PublicContext.self)
    router.add(middleware: CorrelationMiddleware(world: world))
    let dialects =
      OneAssistDialect.bases.map { ($0, OneAssistDialect() as any Dialect) } + [(UploadRoutes.base, UploadDialect())]
    router.add(middleware: ProblemMiddleware(dialect: PathDialects(dialects, otherwise: ReviewDialect())))
    let root = router.group("")
    ActivationRoutes(service).add(to: root)
    UploadRoutes(.oneAssist(service)).add(to: root)
    let servers = root.clients(at: "", world: world) { try await clients.authenticate($0, secret: $1) }
    PartnerRoutes(service).add(to: servers)
    ReviewRoutes(service).add(to: servers.group(RouterPath(ReviewDialect.base)))
    let worker = OutboxWorker(
      database: database, world: world, handlers: service.effects.handlers, logger: log.logger)
    try await Application(router: router, logger: log.logger).test(.router) { client in
      let app = OneAssistTestApp(
        made, database, vault, clock, service, worker, log, client, blobs, outside, partner, secrets)
      try await play(app)
      #expect(app.calls.differences == [])
    }
  }

  /// Performs whatever is owed by now.
  func settle() async throws {
    while try await worker.runDue() > 0 {}
  }

  /// Actions of a membership's story, in order.
  func story(_ membership: String) async throws -> [String] {
    try await database.auditActions(of: "oneassist-\(membership)")
  }

  // MARK: Calls

  typealias Answer = CallAnswer

  func call(
    _ method: HTTPRequest.Method, _ path: String, headers: [String: String] = [:], body: Data = Data()
  ) async throws -> Answer {
    let request = try DescribedCalls.Request(method, path, headers, body, isTyped: !body.isEmpty)
    let answer = try await calls.send(request, over: client)
    try calls.compare(answer, to: request)
    if answer.status < 300 { try calls.compare(request) }
    return answer
  }

  /// A call of the partner's server, or of a reviewer's.
  func server(
    _ method: HTTPRequest.Method, _ path: String, _ body: String = "", as caller: IssuedSecret? = nil
  ) async throws -> Answer {
    let credentials = caller ?? seller
    let basic = Data("\(credentials.client.id):\(credentials.secret)".utf8).base64EncodedString()
    return try await call(method, path, headers: ["Authorization": "Basic \(basic)"], body: Data(body.utf8))
  }

  func review(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async throws -> Answer {
    try await server(method, "\(ReviewDialect.base)/\(path)", body, as: reviewer)
  }

  /// A phone that was just sold.
  func sell(
    application: String = "A-1", mobile: String = "9876543210", plan: Int64 = planNow, as caller: IssuedSecret? = nil,
    change: (String) -> String = { $0 }
  ) async throws -> Answer {
    let body = """
      {"initiatingSystem":12,"customerInfo":[{"firstName":"Asha","lastName":"Rao","emailId":"asha@mail.example",\
      "mobileNumber":"\(mobile)","gender":"F","relationship":"self","customerdob":"01-Feb-1990","assetInfo":[\
      {"productCode":"MP01","assetMake":"Apple","assetModel":"iPhone 14","invoiceDate":"20-Nov-2026",\
      "invoiceValue":60000}]}],"orderInfo":{"planCode":\(plan),"partnerCode":853,"partnerBUCode":1552,\
      "applicationNo":"\(application)","applicationDate":"2026-11-21"},"paymentInfo":{"paymentMode":"COD"}}
      """
    return try await server(.post, "/OASYS/webservice/rest/customer/onboardCustomer", change(body), as: caller)
  }
}

extension CallAnswer {
  /// What is in the envelope.
  func data<Content: Codable & Sendable & Equatable>(_ type: Content.Type = Content.self) throws -> Content {
    try #require(status == 200, "\(status) \(json)")
    return try #require(try WireJSON.decode(OneAssist.Envelope<Content>.self, from: body).data)
  }

  func view() throws -> [String: Any] {
    try #require((200...299).contains(status), "\(status) \(json)")
    return try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
  }

  /// Status and codes of a refusal, and where the membership stands.
  var refusal: String {
    let failure = try? WireJSON.decode(OneAssist.Envelope<OneAssist.TaskStatus>.self, from: body)
    let codes = failure?.errors.compactMap(\.errorCode) ?? []
    let own = (try? JSONDecoder().decode(ProblemDetails.self, from: body))?.code.rawValue
    let taskStatus = failure?.extra?.taskInfo?.status.map { " \($0)" } ?? ""
    return "\(status) \(codes.isEmpty ? own ?? json : codes.joined(separator: ","))\(taskStatus)"
  }
}
