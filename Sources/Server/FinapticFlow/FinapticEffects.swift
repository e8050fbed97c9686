import Kit
import Storage

/// What the worker does for this flow. Every effect is idempotent.
package struct FinapticEffects: Sendable {
  let parts: FinapticDependencies

  package init(_ service: FinapticService) { parts = service.parts }

  package var handlers: [String: OutboxWorker.Handler] {
    [
      AccountLinks.topic: parts.links.deliver, SecondFactors.topic: parts.factors.deliver,
      FileCommands.forgetting: parts.files.forget,
      OnboardingEvents.topic: parts.onboardingEvents.perform,
      TransactionNews.topic: parts.transactionNews.perform,
      PushNotices.topic: parts.pushNotices.deliver,
      InvitationMail.topic: parts.invitationMail.deliver, CardOpening.topic: parts.cardOpening.perform,
      RegistrationNotices.topic: parts.registrationNotices.deliver,
      IncomingTransferNotices.topic: parts.incomingTransferNotices.deliver,
    ]
  }

  /// What time ends, and what is to be forgotten. Each is a job of its own, so that one that fails delays no
  /// other.
  package var jobs: [ScheduledJob] {
    [
      ScheduledJob("old-finaptic-pictures") { try await parts.files.sweep() },
      ScheduledJob("idle-finaptic-chats") { try await parts.conversations.sweep() },
      ScheduledJob("unconfirmed-registrations") { try await parts.registrations.sweep() },
      ScheduledJob("ending-registrations") { try await parts.registrations.warn() },
      ScheduledJob("lapsed-interac-transfers") { try await parts.incomingTransfers.sweep() },
      ScheduledJob("finaptic-retention") { try await parts.retention.run() },
      ScheduledJob("lapsed-invitations") { try await parts.invitations.expire() },
      ScheduledJob("lapsed-card-payments") { try await parts.cardPayments.expire() },
      ScheduledJob("old-finaptic-rows") { try await sweepMemory() },
    ]
  }

  /// Forgets what would not count any more.
  private func sweepMemory() async throws {
    let now = parts.core.world.now()
    try await parts.core.database.sweep { try AccountLinkStore.sweep(before: now - .days(1), limit: $1, in: $0) }
    try await parts.core.database.sweep { try GuardStore.sweep(before: now - .days(30), limit: $1, in: $0) }
    try await parts.core.database.sweep { try FaultStore($0).sweep(before: now, limit: $1) }
    try await parts.core.database.sweep { try CardTokenStore($0).sweep(before: now - .days(1), limit: $1) }
    try await parts.core.database.sweep { try IncomingTransferStore.sweep(before: now - .days(90), limit: $1, in: $0) }
  }
}
