// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Identity
import Kit
import OpenAPISupport
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import Storage
import Testing
import TestSupport

/// The service over a real store, on the router, with one bank that has a server of its own (the fake one) and one that
/// uses the provider API. Each test performs the effects itself; the clock stands still.
final class SaltEdgeTestApp: Sendable {
  static let address = "https://sca.example"
  static let loginURL = "https://hosted.example/login"
  static let migrations = TestDatabase.migrations(of: DeliveryModule.self, IdentityModule.self, SaltEdgeModule.self)

  let made: TestDatabase
  let clock: TestWorld
  let service: SaltEdgeService
  let effects: SaltEdgeEffects
  let webhooks: Webhooks
  let worker: OutboxWorker
  let log: LogRecorder
  let devices: ScriptedRecorder<PushMessage, PushGateway.Outcome>
  let client: any TestClientProtocol
  let bank: FakeBank
  /// With a server of its own.
  let remote: SaltEdgeProvider
  /// Without one.
  let hosted: SaltEdgeProvider
  let webhookSecret: String
  /// Credentials of the hosted bank.
  let credentials: IssuedSecret
  /// Of the other one.
  let remoteCredentials: IssuedSecret
  let clients: ServiceClients
  private let calls = DescribedCalls()
  var database: any SQLDatabase { made.database }

  private init(
    _ made: TestDatabase, _ clock: TestWorld, _ service: SaltEdgeService, _ effects: SaltEdgeEffects,
    _ webhooks: Webhooks, _ worker: OutboxWorker, _ log: LogRecorder,
    _ devices: ScriptedRecorder<PushMessage, PushGateway.Outcome>, _ client: any TestClientProtocol,
    _ bank: FakeBank,
    _ remote: SaltEdgeProvider, _ hosted: Providers.Added, _ credentials: IssuedSecret,
    _ remoteCredentials: IssuedSecret, _ clients: ServiceClients
  ) {
    (self.made, self.clock, self.service, self.effects, self.worker) = (made, clock, service, effects, worker)
    self.webhooks = webhooks
    (self.log, self.devices, self.client, self.bank, self.remote) = (log, devices, client, bank, remote)
    (self.hosted, webhookSecret, self.credentials) = (hosted.provider, hosted.webhookSecret ?? "", credentials)
    (self.remoteCredentials, self.clients) = (remoteCredentials, clients)
  }

  /// - Parameters:
  ///   - setup: `.live` for a socket of loopback, which apps reach by `network`.
  ///   - keysOfPersons: a folder for the epoch key; nil has data keys seal.
  ///   - begun: false where keys of persons could begin.
  static func run(
    _ engine: Engine = .current, over setup: TestingSetup = .router, keysOfPersons: TestFolder? = nil,
    begun: Bool = true,
    policy change: (inout SaltEdgePolicy) -> Void = { _ in },
    _ play: @escaping @Sendable (SaltEdgeTestApp) async throws -> Void
  ) async throws {
    let (clock, log) = (TestWorld(), LogRecorder())
    let world = clock.world
    let made = try await TestDatabase.make(engine, migrations)
    let vault =
      if let keysOfPersons {
        try await TestVault.openWithSubjectKeys(made.database, world, in: keysOfPersons, begun: begun)
      } else {
        try await TestVault.open(made.database, world)
      }
    let audit = Audit(world: world, vault: vault)
    var policy = SaltEdgePolicy()
    policy.publicURL = address
    change(&policy)
    let core = CoreDependencies(
      database: made.database, world: world, vault: vault, blobs: MemoryBlobs(world).blobs)
    let keySequence = KeySequence()
    let keys = ServiceKeys(core, makeKey: keySequence.next)
    let providers = Providers(core, makeKey: keySequence.next)
    let bank = FakeBank(key: try TestKeys.bank(), world: world)
    let service = SaltEdgeService(
      core: core, policy: policy, keys: keys, providers: providers,
      remote: .remote(bank.http, keys: keys, policy: policy, world: world))
    let devices = ScriptedRecorder<PushMessage, PushGateway.Outcome>(usual: .accepted)
    let webhooks = Webhooks(database: made.database, vault: vault, world: world, http: bank.http)
    let effects = SaltEdgeEffects(service, webhooks: webhooks, push: PushGateway(send: devices.answer))
    let clients = ServiceClients(database: made.database, vault: vault, audit: audit, world: world)
    let credentials = try await clients.add("hosted", tenant: "default", scopes: [.bank], by: "test")
    let other = try await clients.add("remote", tenant: "default", scopes: [.bank], by: "test")
    var draft = Providers.Draft(code: "remote", name: "Remote Bank", kind: .remote, supportEmail: "help@remote.example")
    (draft.baseURL, draft.publicKey) = (FakeBank.address, try TestKeys.bank().publicKey.pem)
    let remote = try await providers.add(draft, client: other.client.id, by: "test")
    draft = Providers.Draft(code: "hosted", name: "Hosted Bank", kind: .hosted, supportEmail: "help@hosted.example")
    (draft.webhookURL, draft.loginURL) = (FakeBank.webhook, loginURL)
    draft.allowsUnconfirmed = true
    draft.logoURL = "https://hosted.example/logo.png"
    let hosted = try await providers.add(draft, client: credentials.client.id, by: "test")
    await bank.meet(serviceKey: try RSAPublicKey(pem: try await keys.publicKey()), provider: remote.provider.id)

    let router = Router(context: PublicContext.self)
    router.add(middleware: CorrelationMiddleware(world: world))
    router.add(middleware: ClientAddressMiddleware(header: .xForwardedFor))
    router.add(middleware: RateLimitMiddleware())
    router.add(
      middleware: ProblemMiddleware(
        dialect: PathDialects(
          SaltEdgeDialect.bases.map { ($0, SaltEdgeDialect()) }, otherwise: ProviderDialect())))
    let root = router.group("")
    V1Routes(service).add(to: root)
    LinkApprovalRoutes(service) {
      Response(
        status: .ok, headers: [.contentType: "text/html"], body: ResponseBody(byteBuffer: ByteBuffer(string: "Wait.")))
    }.add(to: root)
    V2Routes(service).add(to: root.group("api/authenticator/v2"))
    BankRoutes(service).add(to: root.group("api/sca/v1"))
    ProviderRoutes(service, idempotency: Idempotency(world: world, vault: vault)).add(
      to: root.clients(at: ProviderDialect.base, world: world) { try await clients.authenticate($0, secret: $1) })
    let worker = OutboxWorker(
      database: made.database, world: world, handlers: effects.handlers.merging(webhooks.handlers) { one, _ in one },
      logger: log.logger)
    try await Application(router: router, logger: log.logger).test(setup) { client in
      let app = SaltEdgeTestApp(
        made, clock, service, effects, webhooks, worker, log, devices, client, bank, remote.provider, hosted,
        credentials,
        other, clients)
      try await play(app)
      #expect(app.calls.differences == [])
    }
  }

