import Foundation
import GatehouseWire
import HTTP
import Identity
import Kit
import RubixWire
import Storage

/// Registration, resumption and the tokens that carry an application from call to call.
package struct RegistrationCommands: Sendable {
  /// Limits of rubix-onboarding §8.1.
  package struct Limits: Sendable {
    package var byAddress = RateLimit("register address", 5, per: .hours(1))
    package var byDevice = RateLimit("register device", 3, per: .days(1))
    package var byContact = RateLimit("register contact", 3, per: .days(1))
    package var me = RateLimit("me", 60, per: .minutes(1))

    package init(factor: Int = 1) {
      byAddress = RateLimit(byAddress.name, byAddress.count * factor, per: byAddress.window)
      byDevice = RateLimit(byDevice.name, byDevice.count * factor, per: byDevice.window)
      byContact = RateLimit(byContact.name, byContact.count * factor, per: byContact.window)
    }
  }

  /// A code goes to whatever number stands here: without a limit one application would reach every number there is.
  static let contactChanges = RateLimit("contact change", 5, per: .days(1))

  let runner: StepRunner
  let limits: Limits
  let reads: NodeRates
  let views: CustomerViews
  var parts: RubixDependencies { runner.parts }

  package init(runner: StepRunner, limits: Limits) {
    self.runner = runner
    self.limits = limits
    reads = NodeRates(world: runner.parts.world)
    views = CustomerViews(runner: runner)
  }

  /// A new application, always: no look-up by phone, e-mail, document or device leads to an earlier one (§3.5).
  ///
  /// A repetition with the same Idempotency-Key gets the same answer, and its tokens again while nobody used them.
  package func register(
    _ body: RequestContent, tenant: Tenant, address: String?, idempotencyKey: String?
  ) async throws -> (answer: StepAnswer, tokens: IssuedTokens) {
    let request = try body.decode(as: RegisterRequest.self)
    let applicant = try RegistrationRules(tenant: tenant, now: parts.world.now()).applicant(request)
    if let idempotencyKey, UUID(uuidString: idempotencyKey) == nil {
      throw Problem(.badRequest, "missing-header", "Idempotency-Key must be a UUID.")
    }
    let memory = idempotencyKey.map {
      Idempotency.Request(
        owner: parts.vault.digest("\(tenant.id)\u{0}\(applicant.deviceID)", for: "device"), path: "POST /auth/register",
        key: $0, body: body.bytes, claimant: parts.world.uuid())
    }
    // Everybody behind one address meets at its counter: with each statement seeing what is committed they queue for
    // it, where a snapshot would make all but one run again. What is inserted besides is this registration's own.
    let outcome: Outcome = try await parts.database.write(retrying: .outdated, .readCommitted) { tx in
      if let memory {
        switch try parts.idempotency.begin(memory, in: tx) {
        case .fresh: break
        case .conflict:
          return .refused(
            Problem(.conflict, "idempotency-conflict", "This Idempotency-Key was used with another body."))
        case .running: return .refused(Problem(.conflict, "step-in-progress", "This request is being worked on."))
        case .replay(let answer): return try replay(answer, key: idempotencyKey ?? "", in: tx)
        }
      }
      if let refusal = try refusal(applicant, tenant: tenant, address: address, in: tx) {
        if let memory { try parts.idempotency.release(memory, in: tx) }
        return .refused(refusal)
      }
      return try create(applicant, tenant: tenant, memory: memory, key: idempotencyKey, in: tx)
    }
    switch outcome {
    case .refused(let problem): throw problem
    case .done(let answer, let family, let refresh):
      let access = try await parts.sessions.accessToken(for: family)
      return (answer, IssuedTokens(access: access.token, refresh: refresh, accessExpiresIn: access.expiresIn))
    }
  }

  private enum Outcome: Sendable {
    case refused(Problem)
    case done(StepAnswer, SessionFamily, refresh: String)
  }

  private func create(
    _ applicant: Applicant, tenant: Tenant, memory: Idempotency.Request?, key: String?, in tx: any SQLTransaction
  ) throws -> Outcome {
    let now = parts.world.now()
    var application = Application(
      id: .init(parts.world), tenant: tenant.id, phase: .registered, lastStep: .registrationInitiated,
      completedSteps: [], sms: .unconfirmed, email: .unconfirmed, evaluation: nil, verificationAttempts: 0,
      undeterminedCount: 0, callRequired: false, agentAccepted: false, screenedAt: nil,
      reviewReason: nil, retake: [], applicant: applicant, createdAt: now, updatedAt: now,
      expiresAt: now + StepRunner.idleLifetime, version: 1)
    application.record(.registrationInitiated)
    try ApplicationStore(tx, vault: parts.vault).insert(application)
    let (family, refresh) = try parts.sessions.open(
      subject: application.id.rawValue, tenant: tenant.id, device: applicant.deviceID, refreshSeed: key, in: tx)
    try parts.audit.append(
      "application.registered", to: application.id.rawValue, by: "customer",
      facts: ["tenant": tenant.id, "platform": applicant.platform, "session": family.id.rawValue], in: tx)
    let dossier = Dossier(application: application, session: nil, images: [], appointment: nil, tenant: tenant)
    let (answer, _) = try StepRunner.answer(.ok(dossier.view), instance: "/auth/register")
    if let memory { try parts.idempotency.store(answer, for: memory, in: tx) }
    return .done(StepAnswer(answer: answer, retryAfterSeconds: nil, isReplay: false), family, refresh: refresh)
  }

  /// The stored answer with the first tokens, while the first refresh token is unspent.
  private func replay(_ answer: StoredAnswer, key: String, in tx: any SQLTransaction) throws -> Outcome {
    let view = try WireJSON.decode(OnboardingView.self, from: answer.body)
    guard let (family, refresh) = try parts.sessions.reopen(subject: view.id, refreshSeed: key, in: tx) else {
      return .refused(.stepAlreadyCompleted)
    }
    return .done(StepAnswer(answer: answer, retryAfterSeconds: nil, isReplay: true), family, refresh: refresh)
  }

  /// Counts the attempt against every limit; the first one exceeded refuses.
  private func refusal(
    _ applicant: Applicant, tenant: Tenant, address: String?, in tx: any SQLTransaction
  ) throws -> Problem? {
    var uses = [
      (limits.byDevice, parts.vault.digest("\(tenant.id)\u{0}\(applicant.deviceID)", for: "device")),
      (limits.byContact, parts.vault.digest("\(tenant.id)\u{0}\(applicant.contactNo)", for: "contact")),
    ]
    if let address {
      uses.append(
        (limits.byAddress, parts.vault.digest("\(tenant.id)\u{0}\(ClientNetwork.of(address))", for: "network")))
    }
    for (limit, subject) in uses {
      // How often somebody's number was used is theirs to know.
      let standing = try parts.limits.count(limit, by: subject, isTold: false, in: tx)
      if standing.isExceeded { return .rateLimited(retryAfterSeconds: standing.resetSeconds) }
    }
    return nil
  }

  /// Spends a refresh token (§3.3). A reuse is committed, then refused.
  package func refresh(
    _ token: String?, body: RequestContent, tenant: Tenant
  ) async throws -> (RefreshTokenResponse, IssuedTokens) {
    guard let token, !token.trimmingCharacters(in: .whitespaces).isEmpty else {
      throw Problem(.badRequest, "missing-header", "The header x-refresh-token is required.")
    }
    let device = try body.decode(as: RefreshTokenRequest.self).deviceID
    let arrivedAt = parts.world.now()
    let outcome = try await parts.database.write(retrying: .outdated) { tx in
      try parts.sessions.refresh(token, device: device, tenant: tenant.id, arrivedAt: arrivedAt, in: tx)
    }
    guard case .rotated(let family, let refresh, let expiresIn) = outcome else { throw Problem.refreshReused }
    let access = try await parts.sessions.accessToken(for: family)
    return (
      RefreshTokenResponse(
        status: .success, message: "Tokens were renewed.", accessExpiresIn: access.expiresIn,
        refreshExpiresIn: expiresIn),
      IssuedTokens(access: access.token, refresh: refresh, accessExpiresIn: access.expiresIn)
    )
  }

  /// Where the application stands: the resumption call.
  /// - Returns: an `OnboardingView`, encoded.
  package func me(_ customer: Customer) async throws -> Data {
    try reads.spend(limits.me, by: customer.identity.subject)
    if let view = try await views.view(of: customer) { return view }
    return try WireJSON.encode(
      try await parts.database.write(retrying: .outdated) { try runner.open(customer, in: $0).view })
  }

  /// The graph with where each step stands.
  package func steps(_ customer: Customer) async throws -> StepGraph {
    try await parts.database.read { tx in
      try parts.sessions.requireLive(customer.identity, in: tx)
      return try runner.load(customer.id, tenant: customer.tenant, in: tx).graph
    }
  }

  /// Name spelling and contacts may be corrected before they are confirmed; a new contact needs a new code.
  package func updateMe(_ body: RequestContent, by customer: Customer) async throws -> OnboardingView {
    try await parts.database.write(retrying: .outdated) { tx in
      try parts.sessions.requireLive(customer.identity, in: tx)
      var dossier = try runner.open(customer, in: tx)
      guard dossier.application.phase.isOpen else { throw Problem.applicationClosed }
      guard !dossier.application.phase.isInReview else {
        throw Problem(.conflict, "application-in-review", "The application is being reviewed.")
      }
      try parts.limits.spend(StepRunner.overall, by: customer.identity.subject, in: tx)
      let request = try body.decode(as: UpdateMeRequest.self)
      let change = try RegistrationRules(tenant: customer.tenant, now: parts.world.now())
        .changed(dossier.application, by: request)
      if !change.contacts.isEmpty {
        try parts.limits.spend(Self.contactChanges, by: customer.identity.subject, in: tx)
      }
      for channel in change.contacts {
        try parts.passcodes.void(
          channel == .sms ? .sms : .email, subject: customer.id.rawValue, purpose: ContactCommands.purpose, in: tx)
      }
      dossier.application = change.application
      for channel in change.contacts { try runner.move(channel, of: &dossier, on: .contactChanged, in: tx) }
      try parts.audit.append(
        "application.corrected", to: customer.id.rawValue, by: "customer", facts: ["members": change.members], in: tx)
      try runner.save(&dossier, in: tx)
      return dossier.view
    }
  }

  package func logout(_ customer: Customer) async throws {
    try await parts.database.write(retrying: .outdated) { tx in
      try parts.sessions.requireLive(customer.identity, in: tx)
      try parts.sessions.revoke(customer.identity.family, in: tx)
      try parts.audit.append("session.ended", to: customer.id.rawValue, by: "customer", in: tx)
    }
  }
}
