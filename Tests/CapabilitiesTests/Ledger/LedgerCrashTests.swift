// SPDX-License-Identifier: Apache-2.0

import CrashTrials
import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import Ledger

/// What `CrashWriter DATABASE ledger` does, as it says there.
private enum Plan {
  static let (accounts, transfers, clients) = (8, 10_000, 16)
  static let funds: Int64 = 1_000_000

  static var balances: [Int64] {
    var balances = Array(repeating: funds, count: accounts)
    for number in 0..<transfers {
      let debit = number % accounts
      balances[debit] -= Int64(1 + number % 50)
      balances[(debit + 1 + number % 3) % accounts] += Int64(1 + number % 50)
    }
    return balances
  }
}

@Suite("Ledger: kill -9", .enabled(if: CrashWriterProgram.url != nil, "no CrashWriter was built"))
struct LedgerCrashTests {
  @Test(
    "in the middle of 10,000 transfers loses none and doubles none", .timeLimit(.minutes(5)),
    arguments: Engine.available)
  func killed(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    for number in 0..<Plan.accounts { try await app.open("account-\(number)", funds: Plan.funds) }
    var (randomness, acknowledged) = (SeededGenerator(seed: 9), Set<Int>())
    for life in 1...6 {
      // The first lives end somewhere on the way; the last one asks for everything again and comes to the end.
      let isLast = life == 6
      let target = isLast ? nil : acknowledged.count + Int.random(in: 1...1500, using: &randomness)
      let said = try Self.live(app.made.address, until: target)
      acknowledged.formUnion(said)
      let keys = try await Self.keys(app)
      #expect(acknowledged.allSatisfy { keys.contains("transfer \($0)") }, "life \(life)")
      #expect(try await app.verify().faults.isEmpty)
    }
    #expect(acknowledged.count == Plan.transfers)
    let found = try await app.verify()
    #expect(found.transfers == Plan.transfers + Plan.accounts && found.declined == 0)
    for (number, balance) in Plan.balances.enumerated() {
      #expect(try await app.account(.init(rawValue: "account-\(number)"))?.actual == balance)
    }
  }

  private static func keys(_ app: LedgerTestApp) async throws -> Set<String> {
    try await app.database.read { tx in
      Set(try tx.query("SELECT idempotency_key FROM ledger_transfer").map { try $0.get("idempotency_key") })
    }
  }

  /// - Parameter count: transfers after which the program is killed; nil lets it end.
  /// - Returns: what it said was done.
  private static func live(_ address: String, until count: Int?) throws -> [Int] {
    let (process, output) = (ChildProcess(), Pipe())
    process.executableURL = CrashWriterProgram.url
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.arguments = [address, "ledger", "\(Plan.clients)"]
    process.standardOutput = output
    try process.run()
    try output.fileHandleForWriting.close()
    var (said, lines) = (Data(), 0)
    while lines < count ?? .max {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      lines += more.count { $0 == 10 }
      said += more
    }
    if count != nil { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    #expect(process.terminationStatus == (count == nil ? 0 : SIGKILL))
    said += output.fileHandleForReading.readDataToEndOfFile()
    // A last line without its end was not said whole.
    let whole = said.prefix(through: said.lastIndex(of: 10) ?? said.startIndex)
    return String(decoding: whole, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
  }
}
