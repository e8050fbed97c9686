// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What was sent to customers, for staff who are asked whether something arrived, and for the customers themselves.
package struct MessageLog: Sendable {
  /// How long it is kept.
  package static let kept = Duration.days(180)
  /// Of one person, on one page.
  package static let listMax = 200
  /// Of one person, in one export.
  package static let exportMax = 10_000

  let database: any SQLDatabase
  let vault: Vault
  let world: World
  private let unkept: @Sendable (any Error) -> Void

  /// - Parameter unkept: is told that something was sent, or was not, of which no record could be written.
  package init(_ core: CoreDependencies, unkept: @escaping @Sendable (any Error) -> Void = { _ in }) {
    (database, vault, world) = (core.database, core.vault, core.world)
    self.unkept = unkept
  }

  /// What was sent to one person, the newest first, at most `listMax`.
  /// - Parameter subject: as of `Message.about`.
  package func list(about subject: String) async throws -> [SentMessage] {
    try await database.read { [vault] in
      try SentMessageStore($0, vault: vault).list(about: subject, limit: Self.listMax)
    }
  }

  /// The same for an export, at most `exportMax`.
  package static func list(
    about subject: String, vault: Vault, in tx: any SQLTransaction
  ) throws -> [SentMessage] {
    try SentMessageStore(tx, vault: vault).list(about: subject, limit: exportMax)
  }

  /// Forgets what was sent to one person, for an erasure.
  package static func forget(about subject: String, vault: Vault, in tx: any SQLTransaction) throws {
    try SentMessageStore(tx, vault: vault).delete(about: subject)
  }

  /// Writes an attempt down. The attempt was made whatever comes of this: an error here must not have it repeated.
  func note(_ message: Message, _ state: SentMessage.State) async {
    guard let subject = message.about, let kind = message.kind else { return }
    let now = world.now()
    let sent = SentMessage(
      id: .init(rawValue: message.id ?? world.uuid()), channel: message.channel, kind: kind, language: message.locale,
      recipient: message.maskedRecipient, state: state, attempts: 1, firstAt: now, lastAt: now)
    do {
      try await database.write(retrying: .outdated) { [vault] tx in
        // A person who was erased while it was on its way has no key any more. Before keys of persons have begun, every
        // person lacks one, and the data key seals.
        let haveBegun = try SubjectKeyStore(tx).haveBegun()
        guard try !haveBegun || vault.hasSubjectKey(of: subject, in: tx) else { return }
        // An erasure that runs at this moment would not see the row.
        try vault.holdSubjectKey(of: KeySubject(subject), in: tx)
        try SentMessageStore(tx, vault: vault).add(sent, about: subject)
      }
    } catch { unkept(error) }
  }
}

extension Messenger {
  /// The same gateways, whose attempts are written down.
  package func recorded(in log: MessageLog) -> Messenger {
    Messenger(
      sms: SMSGateway(send: Self.recording(sms.send, in: log)),
      mail: MailGateway(send: Self.recording(mail.send, in: log)))
  }

  private static func recording(
    _ send: @escaping @Sendable (Message) async throws -> Void, in log: MessageLog
  ) -> @Sendable (Message) async throws -> Void {
    { message in
      do { try await send(message) } catch {
        await log.note(message, error is MessageRefused ? .refused : .failed)
        throw error
      }
      await log.note(message, .accepted)
    }
  }
}
