import Foundation
import GatehouseWire
import HTTP
import Identity
import Kit
import RubixWire
import Scheduling
import Storage

/// Everything that a command of this flow composes. A class, because every request hands it on many times.
package final class RubixDependencies: Sendable {
  package let database: any SQLDatabase
  package let world: World
  package let vault: Vault
  package let blobs: Blobs
  package let audit: Audit
  package let outbox: Outbox
  package let limits: RateLimits
  package let idempotency: Idempotency
  package let sessions: Sessions
  package let agentSessions: Sessions
  package let passcodes: Passcodes
  package let tenants: Tenants
  package let mover: Mover

  package init(
    database: any SQLDatabase, world: World, vault: Vault, blobs: Blobs, audit: Audit, outbox: Outbox,
    limits: RateLimits, idempotency: Idempotency, sessions: Sessions, agentSessions: Sessions, passcodes: Passcodes,
    tenants: Tenants, moves: FlowMoves = .uncounted
  ) {
    self.database = database
    self.world = world
    self.vault = vault
    self.blobs = blobs
    self.audit = audit
    self.outbox = outbox
    self.limits = limits
    self.idempotency = idempotency
    self.sessions = sessions
    self.agentSessions = agentSessions
    self.passcodes = passcodes
    self.tenants = tenants
    mover = Mover(world: world, moves: moves)
  }
}

/// One call of a customer that changes state.
package struct StepRequest: Sendable {
  let customer: Customer
  let body: RequestContent
  let idempotencyKey: String?
  /// Names the request in the problem that it may end with.
  let correlationID: String

  package init(customer: Customer, body: RequestContent, idempotencyKey: String?, correlationID: String = "") {
    self.customer = customer
    self.body = body
    self.idempotencyKey = idempotencyKey
    self.correlationID = correlationID
  }
}

/// Who is calling, proved by an access token.
package struct Customer: Sendable {
  package let identity: AccessIdentity
  package let tenant: Tenant

  package init(identity: AccessIdentity, tenant: Tenant) {
    self.identity = identity
    self.tenant = tenant
  }

  var id: Application.ID { .init(rawValue: identity.subject) }
}

/// How a step ended: a view, or a problem that was counted and therefore commits.
package enum StepReply: Sendable {
  case view(status: Int, any Encodable & Sendable, retryAfterSeconds: Int? = nil)
  case problem(Problem)

  static func ok(_ view: any Encodable & Sendable) -> StepReply { .view(status: 200, view) }
  static func created(_ view: any Encodable & Sendable) -> StepReply { .view(status: 201, view) }
}

/// An answer on its way out.
package struct StepAnswer: Sendable {
  package let answer: StoredAnswer
  package let retryAfterSeconds: Int?
  package let isReplay: Bool
}

