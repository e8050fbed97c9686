// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import TestSupport
import Testing

@testable import Ledger

@Suite("Ledger: pages of what arrives meanwhile")
struct LedgerPagingTests {
  @Test("pages neither skip nor repeat while entries are booked", arguments: Engine.available, [true, false])
  func underInserts(engine: Engine, newestFirst: Bool) async throws {
    let app = try await LedgerTestApp(engine)
    let one = try await app.open("one", funds: 10_000)
    @Sendable func book(_ range: Range<Int>) async throws {
      for number in range {
        let order = app.order("\(number)", from: one, to: LedgerTestApp.cash, 1)
        #expect(try await app.ledger.transfer(order).done != nil)
      }
    }
    try await book(0..<50)
    let seen = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for worker in 0..<4 {
        group.addTask {
          try await book(1000 * (worker + 1)..<1000 * (worker + 1) + 40)
          return []
        }
      }
      group.addTask {
        var (seen, page) = ([Int64](), Ledger.EntryPage())
        (page.limit, page.newestFirst) = (7, newestFirst)
        while true {
          let entries = try await app.ledger.entries(of: one, page)
          guard let last = entries.last else { return seen }
          seen += entries.map(\.sequence)
          page.after = last.sequence
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    // From the first one that was looked at to the end of that direction, each once.
    let expected = newestFirst ? Array((1...(seen.first ?? 0)).reversed()) : Array(1...(seen.last ?? 0))
    #expect(seen == expected && seen.count >= 51)
  }

  @Test("entries between two instants: from is in, to is not", arguments: Engine.available)
  func between(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    let one = try await app.open("one", funds: 100)
    var times: [LedgerTime] = []
    for number in 0..<30 {
      if number % 4 == 0 { app.clock.advance(by: .seconds(1)) }
      let order = app.order("\(number)", from: one, to: LedgerTestApp.cash, 1)
      times.append(try #require(try await app.ledger.transfer(order).done).at)
    }
    // No two have the same, also when the clock stands still.
    #expect(Set(times).count == times.count && times == times.sorted())
    for (from, to) in [(0, 30), (3, 3), (3, 4), (7, 29), (29, 30)] {
      var page = Ledger.EntryPage()
      (page.from, page.to) = (times[from], to < 30 ? times[to] : nil)
      let found = try await app.ledger.entries(of: one, page).map(\.sequence)
      let expected: [Int64] = (from..<to).reversed().map { Int64($0 + 2) }
      #expect(found == expected, "\(from) \(to)")
    }
    for time in times {
      let first = try await app.database.read { try LedgerStore($0).firstSequence(of: one, at: time) }
      let next = try await app.database.read { try LedgerStore($0).firstSequence(of: one, at: time.next) }
      #expect(next == first + 1)
    }
  }

  @Test("accounts of a party come in pages, with what the party is on them", arguments: Engine.available)
  func ofParty(engine: Engine) async throws {
    let app = try await LedgerTestApp(engine)
    for number in 0..<7 { try await app.open("mine \(number)", owner: "me") }
    let theirs = try await app.open("theirs", owner: "them")
    let added = try await app.database.write { tx in
      [
        try app.ledger.add("me", as: .authorized, to: theirs, tenant: "acme", in: tx),
        try app.ledger.add("me", as: .authorized, to: theirs, tenant: "acme", in: tx),
        try app.ledger.add("them", as: .authorized, to: theirs, tenant: "acme", in: tx),
      ]
    }
    #expect(added == [true, false, false])
    var (found, after) = ([PartyAccount](), LedgerAccount.ID?.none)
    while true {
      let page = try await app.ledger.accounts(of: "me", after: after, limit: 3)
      guard let last = page.last else { break }
      found += page
      after = last.account.id
    }
    #expect(found.map(\.account.id.rawValue) == (0..<7).map { "mine \($0)" } + ["theirs"])
    #expect(found.map(\.role) == Array(repeating: .owner, count: 7) + [.authorized])
    let parties = try await app.database.read { tx in
      (try LedgerStore(tx).parties(.owner, on: theirs), try LedgerStore(tx).parties(.authorized, on: theirs))
    }
    #expect(parties.0 == ["them"] && parties.1 == ["me"])
    let removed = try await app.database.write { tx in
      [
        try app.ledger.removeAuthorized("them", from: theirs, in: tx),
        try app.ledger.removeAuthorized("me", from: theirs, in: tx),
        try app.ledger.removeAuthorized("me", from: theirs, in: tx),
      ]
    }
    #expect(removed == [false, true, false])
  }
}
