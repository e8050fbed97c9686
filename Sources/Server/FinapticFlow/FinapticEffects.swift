// SPDX-License-Identifier: Apache-2.0

import Kit

extension FinapticService {
  /// What the worker does for this flow, by topic. Every effect is idempotent.
  package var effects: [String: OutboxWorker.Handler] {
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
    let rows = FinapticRowSweep(core: dependencies.core)
    return [
      ScheduledJob("old-finaptic-pictures") { try await dependencies.files.sweep() },
      ScheduledJob("idle-finaptic-chats") { try await dependencies.conversations.sweep() },
      ScheduledJob("unconfirmed-registrations") { try await dependencies.registrations.sweep() },
      ScheduledJob("ending-registrations") { try await dependencies.registrations.warn() },
      ScheduledJob("lapsed-interac-transfers") { try await dependencies.incomingTransfers.sweep() },
      ScheduledJob("finaptic-retention") { try await dependencies.retention.run() },
      ScheduledJob("lapsed-invitations") { try await dependencies.invitations.expire() },
      ScheduledJob("lapsed-card-payments") { try await dependencies.cardPayments.expire() },
      ScheduledJob("old-finaptic-rows") { try await rows.run() },
    ]
  }
}
