// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import Kit
import Storage

/// What a key for each person costs: rows that are written and opened under the data key, under the key of their person
/// and under the keys of two, in turns; then how fast rows of before are sealed again, beside rewriting them under the
/// data key that they have.
struct SealBench: Sendable {
  let rows: Int
  let persons: Int
  /// Of each value, before it is sealed.
  let bytes: Int
  let rounds: Int
  let say: @Sendable (String) -> Void

  /// Rows of one transaction, as many as the reseal takes.
  private static let page = 100
  private static let tenant = TenantID("bench", "one")

  enum Mode: String, CaseIterable, Sendable { case dataKey, person, two }

  func run(in folder: String, database: (any SQLDatabase)? = nil) async throws -> SealReport {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let database = try database ?? SQLite(path: "\(folder)/sealing.sqlite", durability: .shared)
    let world = World.live
    try await database.migrate((KitModule.migrations + [SealBenchStore.migration]).sorted { $0.id < $1.id })
    let keys = try await SubjectKeys.open(
      database, file: EpochKeyFile("\(folder)/epoch-key.json"), making: true, world: world)
    _ = try await keys?.begin(in: database, at: world.now())
    let vault = try await Vault.open(database, keyring: Keyring(world: world), subjectKeys: keys, world: world)

    var report = SealReport(rows: rows, persons: persons, bytes: bytes)
    // The first round makes the keys of the persons and warms caches, and is not counted.
    for round in 0...rounds {
      for mode in Mode.allCases {
        let (written, opened) = try await play(mode, vault, database)
        if round > 0 { report.add(mode, written: written, opened: opened) }
      }
      say("round \(round) of \(rounds)")
    }

    for round in 0...rounds {
      _ = try await fill(.dataKey, vault, database)
      let rewritten = try await timed { try await rewrite(vault, database) }
      let core = CoreDependencies(
        database: database, world: world, vault: vault, blobs: .disk("\(folder)/blobs"))
      let reseal = SubjectReseal(core, columns: [SealBenchStore.column], objects: [])
      var count = 0
      let resealed = try await timed { count = try await reseal.run().values }
      guard count == rows else { throw Unsealed(count: count) }
      if round > 0 { report.addMigration(rewritten: rewritten, resealed: resealed) }
      try await database.write { try SealBenchStore($0).clear() }
      say("migration \(round) of \(rounds)")
    }
    return report
  }

  struct Unsealed: Error { let count: Int }

  private func play(_ mode: Mode, _ vault: Vault, _ database: any SQLDatabase) async throws -> (Duration, Duration) {
    let written = try await fill(mode, vault, database)
    let opened = try await timed {
      var after = ""
      while true {
        let place = after
        let last = try await database.read { tx -> String? in
          let letters = try SealBenchStore(tx).page(after: place, limit: Self.page)
          for letter in letters {
            _ = try vault.open(letter.text, context: SealBenchStore.context(letter.id), in: tx)
          }
          return letters.last?.id
        }
        guard let last else { break }
        after = last
      }
    }
    try await database.write { try SealBenchStore($0).clear() }
    return (written, opened)
  }

  private func fill(_ mode: Mode, _ vault: Vault, _ database: any SQLDatabase) async throws -> Duration {
    let plain = Data(repeating: 0x61, count: bytes)
    return try await timed {
      for start in stride(from: 0, to: rows, by: Self.page) {
        let numbers = start..<min(start + Self.page, rows)
        try await database.write { tx in
          for number in numbers {
            let (id, owner) = (World.live.uuid(), "person \(number % persons)")
            let context = SealBenchStore.context(id)
            let one = KeySubject(owner, of: Self.tenant)
            let text =
              switch mode {
              case .dataKey: try vault.seal(plain, context: context)
              case .person: try vault.seal(plain, context: context, of: one, in: tx)
              case .two:
                try vault.seal(
                  plain, context: context, of: one,
                  and: KeySubject("person \((number + 1) % persons)", of: Self.tenant), in: tx)
              }
            try SealBenchStore(tx).insert(.init(id: id, owner: owner, text: text))
          }
        }
      }
    }
  }

