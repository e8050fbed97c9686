import Capabilities
import Kit
import Storage

/// What the worker does for this room. Every effect bears repetition.
package struct FinapticEffects: Sendable {
  let parts: FinapticParts

  package init(_ room: FinapticRoom) { parts = room.parts }

  package var handlers: [String: OutboxWorker.Handler] {
    [
      AccountLinks.topic: AccountLinks(parts: parts).deliver, SecondFactors.topic: SecondFactors(parts: parts).deliver,
      FileCommands.forgetting: FileCommands(parts: parts).forget,
      OnboardingNews.topic: OnboardingNews(parts: parts).perform,
      TransactionNews.topic: TransactionNews(parts: parts).perform,
      PushNotices.topic: PushNotices(parts: parts).deliver,
      InvitationMail.topic: InvitationMail(parts: parts).deliver, CardOpening.topic: CardOpening(parts: parts).perform,
      RegistrationNotices.topic: RegistrationNotices(parts: parts).deliver,
      IncomingTransferNotices.topic: IncomingTransferNotices(parts: parts).deliver,
    ]
  }

  /// What time ends, and what is to be forgotten. Run regularly by the caretaker.
  package func sweep() async throws {
    try await FileCommands(parts: parts).sweep()
    try await parts.conversations.sweep()
    try await RegistrationSweep(parts: parts).run()
    try await IncomingTransferCommands(parts: parts).sweep()
    try await FinapticRetention(parts: parts).run()
    try await parts.database.sweep { [parts] in try InvitationCommands(parts: parts).expire(limit: $1, in: $0) }
    try await CardPayments(parts: parts).expire()
  }

  /// Forgets what would not count any more.
  package func sweepMemory() async throws {
    let now = parts.world.now()
    try await parts.database.sweep { try AccountLinkStore.sweep(before: now - .days(1), limit: $1, in: $0) }
    try await parts.database.sweep { try GuardStore.sweep(before: now - .days(30), limit: $1, in: $0) }
    try await parts.database.sweep { try FaultStore($0).sweep(before: now, limit: $1) }
    try await parts.database.sweep { try CardTokenStore($0).sweep(before: now - .days(1), limit: $1) }
    try await parts.database.sweep { try IncomingTransferStore.sweep(before: now - .days(90), limit: $1, in: $0) }
  }
}