  /// One more bank without a server, and credentials that are made for it.
  func anotherBank(
    _ code: String, tenant: String = "default", scopes: Set<ServiceClient.Scope> = [.bank]
  ) async throws -> (provider: SaltEdgeProvider, credentials: IssuedSecret) {
    let issued = try await clients.add(code, tenant: tenant, scopes: scopes, by: "test")
    var draft = Providers.Draft(code: code, name: "Bank \(code)", kind: .hosted, supportEmail: "help@\(code).example")
    (draft.tenant, draft.loginURL) = (tenant, Self.loginURL)
    return (try await service.providers.add(draft, client: issued.client.id, by: "test").provider, issued)
  }

  /// Performs whatever is owed by now.
  func settle() async throws {
    while try await worker.runDue() > 0 {}
  }

  /// What is owed, by topic.
  func owed() async throws -> [String] {
    try await database.read { try $0.query("SELECT topic FROM outbox ORDER BY topic").map { try $0.get("topic") } }
  }

  /// What is owed because of a decision, by topic: devices are notified besides.
  func owedOfDecisions() async throws -> [String] { try await owed().filter { $0 != "saltedge.notifyDevice" } }

  func audit(_ connection: String) async throws -> [String] {
    try await database.auditActions(of: "saltedge-\(connection)")
  }

  // MARK: Calls

  typealias Answer = CallAnswer

  func call(
    _ method: HTTPRequest.Method, _ path: String, headers: [String: String] = [:], body: Data = Data()
  ) async throws -> Answer {
    var request = try DescribedCalls.Request(method, path, headers, body, isTyped: true)
    let answer = try await calls.send(request, over: client)
    try calls.compare(answer, to: request)
    // A query that the server does not read is allowed, and signed.
    request.path = path.replacing("?x=1", with: "")
    if answer.status < 300 { try calls.compare(request) }
    return answer
  }

  /// A call of the fake bank's server.
  func bankCalls(
    _ method: HTTPRequest.Method, _ path: String, _ content: some Codable & Sendable,
    change: (inout [String: String], inout Data) -> Void = { _, _ in }
  ) async throws -> Answer {
    var (headers, body) = try bank.signed(content)
    change(&headers, &body)
    return try await call(method, "/api/sca/v1/\(path)", headers: headers, body: body)
  }

  /// A call of the hosted bank's system.
  func api(
    _ method: HTTPRequest.Method, _ path: String, _ body: String = "", key: String? = nil,
    provider: SaltEdgeProvider.ID? = nil, secret: String? = nil, as caller: IssuedSecret? = nil
  ) async throws -> Answer {
    let credentials = caller ?? credentials
    let basic = Data("\(credentials.client.id):\(secret ?? credentials.secret)".utf8).base64EncodedString()
    var headers = ["Authorization": "Basic \(basic)"]
    headers["Idempotency-Key"] = key
    return try await call(
      method, "\(ProviderDialect.base)/providers/\(provider ?? hosted.id)\(path.isEmpty ? "" : "/\(path)")",
      headers: headers, body: Data(body.utf8))
  }
}

extension CallAnswer {
  /// What is in the envelope.
  func data<Content: Codable & Sendable>(_ type: Content.Type = Content.self) throws -> Content {
    try #require(status == 200, "\(status) \(String(decoding: body, as: UTF8.self))")
    return try WireJSON.decode(SaltEdge.Body<Content>.self, from: body).data
  }

  func view<Content: Decodable>(_ type: Content.Type = Content.self) throws -> Content {
    try #require((200...299).contains(status), "\(status) \(String(decoding: body, as: UTF8.self))")
    return try JSONDecoder().decode(Content.self, from: body)
  }

  /// Status and class of a refusal.
  var refusal: String {
    let name =
      (try? WireJSON.decode(SaltEdge.ErrorBody.self, from: body))?.errorClass.rawValue
      ?? (try? JSONDecoder().decode(ProblemDetails.self, from: body))?.code.rawValue
    return "\(status) \(name ?? String(decoding: body, as: UTF8.self))"
  }
}