/// Runs every state-changing call the same way, so that order, repetition and races are decided in one place.
///
/// 1. *Admit*, one transaction: the session lives, the application is open, the rate is kept, the idempotency key is
///    claimed, the call is in order, the body is understood. A refusal stores nothing but the counted use.
/// 2. *Work*, no transaction: images, matching, providers.
/// 3. *Commit*, one transaction: the order is checked again, the step is made, its audit line, its effects and the
///    answer for repetitions are written together.
package struct StepRunner: Sendable {
  /// Requests of one customer, whatever they are for.
  static let overall = RateLimit("customer", 300, per: .minutes(1))
  /// The longest that the work between the transactions may take.
  static let workLimit = Duration.seconds(45)

  package let parts: RubixDependencies

  package init(parts: RubixDependencies) { self.parts = parts }

  func run<Input: Sendable, Output: Sendable>(
    _ call: RubixCall, _ request: StepRequest,
    admit: @escaping @Sendable (Dossier, any SQLTransaction) throws -> Input,
    work: @escaping @Sendable (Input) async throws -> Output,
    commit: @escaping @Sendable (inout Dossier, Output, any SQLTransaction) throws -> StepReply
  ) async throws -> StepAnswer {
    let memory = try request.idempotencyKey.map { key in
      guard UUID(uuidString: key) != nil else {
        throw Problem(.badRequest, "missing-header", "Idempotency-Key must be a UUID.")
      }
      return Idempotency.Request(
        owner: request.customer.identity.subject, path: "POST \(call.path)", key: key, body: request.body.bytes,
        claimant: parts.world.uuid())
    }
    let admission: Admission<Input>
    do { admission = try await self.admission(call, request, memory: memory, admit) } catch SQLError.uncertain {
      // It may have claimed the key: a second look finds our own claim. The rate may be counted twice.
      admission = try await self.admission(call, request, memory: memory, admit)
    }
    switch admission {
    case .replay(let answer): return StepAnswer(answer: answer, retryAfterSeconds: nil, isReplay: true)
    case .refused(let problem): throw problem
    case .admitted(let input):
      do {
        let output = try await Deadline.run(Self.workLimit) { try await work(input) }
        return try await completion(call, request, memory: memory) { try commit(&$0, output, $1) }
      } catch {
        // Nothing happened: the same key may try again at once.
        if let memory {
          // A claim that cannot be released now lapses by itself; the error that happened is what the caller gets.
          try? await parts.database.write(retrying: .outdated) { try parts.idempotency.release(memory, in: $0) }
        }
        throw error is Deadline.Exceeded ? Problem.unavailable : error
      }
    }
  }

  /// A step without work between its transactions.
  func run<Body: Decodable & Sendable>(
    _ call: RubixCall, _ request: StepRequest, body: Body.Type,
    commit: @escaping @Sendable (inout Dossier, Body, any SQLTransaction) throws -> StepReply
  ) async throws -> StepAnswer {
    try await run(
      call, request, admit: { _, _ in try request.body.decode(as: body) }, work: { $0 }, commit: commit)
  }

  private enum Admission<Input: Sendable>: Sendable {
    case admitted(Input), refused(Problem), replay(StoredAnswer)
  }

  private func admission<Input: Sendable>(
    _ call: RubixCall, _ request: StepRequest, memory: Idempotency.Request?,
    _ admit: @escaping @Sendable (Dossier, any SQLTransaction) throws -> Input
  ) async throws -> Admission<Input> {
    try await parts.database.write(retrying: .outdated) { tx in
      try parts.sessions.requireLive(request.customer.identity, in: tx)
      let dossier = try open(request.customer, in: tx)
      if let refusal = try refusal(Self.overall, dossier, in: tx) { return .refused(refusal) }
      // Before the step's own limit: a repetition of what was asked already, say after a crash, is no further use.
      if let memory {
        switch try parts.idempotency.begin(memory, in: tx) {
        case .fresh: break
        case .replay(let answer): return .replay(answer)
        case .conflict:
          return .refused(
            Problem(.conflict, "idempotency-conflict", "This Idempotency-Key was used with another body."))
        case .running:
          return .refused(Problem(.conflict, "step-in-progress", "This request is being worked on."))
        }
      }
      if let limit = call.limit, let refusal = try refusal(limit, dossier, in: tx) {
        if let memory { try parts.idempotency.release(memory, in: tx) }
        return .refused(refusal)
      }
      do {
        try StepOrder.require(call, dossier.application, expecting: dossier.nextSteps)
        return .admitted(try admit(dossier, tx))
      } catch let problem as Problem {
        if let memory { try parts.idempotency.release(memory, in: tx) }
        return .refused(problem)
      }
    }
  }

  /// Counts one use; the problem when it is one too many.
  private func refusal(_ limit: RateLimit, _ dossier: Dossier, in tx: any SQLTransaction) throws -> Problem? {
    let standing = try parts.limits.count(limit, by: dossier.application.id.rawValue, in: tx)
    return standing.isExceeded ? .rateLimited(standing) : nil
  }

  private func completion(
    _ call: RubixCall, _ request: StepRequest, memory: Idempotency.Request?,
    _ commit: @escaping @Sendable (inout Dossier, any SQLTransaction) throws -> StepReply
  ) async throws -> StepAnswer {
    try await parts.database.write(retrying: .outdated) { tx in
      var dossier = try load(request.customer.id, tenant: request.customer.tenant, in: tx)
      try StepOrder.require(call, dossier.application, expecting: dossier.nextSteps)
      let reply = try commit(&dossier, tx)
      let (answer, retryAfter) = try Self.answer(reply, instance: "\(call.path)#\(request.correlationID)")
      if let memory { try parts.idempotency.store(answer, for: memory, in: tx) }
      return StepAnswer(answer: answer, retryAfterSeconds: retryAfter, isReplay: false)
    }
  }

  /// - Parameter instance: path below the base, with `#` and the correlation id.
  static func answer(_ reply: StepReply, instance: String) throws -> (StoredAnswer, retryAfterSeconds: Int?) {
    switch reply {
    case .view(let status, let view, let retryAfter):
      return (
        StoredAnswer(status: status, contentType: "application/json; charset=utf-8", body: try WireJSON.encode(view)),
        retryAfter
      )
    case .problem(let problem):
      return (try RubixDialect.stored(problem, instance: RubixDialect.base + instance), problem.retryAfterSeconds)
    }
  }
}

