// SPDX-License-Identifier: Apache-2.0

import Ledger
import Finaptic
import FinapticFlow
import Foundation
import GatehouseTransport
import GatehouseWire
import FinapticWire
import Kit
import Storage
import TestSupport
import Testing

@testable import GatehouseApp

/// The program in a process of its own, killed while apps transfer over HTTP. Every transfer that is in doubt is asked
/// for again under its key, as the SDK does.
@Suite("Finaptic: kill -9", .ownFile, .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"))
struct FinapticTransferCrashTests {
  private static let count =
    ProcessInfo.processInfo.environment["GATEHOUSE_CRASH_TRANSFERS"].flatMap { Int($0) } ?? 240
  private static let (apps, funds) = (8, Int64(1_000_00))

  /// What an app wants done: its key, and how many cents.
  private struct Wish: Sendable {
    let appIndex: Int
    let key: String
    let cents: Int64
  }

  private struct Place: Sendable {
    let clientKey: String
    let tokens: [String]
    let accounts: [(String, String)]
  }

  @Test("in the middle of transfers over HTTP loses none and doubles none", .timeLimit(.minutes(4)))
  func killed() async throws {
    let folder = try TestFolder()
    let data = folder.file("data")
    let place = try await Self.prepare(data)
    let program = LiveProgram(data: data)
    let variables = ["GATEHOUSE_FINAPTIC_LIMIT_FACTOR": "1000"]
    var left = (0..<Self.count).map {
      Wish(appIndex: $0 % Self.apps, key: UUID().uuidString, cents: Int64(1 + $0 % 90))
    }
    let wishes = left
    var (lives, answers): (Int, [String: String]) = (0, [:])
    while !left.isEmpty {
      lives += 1
      try program.start(variables)
      // The first three lives end on the way.
      let mark = lives <= 3 ? answers.count + Self.count / 5 : Int.max
      let said = await Self.ask(left, place, program, until: mark - answers.count)
      for (key, id) in said {
        #expect(answers[key] == nil || answers[key] == id)
        answers[key] = id
      }
      program.kill()
      left.removeAll { answers[$0.key] != nil }
      try #require(lives < 10)
    }
    #expect(lives >= 4)
    // Once more, all of them: the same answers.
    try program.start(variables)
    let again = await Self.ask(wishes, place, program, until: .max)
    #expect(again == answers && again.count == wishes.count)
    program.kill()
    try await Self.verify(data, place, wishes)
  }

  /// Asks with as many connections as there are apps, and kills the program when enough was answered.
  private static func ask(
    _ wishes: [Wish], _ place: Place, _ program: LiveProgram, until mark: Int
  ) async -> [String: String] {
    let transport = program.transport
    return await withTaskGroup(of: [(String, String)].self) { group in
      let answered = Counter()
      for appIndex in 0..<apps {
        group.addTask {
          var said: [(String, String)] = []
          for wish in wishes where wish.appIndex == appIndex {
            guard answered.count < mark, let id = await Self.transfer(wish, place, transport) else { continue }
            said.append((wish.key, id))
            if answered.next() == mark { program.kill() }
          }
          return said
        }
      }
      return await group.reduce(into: [:]) { all, said in
        for (key, id) in said { all[key] = id }
      }
    }
  }

  /// - Returns: nil when it is unknown.
  private static func transfer(_ wish: Wish, _ place: Place, _ transport: HTTPTransport) async -> String? {
    let (source, destination) = place.accounts[wish.appIndex]
    let body = FinapticAPI.InitiateTransferRequest(
      sourceAccountId: source, destinationAccountId: destination,
      fundTransfer: .init(amount: Money(wish.cents, "CAD").decimal, currency: "CAD"))
    guard let url = URL(string: LiveProgram.address + FinapticMethod.initiateTransfer.path),
      let bytes = try? WireJSON.encode(body),
      let answer = try? await transport.send(
        TransportRequest(
          method: "POST", url: url,
          headers: [
            "content-type": "application/json", "x-client-key": place.clientKey,
            "authorization": "Bearer \(place.tokens[wish.appIndex])", "idempotency-key": wish.key,
          ], body: bytes)), answer.isSuccess,
      let view = try? WireJSON.decode(FinapticAPI.InitiateTransferResponse.self, from: answer.body)
    else { return nil }
    #expect(view.details.status == "COMPLETED")
    return view.details.transactionId
  }

  // MARK: Before and after

  private static func open(_ data: String) async throws -> App {
    var settings = Settings()
    settings.dataFolder = data
    settings.logLevel = "error"
    try await settings.putSchema()
    return try await App.open(settings, logger: settings.logger("test"))
  }

  private static func prepare(_ data: String) async throws -> Place {
    let app = try await open(data)
    let (tenants, parts) = (app.finaptic.dependencies.tenants, app.finaptic.dependencies)
    try await tenants.add(7, name: "Crash", kind: .sandbox, by: "test")
    let key = try await tenants.issueKey("app", tenant: 7, by: "test").key.id.rawValue
    var (tokens, accounts): ([String], [(String, String)]) = ([], [])
    for _ in 0..<apps {
      let made = try await FinapticTestCustomer.make(in: app, tenant: 7, accounts: 2)
      let simulation = try app.finaptic.dependencies.simulation(of: try await tenants.find(7), by: "test")
      _ = try await simulation.deposit(
        .init(
          accountId: made.accounts[0], amount: .init(amount: Money(funds, "CAD").decimal, currency: "CAD")),
        key: parts.core.world.randomUUID())
      tokens.append(made.token)
      accounts.append((made.accounts[0], made.accounts[1]))
    }
    try app.database.close()
    return Place(clientKey: key, tokens: tokens, accounts: accounts)
  }

  private static func verify(_ data: String, _ place: Place, _ wishes: [Wish]) async throws {
    let app = try await open(data)
    let ledger = app.finaptic.dependencies.ledger
    for (appIndex, (source, destination)) in place.accounts.enumerated() {
      let moved = wishes.filter { $0.appIndex == appIndex }.reduce(0) { $0 + $1.cents }
      let tenant = BankAccount.ledgerTenant(7)
      #expect(try await ledger.account(.init(rawValue: source), tenant: tenant)?.actual == funds - moved)
      #expect(try await ledger.account(.init(rawValue: destination), tenant: tenant)?.actual == moved)
    }
    let found = try await app.database.read { try LedgerStore($0).verify() }
    #expect(found.faults.isEmpty && found.transfers == wishes.count + apps)
    try app.database.close()
  }
}
