// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import HTTP
import Hummingbird
import HummingbirdTesting
import Identity
import Kit
import PowerAuthCore
import PowerAuthHTTP
import Storage
import Testing
import TestSupport

/// The module over a real store, on the router: one application of the tenant `acme`, and calls of an application's own
/// that demand each kind of proof.
struct PowerAuthTestApp: Sendable {
  static let base = "/enrollment-server"
  static let migrations = TestDatabase.migrations(of: Activations.self, IdentityModule.self)

  let made: TestDatabase
  let clock: TestWorld
  let vault: Vault
  let activations: Activations
  let clients: ServiceClients
  let release: ReleasedApplicationVersion
  let client: any TestClientProtocol
  let description: Description
  var database: any SQLDatabase { made.database }
  var now: UInt64 { UInt64(clock.now.milliseconds) }

  /// - Parameters:
  ///   - stampsErrors: of the application's own calls.
  ///   - hasSubjectKeys: whether keys of users seal, as in the product.
  static func run(
    policy: ActivationPolicy = .standard, claims: UserClaims = .none, issuesRecoveryCodes: Bool = false,
    protocolMin: ProtocolVersion = .v30, routePolicy: PowerAuthRoutes.Policy = .init(), limitFactor: Int = 1000,
    stampsErrors: Bool = true, hasSubjectKeys: Bool = false,
    provider: CustomActivationProvider? = nil, _ play: @escaping @Sendable (PowerAuthTestApp) async throws -> Void
  ) async throws {
    let clock = TestWorld()
    let world = clock.world
    let made = try await TestDatabase.make(.current, migrations)
    let folder = try TestFolder()
    let vault =
      hasSubjectKeys
      ? try await TestVault.openWithSubjectKeys(made.database, world, in: folder)
      : try await TestVault.open(made.database, world)
    let audit = Audit(world: world, vault: vault)
    var activations = Activations(
      database: made.database, vault: vault, audit: audit, world: world, policy: policy, claims: claims)
    if let provider { activations = activations.serving(provider) }
    let release = try await activations.applications.add(
      "Bank", tenant: "acme", issuesRecoveryCodes: issuesRecoveryCodes, protocolMin: protocolMin, by: .init("operator"))
    let clients = ServiceClients(database: made.database, vault: vault, audit: audit, world: world)
    let router = Router(context: PublicContext.self)
    router.add(middleware: CorrelationMiddleware(world: world))
    router.add(middleware: ClientAddressMiddleware(header: .xForwardedFor))
    let methods = RouteMethods()
    router.add(
      middleware: ProblemMiddleware(
        dialect: PathDialects(
          [("\(base)/pa/v3", DeviceDialect()), ("/pa/v3", DeviceDialect())], otherwise: BackEndDialect()),
        methods: methods))
    let routes = PowerAuthRoutes(
      activations: activations, world: world,
      limits: PowerAuthLimits(database: made.database, vault: vault, world: world, factor: limitFactor),
      server: .init(name: "gatehouse", version: "1.0"), policy: routePolicy)
    for base in [base, ""] { routes.add(to: router.group(RouterPath(base))) }
    addApplication(to: router.group("app"), activations, world, stampsErrors: stampsErrors)
    BackEndRoutes(
      activations: activations, idempotency: Idempotency(world: world, vault: vault), database: made.database,
      world: world
    ).add(
      to: router.group("").clients(at: BackEndDialect.base, world: world) {
        try await clients.authenticate($0, secret: $1)
      })
    methods.learn(router)
    let application = Application(router: router)
    let (activationsMade, description) = (activations, Description())
    try await application.test(.router) { client in
      try await play(
        PowerAuthTestApp(
          made: made, clock: clock, vault: vault, activations: activationsMade, clients: clients, release: release,
          client: client, description: description))
    }
    #expect(description.faults == [])
    withExtendedLifetime(folder) {}
  }

  /// What an application's own calls answer: who proved what, and what was understood.
  struct Echo: Codable, Equatable, Sendable {
    var activation: String?
    var application: String?
    var factors: String?
    var text: String?
  }

  struct Words: Codable, Sendable {
    var text: String?
  }

  static let verification: Set<String> = ["VERIFICATION_PENDING", "VERIFICATION_IN_PROGRESS"]