// MARK: - Loading and moving

extension StepRunner {
  /// The customer's application with what is around it; an application whose time ran out lapses here.
  func open(_ customer: Customer, in tx: any SQLTransaction) throws -> Dossier {
    var dossier = try load(customer.id, tenant: customer.tenant, in: tx)
    let now = parts.world.now()
    if dossier.application.expiresAt <= now,
      applicationFlow.allows(.lapsed, from: dossier.application.phase)
    {
      try move(&dossier, on: .lapsed, by: "system", in: tx)
    }
    return dossier
  }

  package func load(_ id: Application.ID, tenant: Tenant, in tx: any SQLTransaction) throws -> Dossier {
    let application = try ApplicationStore(tx, vault: parts.vault).find(id, tenant: tenant.id)
    let images = ImageStore(tx, vault: parts.vault)
    let session = try images.activeSession(of: id)
    // Only those of an active session are in force.
    return Dossier(
      application: application, session: session, images: session == nil ? [] : try images.current(of: id),
      appointment: try appointments(of: tenant).current(for: id.rawValue, in: tx), tenant: tenant)
  }

  package func appointments(of tenant: Tenant) throws -> Appointments {
    try tenant.appointments(vault: parts.vault, world: parts.world, mover: parts.mover)
  }

  /// Moves the application and saves it: what a step changes besides is set before.
  /// - Parameter renewsTime: false where the customer did nothing.
  /// - Throws: `IllegalMove`.
  package func move(
    _ dossier: inout Dossier, on event: ApplicationEvent, by actor: String = "customer", facts: [String: String] = [:],
    renewsTime: Bool = true, in tx: any SQLTransaction
  ) throws {
    let machine = ApplicationMachine(parts: parts, tenant: dossier.tenant, renewsTime: renewsTime)
    try parts.mover.move(&dossier.application, on: event, of: machine, by: actor, facts: facts, in: tx)
    dossier.written = dossier.application
  }

  /// Moves a contact of the application and saves the application with it.
  /// - Parameter passcode: the code that `codeRequested` promises.
  /// - Throws: `IllegalMove`.
  func move(
    _ channel: OTPChannel, of dossier: inout Dossier, on event: ContactEvent, passcode: Passcode.ID? = nil,
    in tx: any SQLTransaction
  ) throws {
    let machine = ContactMachine(parts: parts, tenant: dossier.tenant, channel: channel, passcode: passcode)
    try parts.mover.move(&dossier.application, on: event, of: machine, by: "customer", in: tx)
    dossier.written = dossier.application
  }

  /// Applies what follows by itself, then writes the row unless a move has just done so: every command ends here.
  package func save(_ dossier: inout Dossier, in tx: any SQLTransaction) throws {
    for _ in ApplicationPhase.allCases {
      guard let event = ApplicationFlow.automaticEvent(in: dossier.application.phase, dossier.facts) else { break }
      try move(&dossier, on: event, by: "system", in: tx)
    }
    guard dossier.application != dossier.written else { return }
    let now = parts.world.now()
    dossier.application.renewTime(at: now)
    dossier.application = try ApplicationStore(tx, vault: parts.vault).update(dossier.application, at: now)
    dossier.written = dossier.application
  }

  /// An application that nobody touches for so long has expired (rubix-onboarding §4.3).
  package static let idleLifetime = Duration.days(90)
}
