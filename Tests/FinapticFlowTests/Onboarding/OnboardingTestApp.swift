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
import Storage
import Synchronization
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

/// The onboarding over a real store, on the router, with a sandbox tenant and a production one. Effects are performed
/// when a test asks for it; the clock stands still.
final class OnboardingTestApp: Sendable {
  static let (sandbox, production) = (7, 8)

  let made: TestDatabase
  let clock: TestWorld
  let vault: Vault
  let blobs: MemoryBlobs
  let service: FinapticService
  let outside: OnboardingOutside
  let keys: [Int: String]
  let client: any TestClientProtocol
  let worker: OutboxWorker

  var dependencies: FinapticDependencies { service.dependencies }
  var database: any SQLDatabase { service.dependencies.core.database }

  private init(
    _ made: TestDatabase, _ clock: TestWorld, _ vault: Vault, _ blobs: MemoryBlobs, _ service: FinapticService,
    _ outside: OnboardingOutside, _ keys: [Int: String], _ client: any TestClientProtocol, _ worker: OutboxWorker
  ) {
    (self.made, self.clock, self.vault, self.blobs, self.service) = (made, clock, vault, blobs, service)
    (self.outside, self.keys, self.client, self.worker) = (outside, keys, client, worker)
  }

  /// - Parameter hasSubjectKeys: whether keys of persons seal, as in the product.
  static func run(
    profiles: SandboxProfiles? = nil, push: PushGateway = .none, hasSubjectKeys: Bool = false,
    ports change: @escaping (inout OnboardingPorts) -> Void = { _ in },
    pause: @escaping @Sendable (Duration) async throws -> Void = { _ in await Task.yield() },
    _ play: @escaping @Sendable (OnboardingTestApp) async throws -> Void
  ) async throws {
    let (clock, outside) = (TestWorld(), OnboardingOutside())
    let made = try await TestDatabase.make(.current, Schema.migrations)
    let folder = try TestFolder()
    let vault =
      hasSubjectKeys
      ? try await TestVault.openWithSubjectKeys(made.database, clock.world, in: folder)
      : try await TestVault.open(made.database, clock.world)
    let blobs = MemoryBlobs(clock.world)
    var ports = outside.ports
    if let profiles { ports.profiles = profiles }
    change(&ports)
    let service = try await Self.service(made.database, clock, vault, blobs, ports, push, pause)
    let tenants = service.dependencies.tenants
    var keys: [Int: String] = [:]
    for (id, kind) in [(sandbox, FinapticTenant.Kind.sandbox), (production, .production)] {
      try await tenants.add(id, name: "Bank \(id)", kind: kind, by: "test")
      keys[id] = try await tenants.issueKey("app", tenant: id, by: "test").key.id.rawValue
    }
    try await serve(made, clock, vault, blobs, service, outside, keys, play)
    withExtendedLifetime(folder) {}
  }

  /// The same installation in another process: nothing but the store and the blobs is left.
  func restarted(_ play: @escaping @Sendable (OnboardingTestApp) async throws -> Void) async throws {
    let database = try made.reopened()
    let service = try await Self.service(database, clock, vault, blobs, dependencies.onboarding) { _ in
      await Task.yield()
    }
    try await Self.serve(made, clock, vault, blobs, service, outside, keys, play)
    try database.close()
  }

  private static func service(
    _ database: any SQLDatabase, _ clock: TestWorld, _ vault: Vault, _ blobs: MemoryBlobs, _ ports: OnboardingPorts,
    _ push: PushGateway = .none,
    _ pause: @escaping @Sendable (Duration) async throws -> Void = { _ in await Task.yield() }
  ) async throws -> FinapticService {
    let world = clock.world
    let webhooks = Webhooks(
      database: database, vault: vault, world: world,
      http: PeerHTTP { _ in
        Issue.record("no other system is called here")
        return .init(status: 500)
      })
    let signer = try await AccessTokenSigner.open(database, vault: vault, world: world)
    var policy = FinapticPolicy()
    policy.publicURL = "https://bank.example"
    return FinapticService(
      dependencies: FinapticDependencies(
        core: CoreDependencies(database: database, world: world, vault: vault, blobs: blobs.blobs),
        sessions: Sessions(
          policy: .finapticUsers, signer: signer, vault: vault, limits: RateLimits(world: world),
          audit: Audit(world: world, vault: vault), world: world),
        messenger: Messenger(
          sms: SMSGateway { _ in Issue.record("no text is sent here") },
          mail: MailGateway { _ in Issue.record("no mail is sent here") }),
        devOutbox: nil, threads: BlockingThreadPool("test", width: 1), policy: policy,
        library: try FinapticLibrary(referenceFolder: nil, addressIndex: nil, isSandbox: true), onboarding: ports,
        audience: .outside(database: database, vault: vault, world: world, webhooks: webhooks), push: push),
      patience: AnswerPoller(pause: pause))
  }

