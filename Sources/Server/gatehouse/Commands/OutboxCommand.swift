// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import Storage

/// What an operator does about effects that no repetition cured. Payloads are never shown.
struct OutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "Look after effects that were given up.",
    subcommands: [List.self, Release.self, Drop.self])

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Show the state of the outbox and its dead letters, oldest first.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "Only this topic, as in rubix.sendPasscode.")
    var topic: String?
    @Option(help: "How many at most (default: 100).")
    var limit = 100
    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard limit > 0 else { throw ValidationError("--limit is 1 or more") }
    }

    func run() async throws {
      let database = try await installation.openStore()
      let now = try await installation.settings().world(of: database).now()
      let (gauge, deadLetters) = try await database.read { [topic, limit] tx in
        (try OutboxStore(tx).gauge(now: now), try OutboxStore(tx).deadLetters(topic: topic, limit: limit))
      }
      let report = OutboxReport(gauge, deadLetters, now: now)
      try output.show(report, [report.text])
    }
  }

  struct Release: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "release",
      abstract: "Let dead letters run again, from their first attempt; 3 when an id is not one.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "Ids, as `outbox list` shows them.")
    var ids: [String] = []
    @Option(help: "Instead: every dead letter of this topic.")
    var topic: String?
    @Flag(help: "Instead: every dead letter.")
    var all = false

    func validate() throws {
      guard [!ids.isEmpty, topic != nil, all].count(where: { $0 }) == 1 else {
        throw ValidationError("name ids, or --topic, or --all")
      }
    }

    func run() async throws {
      guard ids.isEmpty else {
        return try await installation.eachDeadLetter(ids, "released", output) { try $0.release($1, now: $2) }
      }
      let core = try await installation.app().core
      let count = try await core.database.write(retrying: .outdated) { [topic] tx in
        let count = try OutboxStore(tx).releaseAll(of: topic, now: core.world.now())
        if count > 0 {
          try core.audit.append(
            "outbox.released", to: "outbox", by: MachineUser.actor,
            facts: ["topic": topic ?? "all", "count": "\(count)"], in: tx)
        }
        return count
      }
      try output.show(["released": count], ["\(count) released."])
    }
  }

  struct Drop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "drop", abstract: "Delete dead letters: their effects will not happen; 3 when an id is not one.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "Ids, as `outbox list` shows them.")
    var ids: [String]

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
      try confirmation.confirm("The effects of \(ids.count.counted("dead letter", "dead letters")) will never happen.")
      try await installation.eachDeadLetter(ids, "dropped", output) { store, id, _ in try store.drop(id) }
    }
  }
}

extension InstallationOptions {
  /// The store of an installation that exists.
  /// - Parameter statementTimeout: as in `Settings.database`.
  /// - Throws: `MissingStore`.
  func openStore(statementTimeout: Duration? = nil) async throws -> any SQLDatabase {
    OpenedStores.keep(try await settings().existingDatabase(statementTimeout: statementTimeout))
  }

  /// Each of them that was there is a line of the audit log, in the chain that the page of dead letters writes, too.
  fileprivate func eachDeadLetter(
    _ ids: [String], _ done: String, _ output: OutputOptions,
    _ act: @escaping @Sendable (OutboxStore, OutboxItem.ID, Instant) throws -> Bool
  ) async throws {
    let core = try await app().core
    let outcomes = try await core.database.write(retrying: .outdated) { tx in
      try ids.map { name in
        let id = OutboxItem.ID(rawValue: name.lowercased())
        let isDone = try act(OutboxStore(tx), id, core.world.now())
        if isDone { try core.audit.append("outbox.\(done)", to: "outbox-\(id)", by: MachineUser.actor, in: tx) }
        return (name, isDone)
      }
    }
    try output.list(
      "dead_letters", outcomes.map { DeadLetterRow(id: $0.0, outcome: $0.1 ? done : "not a dead letter") }
    ) {
      "\($0.id): \($0.outcome)"
    }
    guard outcomes.allSatisfy(\.1) else { throw ExitCode.notFound }
  }
}

/// What became of a dead letter.
private struct DeadLetterRow: Encodable {
  let id, outcome: String
}

/// What `outbox list` prints.
struct OutboxReport: Encodable {
  struct Entry: Encodable {
    let id: String
    let topic: String
    let subject: String
    let attempts: Int
    let ageSeconds: Int
    let reason: String
  }

  let due: Int
  let oldestDueAgeSeconds: Int?
  let leased: Int
  let failing: Int
  /// By topic, for how long the oldest effect has been owed that failed and will be tried again.
  let failingSeconds: [String: Int]
  /// Dead letters by topic.
  let deadLettersByTopic: [String: Int]
  let deadLetters: [Entry]

  init(_ gauge: OutboxGauge, _ deadLetters: [DeadLetter], now: Instant) {
    due = gauge.count(.due)
    oldestDueAgeSeconds = due > 0 ? gauge.lag.wholeSeconds : nil
    leased = gauge.count(.leased)
    failing = gauge.count(.failing)
    failingSeconds = gauge.failing.mapValues(\.wholeSeconds)
    deadLettersByTopic = gauge.deadLetters
    self.deadLetters = deadLetters.map {
      Entry(
        id: $0.id.rawValue, topic: $0.topic, subject: $0.subject, attempts: $0.attempts,
        ageSeconds: (now - $0.enqueuedAt).wholeSeconds, reason: $0.reason)
    }
  }

  var text: String {
    let age = oldestDueAgeSeconds.map { ", the oldest for \($0) s" } ?? ""
    let all = deadLettersByTopic.values.reduce(0, +)
    let failures = failingSeconds.sorted { $0.key < $1.key }.map {
      "\($0.key) fails, the oldest owed for \($0.value) s"
    }
    let lines = deadLetters.map { entry in
      """
      \(entry.id)  \(entry.topic)  \(entry.subject)  \(entry.attempts.counted("attempt", "attempts"))  \
      \(entry.ageSeconds) s  \(entry.reason)
      """
    }
    let summary = """
      \(due) due\(age); \(leased) in hand; \(failing.counted("waits", "wait")) for another attempt; \
      \(all.counted("dead letter", "dead letters")).
      """
    return ([summary] + failures + lines).joined(separator: "\n")
  }
}
