// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Identity
import Kit
import OpenAPISupport
import Screening
import ScreeningHTTP
import Storage
import Synchronization
import Testing
import TestSupport

/// The module over a real store, on the router, with one client that may search. Every answer is held against the API's
/// description.
struct ScreeningTestApp: Sendable {
  static let migrations = TestDatabase.migrations(of: ScreeningModule.self, IdentityModule.self)
  static let countries = CountryNames([
    ("ZA", "ZAF", ["South Africa", "South African"]), ("NZ", "NZL", ["New Zealand"]),
    ("KP", "PRK", ["North Korea"]), ("DE", "DEU", ["Germany", "German"]),
  ])
  static let first = """
    ref,name,aliases,dob,nationality,document_numbers
    1,Ansgar Quillon Driftwell,,1964-08-12,New Zealand,LX004411
    2,Ottilie Vanterpoole,Лариса Вантерпул,1948-12-10,,

    """

  let made: TestDatabase
  let lists: ScreeningLists
  let clients: ServiceClients
  let issued: IssuedSecret
  let client: any TestClientProtocol
  private let faults = Faults()

  /// - Parameter list: of the version `v1` of the list `OWN`; nil for none.
  static func run(
    list: String? = first, policy: MatchingPolicy = .standard, scopes: Set<ServiceClient.Scope> = [.screen],
    _ play: @escaping @Sendable (ScreeningTestApp) async throws -> Void
  ) async throws {
    let world = TestWorld().world
    let made = try await TestDatabase.make(.current, migrations)
    let vault = try await TestVault.open(made.database, world)
    let core = CoreDependencies(
      database: made.database, world: world, vault: vault, blobs: MemoryBlobs(world).blobs)
    let lists = ScreeningLists(core)
    let clients = ServiceClients(database: made.database, vault: vault, audit: core.audit, world: world)
    let issued = try await clients.add("core banking", tenant: "acme", scopes: scopes, by: "test")
    let module = ScreeningHTTPModule(
      ScreeningSource(folder: nil, stored: lists, countries: countries, policy: policy), core: core,
      serviceClients: clients)
    let router = Router(context: PublicContext.self)
    let methods = RouteMethods()
    router.add(middleware: CorrelationMiddleware(world: world))
    router.add(
      middleware: ProblemMiddleware(
        dialect: PathDialects(module.dialects, otherwise: ScreeningDialect()), methods: methods))
    module.addRoutes(to: router.group(""))
    methods.learn(router)
    try await Application(router: router).test(.router) { client in
      let app = ScreeningTestApp(made: made, lists: lists, clients: clients, issued: issued, client: client)
      if let list { try await app.load(list, version: "v1") }
      try await play(app)
      #expect(app.faults.all == [])
    }
  }

  /// Puts a table into the place of the list `OWN`.
  func load(_ text: String, code: String = "OWN", version: String? = nil) async throws {
    try await load([ListReader.File(name: "own.csv", bytes: Data(text.utf8))], code: code, version: version)
  }

  func load(_ files: [ListReader.File], code: String?, version: String? = nil) async throws {
    let readings = try ListReader.read(
      files, code: code, version: version, fallback: "2026-11-21", countries: Self.countries)
    _ = try await lists.update(readings, takesShrunk: true, by: "operator:test")
  }

  struct Answer: Sendable {
    let status: Int
    let contentType: String?
    let body: Data

    func read<Value: Decodable>(as type: Value.Type) throws -> Value { try JSONDecoder().decode(type, from: body) }

    /// The code of a problem document.
    var problem: String? { (try? read(as: ProblemText.self))?.code }
    /// Where a problem document finds faults.
    var pointers: [String] { (try? read(as: ProblemText.self))?.errors?.map(\.field) ?? [] }

    /// Each line of a stream.
    func lines() throws -> [FoundAnswer] {
      try body.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(FoundAnswer.self, from: $0) }
    }
  }

  func call(
    _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, authorization: String? = nil
  ) async throws -> Answer {
    var headers: HTTPFields = [:]
    let basic = "Basic " + Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
    headers[.authorization] = authorization ?? basic
    if body != nil { headers[.contentType] = "application/json" }
    let place = "\(ScreeningDialect.base)/\(path)"
    let response = try await client.execute(
      uri: place, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) } ?? ByteBuffer())
    let answer = Answer(
      status: response.status.code, contentType: response.headers[.contentType],
      body: Data(response.body.readableBytesView))
    let document = try OpenAPIDocument.published.get()
    let fields = Dictionary(response.headers.map { ($0.name.rawName, $0.value) }) { first, _ in first }
    var differences = document.validate(
      response: (answer.status, answer.contentType, answer.body), headers: fields, method: method.rawValue, path: place
    ).map(\.description)
    if answer.status == 200 {
      let sent = Dictionary(headers.map { ($0.name.rawName, $0.value) }) { first, _ in first }
      differences += document.validate(
        request: (body.map { _ in "application/json" }, Data((body ?? "").utf8)), headers: sent,
        method: method.rawValue, path: place
      ).map { "request \($0)" }
    }
    faults.add(differences.map { "\(method.rawValue) \(place) \(answer.status): \($0)" })
    return answer
  }

  func match(_ body: String) async throws -> Answer { try await call(.post, "match", body) }

  /// One query by its names.
  func found(_ name: String, _ more: String = "") async throws -> FoundAnswer {
    let name = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
    return try await match(#"{"query":{"names":[\#(name)]\#(more)}}"#).read(as: FoundAnswer.self)
  }

  /// What the audit log tells of the client, in words.
  func story() async throws -> [AuditLine] {
    try await made.database.read { [id = issued.client.id.rawValue] in try AuditStore($0).lines(of: id) }
  }

  private final class Faults: Sendable {
    private let noted = Mutex<[String]>([])

    var all: [String] { noted.withLock { $0 } }

    func add(_ faults: [String]) { noted.withLock { $0 += faults } }
  }
}

struct ProblemText: Decodable {
  struct Fault: Decodable {
    let field: String
    let code: String
  }

  let code: String
  let errors: [Fault]?
}

/// An answer as a caller reads it.
struct FoundAnswer: Decodable, Sendable {
  struct Candidate: Decodable, Sendable {
    struct Explanation: Decodable, Sendable {
      let name, confirms, contradicts: [String]
    }

    let ref, list, name: String
    let score: Double
    let match: Bool
    let explanation: Explanation
  }

  struct Version: Decodable, Sendable, Equatable {
    let code, version: String
  }

  struct Matcher: Decodable, Sendable {
    let version, policy: String
  }

  struct Thresholds: Decodable, Sendable {
    let match, name: Double
  }

  let row: Int
  let id: String?
  let status: String
  let error: String?
  let answers: [Candidate]
  let more_matches: Bool
  let lists: [Version]
  let matcher: Matcher
  let thresholds: Thresholds
}