  private static func addApplication(
    to group: RouterGroup<PublicContext>, _ activations: Activations, _ world: World, stampsErrors: Bool
  ) {
    let routes = DeviceRoutes(
      group, activations: activations, world: world,
      dialect: DeviceDialect(stampsEncrypted: stampsErrors) { problem in
        problem.code == "no-luck" ? PowerAuthFailure(code: "NO_LUCK", message: "Tomorrow.") : nil
      })
    @Sendable func factors(_ call: DeviceCall<FactorProof>) throws -> Echo {
      Echo(
        activation: call.proof.activation.id.rawValue, factors: call.proof.factors.rawValue,
        text: try call.requestObject(as: Words.self).text)
    }
    routes.post("signed", .signed("/app/signed", by: [.possession])) { try factors($0) }
    routes.post(
      "signed-encrypted", .signed("/app/signed-encrypted", by: [.possession], thenEncrypted: .genericActivation)
    ) { try factors($0) }
    routes.post("token", .token(by: [.possession])) { try factors($0) }
    routes.post("token-encrypted", .token(by: [.possession], encrypted: .genericActivation)) { try factors($0) }
    routes.post("activation", .encryptedByActivation()) { call in
      Echo(activation: call.proof.activation.id.rawValue, text: try call.requestObject(as: Words.self).text)
    }
    routes.post("application", .encryptedByApplication()) { call in
      Echo(application: call.proof.application.name, text: try call.requestObject(as: Words.self).text)
    }
    routes.post("open", .nothing) { call in Echo(text: try call.requestObject(as: Words.self).text) }
    routes.post("silent", .nothing) { call in _ = try call.content(as: Words.self) }
    routes.post(
      "verified", .signed("/app/verified", by: [.possession]).refusing(flags: verification)
    ) { try factors($0) }
    routes.post("late", .signed("/app/late", by: [.possession])) { call in
      // Another server removes the activation after the proof was checked.
      _ = try await activations.remove(call.proof.activation.id, by: .system)
      _ = try await activations.rename(call.proof.activation.id, to: "Phone", by: .device)
    }
    routes.post("luck", .encryptedByApplication()) { _ in
      throw Problem(.conflict, "no-luck", "None.").with { $0.attemptsLeft = 3 }
    }
  }

  /// Every row that a proof may change: equal before and after a refusal that counts nothing.
  func traces() async throws -> [String] {
    try await database.read { try TraceStore($0).traces() }
  }

  func phone(_ version: ProtocolVersion = .standard) -> Phone {
    Phone(
      app: self,
      device: TestDevice(configuration: release.configuration, version: version, random: clock.world.random))
  }

  /// A phone whose user typed a code, active.
  func activePhone(_ version: ProtocolVersion = .standard, flags: [String] = []) async throws -> Phone {
    var phone = phone(version)
    let started = try await activations.initiate(
      InitiateActivation(application: release.application.id, user: "ada", commitsItself: true, flags: flags),
      by: .system)
    try await phone.activate(.code, ["code": started.code.text])
    return phone
  }
}

extension ActivationPolicy {
  /// For tests that try many wrong proofs of possession.
  static var patient: ActivationPolicy {
    var policy = ActivationPolicy()
    policy.possessionFailures = RateLimit("activation-possession", 1_000_000, per: .hours(1))
    return policy
  }
}

/// Reads what requests leave behind, but for what is remembered against repetition.
private struct TraceStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  func traces() throws -> [String] {
    let activations = try tx.query(
      "SELECT id, row_version, state, counter, failed_attempts FROM activation ORDER BY id"
    ).map { row in
      "activation \(try row.get("id", as: String.self)) \(try row.get("row_version", as: Int.self)) "
        + "\(try row.get("state", as: String.self)) \(try row.get("counter", as: Int.self)) "
        + "\(try row.get("failed_attempts", as: Int.self))"
    }
    let tokens = try tx.query("SELECT id FROM activation_token ORDER BY id").map { try $0.get("id", as: String.self) }
    // The first wrong proof of possession of an hour is a line, and changes nothing else.
    let lines = try tx.query(
      "SELECT chain, sequence, action FROM audit_line WHERE action <> 'signature.refused' ORDER BY chain, sequence"
    ).map { row in
      "audit \(try row.get("chain", as: String.self)) \(try row.get("action", as: String.self))"
    }
    return activations + tokens + lines
  }
}
