// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import HTTP
import Identity
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

  let core: CoreDependencies
  let sessions: Sessions
  let applications: Applications
  let steps: Steps
  let provider: ScreeningProvider
  let screened: ScreenedApplications
  var screening: Screening { Screening(core) }

  /// Screens the customer, or gives the result that is still fresh.
  package func screen(_ request: StepRequest) async throws -> StepAnswer {
    let step = try await steps.admit(.screen, request)
    if let earlier = step.earlier { return earlier }
    do {
      _ = try step.body.decode(as: EmptyBody.self)
      let application = step.dossier.application
      if let stored = try await core.database.read({ try fresh(application, in: $0) }) {
        return try await core.database.write(retrying: .outdated) { tx in
          _ = try steps.resume(step, in: tx)
          return try steps.keep(Self.reply(stored), for: step, in: tx)
        }
      }
      guard let identity = application.identity else { throw Problem.stepOutOfOrder }
      let subject = Screening.Subject(identity, registered: application.applicant)
      let outcome = try await Deadline.run(Steps.workLimit) { try await search(subject) }
      return try await core.database.write(retrying: .outdated) { tx in
        var dossier = try steps.resume(step, in: tx)
        let record = try screening.record(outcome, of: subject, for: application.id.rawValue, in: tx)
        if try screened.apply(record, to: &dossier, by: "customer", in: tx) {
          try applications.save(&dossier, in: tx)
        } else {
          // The chain is also where this meets a callback that moves the application at the same moment.
          try core.audit.append(
            "screening.pending", to: application.id.rawValue, by: "customer",
            facts: ["screening": record.id.rawValue], in: tx)
        }
        return try steps.keep(Self.reply(record), for: step, in: tx)
      }
    } catch { throw await steps.abandon(step, after: error) }
  }

  /// The last result, as its subject may see it.
  /// - Throws: `Problem` not-found before the first.
  package func current(for customer: Customer) async throws -> CustomerScreening {
    try await core.database.read { tx in
      try sessions.requireLive(customer.identity, in: tx)
      _ = try ApplicationStore(tx, vault: core.vault).find(customer.id, tenant: customer.tenant.id)
      guard let record = try screening.latestStep(for: customer.id.rawValue, in: tx) else { throw Problem.notFound }
      return record.customerView
    }
  }

  private static func reply(_ record: Screening.Record) -> StepReply {
    .view(status: 200, record.customerView, retryAfterSeconds: record.status == .pending ? pollSeconds : nil)
  }

  /// The stored result when it still counts: pending, or clean with its step in force.
  private func fresh(_ application: Application, in tx: any SQLTransaction) throws -> Screening.Record? {
    guard let latest = try screening.latestStep(for: application.id.rawValue, in: tx),
      core.world.now() - (latest.screenedAt ?? latest.createdAt) < Self.freshness
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
}