  private static func serve(
    _ made: TestDatabase, _ clock: TestWorld, _ vault: Vault, _ blobs: MemoryBlobs, _ service: FinapticService,
    _ outside: OnboardingOutside, _ keys: [Int: String],
    _ play: @escaping @Sendable (OnboardingTestApp) async throws -> Void
  ) async throws {
    let log = LogRecorder()
    let router = Router(context: PublicContext.self)
    router.add(middleware: CorrelationMiddleware(world: clock.world))
    router.add(middleware: ProblemMiddleware(dialect: FinapticDialect()))
    let root = router.group("")
    let groups = FinapticRouteGroups(service, root: root)
    service.onboardingRoutes.add(to: groups)
    service.fileUploadRoutes.add(to: root)
    service.distributionRoutes.add(to: groups)
    let worker = OutboxWorker(
      database: service.dependencies.core.database, world: clock.world, handlers: service.effects,
      logger: log.logger)
    try await Application(router: router, logger: log.logger).test(.router) { client in
      try await play(OnboardingTestApp(made, clock, vault, blobs, service, outside, keys, client, worker))
    }
  }

  /// Performs whatever is owed by now.
  func settle() async throws {
    while try await worker.runDue() > 0 {}
  }

  /// Performs whatever is owed by now, of other topics.
  func settle(_ handlers: [String: OutboxWorker.Handler]) async throws {
    let worker = OutboxWorker(
      database: database, world: clock.world, handlers: handlers, logger: LogRecorder().logger)
    while try await worker.runDue() > 0 {}
  }

  /// An access token of a user, who is put there when they are not: how one signs up is another suite's.
  func token(_ user: FinapticUser.ID, customer: String? = nil, tenant: Int = sandbox) async throws -> String {
    let sessions = dependencies.sessions
    let known = FinapticUser(
      id: user, tenant: tenant, profile: .init(email: "\(user)@example.ca", username: nil), emailVerifiedAt: nil,
      customer: nil, blockedAt: nil, createdAt: clock.now)
    let (family, _) = try await database.write { [vault] tx in
      let store = FinapticUserStore(tx, vault: vault)
      if try store.find(user) == nil { try store.insert(known, passwordHash: "none") }
      return try sessions.open(subject: user.rawValue, tenant: "finaptic-\(tenant)", device: "test", in: tx)
    }
    let role: FinapticRole = customer == nil ? .unverified : .customer
    return try await sessions.accessToken(
      for: family, showing: AccessGrant(roles: [role.rawValue], customer: customer)
    ).token
  }

  /// Actions of an application's story, in order.
  func story(_ application: String) async throws -> [String] {
    try await database.auditActions(of: "finaptic-\(application)")
  }

  /// The customer that a user became.
  func customer(of user: FinapticUser.ID) async throws -> String? {
    try await database.read { [dependencies] in
      try FinapticUserStore($0, vault: dependencies.core.vault).find(user)?.user.customer
    }
  }

  // MARK: Calls

  struct Answer: Sendable {
    let status: Int
    let body: Data

    func view<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
      try #require(status == 200, "\(status) \(json)")
      return try WireJSON.decode(type, from: body)
    }

    func details() throws -> FinapticAPI.BasicDetails { try view(FinapticAPI.ApplicationResponse.self).basicDetails }

    /// The most specific code of a refusal; "OK" for none.
    var code: String {
      guard status != 200 else { return "OK" }
      let error = try? WireJSON.decode(FinapticAPI.ErrorBody.self, from: body)
      return error?.details?.errorCode ?? "\(status) \(json)"
    }

    var violations: [String] {
      let error = try? WireJSON.decode(FinapticAPI.ErrorBody.self, from: body)
      return error?.details?.fieldViolations?.map(\.field) ?? []
    }

    var json: String { String(decoding: body, as: UTF8.self) }
  }

  func call(
    _ method: FinapticMethod, _ body: some Encodable, tenant: Int = sandbox, token: String? = nil, key: String? = nil
  ) async throws -> Answer {
    var fields: HTTPFields = [.contentType: "application/json"]
    fields[try #require(HTTPField.Name("X-Client-Key"))] = keys[tenant]
    if let token { fields[.authorization] = "Bearer \(token)" }
    if let key { fields[try #require(HTTPField.Name("Idempotency-Key"))] = key }
    let response = try await client.execute(
      uri: method.path, method: .post, headers: fields, body: ByteBuffer(bytes: try WireJSON.encode(body)))
    return Answer(status: response.status.code, body: Data(response.body.readableBytesView))
  }

  func put(_ url: String, _ bytes: Data, type: String? = "image/jpeg") async throws -> Int {
    try await upload(url, bytes, type: type).status
  }

  func upload(_ url: String, _ bytes: Data, type: String? = "image/jpeg") async throws -> Answer {
    var fields = HTTPFields()
    if let type { fields[.contentType] = type }
    let path = url.replacing(dependencies.policy.publicURL, with: "")
    let response = try await client.execute(uri: path, method: .put, headers: fields, body: ByteBuffer(bytes: bytes))
    return Answer(status: response.status.code, body: Data(response.body.readableBytesView))
  }
}
