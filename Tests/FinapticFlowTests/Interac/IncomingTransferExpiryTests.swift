// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: money that was not taken in time")
struct IncomingTransferExpiryTests {
  private static func work(_ app: AccountTestApp) async throws {
    let worker = OutboxWorker(
      database: app.database, world: app.clock.world,
      handlers: [IncomingTransferCommands.expiry: app.dependencies.incomingTransfers.expire],
      logger: LogRecorder().logger)
    while try await worker.runDue() > 0 {}
  }

  private static func statuses(_ app: AccountTestApp) async throws -> [String: String] {
    try await app.database.read { tx in
      try tx.query("SELECT number, status FROM finaptic_incoming_transfer").reduce(
        into: [String: String]()
      ) { found, row in
        found[try row.get("number", as: String.self)] = try row.get("status", as: String.self)
      }
    }
  }

  @Test("one that cannot be opened is a dead letter by its number, the rest ends, and it ends once it can be opened")
  func unopenable() async throws {
    try await AccountTestApp.run { app in
      let (ada, parts) = (try await app.customer("ada@finaptic.com"), app.dependencies)
      var numbers: [String] = []
      for _ in 0..<3 {
        numbers.append(try await app.send(to: "x@example.ca") { $0.customerId = ada.id }.interacPaymentNumber)
      }
      let spoiled = numbers[0]
      // It is the first that is due.
      let content = try await app.database.write { tx in
        let row = try tx.first("SELECT sealed_content FROM finaptic_incoming_transfer WHERE number = \(spoiled)")
        try tx.execute(
          """
          UPDATE finaptic_incoming_transfer SET sealed_content = \(Data("spoiled".utf8)), expires_at = expires_at - 1
          WHERE number = \(spoiled)
          """)
        return try #require(row).get("sealed_content", as: Data.self)
      }
      app.clock.advance(by: .days(31))
      // The job succeeds, however often it runs, and names it once.
      for _ in 0..<2 {
        try await parts.incomingTransfers.sweep()
        try await parts.incomingTransfers.sweep()
        try await Self.work(app)
      }
      #expect(
        try await Self.statuses(app)
          == [spoiled: "AVAILABLE", numbers[1]: "CANCELED", numbers[2]: "CANCELED"])
      let dead = try await app.database.read { try OutboxStore($0).deadLetters(topic: IncomingTransferCommands.expiry) }
      #expect(dead.map(\.subject) == [spoiled] && dead.map(\.reason) == ["Unopenable"])

      // An export tells all that stands in the open.
      let export = try await parts.exporter.export(ada.id, tenant: AccountTestApp.tenant, by: "test")
      #expect(export.interacTransfers.map(\.interacPaymentNumber).sorted() == numbers.sorted())
      #expect(export.interacTransfers.first { $0.interacPaymentNumber == spoiled }?.initiatorName == "")

      // A release that changes nothing names it again.
      let letter = try #require(dead.first).id
      try await app.database.write { [now = app.clock.now] in _ = try OutboxStore($0).release(letter, now: now) }
      try await Self.work(app)
      #expect(try await app.database.read { try OutboxStore($0).deadLetters() }.map(\.id) == [letter])

      try await app.database.write { [now = app.clock.now] tx in
        try tx.execute(
          "UPDATE finaptic_incoming_transfer SET sealed_content = \(content) WHERE number = \(spoiled)")
        _ = try OutboxStore(tx).release(letter, now: now)
      }
      try await Self.work(app)
      #expect(try await Self.statuses(app)[spoiled] == "CANCELED")
      #expect(try await app.database.read { try OutboxStore($0).deadLetters() }.isEmpty)
    }
  }

  @Test("no more are named than the outbox bears, each once, and the next one when one of those is gone")
  func bounded() async throws {
    try await AccountTestApp.run { app in
      let (ada, parts) = (try await app.customer("ada@finaptic.com"), app.dependencies)
      for _ in 0..<4 { _ = try await app.send(to: "x@example.ca") { $0.customerId = ada.id } }
      try await app.database.write { tx in
        _ = try tx.execute("UPDATE finaptic_incoming_transfer SET sealed_content = \(Data("spoiled".utf8))")
      }
      app.clock.advance(by: .days(31))
      func dead() async throws -> [DeadLetter] {
        for _ in 0..<3 {
          try await parts.incomingTransfers.sweep(unopenableMax: 2)
          try await Self.work(app)
        }
        return try await app.database.read { try OutboxStore($0).deadLetters(topic: IncomingTransferCommands.expiry) }
      }
      let first = try await dead()
      #expect(first.count == 2 && Set(first.map(\.subject)).count == 2)
      let dropped = try #require(first.first).id
      try await app.database.write { _ = try OutboxStore($0).drop(dropped) }
      let second = try await dead()
      #expect(second.count == 2 && Set(second.map(\.subject)).count == 2)
    }
  }
}
