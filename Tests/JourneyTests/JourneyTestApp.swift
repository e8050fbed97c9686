// SPDX-License-Identifier: Apache-2.0

import Identity
import Screening
import Console
import DocumentCore
import Foundation
import GatehouseTransport
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import RubixFlow
import TestSupport
import Testing

@testable import Demonstration
@testable import GatehouseApp

/// A whole installation without a socket: the product's own router and store, a clock that stands still, effects that
/// are performed when a test asks for it. Every answer is held against the API's description.
final class JourneyTestApp: Sendable {
  static let address = URL(string: "http://house.example") ?? URL(fileURLWithPath: "/")

  let clock: TestWorld
  let app: App
  let record: JourneyRecord
  /// Everything that the server offered to its log.
  let log: LogRecorder
  /// What must not be in it.
  let secrets: JourneySecrets
  let transport: HTTPTransport
  private let pages: HTTPTransport
  private let worker: OutboxWorker

  private init(
    _ app: App, _ clock: TestWorld, _ record: JourneyRecord, _ log: LogRecorder, _ transport: HTTPTransport,
    _ pages: HTTPTransport
  ) {
    self.pages = pages
    self.app = app
    self.clock = clock
    self.record = record
    self.log = log
    secrets = JourneySecrets()
    self.transport = secrets.heard(over: transport)
    worker = app.worker
  }

  /// Opens an installation, plays a test in it, and expects that every answer was as described and that the log was told
  /// nothing of anybody.
  /// - Parameters:
  ///   - documents: what the institution asks for; nil is a sandbox.
  ///   - lists: false takes the screening lists away.
  ///   - fourEyes: has two persons decide on a hit, and after a call.
  ///   - repeating: sends each accepted POST a second time under its key and expects the same answer.
  static func run(
    documents: DocumentPolicy? = nil, lists: Bool = true, fourEyes: Bool = false, repeating: Bool = false,
    _ play: @escaping @Sendable (JourneyTestApp) async throws -> Void
  ) async throws {
    let (clock, folder) = (TestWorld(), try TestFolder())
    let store = try await TestDatabase.make(.current, Schema.migrations)
    var settings = Settings()
    settings.dataFolder = folder.file("data")
    settings[RubixSettings.self].limitFactor = 100
    settings.demoBank.book = demoBank
    settings.screeningOperations.alertMail = "compliance@bank.example"
    if documents != nil || !lists || fourEyes {
      try institution(documents, lists: lists, fourEyes: fourEyes, in: folder, &settings)
    }
    let log = LogRecorder()
    let app = try await App.open(
      settings, database: store.database, world: clock.world, logger: log.logger,
      passwordCost: PasswordCost(memory: 8, passes: 1), messenger: \.messenger)
    try await DemoApp.addStaff(app.staff)
    let record = JourneyRecord()
    try await Hummingbird.Application(router: app.router(), logger: log.logger).test(.router) { client in
      let transport = record.transport(over: client, repeating: repeating)
      let journey = JourneyTestApp(app, clock, record, log, transport, JourneyRecord.pages(over: client))
      try await play(journey)
      #expect(log.records.filter(journey.secrets.isIn) == [], "the log knows too much")
    }
    #expect(record.faults == [])
  }

  /// A demonstration bank without customers, which no service knows.
  static let demoBank = DemoBankService(
    address: "http://house.example", provider: "1", client: "client", secret: "secret",
    webhookSecret: "whsec_" + Data(repeating: 1, count: 32).base64EncodedString(), customers: [sampleCustomer])
  private static let sampleCustomer = DemoCustomer(
    id: "customer-1", username: "ada", name: "Ada Anyder", account: "ZZ83DEMO00000002000",
    passwordHash: "$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")

  private static func institution(
    _ documents: DocumentPolicy?, lists: Bool, fourEyes: Bool, in folder: TestFolder,
    _ settings: inout Settings
  ) throws {
    var tenant = Tenant.default
    if let documents { tenant.documents = documents }
    (tenant.servedPrefixes, tenant.screeningNeedsTwo, tenant.verdictsNeedTwo) = (["all"], fourEyes, fourEyes)
    settings.tenantsFile = folder.file("tenants.json")
    try JSONEncoder().encode([tenant]).write(to: URL(fileURLWithPath: folder.file("tenants.json")))
    settings.screeningFolder = folder.file("lists")
    try FileManager.default.createDirectory(atPath: folder.file("lists"), withIntermediateDirectories: true)
    guard lists else { return }
    try Data(DemoScreeningList.csv.utf8).write(to: URL(fileURLWithPath: folder.file("lists/demo.csv")))
  }

  /// Performs whatever is owed by now.
  func settle() async throws {
    while try await worker.runDue() > 0 {}
  }

  /// The newest code that was sent to a phone number or an address.
  func code(to recipient: String) async throws -> String {
    try await settle()
    let message = try #require(try await app.devOutbox.list().first { $0.message.recipient == recipient })
    let code = String(try #require(message.message.body.firstMatch(of: #/\b[0-9]{6}\b/#)).output)
    secrets.note(code)
    return code
  }

  func agent(_ email: String) async throws -> AgentClient {
    try await AgentClient.signIn(email, at: Self.address, transport: transport)
  }

  /// A colleague of the officer.
  func addOfficer(
    _ email: String, may permissions: Set<StaffPermission> = [.readCustomers, .decideAML]
  ) async throws {
    try await app.staff.add(
      NewStaffMember(
        tenant: "default", email: email, name: "Peter Giles", gender: .male, languages: ["en"],
        permissions: permissions, password: DemoApp.password), by: "operator")
  }

  /// A browser in which a member of staff is signed in.
  func browser(_ email: String) async throws -> DemoBrowser {
    let browser = DemoBrowser(address: Self.address, transport: pages)
    try await browser.open("/console/sign-in")
    try await browser.submit("/console/sign-in", ["email": email, "password": DemoApp.password])
    return browser
  }

  /// The institution's day.
  var today: WireDate { WireDate(daysSince1970: Int(clock.now.milliseconds / 86_400_000)) }
}
