// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Kit
import Ledger
import LedgerSimulation
import Storage

/// `gatehouse-lab simulate`: what takes long in life, on a clock that does not wait.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Play what takes long in life on a clock of its own.", subcommands: [Year.self])

  struct Year: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "year",
      abstract: "A year of day ends with postings, value dates, interest and fees; prints the time of a day end.",
      discussion: """
        Writes what was ordered and what came of it as CSV; scripts/check-interest computes the same by itself. Several \
        numbers of accounts show how the time grows. With --statements a whole installation is played instead of the \
        ledger alone: the day ends of the program, and the statements of each month as PDF and camt.053, of which a \
        sample is read again; then there are no lists. Build with -c release.
        """)

    @Option(help: "Accounts; several numbers with commas between are several years.")
    var accounts = "1000,2000,4000"

    @Option(help: "Days from 2026-01-01 on.")
    var days: Int64 = 365

    @Option(help: "The same seed is the same year.")
    var seed: UInt64 = 7

    @Option(help: "Folder of the lists, one in it for each number of accounts.")
    var out = "simulated-year"

    @Flag(help: "Play a whole installation, with the statements of each month.")
    var statements = false

    @Option(help: "With --statements: how SQLite's commits reach the disk, full or shared.")
    var sync = "full"

    func run() async throws {
      let sizes = accounts.split(separator: ",").compactMap { Int($0) }.filter { (1...1_000_000).contains($0) }
      guard !sizes.isEmpty, (1...3_660).contains(days) else {
        throw ValidationError("--accounts is 1 to 1000000 or several of these, --days 1 to 3660")
      }
      guard let durability = SQLite.Durability(rawValue: sync) else {
        throw ValidationError("--sync is full or shared")
      }
      for size in sizes {
        if statements { try await simulateBank(size, durability) } else { try await simulate(size) }
      }
    }

    private func simulateBank(_ size: Int, _ durability: SQLite.Durability) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "gatehouse-bank-\(World.live.uuid())").path
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let year = BankYear(accounts: size, days: days, seed: seed, folder: folder, sync: durability)
      let (ends, checked) = try await year.run { print("\(size) accounts, \($0)") }
      guard checked.faults.isEmpty else { throw ValidationError("wrong: \(checked.faults.prefix(20))") }
      func median(_ times: [Duration]) -> Int64 { times.isEmpty ? 0 : times.sorted()[times.count / 2].microseconds }
      let (dayEnd, making) = (median(ends.map(\.dayEnd)), median(ends.filter { $0.statements > 0 }.map(\.making)))
      print(
        """
        \(size) accounts: a day end takes \(dayEnd) µs, \(dayEnd / Int64(size)) µs an account; the statements of a \
        month \(making) µs, \(making / Int64(size)) µs each; \(checked.statements) of them were read again
        """)
    }

    private func simulate(_ size: Int) async throws {
      let folder = "\(out)/\(size)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let file = FileManager.default.temporaryDirectory.appending(path: "gatehouse-year-\(World.live.uuid())").path
      defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) } }
      let database = try SQLite(path: file, durability: .shared)
      defer { try? database.close() }
      try await database.migrate([DataKeyStore.migration] + AuditStore.migrations + LedgerModule.migrations)
      let seal = LedgerSeal(try await Vault.open(database, keyring: Keyring(world: .live), world: .live))
      var year = YearSimulation(database, accounts: size, days: days, seed: seed, seal: seal)
      try await year.run { print("\(size) accounts, \($0)") }
      for (name, lines) in year.lists.all {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: "\(folder)/\(name).csv"))
      }
      let times = year.dayEnds.filter { !$0.isMonthEnd }.map(\.time.microseconds).sorted()
      let faults = try await database.read { try LedgerStore($0).verify(under: seal) }.faults
      guard faults.isEmpty else { throw ValidationError("the books are wrong: \(faults.map(\.description))") }
      guard !times.isEmpty else { return }
      let median = times[times.count / 2]
      print("\(size) accounts: a day end takes \(median) µs, \(median / Int64(size)) µs an account; in \(folder)")
    }
  }
}
