import GatehouseWire
import HTTP
import Kit
import RubixWire
import Screening
import Storage

/// Looking a customer up in sanctions and PEP lists (rubix-onboarding §6.11, §7.4).
package struct ScreeningCommands: Sendable {
  /// A result that is younger is given again without another search (§5.3).
  static let freshness = Duration.hours(24)
  /// How long a provider may take.
  static let providerLimit = Duration.seconds(30)
  /// When to ask again for a pending result.
  static let pollSeconds = 5

  let runner: StepRunner
  let provider: ScreeningProvider
  var parts: RubixDependencies { runner.parts }
  var screening: Screening { Screening(vault: parts.vault, world: parts.world) }

  package init(runner: StepRunner, provider: ScreeningProvider) {
    self.runner = runner
    self.provider = provider
  }

  private enum Plan: Sendable {
    case repeatStored(Screening.Record)
    case search(Screening.Subject)
  }

  private enum Finding: Sendable {
    case stored(Screening.Record)
    case searched(Screening.Subject, Screening.Outcome)
  }

  /// Screens the customer, or gives the result that is still fresh.
  package func screen(_ request: StepRequest) async throws -> StepAnswer {
    try await runner.run(
      .screen, request,
      admit: { dossier, tx -> Plan in
        _ = try request.body.decode(as: EmptyBody.self)
        if let stored = try fresh(dossier.application, in: tx) { return .repeatStored(stored) }
        guard let identity = dossier.application.identity else { throw Problem.stepOutOfOrder }
        return .search(Screening.Subject(identity, registered: dossier.application.applicant))
      },
      work: { plan -> Finding in
        switch plan {
        case .repeatStored(let record): .stored(record)
        case .search(let subject): .searched(subject, try await search(subject))
        }
      },
      commit: { dossier, finding, tx in
        switch finding {
        case .stored(let record): return Self.reply(record)
        case .searched(let subject, let outcome):
          let record = try screening.record(outcome, of: subject, for: dossier.application.id.rawValue, in: tx)
          if try apply(record, to: &dossier, by: "customer", in: tx) {
            try runner.save(&dossier, in: tx)
          } else {
            // The chain is also where this meets a callback that moves the application at the same moment.
            try parts.audit.append(
              "screening.pending", to: dossier.application.id.rawValue, by: "customer",
              facts: ["screening": record.id.rawValue], in: tx)
          }
          return Self.reply(record)
        }
      })
  }

  /// The last result, as its subject may see it.
  /// - Throws: `Problem` not-found before the first.
  package func current(for customer: Customer) async throws -> CustomerScreening {
    try await parts.database.read { tx in
      try parts.sessions.requireLive(customer.identity, in: tx)
      _ = try ApplicationStore(tx, vault: parts.vault).find(customer.id, tenant: customer.tenant.id)
      guard let record = try screening.latest(for: customer.id.rawValue, in: tx) else { throw Problem.notFound }
      return record.customerView
    }
  }

  private static func reply(_ record: Screening.Record) -> StepReply {
    .view(status: 200, record.customerView, retryAfterSeconds: record.status == .pending ? pollSeconds : nil)
  }

  /// The stored result when it still counts: pending, or clean with its step in force.
  private func fresh(_ application: Application, in tx: any SQLTransaction) throws -> Screening.Record? {
    guard let latest = try screening.latest(for: application.id.rawValue, in: tx),
      parts.world.now() - (latest.screenedAt ?? latest.createdAt) < Self.freshness
    else { return nil }
    switch latest.status {
    case .pending: return latest
    case .clean: return application.completedSteps.contains(.amlScreeningSuccessful) ? latest : nil
    case .potentialMatch, .trueMatch, .error: return nil
    }
  }

  /// - Throws: `Problem` provider-error or provider-timeout; nothing is changed then.
  private func search(_ subject: Screening.Subject) async throws -> Screening.Outcome {
    let outcome: Screening.Outcome
    do {
      outcome = try await Deadline.run(Self.providerLimit) { await provider.screen(subject) }
    } catch is Deadline.Exceeded {
      throw Problem(.providerTimedOut, "provider-timeout", "The screening takes too long; try again later.")
    }
    if case .failed = outcome {
      throw Problem(.providerFailed, "provider-error", "The screening cannot be made right now; try again later.")
    }
    return outcome
  }

  /// Lets the application follow a result.
  /// - Returns: false when the result decides nothing (yet).
  func apply(
    _ record: Screening.Record, to dossier: inout Dossier, by actor: String, in tx: any SQLTransaction
  ) throws -> Bool {
    let isClean = record.status == .clean
    guard isClean || record.status == .potentialMatch else { return false }
    let step: OnboardingStep = isClean ? .amlScreeningSuccessful : .amlScreeningFailed
    dossier.application.drop(.amlScreeningSuccessful, .amlScreeningFailed)
    dossier.application.record(step)
    dossier.application.screenedAt = record.screenedAt
    if !isClean { dossier.application.reviewReason = .screening }
    let lists = record.lists.map { "\($0.code)@\($0.version)" }.joined(separator: " ")
    try runner.move(
      &dossier, on: isClean ? .screenedClean : .screenedHit, by: actor,
      facts: ["screening": record.id.rawValue, "step": step.rawValue, "lists": lists], in: tx)
    return true
  }
}
