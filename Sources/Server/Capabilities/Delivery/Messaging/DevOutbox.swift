// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// What would have been sent, kept for developers to look at instead. The default until gateways are configured.
package struct DevOutbox: Sendable {
  /// Older messages make room for newer ones.
  package static let messagesMax = 1000

  let database: any SQLDatabase
  let vault: Vault
  let world: World

  package init(database: any SQLDatabase, vault: Vault, world: World) {
    self.database = database
    self.vault = vault
    self.world = world
  }

  package var messenger: Messenger { Messenger(sms: SMSGateway(send: keep), mail: MailGateway(send: keep)) }
  /// Without the device's token: a developer needs what the app would read, and nothing to send with.
  package var push: PushGateway {
    PushGateway { push in
      var message = Message(
        .push, to: push.platform.rawValue, subject: push.title, body: push.body, locale: push.locale)
      (message.data, message.about) = (push.data.mapValues(\.text), push.about)
      try await keep(message)
      return .accepted
    }
  }

  /// Newest first.
  package func list(limit: Int = 100) async throws -> [DevMessage] {
    try await database.read { [self] tx in
      try DevMessageStore(tx).list(limit: min(max(limit, 1), Self.messagesMax)).map { try open($0, in: tx) }
    }
  }

  /// - Throws: `Problem` not found.
  package func find(_ id: DevMessage.ID) async throws -> DevMessage {
    try await database.read { [self] tx in
      guard let row = try DevMessageStore(tx).find(id) else { throw Problem.missing(.message) }
      return try open(row, in: tx)
    }
  }

  /// What is kept of messages to one customer, oldest first, wherever they went: addresses change hands. Messages to
  /// staff about the customer are left out.
  package func list(about subject: String, in tx: any SQLTransaction) throws -> [DevMessage] {
    try DevMessageStore(tx).list(about: subject).map { try open($0, in: tx) }.filter { $0.message.isForStaff != true }
  }

  /// Forgets what was sent to one customer, or about one to staff, for an erasure.
  package func forget(about subject: String, in tx: any SQLTransaction) throws {
    try DevMessageStore(tx).delete(about: subject)
  }

  /// Deletes up to `limit` messages that were sent before then.
  @discardableResult
  package static func sweep(before horizon: Instant, limit: Int = 1000, in tx: any SQLTransaction) throws -> Int {
    try DevMessageStore(tx).sweep(before: horizon, limit: limit)
  }

  @Sendable
  private func keep(_ message: Message) async throws {
    let id = message.id.map { DevMessage.ID(rawValue: $0) } ?? DevMessage.ID(world)
    let now = world.now()
    try await database.write { [vault] tx in
      let sealed = try vault.seal(message, as: Self.context(id), of: message.about.map { KeySubject($0) }, in: tx)
      let row = DevMessageStore.Row(
        id: id, channel: message.channel.rawValue, subject: message.about, sealed: sealed, sentAt: now)
      let store = DevMessageStore(tx)
      try store.insert(row)
      try store.trim(to: Self.messagesMax)
    }
  }

  private func open(_ row: DevMessageStore.Row, in tx: any SQLTransaction) throws -> DevMessage {
    DevMessage(
      id: row.id, message: try vault.open(row.sealed, as: Message.self, context: Self.context(row.id), in: tx),
      sentAt: row.sentAt)
  }

  private static func context(_ id: DevMessage.ID) -> String { "dev_message.sealed:\(id)" }
}

/// One message of the development outbox.
package struct DevMessage: Sendable {
  package typealias ID = Identifier<DevMessage>
  package let id: ID
  package let message: Message
  package let sentAt: Instant
}

/// Rows of `dev_message`. Sealed like everything personal, codes included: a copy of the file says nothing.
package struct DevMessageStore {
  static let columns: SQLColumns = "id, channel, subject_id, sealed, sent_at"

  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  struct Row: Sendable {
    let id: DevMessage.ID
    let channel: String
    /// Whom it is about; nil for no particular customer.
    let subject: String?
    let sealed: Data
    let sentAt: Instant
  }

  package static let migration = Migration(
    "2026-11-21 dev message",
    """
    CREATE TABLE dev_message (
      id TEXT PRIMARY KEY,
      channel TEXT NOT NULL CHECK (channel IN ('sms', 'email')),
      sealed BLOB NOT NULL,
      sent_at BIGINT NOT NULL
    );
    CREATE INDEX dev_message_age ON dev_message (sent_at, id);
    """)

  /// Messages without a subject could not be found for their customer any more; they were kept for developers only.
  package static let subjectMigration = Migration(
    "2026-11-22 dev message subject",
    """
    DELETE FROM dev_message;
    ALTER TABLE dev_message ADD COLUMN subject_id TEXT;
    CREATE INDEX dev_message_subject ON dev_message (subject_id, sent_at, id) WHERE subject_id IS NOT NULL;
    """)

  /// One channel more. What was there was kept for developers only.
  package static let pushMigration = Migration(
    "2026-11-22 dev message with push",
    """
    DROP TABLE dev_message;
    CREATE TABLE dev_message (
      id TEXT PRIMARY KEY,
      channel TEXT NOT NULL CHECK (channel IN ('sms', 'email', 'push')),
      subject_id TEXT,
      sealed BLOB NOT NULL,
      sent_at BIGINT NOT NULL
    );
    CREATE INDEX dev_message_age ON dev_message (sent_at, id);
    CREATE INDEX dev_message_subject ON dev_message (subject_id, sent_at, id) WHERE subject_id IS NOT NULL;
    """)

  /// A repetition of a message that is there changes nothing.
  func insert(_ row: Row) throws {
    try tx.execute(
      """
      INSERT INTO dev_message (id, channel, subject_id, sealed, sent_at)
      VALUES (\(row.id), \(row.channel), \(row.subject), \(row.sealed), \(row.sentAt)) ON CONFLICT (id) DO NOTHING
      """)
  }

  func list(limit: Int) throws -> [Row] {
    try tx.query("SELECT \(Self.columns) FROM dev_message ORDER BY sent_at DESC, id DESC LIMIT \(limit)").map(row)
  }

  func list(about subject: String) throws -> [Row] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM dev_message WHERE subject_id = \(subject)
      ORDER BY sent_at, id
      """
    ).map(row)
  }

  func find(_ id: DevMessage.ID) throws -> Row? {
    try tx.first("SELECT \(Self.columns) FROM dev_message WHERE id = \(id)").map(row)
  }

  func trim(to count: Int) throws {
    try tx.execute(
      """
      DELETE FROM dev_message WHERE id IN
        (SELECT id FROM dev_message ORDER BY sent_at DESC, id DESC LIMIT 1000 OFFSET \(count))
      """)
  }

  func delete(about subject: String) throws {
    try tx.execute("DELETE FROM dev_message WHERE subject_id = \(subject)")
  }

  func sweep(before horizon: Instant, limit: Int) throws -> Int {
    try tx.execute(
      """
      DELETE FROM dev_message WHERE id IN
        (SELECT id FROM dev_message WHERE sent_at <= \(horizon) ORDER BY sent_at, id LIMIT \(limit))
      """)
  }

  private func row(_ row: SQLRow) throws -> Row {
    Row(
      id: try row.get("id"), channel: try row.get("channel"), subject: try row.get("subject_id"),
      sealed: try row.get("sealed"), sentAt: try row.get("sent_at"))
  }
}
