// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Commits steps as the product commits them: a row, its audit line, an owed effect and the answer that is kept for
/// repetitions, together or not at all.
struct StepWriter: Sendable {
  static let migrations =
    ([
      OutboxStore.migration, OutboxStore.leaseMigration, OutboxStore.originMigration, OutboxStore.patienceMigration,
      OutboxStore.readyMigration,
      DataKeyStore.migration,
      IdempotencyStore.migration, IdempotencyStore.caseMigration,
      Migration(
        "2026-11-21 crash step",
        "CREATE TABLE crash_step (writer TEXT NOT NULL, n BIGINT NOT NULL, PRIMARY KEY (writer, n))"),
    ] + AuditStore.migrations).sorted { $0.id < $1.id }

  let database: SQLite
  let audit: Audit
  let outbox: Outbox
  let idempotency: Idempotency
  let name: String

  static func run(_ database: SQLite, process: String, writers: Int) async throws {
    let world = World.live
    try await database.migrate(migrations)
    // The key ring lies where the database lies; of two processes the second reads what the first one made.
    let vault = try await Vault.open(
      database, keyring: Keyring(path: CommandLine.arguments[1] + ".keys", world: world), world: world)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...writers {
        let writer = StepWriter(
          database: database, audit: Audit(world: world, vault: vault), outbox: Outbox(world: world),
          idempotency: Idempotency(world: world, vault: vault), name: "\(process)-\(number)")
        group.addTask { try await writer.run() }
      }
      try await group.waitForAll()
    }
  }

  private func run() async throws {
    let last = try await database.read { [name] tx in
      try tx.first("SELECT COALESCE(MAX(n), 0) AS n FROM crash_step WHERE writer = \(name)")?.get("n", as: Int.self)
        ?? 0
    }
    // What was committed before the crash is answered again, not done again.
    if last > 0, try await step(last) { CrashWriter.say("! \(name) \(last) was done twice") }
    for number in (last + 1)...(last + CrashWriter.commitsMax) {
      guard try await step(number) else {
        return CrashWriter.say("! \(name) \(number) was answered before it was done")
      }
      CrashWriter.say("\(name) \(number)")
    }
  }

  /// - Returns: false when it was done before.
  private func step(_ number: Int) async throws -> Bool {
    try await database.write { tx in
      let memory = Idempotency.Request(
        owner: name, path: "POST /crash", key: "\(number)", body: Data("\(number)".utf8),
        claimant: UUID().uuidString)
      guard case .fresh = try idempotency.begin(memory, in: tx) else { return false }
      try tx.execute("INSERT INTO crash_step (writer, n) VALUES (\(name), \(number))")
      try audit.append("crash.step", to: name, by: "system", facts: ["n": "\(number)"], in: tx)
      try outbox.enqueue("crash.step", subject: "\(name) \(number)", in: tx)
      try idempotency.store(
        StoredAnswer(status: 200, contentType: "text/plain", body: Data("\(number)".utf8)), for: memory, in: tx)
      return true
    }
  }
}