  /// The same work without another key: each row is opened, sealed under the data key and written, by pages.
  private func rewrite(_ vault: Vault, _ database: any SQLDatabase) async throws {
    var after = ""
    while true {
      let place = after
      let page = try await database.read { try SealBenchStore($0).page(after: place, limit: Self.page) }
      guard let last = page.last else { return }
      try await database.write { tx in
        for letter in page {
          let context = SealBenchStore.context(letter.id)
          let plain = try vault.open(letter.text, context: context)
          try SealBenchStore(tx).replace(letter, by: vault.seal(plain, context: context))
        }
      }
      after = last.id
    }
  }

  private func timed(_ work: () async throws -> Void) async throws -> Duration {
    let begun = World.live.ticks()
    try await work()
    return World.live.ticks() - begun
  }
}

/// Everything that `gatehouse-lab bench sealing` measured.
struct SealReport: Sendable {
  let rows: Int
  let persons: Int
  let bytes: Int
  private var written: [SealBench.Mode: [Double]] = [:]
  private var opened: [SealBench.Mode: [Double]] = [:]
  private var rewritten: [Double] = []
  private var resealed: [Double] = []

  init(rows: Int, persons: Int, bytes: Int) { (self.rows, self.persons, self.bytes) = (rows, persons, bytes) }

  mutating func add(_ mode: SealBench.Mode, written one: Duration, opened other: Duration) {
    written[mode, default: []].append(Double(rows) / one.inSeconds)
    opened[mode, default: []].append(Double(rows) / other.inSeconds)
  }

  mutating func addMigration(rewritten one: Duration, resealed other: Duration) {
    rewritten.append(Double(rows) / one.inSeconds)
    resealed.append(Double(rows) / other.inSeconds)
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  /// Rows a second, the median of the rounds.
  private func writes(_ mode: SealBench.Mode) -> Double { Self.median(written[mode] ?? []) }
  private func opens(_ mode: SealBench.Mode) -> Double { Self.median(opened[mode] ?? []) }

  func table(isRelease: Bool) -> String {
    func row(_ name: String, _ mode: SealBench.Mode) -> String {
      name.padding(toLength: 22, withPad: " ", startingAt: 0)
        + String(
          format: "%9.0f rows/s written (%.2f)   %9.0f rows/s opened (%.2f)", writes(mode),
          writes(mode) / writes(.dataKey), opens(mode), opens(mode) / opens(.dataKey))
    }
    var lines = [
      "\(rows) rows of \(bytes) bytes, \(persons) persons; in brackets the ratio to the data key in the same run",
      row("data key", .dataKey), row("key of a person", .person), row("keys of two persons", .two),
      String(
        format: "sealed again %9.0f rows/s (%.2f of rewriting them under the data key, %.0f rows/s)",
        Self.median(resealed), Self.median(resealed) / Self.median(rewritten), Self.median(rewritten)),
    ]
    if !isRelease { lines.append("This is a debug build: only -c release says anything.") }
    return lines.joined(separator: "\n")
  }
}

extension SealReport: Encodable {
  func encode(to encoder: any Encoder) throws {
    var values = [
      "rows": Double(rows), "persons": Double(persons), "bytes": Double(bytes),
      "resealed_per_second": Self.median(resealed), "rewritten_per_second": Self.median(rewritten),
      "reseal_ratio": Self.median(resealed) / Self.median(rewritten),
    ]
    for (name, mode) in [("data_key", SealBench.Mode.dataKey), ("person", .person), ("two_persons", .two)] {
      values["\(name)_written_per_second"] = writes(mode)
      values["\(name)_opened_per_second"] = opens(mode)
      values["\(name)_write_ratio"] = writes(mode) / writes(.dataKey)
      values["\(name)_open_ratio"] = opens(mode) / opens(.dataKey)
    }
    try values.encode(to: encoder)
  }
}
