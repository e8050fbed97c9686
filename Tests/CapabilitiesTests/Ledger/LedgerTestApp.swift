// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import TestSupport

@testable import Ledger

/// Books with a few accounts, on an engine of its own.
struct LedgerTestApp: Sendable {
  static let tenant = "acme"
  static let cash = LedgerAccount.ID(rawValue: "cash")

  /// Hands what the ledger did to a test.
  struct Recorder: LedgerRecorder {
    typealias Record = @Sendable ([LedgerEvent], any SQLTransaction) throws -> Void

    let told: Record

    func record(_ events: [LedgerEvent], in tx: any SQLTransaction) throws { try told(events, tx) }
  }

  let made: TestDatabase
  let clock = TestWorld()
  let ledger: Ledger
  let seal: LedgerSeal

  var database: any SQLDatabase { made.database }

  /// - Parameter guarded: false lets a test damage what is append-only.
  init(
    _ engine: Engine, guarded: Bool = true, workers: Int? = nil, booked: @escaping Recorder.Record = { _, _ in }
  ) async throws {
    made = try await TestDatabase.make(
      engine,
      [DataKeyStore.migration] + AuditStore.migrations
        + LedgerModule.migrations.map { guarded ? $0 : Migration($0.id, $0.statements) })
    seal = LedgerSeal(try await TestVault.open(made.database, clock.world))
    ledger = Ledger(
      database: made.database, world: clock.world, seal: seal, workers: workers,
      recorder: Recorder(told: booked))
    try await database.write { [ledger] tx in
      try ledger.put(
        LedgerProduct(tenant: Self.tenant, code: "cash", kind: .house, currency: "CAD", availableMin: nil), in: tx)
      try ledger.put(LedgerProduct(tenant: Self.tenant, code: "current", kind: .customer, currency: "CAD"), in: tx)
      _ = try ledger.open(.init(id: Self.cash, tenant: Self.tenant, product: "cash", name: "Cash"), in: tx)
    }
  }

  /// An active account of a customer with so much on it.
  @discardableResult
  func open(
    _ name: String, funds: Int64 = 0, product: String = "current", owner: String = "owner", isActive: Bool = true
  ) async throws -> LedgerAccount.ID {
    let id = LedgerAccount.ID(rawValue: name)
    try await database.write { [ledger] tx in
      _ = try ledger.open(
        .init(id: id, tenant: Self.tenant, product: product, name: name, owners: [owner]), in: tx)
      if isActive { _ = try ledger.activate(id, tenant: Self.tenant, in: tx) }
      if funds > 0 { _ = try ledger.transfer(order("fund \(name)", from: Self.cash, to: id, funds), in: tx) }
    }
    return id
  }

  func order(
    _ key: String, from debit: LedgerAccount.ID, to credit: LedgerAccount.ID, _ amount: Int64,
    currency: String = "CAD", tenant: String = tenant
  ) -> TransferOrder {
    TransferOrder(
      tenant: tenant, key: key, kind: "transfer", domain: "core-transfer", debit: debit, credit: credit,
      amount: Money(amount, currency))
  }

  func hold(
    _ key: String, on account: LedgerAccount.ID, for counterparty: LedgerAccount.ID = cash, _ amount: Int64,
    until end: Instant? = nil
  ) -> HoldOrder {
    HoldOrder(
      tenant: Self.tenant, key: key, kind: "purchase", domain: "core-card", account: account,
      counterparty: counterparty, amount: Money(amount, "CAD"), expiresAt: end)
  }

  func account(_ id: LedgerAccount.ID) async throws -> LedgerAccount? {
    try await ledger.account(id, tenant: Self.tenant)
  }

  func verify() async throws -> LedgerVerification { try await database.read { try LedgerStore($0).verify() } }

  /// The same under the key ring.
  func prove() async throws -> Set<LedgerVerification.Rule> {
    let seal = seal
    return Set(try await database.read { try LedgerStore($0).verify(under: seal) }.faults.map(\.rule))
  }
}

extension LedgerAnswer {
  var done: Done? { if case .done(let done) = self { done } else { nil } }
  var decline: LedgerDecline? { if case .declined(_, let reason) = self { reason } else { nil } }
  var refusal: LedgerRefusal? { if case .refused(let reason) = self { reason } else { nil } }
}
