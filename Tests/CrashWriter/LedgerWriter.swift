// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage
import Synchronization

/// Moves money between accounts `account-0` … that the test has opened, as many clients at once as it is told, until all
/// transfers were answered. It begins at the first one each time: what was done before a crash is answered again.
struct LedgerWriter: Sendable {
  static let accounts = 8
  static let transfers = 10_000

  let ledger: Ledger
  private let next = NextNumber()

  static func run(_ address: String, clients: Int) async throws {
    let database: any SQLDatabase =
      address.hasPrefix("postgres") ? Postgres(PostgresSettings(url: address)) : try CrashWriter.open(address)
    let writer = LedgerWriter(ledger: Ledger(database: database, world: .live))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<clients { group.addTask { try await writer.run() } }
      try await group.waitForAll()
    }
  }

  private func run() async throws {
    while let number = next.take(below: Self.transfers) {
      guard case .done = try await ledger.transfer(Self.order(number)) else { throw NotDone() }
      CrashWriter.say("\(number)")
    }
  }

  /// The tests know it too: what the books must hold in the end.
  static func order(_ number: Int) -> TransferOrder {
    let debit = number % accounts
    return TransferOrder(
      tenant: "acme", key: "transfer \(number)", kind: "transfer", domain: "core-transfer",
      debit: .init(rawValue: "account-\(debit)"),
      credit: .init(rawValue: "account-\((debit + 1 + number % 3) % accounts)"),
      amount: Money(Int64(1 + number % 50), "CAD"))
  }

  struct NotDone: Error {}
}

private final class NextNumber: Sendable {
  private let value = Mutex(0)

  func take(below end: Int) -> Int? {
    value.withLock { value in
      guard value < end else { return nil }
      defer { value += 1 }
      return value
    }
  }
}
