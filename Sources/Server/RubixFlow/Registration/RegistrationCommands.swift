// SPDX-License-Identifier: Apache-2.0

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

    package init(factor: Int = 1) {
      (byAddress, byDevice) = (byAddress.times(factor), byDevice.times(factor))
      byContact = byContact.times(factor)
    }
  }

  /// A code goes to whatever number stands here: without a limit one application would reach every number there is.
  static let contactChanges = RateLimit("contact change", 5, per: .days(1))

  let core: CoreDependencies
  let sessions: Sessions
  let passcodes: Passcodes
  let applications: Applications
  let answers: IdempotentAnswers
  let limits: Limits

  /// A new application, always: no look-up by phone, e-mail, document or device leads to an earlier one (§3.5).
  ///
  /// A repetition with the same Idempotency-Key gets the same answer, and its tokens again while they are unused.
  package func register(
    _ body: RequestContent, tenant: Tenant, address: String?, idempotencyKey: String?
  ) async throws -> (answer: StepAnswer, tokens: IssuedTokens) {
    let request = try body.decode(as: RegisterRequest.self)
    let applicant = try RegistrationRules(tenant: tenant, now: core.world.now()).applicant(request)
    let write = try answers.write(
      path: "/auth/register", key: idempotencyKey,
      client: core.vault.digest("\(tenant.id)\u{0}\(applicant.deviceID)", for: "device"), body: body.bytes)
    // All registrations from one address update one counter. With read committed they wait for each other; with a
    // snapshot all but one would run again. No other row is shared between registrations.
    let outcome: Outcome = try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      if let earlier = try answers.claim(write, in: tx) {
        return try replay(earlier.stored, key: idempotencyKey ?? "", in: tx)
      }
      if let refusal = try refusal(applicant, tenant: tenant, address: address, in: tx) {
        try answers.release(write, in: tx)
        return .refused(refusal)
      }
      return try create(applicant, tenant: tenant, for: write, key: idempotencyKey, in: tx)
    }
    switch outcome {
    case .refused(let problem): throw problem
    case .done(let answer, let family, let refresh):
      let access = try await sessions.accessToken(for: family)
      return (answer, IssuedTokens(access: access.token, refresh: refresh, accessExpiresIn: access.expiresIn))
    }
  }

  private enum Outcome: Sendable {
    case refused(Problem)
    case done(StepAnswer, SessionFamily, refresh: String)
  }

  private func create(
    _ applicant: Applicant, tenant: Tenant, for write: IdempotentAnswers.Write, key: String?, in tx: any SQLTransaction
  ) throws -> Outcome {
    let now = core.world.now()
    let application = Application(
      id: .init(core.world), tenant: tenant.id, phase: .registered, applicant: applicant, createdAt: now,
      updatedAt: now, expiresAt: now + Applications.idleLifetime)
    try ApplicationStore(tx, vault: core.vault).insert(application)
    try TraitStore(tx, vault: core.vault).note([.device(applicant.deviceID)], of: application, at: now)
    let (family, refresh) = try sessions.open(
      subject: application.id.rawValue, tenant: tenant.id, device: applicant.deviceID, refreshSeed: key, in: tx)
    try core.audit.append(
      "application.registered", to: application.id.rawValue, by: "customer",
      facts: ["tenant": tenant.id, "platform": applicant.platform, "session": family.id.rawValue], in: tx)
    let dossier = Dossier(application: application, session: nil, images: [], appointment: nil, tenant: tenant)
    let answer = try StepAnswer(.ok(dossier.view), instance: "/auth/register")
    _ = try answers.keep(answer.answer, about: application.id.keySubject, for: write, in: tx)
    return .done(answer, family, refresh: refresh)
  }

  /// The stored answer with the first tokens, while the first refresh token is unspent.
  private func replay(_ answer: StoredAnswer, key: String, in tx: any SQLTransaction) throws -> Outcome {
    let view = try WireJSON.decode(OnboardingView.self, stored: answer.body)
    guard let (family, refresh) = try sessions.reopen(subject: view.id, refreshSeed: key, in: tx) else {
      return .refused(.stepAlreadyCompleted)
    }
    return .done(StepAnswer(replaying: answer), family, refresh: refresh)
  }

  /// Counts the attempt against every limit; the first one exceeded refuses.
  private func refusal(
    _ applicant: Applicant, tenant: Tenant, address: String?, in tx: any SQLTransaction
  ) throws -> Problem? {
    var uses = [
      (limits.byDevice, core.vault.digest("\(tenant.id)\u{0}\(applicant.deviceID)", for: "device")),
      (limits.byContact, core.vault.digest("\(tenant.id)\u{0}\(applicant.contactNo)", for: "contact")),
    ]
    if let address {
      uses.append(
        (limits.byAddress, core.vault.digest("\(tenant.id)\u{0}\(ClientNetwork.of(address))", for: "network")))
    }
    for (limit, subject) in uses {
      // How often a number was used is told only to its owner.
      let usage = try core.limits.count(limit, by: subject, isTold: false, in: tx)
      if usage.isExceeded { return .rateLimited(retryAfterSeconds: usage.resetSeconds) }
    }
    return nil
  }

  /// Spends a refresh token (§3.3). A reuse is committed, the customer is told of it, and it is refused.
  package func refresh(
    _ token: String?, body: RequestContent, tenant: Tenant
  ) async throws -> (RefreshTokenResponse, IssuedTokens) {
    guard let token, !token.trimmingCharacters(in: .whitespaces).isEmpty else {
      throw Problem(.badRequest, "missing-header", "The header x-refresh-token is required.")
    }
    let device = try body.decode(as: RefreshTokenRequest.self).deviceID
    let arrivedAt = core.world.wall()
    let outcome = try await core.database.write(retrying: .outdated) { tx in
      let outcome = try sessions.refresh(token, device: device, tenant: tenant.id, arrivedAt: arrivedAt, in: tx)
      if case .reused(let family) = outcome {
        try core.outbox.enqueue(RubixEffects.notifySessionEnded, subject: family.subject, payload: tenant.id, in: tx)
      }
      return outcome
    }
    guard case .rotated(let family, let refresh, let expiresIn) = outcome else { throw Problem.refreshReused }
    let access = try await sessions.accessToken(for: family)
    return (
      RefreshTokenResponse(
        status: .success, message: "Tokens were renewed.", accessExpiresIn: access.expiresIn,
        refreshExpiresIn: expiresIn),
      IssuedTokens(access: access.token, refresh: refresh, accessExpiresIn: access.expiresIn)
    )
  }

  /// The graph with where each step stands.
  package func steps(_ customer: Customer) async throws -> StepGraph {
    try await core.database.look { tx in
      try sessions.requireLive(customer.identity, in: tx)
      return try applications.load(customer.id, tenant: customer.tenant, in: tx).graph
    }
  }

  /// Name spelling and contacts may be corrected before they are confirmed; a new contact needs a new code.
  package func updateMe(_ body: RequestContent, by customer: Customer) async throws -> OnboardingView {
    try await core.database.write(retrying: .outdated) { tx in
      try sessions.requireLive(customer.identity, in: tx)
      var dossier = try applications.open(customer, in: tx)
      guard dossier.application.phase.isOpen else { throw Problem.applicationClosed }
      guard !dossier.application.phase.isInReview else {
        throw Problem(.conflict, "application-in-review", "The application is being reviewed.")
      }
      try core.limits.spend(Steps.overall, by: customer.identity.subject, in: tx)
      let request = try body.decode(as: UpdateMeRequest.self)
      let change = try RegistrationRules(tenant: customer.tenant, now: core.world.now())
        .changed(dossier.application, by: request)
      if !change.contacts.isEmpty {
        try core.limits.spend(Self.contactChanges, by: customer.identity.subject, in: tx)
      }
      for channel in change.contacts {
        try passcodes.void(
          channel == .sms ? .sms : .email, subject: customer.id.rawValue, purpose: ContactCommands.purpose, in: tx)
      }
      dossier.application = change.application
      for channel in change.contacts { try applications.move(channel, of: &dossier, on: .contactChanged, in: tx) }
      try applications.save(&dossier, in: tx)
      try core.audit.append(
        "application.corrected", to: customer.id.rawValue, by: "customer", facts: ["members": change.members], in: tx)
      return dossier.view
    }
  }

  package func logout(_ customer: Customer) async throws {
    try await core.database.write(retrying: .outdated) { tx in
      try sessions.requireLive(customer.identity, in: tx)
      try sessions.revoke(customer.identity.family, in: tx)
      try core.audit.append("session.ended", to: customer.id.rawValue, by: "customer", in: tx)
    }
  }
}

/// What a sign-in or a refresh gives.
package struct IssuedTokens: Sendable {
  package let access: String
  package let refresh: String
  package let accessExpiresIn: Int
}
