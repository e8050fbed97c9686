// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// What the worker does for this flow. Every effect is idempotent.
package struct FinapticEffects: Sendable {
  let dependencies: FinapticDependencies

  package init(_ service: FinapticService) { dependencies = service.dependencies }

  package var handlers: [String: OutboxWorker.Handler] {
    [
      AccountLinks.topic: dependencies.links.deliver, SecondFactors.topic: dependencies.factors.deliver,
      FileCommands.forgetting: dependencies.files.forget,
      OnboardingEvents.topic: dependencies.onboardingEvents.perform,
      TransactionEvents.topic: dependencies.transactionEvents.perform,
      PushNotices.topic: dependencies.pushNotices.deliver,
      InvitationMail.topic: dependencies.invitationMail.deliver, CardOpening.topic: dependencies.cardOpening.perform,
      RegistrationNotices.topic: dependencies.registrationNotices.deliver,
      IncomingTransferNotices.topic: dependencies.incomingTransferNotices.deliver,
      IncomingTransferCommands.expiry: dependencies.incomingTransfers.expire,
      TermsChanges.topic: dependencies.termsChanges.deliver,
      InteracNotifier.topic: dependencies.interacNotifier.deliver,
    ]
  }

  /// What time ends, and what is to be forgotten. Each is a job of its own, so that one that fails delays no
  /// other.
  package var jobs: [ScheduledJob] {
    [
      ScheduledJob("old-finaptic-pictures") { try await dependencies.files.sweep() },
      ScheduledJob("idle-finaptic-chats") { try await dependencies.conversations.sweep() },
      ScheduledJob("unconfirmed-registrations") { try await dependencies.registrations.sweep() },
      ScheduledJob("ending-registrations") { try await dependencies.registrations.warn() },
      ScheduledJob("lapsed-interac-transfers") { try await dependencies.incomingTransfers.sweep() },
      ScheduledJob("finaptic-retention") { try await dependencies.retention.run() },
      ScheduledJob("lapsed-invitations") { try await dependencies.invitations.expire() },
      ScheduledJob("lapsed-card-payments") { try await dependencies.cardPayments.expire() },
      ScheduledJob("old-finaptic-rows") { try await sweepMemory() },
    ]
  }

  /// Forgets what would not count any more.
  private func sweepMemory() async throws {
    let now = dependencies.core.world.now()
    try await dependencies.core.database.sweep { try AccountLinkStore.sweep(before: now - .days(1), limit: $1, in: $0) }
    // As long as the desk keeps what was approved.
    try await dependencies.core.database.sweep { try BankActStore.sweep(before: now - .days(400), limit: $1, in: $0) }
    let today = Ledger.day(of: now)
    try await dependencies.core.database.sweep { try PostingLimitStore.sweep(before: today - 7, limit: $1, in: $0) }
    // A key is remembered for as long as that: what was booked, the books know by it for ever.
    try await dependencies.core.database.sweep {
      try ScheduledPostingStore.sweep(before: today - 400, limit: $1, in: $0)
    }
    try await dependencies.core.database.sweep { try GuardStore.sweep(before: now - .days(30), limit: $1, in: $0) }
    try await dependencies.core.database.sweep { try FaultStore($0).sweep(before: now, limit: $1) }
    try await dependencies.core.database.sweep {
      try IssuerMessageStore.sweep(before: now - .days(400), limit: $1, in: $0)
    }
    try await dependencies.core.database.sweep { try CardTokenStore($0).sweep(before: now - .days(1), limit: $1) }
    try await dependencies.core.database.sweep {
      try IncomingTransferStore.sweep(before: now - .days(90), limit: $1, in: $0)
    }
  }
}
